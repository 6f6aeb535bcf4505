package io.surfacelog.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.surfacelog.command.SessionCommands;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The picture in the page on the architecture is the one that the byte code draws. */
class ArchitecturePictureTest {

    private static final String ROOT = "io.surfacelog.";
    private static final Path PAGE = Path.of("docs/architecture.md");
    private static final String RENEW = "surfacelog.renew-picture";

    @Test
    void the_picture_shows_who_uses_whom_as_the_code_has_it() throws IOException {
        String drawn = drawn(uses());
        String page = Documents.read(PAGE);
        String shown = Documents.blocks(PAGE, "mermaid").get(0).code();
        if (Boolean.getBoolean(RENEW)) {
            Files.writeString(PAGE, page.replace(shown, drawn));
            return;
        }
        assertThat(shown)
                .as("the picture in %s; renew it with mvn test -Dtest=ArchitecturePictureTest -D%s=true", PAGE, RENEW)
                .isEqualTo(drawn);
    }

    @Test
    void no_package_uses_itself_by_way_of_another() {
        Map<String, Set<String>> uses = uses();
        uses.forEach((user, used) -> used.forEach(one ->
                assertThat(reachable(uses, one)).as(user + " uses " + one).doesNotContain(user)));
    }

    private static Map<String, Set<String>> uses() {
        Map<String, Set<String>> uses = new TreeMap<>();
        for (JavaClass user : new ClassFileImporter().importUrl(classes())) {
            Set<String> used = uses.computeIfAbsent(nameOf(user), name -> new TreeSet<>());
            user.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                    .filter(type -> type.getPackageName().startsWith(ROOT))
                    .map(ArchitecturePictureTest::nameOf)
                    .filter(name -> !name.equals(nameOf(user)))
                    .forEach(used::add);
        }
        return uses;
    }

    private static URL classes() {
        return SessionCommands.class.getProtectionDomain().getCodeSource().getLocation();
    }

    private static String nameOf(JavaClass type) {
        return type.getPackageName().substring(ROOT.length());
    }

    /** Without the arrows that follow from others: whoever can be reached by way of a third needs none of its own. */
    private static String drawn(Map<String, Set<String>> uses) {
        String arrows = uses.entrySet().stream()
                .flatMap(entry -> entry.getValue().stream()
                        .filter(used -> entry.getValue().stream()
                                .noneMatch(third -> !third.equals(used)
                                        && reachable(uses, third).contains(used)))
                        .map(used -> "    " + entry.getKey() + " --> " + used + "\n"))
                .collect(Collectors.joining());
        return "flowchart TD\n" + arrows;
    }

    private static Set<String> reachable(Map<String, Set<String>> uses, String from) {
        Set<String> reached = new HashSet<>();
        reach(uses, from, reached);
        return reached;
    }

    private static void reach(Map<String, Set<String>> uses, String from, Set<String> reached) {
        for (String used : uses.getOrDefault(from, Set.of())) {
            if (reached.add(used)) {
                reach(uses, used, reached);
            }
        }
    }
}
