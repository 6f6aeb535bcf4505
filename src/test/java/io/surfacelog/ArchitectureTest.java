package io.surfacelog;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static java.util.stream.Collectors.toMap;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.surfacelog.model.OpenAiModel;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullMarked;

/** Keeps the house of the design: who may use whom, and a few habits that a compiler does not check. */
@AnalyzeClasses(packages = ArchitectureTest.ROOT, importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    static final String ROOT = "io.surfacelog";

    /**
     * The packages from top to bottom, also those still to come. A package may use the packages of its own row and of the
     * rows above; {@link #BACKENDS} and {@link #ENTRY} say what is narrower.
     */
    private static final List<List<String>> ROWS = List.of(
            List.of("event"),
            List.of("surface"),
            List.of("provider"),
            List.of("store"),
            List.of("store.memory", "store.sqlite"),
            List.of("stream"),
            List.of("projection"),
            List.of("command"),
            List.of("transfer"),
            List.of("model"),
            List.of("agent"),
            List.of("compaction"),
            List.of("actuate", "web", "cli", "autoconfigure"));

    /** Everyone else knows the SPI only: a backend can be exchanged. */
    private static final Set<String> BACKENDS = Set.of("store.memory", "store.sqlite");

    private static final Set<String> MAY_NAME_A_BACKEND = Set.of("autoconfigure", "cli");

    /** Starts the others and is used by nobody: consumers have it on their class path, but not what it needs. */
    private static final String ENTRY = "cli";

    private static final Map<String, Integer> ROW_OF = IntStream.range(0, ROWS.size())
            .boxed()
            .flatMap(row -> ROWS.get(row).stream().map(name -> Map.entry(name, row)))
            .collect(toMap(Map.Entry::getKey, Map.Entry::getValue));

    @ArchTest
    static final ArchRule every_class_stands_in_a_package_of_the_design = classes()
            .should(new ArchCondition<>("stand in a package of the design") {
                @Override
                public void check(JavaClass subject, ConditionEvents events) {
                    events.add(new SimpleConditionEvent(
                            subject,
                            ROW_OF.containsKey(nameOf(subject)),
                            subject.getName() + " stands in none of " + ROWS));
                }
            });

    @ArchTest
    static final ArchRule a_package_uses_only_what_stands_above_it = classes()
            .should(new ArchCondition<>("use only what stands above them") {
                @Override
                public void check(JavaClass subject, ConditionEvents events) {
                    subject.getDirectDependenciesFromSelf().stream()
                            .filter(dependency -> isOurs(dependency.getTargetClass()))
                            .forEach(dependency -> events.add(new SimpleConditionEvent(
                                    subject,
                                    mayUse(nameOf(subject), nameOf(dependency.getTargetClass())),
                                    dependency.getDescription())));
                }
            });

    @ArchTest
    static final ArchRule every_package_says_what_it_is_and_is_null_marked = classes()
            .should(new ArchCondition<>("be in a package with a package-info that is @NullMarked") {
                @Override
                public void check(JavaClass subject, ConditionEvents events) {
                    events.add(new SimpleConditionEvent(
                            subject,
                            subject.getPackage().isAnnotatedWith(NullMarked.class),
                            subject.getPackageName() + " lacks a package-info.java with @NullMarked"));
                }
            });

    @ArchTest
    static final ArchRule a_name_says_what_a_class_is = noClasses()
            .should()
            .haveSimpleNameEndingWith("Util")
            .orShould()
            .haveSimpleNameEndingWith("Utils")
            .orShould()
            .haveSimpleNameEndingWith("Helper")
            .orShould()
            .haveSimpleNameEndingWith("Manager")
            .orShould()
            .haveSimpleNameEndingWith("Impl");

    @ArchTest
    static final ArchRule only_the_command_line_prints =
            noClasses().that().resideOutsideOfPackage(ROOT + ".cli..").should(ACCESS_STANDARD_STREAMS);

    @ArchTest
    static final ArchRule only_the_command_line_knows_picocli = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".cli..")
            .should(dependOnClassesThat(resideInAPackage("picocli..")));

    /** The rest has ports of its own to be measured at, which cost nothing while nobody does. */
    @ArchTest
    static final ArchRule only_those_who_wire_and_those_who_show_know_micrometer = noClasses()
            .that()
            .resideOutsideOfPackages(ROOT + ".actuate..", ROOT + ".autoconfigure..")
            .should(dependOnClassesThat(resideInAnyPackage("io.micrometer..", "io.prometheus..")));

    @ArchTest
    static final ArchRule only_what_an_operator_sees_needs_the_actuator = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".actuate..")
            .should(dependOnClassesThat(
                    resideInAnyPackage("org.springframework.boot.actuate..", "org.springframework.boot.health..")));

    @ArchTest
    static final ArchRule only_what_is_called_for_it_needs_the_openai_library = noClasses()
            .that()
            .haveNameNotMatching("io\\.surfacelog\\.model\\.OpenAi.*")
            .should(dependOnClassesThat(resideInAnyPackage("com.openai..", "okhttp3..", "okio..", "kotlin..")));

    @ArchTest
    static final ArchRule whoever_names_the_openai_model_is_guarded = noClasses()
            .that()
            .haveNameNotMatching("io\\.surfacelog\\.model\\.OpenAi.*")
            .and()
            .doNotHaveFullyQualifiedName(ROOT + ".autoconfigure.SurfacelogAutoConfiguration$OpenAi")
            .should(dependOnClassesThat(type(OpenAiModel.class)));

    private static boolean mayUse(String user, String used) {
        if (user.equals(used)) {
            return true;
        }
        if (used.equals(ENTRY) || (BACKENDS.contains(used) && !MAY_NAME_A_BACKEND.contains(user))) {
            return false;
        }
        // A package missing from the table has its own rule; here it stands above everything and below everything.
        return ROW_OF.getOrDefault(used, -1) <= ROW_OF.getOrDefault(user, ROWS.size());
    }

    private static boolean isOurs(JavaClass type) {
        return type.getPackageName().startsWith(ROOT);
    }

    private static String nameOf(JavaClass type) {
        String name = type.getPackageName();
        return name.equals(ROOT) ? "" : name.substring(ROOT.length() + 1);
    }
}
