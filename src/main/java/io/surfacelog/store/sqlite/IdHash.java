package io.surfacelog.store.sqlite;

import io.surfacelog.event.SessionId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** What is kept of the id of a removed session: enough to find it again, if one knows it, and not enough to tell it. */
final class IdHash {

    private IdHash() {}

    /** SHA-256 over the id of the store and the stored form of the session's, in hex. */
    static String of(String storeId, SessionId session) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(storeId.getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
            digest.update(StoredText.encode(session.value()).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
