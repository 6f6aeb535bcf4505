-- Schema version 3. There is no V2 and no V4: another schema version means another file, and a database of that version
-- is refused. SchemaShape compares what stands here with what stands in a database, so this file is the one description
-- of both.

-- A run of n events. The key is the number of the session and the first seq in one integer. What a reader may pass over
-- without looking at it, the data, comes last.
CREATE TABLE event (
    key               INTEGER PRIMARY KEY,
    n                 INTEGER NOT NULL,
    type              TEXT    NOT NULL,
    time              ANY     NOT NULL,
    ignorable         INTEGER NOT NULL,
    surface_op        TEXT,
    source_event_seqs TEXT,
    checksum          INTEGER NOT NULL,
    data              ANY     NOT NULL
) STRICT;

CREATE TABLE session (
    number            INTEGER PRIMARY KEY AUTOINCREMENT,
    id                TEXT    NOT NULL UNIQUE,
    header            TEXT    NOT NULL,
    created_at        INTEGER NOT NULL,
    parent            TEXT,
    first_seq         INTEGER NOT NULL,
    inherited_surface INTEGER NOT NULL,
    next_seq          INTEGER NOT NULL,
    surface_count     INTEGER NOT NULL,
    surface_hash      INTEGER NOT NULL,
    checksum          INTEGER NOT NULL
) STRICT;

-- Where a fork finds the events before its own: those from from_seq to to_seq (excluded) are the owner's.
CREATE TABLE segment (
    session  INTEGER NOT NULL,
    from_seq INTEGER NOT NULL,
    to_seq   INTEGER NOT NULL,
    owner    INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (session, from_seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX segment_owner ON segment (owner);

-- What is left of a deleted session because forks need it: its events below to_seq.
CREATE TABLE kept_prefix (
    number   INTEGER PRIMARY KEY,
    id_hash  TEXT    NOT NULL,
    to_seq   INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE commit_log (
    position INTEGER PRIMARY KEY,
    session  INTEGER NOT NULL,
    from_seq INTEGER NOT NULL,
    to_seq   INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE idempotency_key (
    session   INTEGER NOT NULL,
    key       TEXT    NOT NULL,
    first_seq INTEGER NOT NULL,
    n         INTEGER NOT NULL,
    checksum  INTEGER NOT NULL,
    PRIMARY KEY (session, key)
) STRICT, WITHOUT ROWID;

-- Disposable: deleting all rows changes no answer.
CREATE TABLE checkpoint (
    session  INTEGER PRIMARY KEY,
    next_seq INTEGER NOT NULL,
    state    BLOB    NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE lease (
    session    INTEGER NOT NULL,
    purpose    TEXT    NOT NULL,
    token      INTEGER NOT NULL,
    owner      TEXT,
    host       TEXT,
    process    TEXT,
    renewed_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    checksum   INTEGER NOT NULL,
    PRIMARY KEY (session, purpose)
) STRICT, WITHOUT ROWID;

-- How far durable subscriptions have come. Numbers only: what they are of is named by its number, 0 for all sessions.
CREATE TABLE subscription (
    name       TEXT    NOT NULL PRIMARY KEY,
    session    INTEGER NOT NULL,
    position   INTEGER NOT NULL,
    seq        INTEGER NOT NULL,
    token      INTEGER NOT NULL,
    renewed_at INTEGER NOT NULL,
    held_until INTEGER NOT NULL,
    checksum   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What became of deleted and erased sessions: their numbers, which stay in commit_log, and no more than a hash of their ids.
CREATE TABLE audit (
    entry    INTEGER PRIMARY KEY,
    what     TEXT    NOT NULL,
    number   INTEGER NOT NULL,
    id_hash  TEXT    NOT NULL,
    time     INTEGER NOT NULL,
    events   INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE declared_type (
    type     TEXT    NOT NULL PRIMARY KEY,
    checksum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE store_meta (
    id             INTEGER PRIMARY KEY,
    store_id       TEXT    NOT NULL,
    declared_types INTEGER NOT NULL,
    checksum       INTEGER NOT NULL
) STRICT;

CREATE TABLE dictionary (
    id       INTEGER PRIMARY KEY,
    content  BLOB    NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
