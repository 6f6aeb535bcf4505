package io.surfacelog.stream;

/** A thread for each task: those of a pool are shared by tests that wait for one another. */
final class StreamThreads {

    private StreamThreads() {}

    static void run(Runnable task) {
        Thread thread = new Thread(task, "stream-test");
        thread.setDaemon(true);
        thread.start();
    }
}
