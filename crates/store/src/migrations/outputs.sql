-- Saved outputs beside those of an execution, a code cell a row: of the first repetition those that were saved, of a later one those of the
-- first. The rows of the judge `outputs`.
CREATE TABLE comparisons (
    version TEXT NOT NULL,
    condition TEXT NOT NULL,
    repetition INTEGER NOT NULL,
    cell INTEGER NOT NULL,
    agreement TEXT,
    incomparable TEXT,
    unchanged_for_nbdime INTEGER NOT NULL,
    stderr_agreement TEXT,
    difference TEXT,
    place TEXT,
    saved TEXT,
    new TEXT,
    chance_signs TEXT NOT NULL,
    paper_signs TEXT NOT NULL,
    PRIMARY KEY (version, condition, repetition, cell)
) STRICT, WITHOUT ROWID;

-- The one environment of a repository under a condition, and what it was made from.
CREATE TABLE repository_environments (
    repository TEXT NOT NULL,
    condition TEXT NOT NULL,
    environment TEXT NOT NULL,
    python TEXT NOT NULL,
    failure_class TEXT,
    declaring_files TEXT NOT NULL,
    declared INTEGER NOT NULL,
    declared_exactly INTEGER NOT NULL,
    inferred INTEGER NOT NULL,
    unread INTEGER NOT NULL,
    unresolved INTEGER NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (repository, condition)
) STRICT, WITHOUT ROWID;
