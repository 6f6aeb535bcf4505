-- Schema version 1. There is no V2: another schema version means another first file, and the old database is refused.
-- SchemaShape compares what stands here with what stands in a database, so this file is the one description of both.

CREATE TABLE event (
    key               INTEGER PRIMARY KEY,
    n                 INTEGER NOT NULL,
    type              TEXT    NOT NULL,
    time              ANY     NOT NULL,
    ignorable         INTEGER NOT NULL,
    data              TEXT    NOT NULL,
    surface_op        TEXT,
    source_event_seqs TEXT,
    checksum          INTEGER NOT NULL
) STRICT;

CREATE INDEX event_surface ON event (key) WHERE surface_op IS NOT NULL;

CREATE INDEX event_not_chunk ON event (key) WHERE type <> 'assistant/chunk';

CREATE TABLE session (
    number        INTEGER PRIMARY KEY AUTOINCREMENT,
    id            TEXT    NOT NULL UNIQUE,
    header        TEXT    NOT NULL,
    created_at    INTEGER NOT NULL,
    parent        TEXT,
    next_seq      INTEGER NOT NULL,
    surface_count INTEGER NOT NULL,
    surface_sum   INTEGER NOT NULL,
    plain_count   INTEGER NOT NULL,
    plain_sum     INTEGER NOT NULL,
    surface_hash  INTEGER NOT NULL,
    checksum      INTEGER NOT NULL
) STRICT;

CREATE TABLE commit_log (
    position INTEGER PRIMARY KEY,
    session  INTEGER NOT NULL REFERENCES session (number),
    from_seq INTEGER NOT NULL,
    to_seq   INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE idempotency_key (
    session   INTEGER NOT NULL REFERENCES session (number),
    key       TEXT    NOT NULL,
    first_seq INTEGER NOT NULL,
    n         INTEGER NOT NULL,
    checksum  INTEGER NOT NULL,
    PRIMARY KEY (session, key)
) STRICT, WITHOUT ROWID;

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
