package io.surfacelog.command;

import io.surfacelog.store.LeaseHolder;
import io.surfacelog.store.StoredLease;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** This process as a holder of leases. */
final class ThisProcess {

    private final @Nullable String host = host();
    private final ProcessMark mark = ProcessMark.ofThisProcess();

    /** A holder that is no other one's name. */
    LeaseHolder newHolder() {
        return new LeaseHolder(UUID.randomUUID().toString(), host, mark.toString());
    }

    /** Whether the holder's process ran on this machine and has ended; false whenever that cannot be told. */
    boolean knowsToBeDead(StoredLease lease) {
        LeaseHolder holder = lease.holder();
        return holder != null
                && host != null
                && host.equals(holder.host())
                && holder.process() != null
                && ProcessMark.parse(holder.process())
                        .filter(other -> other.isDeadFor(mark))
                        .isPresent();
    }

    private static @Nullable String host() {
        try {
            Path linux = Path.of("/proc/sys/kernel/hostname");
            String name = Files.exists(linux)
                    ? Files.readString(linux).strip()
                    : InetAddress.getLocalHost().getHostName();
            return name.isEmpty() ? null : name;
        } catch (IOException e) {
            return null;
        }
    }
}
