package io.surfacelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class SurfacelogTest {

    @Test
    void says_which_version_it_is() {
        StringWriter out = new StringWriter();

        int exitCode = Surfacelog.commandLine(Console.ofProcess())
                .setOut(new PrintWriter(out, true))
                .execute("--version");

        assertThat(exitCode).isZero();
        assertThat(out.toString().trim()).matches("surfacelog \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");
    }
}
