-- One row a thing that a source told: each source keeps its own view. `record` is JSON without its origin; `request` and `raw` say
-- where it was read, and on which page of a list an item stands is chance.
CREATE TABLE mined (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    source TEXT NOT NULL,
    record TEXT NOT NULL,
    request TEXT NOT NULL,
    raw TEXT NOT NULL,
    PRIMARY KEY (kind, key, source)
) STRICT, WITHOUT ROWID;

-- Under which competitions a source found a notebook.
CREATE TABLE listed (
    competition TEXT NOT NULL,
    notebook TEXT NOT NULL,
    source TEXT NOT NULL,
    PRIMARY KEY (competition, notebook, source)
) STRICT, WITHOUT ROWID;

-- Notebooks of lists that somebody handed on; version 0 is the current one.
CREATE TABLE wanted (
    notebook TEXT NOT NULL,
    version INTEGER NOT NULL,
    competition TEXT,
    PRIMARY KEY (notebook, version)
) STRICT, WITHOUT ROWID;

-- What the last selection decided on every version.
CREATE TABLE selections (
    version TEXT PRIMARY KEY,
    competition TEXT,
    slug TEXT,
    kept INTEGER NOT NULL,
    step TEXT,
    reason TEXT,
    detail TEXT,
    funnel TEXT NOT NULL,
    stratum TEXT
) STRICT, WITHOUT ROWID;

-- Its counts, step by step.
CREATE TABLE funnel_steps (
    position INTEGER PRIMARY KEY,
    step TEXT NOT NULL,
    kept INTEGER NOT NULL,
    dropped INTEGER NOT NULL,
    unknown_kept INTEGER NOT NULL,
    reasons TEXT NOT NULL
) STRICT;

-- Folders into which a selection was written, for take-downs.
CREATE TABLE corpora (
    folder TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
