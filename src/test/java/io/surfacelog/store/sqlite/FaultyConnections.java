package io.surfacelog.store.sqlite;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Stands between a store and its connections, counts what is asked of SQLite, begins and commits among it, and makes the
 * n-th fail. Safe for use by several threads.
 */
final class FaultyConnections {

    /** When the n-th thing that is asked for fails. */
    enum Fault {
        /** It alone, before anything is done. */
        BEFORE(false, false),
        /** It alone, though it is done. */
        AFTER(true, false),
        /** It and everything that is asked for later, before anything is done. */
        FROM_THEN_ON(false, true),
        /** Everything later, and it, though it is done. */
        AFTER_AND_FROM_THEN_ON(true, true);

        private final boolean whenDone;
        private final boolean forGood;

        Fault(boolean whenDone, boolean forGood) {
            this.whenDone = whenDone;
            this.forGood = forGood;
        }

        boolean isForGood() {
            return forGood;
        }
    }

    private final AtomicInteger asked = new AtomicInteger();
    private volatile Fault fault = Fault.BEFORE;
    private volatile int failing = Integer.MAX_VALUE;
    private volatile boolean commitsOnly;

    /** From now on counted from 0; the n-th fails. */
    void failAt(int n, Fault kind, boolean ofCommits) {
        asked.set(0);
        fault = kind;
        commitsOnly = ofCommits;
        failing = n;
    }

    /** Whether there was a fault; there is none from now on. */
    boolean heal() {
        boolean failed = asked.get() > failing;
        failing = Integer.MAX_VALUE;
        return failed;
    }

    Connection wire(Connection real) {
        return proxy(Connection.class, (method, args) -> {
            String name = method.getName();
            if (name.equals("setAutoCommit")) {
                boolean commits = Boolean.TRUE.equals(args[0]) && !real.getAutoCommit();
                return ask(commits, method, real, args);
            }
            Object answer = call(method, real, args);
            if (answer instanceof PreparedStatement statement) {
                return wire(PreparedStatement.class, statement);
            }
            return answer instanceof Statement statement ? wire(Statement.class, statement) : answer;
        });
    }

    private <T extends Statement> T wire(Class<T> type, T real) {
        return proxy(
                type,
                (method, args) -> method.getName().startsWith("execute")
                        ? ask(false, method, real, args)
                        : call(method, real, args));
    }

    private Object ask(boolean commit, Method method, Object real, Object[] args) throws Throwable {
        if (commitsOnly && !commit && asked.get() <= failing) {
            return call(method, real, args);
        }
        int n = asked.getAndIncrement();
        boolean now = n == failing;
        boolean later = n > failing && fault.forGood;
        boolean done = now && fault.whenDone;
        if (later || (now && !done)) {
            throw broken();
        }
        Object answer = call(method, real, args);
        if (done) {
            throw broken();
        }
        return answer;
    }

    private static SQLException broken() {
        return new SQLiteException("injected", SQLiteErrorCode.SQLITE_IOERR);
    }

    private interface Handler {
        Object handle(Method method, Object[] args) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Handler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            if (method.getName().equals("equals")) {
                return proxy == args[0];
            }
            return handler.handle(method, args);
        }));
    }

    private static Object call(Method method, Object real, Object[] args) throws Throwable {
        try {
            return method.invoke(real, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
