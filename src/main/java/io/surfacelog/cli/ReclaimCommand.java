package io.surfacelog.cli;

import io.surfacelog.store.Reclaimed;
import java.io.IOException;
import picocli.CommandLine.Command;

/** {@code reclaim}: gives free space back. */
@Command(
        name = "reclaim",
        description = {
            "Gives the space of deleted sessions back to the file system: writes the database anew and empties its log.",
            "Takes as much free space as the database meanwhile. No session is changed."
        })
final class ReclaimCommand extends StoreCommand {

    ReclaimCommand(Console console, Database database) {
        super(console, database);
    }

    @Override
    boolean run(Standalone store, Output out) throws IOException {
        Reclaimed reclaimed = store.store().reclaim();
        out.line(Preview.count(reclaimed.bytesBefore(), "byte") + " before, "
                + Preview.count(reclaimed.bytesAfter(), "byte") + " after");
        return true;
    }
}
