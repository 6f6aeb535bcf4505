package io.surfacelog.cli;

/** What is done where the database is not there yet. */
enum IfAbsent {
    /** It is made. */
    CREATE,
    /** The command is refused. */
    REFUSE,
    /** The command works in memory and nothing is made: it will open the database again once it has something to keep. */
    REHEARSE
}
