package io.surfacelog.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What tells one process from every other that ever had its number.
 *
 * @param pid its number
 * @param started when it started: on Linux as the kernel counts, which no change of the clock moves
 * @param realm where numbers mean the same: a boot of a machine and, within it, a container; empty where that cannot be told
 */
record ProcessMark(long pid, String started, String realm) {

    private static final Path PROC = Path.of("/proc");

    /** In {@code /proc/PID/stat}, counted from the state, which follows the name. */
    private static final int START_TIME = 19;

    static ProcessMark ofThisProcess() {
        long pid = ProcessHandle.current().pid();
        try {
            String realm = Files.readString(PROC.resolve("sys/kernel/random/boot_id"))
                            .strip() + "/" + Files.readSymbolicLink(PROC.resolve("self/ns/pid"));
            return new ProcessMark(pid, stat(pid)[START_TIME], realm);
        } catch (IOException | RuntimeException notLinux) {
            return new ProcessMark(pid, started(ProcessHandle.current()), "");
        }
    }

    static Optional<ProcessMark> parse(String text) {
        String[] parts = text.split(" ", 3);
        try {
            return parts.length == 3
                    ? Optional.of(new ProcessMark(Long.parseLong(parts[0]), parts[1], parts[2]))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Whether the process, seen from this one, is known to have ended; false whenever that cannot be told. */
    boolean isDeadFor(ProcessMark self) {
        if (!realm.equals(self.realm)) {
            return false;
        }
        return realm.isEmpty() ? isDeadByHandle() : isDeadByProc();
    }

    private boolean isDeadByHandle() {
        Optional<ProcessHandle> handle = ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
        if (handle.isEmpty()) {
            return true;
        }
        String found = started(handle.get());
        return !found.isEmpty() && !started.isEmpty() && !found.equals(started);
    }

    private boolean isDeadByProc() {
        try {
            String[] stat = stat(pid);
            boolean ended = stat[0].equals("Z") || stat[0].equals("X");
            return ended || !stat[START_TIME].equals(started);
        } catch (NoSuchFileException e) {
            // where processes of others are hidden, the first one is too
            return Files.isReadable(PROC.resolve("1/stat"));
        } catch (IOException | RuntimeException unreadable) {
            return false;
        }
    }

    private static String[] stat(long pid) throws IOException {
        String stat = Files.readString(PROC.resolve(pid + "/stat"));
        // the name, in brackets, may hold anything
        return stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ");
    }

    private static String started(ProcessHandle process) {
        return process.info()
                .startInstant()
                .map(start -> Long.toString(start.toEpochMilli()))
                .orElse("");
    }

    /** As {@link #parse} takes it. */
    @Override
    public String toString() {
        return pid + " " + started + " " + realm;
    }
}
