package io.surfacelog.provider;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;

/**
 * Gives what was recorded a spelling that the provider takes, no two the same one. What can be kept is kept; the rest ends
 * in a digest of what was recorded, so that the spelling does not depend on what else a request holds and its beginning
 * stays what a provider has cached.
 */
final class Spellings {

    private static final int DIGEST_BYTES = 5;

    private final Alphabet alphabet;
    private final Set<String> taken = new HashSet<>();
    private final Map<String, Integer> times = new HashMap<>();

    /** All that was recorded must be known first: what is minted must never be what is kept. */
    Spellings(Alphabet alphabet, Iterable<String> recorded) {
        this.alphabet = alphabet;
        for (String spelling : recorded) {
            if (alphabet.accepts(spelling)) {
                taken.add(spelling);
            }
        }
    }

    /** The spelling of this one; asked again for the same, another one. */
    String next(String recorded) {
        int time = times.merge(recorded, 1, Integer::sum);
        if (time == 1 && alphabet.accepts(recorded)) {
            return recorded;
        }
        String kept = alphabet.keptOf(recorded, alphabet.maxLength() - 2 * DIGEST_BYTES - 1);
        String minted;
        int salt = 0;
        do {
            minted = kept + "_" + digest(recorded, time, salt++);
        } while (!taken.add(minted));
        return minted;
    }

    private static String digest(String recorded, int time, int salt) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update((time + " " + salt + " ").getBytes(StandardCharsets.US_ASCII));
            // by UTF-16 units: two that differ in a lone surrogate only must not become one
            for (int i = 0; i < recorded.length(); i++) {
                sha.update((byte) (recorded.charAt(i) >> 8));
                sha.update((byte) recorded.charAt(i));
            }
            return HexFormat.of().formatHex(sha.digest(), 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
