package io.surfacelog.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A surface payload needs an intent and a log-only payload must not have one: the compiler says so. */
class CompileErrorTest {

    @TempDir
    private Path classes;

    @Test
    void right_programs_compile() {
        assertThat(errors("""
                commands.append(id, UserMessage.of("hi"), SurfaceIntent.append());
                commands.append(id, TurnStart.of(1));
                commands.appendAsync(id, UserMessage.of("hi"), SurfaceIntent.append());
                commands.appendAsync(id, TurnStart.of(1));
                SurfacePayload payload = UserMessage.of("hi");
                commands.appendAll(id, List.of(
                        EventDraft.of(TurnStart.of(1)), EventDraft.of(payload, SurfaceIntent.append())));
                """)).isEmpty();
    }

    @Test
    void a_surface_payload_without_an_intent_does_not_compile() {
        assertThat(errors("""
                commands.append(id, UserMessage.of("hi"));
                commands.appendAsync(id, UserMessage.of("hi"));
                EventDraft.of(UserMessage.of("hi"));
                SurfacePayload payload = UserMessage.of("hi");
                commands.append(id, payload);
                """))
                .hasSize(4)
                .allSatisfy(error ->
                        assertThat(error).contains("cannot be converted to io.surfacelog.event.LogOnlyPayload"));
    }

    @Test
    void a_log_only_payload_with_an_intent_does_not_compile() {
        assertThat(errors("""
                commands.append(id, TurnStart.of(1), SurfaceIntent.append());
                commands.appendAsync(id, TurnStart.of(1), SurfaceIntent.append());
                EventDraft.of(TurnStart.of(1), SurfaceIntent.append());
                """))
                .hasSize(3)
                .allSatisfy(error ->
                        assertThat(error).contains("cannot be converted to io.surfacelog.event.SurfacePayload"));
    }

    private List<String> errors(String statements) {
        String source = """
                import io.surfacelog.command.*;
                import io.surfacelog.event.*;
                import java.util.List;
                class Program {
                    void run(SessionCommands commands, SessionId id) {
                        %s
                    }
                }
                """.formatted(statements);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(diagnostics, Locale.ROOT, null)) {
            List<String> options = List.of(
                    "-proc:none", "-classpath", System.getProperty("java.class.path"), "-d", classes.toString());
            compiler.getTask(null, files, diagnostics, options, null, List.of(new Source(source)))
                    .call();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // a copy: wording a message may look up classes, and report on them to the same collector
        return List.copyOf(diagnostics.getDiagnostics()).stream()
                .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
                .map(diagnostic -> diagnostic.getMessage(Locale.ROOT))
                .toList();
    }

    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        Source(String text) {
            super(URI.create("string:///Program.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
