package io.surfacelog.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A JVM of its own that runs a main class of the tests, and what it prints until it ends or is killed. */
public final class ChildJvm {

    /** What a child prints when it has loaded its classes and is about to begin. */
    public static final String READY = "ready";

    private static final long SECONDS = 90;

    private final Process process;
    private final List<String> lines = new ArrayList<>();
    private final CountDownLatch ready = new CountDownLatch(1);
    private final CompletableFuture<Void> reading;

    private ChildJvm(Process process) {
        this.process = process;
        this.reading = CompletableFuture.runAsync(this::readLines, task -> new Thread(task, "child-lines").start());
    }

    public static ChildJvm start(Class<?> main, Object... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        for (Object arg : args) {
            command.add(String.valueOf(arg));
        }
        return new ChildJvm(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    private void readLines() {
        try (BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            StringBuilder line = new StringBuilder();
            // a line cut short is none
            for (int c = out.read(); c >= 0; c = out.read()) {
                if (c != '\n') {
                    line.append((char) c);
                    continue;
                }
                add(line.toString());
                if (line.toString().equals(READY)) {
                    ready.countDown();
                }
                line.setLength(0);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            ready.countDown();
        }
    }

    /** Waits until the child is ready, or has ended. */
    public void awaitReady() throws InterruptedException {
        if (!ready.await(SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the child is not ready: " + lines());
        }
    }

    private synchronized void add(String line) {
        lines.add(line);
        notifyAll();
    }

    /** What it has printed so far, in whole lines. */
    public synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    /** Waits until it has printed so many lines, or has ended. */
    public synchronized void awaitLines(int count) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        for (long left = end - System.nanoTime();
                lines.size() < count && !reading.isDone() && left > 0;
                left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, Math.min(left, TimeUnit.SECONDS.toNanos(1)));
        }
    }

    /** Waits until it has printed this line, or has ended. */
    public synchronized void awaitLine(String line) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        for (long left = end - System.nanoTime();
                !lines.contains(line) && !reading.isDone() && left > 0;
                left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, Math.min(left, TimeUnit.SECONDS.toNanos(1)));
        }
    }

    /** For the child itself: says that it is about to begin, and sees to it that it does not outlive who started it. */
    public static void ready() {
        CompletableFuture<Void> unused = ProcessHandle.current()
                .parent()
                .map(parent ->
                        parent.onExit().thenRun(() -> Runtime.getRuntime().halt(1)))
                .orElseThrow(() -> new IllegalStateException("whoever started this process is gone"));
        System.out.println(READY);
        System.out.flush();
    }

    /** Lets a child begin that waits for it. */
    public void go() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Kills it as the kernel would, and returns what it printed in whole lines. */
    public List<String> kill() throws InterruptedException {
        // not by the process, which would close the stream with what was printed
        process.toHandle().destroyForcibly();
        return awaitEnd();
    }

    /** What it has printed, in whole lines, when it has ended by itself. */
    public List<String> awaitEnd() throws InterruptedException {
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("the child did not end: " + lines());
        }
        reading.join();
        return lines();
    }
}
