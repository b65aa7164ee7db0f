CREATE TABLE call (
    id             INTEGER PRIMARY KEY,
    call           TEXT    NOT NULL UNIQUE,
    study          TEXT    NOT NULL,
    notebook       TEXT    NOT NULL,
    fix_type       TEXT    NOT NULL,
    fix_number     INTEGER NOT NULL,
    re_ask         INTEGER NOT NULL,
    provider       TEXT    NOT NULL,
    model          TEXT    NOT NULL,
    prompt         TEXT    NOT NULL,
    occurrence     INTEGER NOT NULL,
    max_output     INTEGER NOT NULL,
    temperature    REAL,
    seed           INTEGER,
    effort         TEXT,
    reserved_at    INTEGER NOT NULL,
    settled_at     INTEGER,
    outcome        TEXT    NOT NULL,
    model_reported TEXT,
    request_id     TEXT,
    attempts       INTEGER,
    seconds        REAL,
    input          INTEGER,
    cached_input   INTEGER,
    cache_write    INTEGER,
    output         INTEGER,
    reasoning      INTEGER,
    usage_source   TEXT,
    reserved       INTEGER NOT NULL CHECK (reserved >= 0),
    cost           INTEGER NOT NULL CHECK (cost >= 0),
    is_paid        INTEGER NOT NULL,
    is_disputed    INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX call_by_notebook ON call (study, notebook, is_paid, cost);
CREATE INDEX call_by_time ON call (reserved_at, is_paid, cost);
CREATE INDEX call_disputed ON call (is_disputed) WHERE is_disputed;
CREATE INDEX call_unsettled ON call (study, reserved_at) WHERE outcome = 'reserved';

-- The sum of a study, kept by the tables themselves: a large study has tens of thousands of calls, and each new one is
-- checked against it.
CREATE TABLE spent (
    study TEXT    PRIMARY KEY,
    cost  INTEGER NOT NULL
) STRICT;

CREATE TRIGGER call_entered AFTER INSERT ON call WHEN NEW.is_paid BEGIN
    INSERT INTO spent (study, cost) VALUES (NEW.study, NEW.cost)
    ON CONFLICT (study) DO UPDATE SET cost = cost + excluded.cost;
END;

CREATE TRIGGER call_changed AFTER UPDATE OF cost ON call WHEN NEW.is_paid BEGIN
    UPDATE spent SET cost = cost + NEW.cost - OLD.cost WHERE study = NEW.study;
END;

CREATE TRIGGER call_removed AFTER DELETE ON call WHEN OLD.is_paid BEGIN
    UPDATE spent SET cost = cost - OLD.cost WHERE study = OLD.study;
END;
