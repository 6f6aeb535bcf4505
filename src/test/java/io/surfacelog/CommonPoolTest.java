package io.surfacelog;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Neither the product nor its tests wait in the common pool, which has one thread on a small machine. */
@AnalyzeClasses(packages = ArchitectureTest.ROOT)
class CommonPoolTest {

    @ArchTest
    static final ArchRule nothing_is_handed_to_the_common_pool = noClasses()
            .should()
            .callMethod(CompletableFuture.class, "runAsync", Runnable.class)
            .orShould()
            .callMethod(CompletableFuture.class, "supplyAsync", Supplier.class)
            .because("since Java 25 two of them that wait for one another wait for ever on two cores;"
                    + " tests have io.surfacelog.testing.Aside");
}
