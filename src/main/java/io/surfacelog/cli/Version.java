package io.surfacelog.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/**
 * The version of this build, from a file that Maven fills in. The manifest would do for a jar, but there is none when the
 * classes run from a folder.
 */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() throws IOException {
        return new String[] {"surfacelog " + number()};
    }

    static String number() throws IOException {
        try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
            Properties properties = new Properties();
            properties.load(Objects.requireNonNull(in, "version.properties"));
            return properties.getProperty("version");
        }
    }
}
