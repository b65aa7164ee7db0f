-- Which run of an A/A series an execution belongs to; everything that ran before is the first of its series. From the second on,
-- the number is part of what `settings_hash` is taken of, so the natural key tells repetitions apart.
ALTER TABLE executions ADD COLUMN repetition INTEGER NOT NULL DEFAULT 1;

-- One row a repetition of a version and condition from the second on; the first is the row in `outcomes`.
CREATE TABLE repetitions (
    version TEXT NOT NULL,
    condition TEXT NOT NULL,
    repetition INTEGER NOT NULL CHECK (repetition > 1),
    inputs_hash TEXT NOT NULL,
    verdict_json TEXT NOT NULL,
    target_score REAL NOT NULL,
    environment TEXT,
    fixes INTEGER NOT NULL,
    seconds REAL NOT NULL,
    reason TEXT NOT NULL,
    tool_revision TEXT NOT NULL,
    seed INTEGER NOT NULL,
    recorded_at TEXT NOT NULL,
    PRIMARY KEY (version, condition, repetition)
) STRICT, WITHOUT ROWID;
