-- A version belongs to a competition, to a repository, or to neither; without a competition nothing gives it a score to reach. SQLite
-- loosens no column of a table that is there, so that three are made anew.
CREATE TABLE versions_anew (
    version TEXT PRIMARY KEY,
    competition TEXT,
    repository TEXT,
    title TEXT NOT NULL,
    submitted TEXT NOT NULL,
    notebook_hash TEXT,
    code_cells INTEGER,
    code_lines INTEGER,
    target_score REAL,
    exclusion TEXT,
    exclusion_detail TEXT
) STRICT;
INSERT INTO versions_anew
SELECT version, competition, NULL, title, submitted, notebook_hash, code_cells, code_lines, target_score, exclusion, exclusion_detail
FROM versions;
DROP TABLE versions;
ALTER TABLE versions_anew RENAME TO versions;

CREATE TABLE outcomes_anew (
    version TEXT NOT NULL,
    condition TEXT NOT NULL,
    inputs_hash TEXT NOT NULL,
    verdict_json TEXT NOT NULL,
    outcome TEXT NOT NULL,
    target_score REAL,
    environment TEXT,
    fixes INTEGER NOT NULL,
    seconds REAL NOT NULL,
    reason TEXT NOT NULL,
    tool_revision TEXT NOT NULL,
    seed INTEGER NOT NULL,
    recorded_at TEXT NOT NULL,
    PRIMARY KEY (version, condition)
) STRICT, WITHOUT ROWID;
INSERT INTO outcomes_anew
SELECT version, condition, inputs_hash, verdict_json, outcome, target_score, environment, fixes, seconds, reason, tool_revision, seed, recorded_at
FROM outcomes;
DROP TABLE outcomes;
ALTER TABLE outcomes_anew RENAME TO outcomes;

CREATE TABLE repetitions_anew (
    version TEXT NOT NULL,
    condition TEXT NOT NULL,
    repetition INTEGER NOT NULL CHECK (repetition > 1),
    inputs_hash TEXT NOT NULL,
    verdict_json TEXT NOT NULL,
    target_score REAL,
    environment TEXT,
    fixes INTEGER NOT NULL,
    seconds REAL NOT NULL,
    reason TEXT NOT NULL,
    tool_revision TEXT NOT NULL,
    seed INTEGER NOT NULL,
    recorded_at TEXT NOT NULL,
    PRIMARY KEY (version, condition, repetition)
) STRICT, WITHOUT ROWID;
INSERT INTO repetitions_anew
SELECT version, condition, repetition, inputs_hash, verdict_json, target_score, environment, fixes, seconds, reason, tool_revision, seed,
    recorded_at
FROM repetitions;
DROP TABLE repetitions;
ALTER TABLE repetitions_anew RENAME TO repetitions;

-- The repositories of the last run.
CREATE TABLE repositories (
    repository TEXT PRIMARY KEY,
    url TEXT,
    revision TEXT,
    content_hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- How much of a notebook ran in the last execution of an outcome: the rows of the judge `executability`.
CREATE TABLE executability (
    version TEXT NOT NULL,
    condition TEXT NOT NULL,
    executability TEXT NOT NULL,
    code_cells INTEGER NOT NULL,
    ran_before_error INTEGER NOT NULL,
    ran INTEGER NOT NULL,
    error_cells INTEGER NOT NULL,
    first_error_cell INTEGER,
    first_error TEXT,
    PRIMARY KEY (version, condition)
) STRICT, WITHOUT ROWID;

-- What stops a run, and the seed of a condition: further words of recipes.
ALTER TABLE conditions ADD COLUMN stop TEXT NOT NULL DEFAULT 'tolerant';
ALTER TABLE conditions ADD COLUMN seed INTEGER;
