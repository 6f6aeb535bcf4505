package io.surfacelog.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Takes arguments and file names as UTF-8 where the locale is ASCII, as it is in most containers: the JVM then loses every
 * other character of both, so that a file could neither be opened nor named. Elsewhere nothing is changed.
 */
final class Arguments {

    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
    private static final String WORKING_DIRECTORY = "/proc/self/cwd/";

    private Arguments() {}

    /** The arguments as they were typed. */
    static String[] typed(String[] args) {
        if (isSound(args)) {
            return args;
        }
        try {
            return typed(args, Files.readAllBytes(COMMAND_LINE));
        } catch (IOException e) {
            // not on Linux: the JVM's reading has to do
            return args;
        }
    }

    private static boolean isSound(String[] args) {
        return "UTF-8".equalsIgnoreCase(System.getProperty("sun.jnu.encoding"))
                || Arrays.stream(args).allMatch(StandardCharsets.US_ASCII.newEncoder()::canEncode)
                        && Arrays.stream(args).noneMatch(arg -> arg.indexOf('?') >= 0);
    }

    /** The last of the NUL-ended words are the arguments; before them stand the JVM's own. */
    static String[] typed(String[] args, byte[] commandLine) {
        List<byte[]> words = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < commandLine.length; i++) {
            if (commandLine[i] == 0) {
                words.add(Arrays.copyOfRange(commandLine, start, i));
                start = i + 1;
            }
        }
        if (words.size() < args.length) {
            return args;
        }
        String[] typed = args.clone();
        for (int i = 0; i < args.length; i++) {
            try {
                typed[i] = InputLines.decode(words.get(words.size() - args.length + i));
            } catch (CharacterCodingException e) {
                typed[i] = args[i];
            }
        }
        return typed;
    }

    /**
     * The file of a name.
     *
     * @throws InvalidPathException if no file can have that name
     */
    static Path file(String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            if (name.indexOf('\0') >= 0) {
                throw e;
            }
            // with all three slashes: the JDK takes other URIs through the locale again
            return Path.of(URI.create("file://" + escaped(name.startsWith("/") ? name : WORKING_DIRECTORY + name)));
        }
    }

    /** Octets of a URI become the octets of a path, whatever the locale. */
    private static String escaped(String name) {
        StringBuilder path = new StringBuilder();
        for (byte octet : name.getBytes(StandardCharsets.UTF_8)) {
            boolean plain =
                    octet == '/' || octet == '.' || octet >= 'a' && octet <= 'z' || octet >= '0' && octet <= '9';
            path.append(plain ? String.valueOf((char) octet) : String.format("%%%02X", octet & 0xff));
        }
        return path.toString();
    }
}
