"""Create the PostgreSQL database of tables, and migrate older versions; version numbers match SQLite's.

Everything is in its own schema, so the database may hold other things too.
"""

from __future__ import annotations

from typing import Any

from bartizan.tables.errors import StorageError

SCHEMA_NAME = "bartizan"
SCHEMA_VERSION = 8
FIRST_VERSION = 5  # the first form with PostgreSQL
# "BART": whoever writes holds this advisory lock, so that sequences are in the order of commits.
LOCK = 0x42415254

SCHEMA = """
CREATE TABLE form (one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL);
CREATE TABLE tables (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, rules BIGINT NOT NULL, options TEXT NOT NULL,
    seats BIGINT NOT NULL, players TEXT NOT NULL, seed TEXT NOT NULL, created BIGINT NOT NULL,
    agreement TEXT NOT NULL DEFAULT '{}', closed BIGINT NOT NULL DEFAULT 0
);
CREATE TABLE tokens (
    hash BYTEA NOT NULL, table_id TEXT NOT NULL, seat BIGINT NOT NULL, PRIMARY KEY (hash, table_id)
);
CREATE INDEX tokens_of_table ON tokens (table_id, seat);
CREATE TABLE log (
    sequence BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    table_id TEXT NOT NULL, ply BIGINT NOT NULL, kind TEXT NOT NULL, seat BIGINT NOT NULL,
    text TEXT NOT NULL, id TEXT NOT NULL, at BIGINT NOT NULL, throw BYTEA NOT NULL DEFAULT '',
    spent BIGINT NOT NULL DEFAULT 0, link BIGINT NOT NULL DEFAULT 0, checksum BIGINT NOT NULL DEFAULT 0,
    UNIQUE (table_id, ply)
);
CREATE TABLE servers (name TEXT PRIMARY KEY, at BIGINT NOT NULL);
CREATE TABLE clocks (table_id TEXT PRIMARY KEY, version BIGINT NOT NULL, deadline BIGINT NOT NULL);
CREATE INDEX clocks_by_deadline ON clocks (deadline);
CREATE TABLE persons (
    table_id TEXT NOT NULL, seat BIGINT NOT NULL, name TEXT NOT NULL, arms TEXT NOT NULL,
    deaf BIGINT NOT NULL, PRIMARY KEY (table_id, seat)
);
CREATE TABLE chat (
    table_id TEXT NOT NULL, number BIGINT NOT NULL, seat BIGINT NOT NULL, text TEXT NOT NULL,
    emote TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (table_id, number)
);
"""
# Since form 6 an entry has a link to the entries before it and a checksum; earlier ones have 0.
FROM_FORM_5 = """
ALTER TABLE log ADD COLUMN link BIGINT NOT NULL DEFAULT 0;
ALTER TABLE log ADD COLUMN checksum BIGINT NOT NULL DEFAULT 0;
"""
# Since form 7 the host can block a key, and people can report one another.
FROM_FORM_6 = """
ALTER TABLE tokens ADD COLUMN blocked BIGINT NOT NULL DEFAULT 0;
CREATE TABLE reports (
    table_id TEXT NOT NULL, seat BIGINT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL,
    about BIGINT NOT NULL, about_name TEXT NOT NULL, reason TEXT NOT NULL, line TEXT NOT NULL,
    at BIGINT NOT NULL, PRIMARY KEY (table_id, seat, id)
);
"""
# Since form 8 browsers can be notified: the push services' addresses of them, by the key to a seat.
FROM_FORM_7 = """
CREATE TABLE pushes (
    table_id TEXT NOT NULL, hash BYTEA NOT NULL, endpoint TEXT NOT NULL, p256dh TEXT NOT NULL,
    auth TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (hash, endpoint)
);
"""
MIGRATIONS = (FROM_FORM_5, FROM_FORM_6, FROM_FORM_7)  # from form 5 on, one after the other


async def prepare(connection: Any, place: str) -> None:
    """Create or upgrade the tables, all or nothing; raises `StorageError` and asyncpg's errors."""
    async with connection.transaction():
        await connection.execute(f"SELECT pg_advisory_xact_lock({LOCK})")
        known = await connection.fetchval(
            "SELECT 1 FROM pg_namespace WHERE nspname = $1", SCHEMA_NAME
        )  # checked first: a user who can't create schemas may still use one
        if not known:
            await connection.execute(f"CREATE SCHEMA {SCHEMA_NAME}")
        if await connection.fetchval("SELECT to_regclass($1)", f"{SCHEMA_NAME}.form") is None:
            await connection.execute(SCHEMA + FROM_FORM_6 + FROM_FORM_7)
            await connection.execute("INSERT INTO form VALUES (1, $1)", SCHEMA_VERSION)
        version = await connection.fetchval("SELECT version FROM form")
        if not isinstance(version, int) or version < FIRST_VERSION:
            raise StorageError(f"The schema {SCHEMA_NAME} of {place} is not one of Bartizan's.")
        if version > SCHEMA_VERSION:
            raise StorageError(
                f"{place} was made by a newer Bartizan (form {version}, this one reads {SCHEMA_VERSION})."
            )
        for script in MIGRATIONS[version - FIRST_VERSION :]:
            await connection.execute(script)
        await connection.execute("UPDATE form SET version = $1", SCHEMA_VERSION)
