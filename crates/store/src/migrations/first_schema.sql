-- One row a version that was looked at; excluded ones carry the reason.
CREATE TABLE versions (
    version TEXT PRIMARY KEY,
    competition TEXT NOT NULL,
    title TEXT NOT NULL,
    submitted TEXT NOT NULL,
    notebook_hash TEXT,
    code_cells INTEGER,
    code_lines INTEGER,
    target_score REAL,
    exclusion TEXT,
    exclusion_detail TEXT
) STRICT;

-- One row an environment that was built, or that could not be.
CREATE TABLE environments (
    environment TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    python TEXT NOT NULL,
    requirements TEXT NOT NULL,
    lock TEXT,
    failure_class TEXT,
    failure_tail TEXT
) STRICT;

-- One row a run of some code in some environment under some settings.
CREATE TABLE executions (
    execution INTEGER PRIMARY KEY,
    version TEXT NOT NULL,
    code_hash TEXT NOT NULL,
    environment TEXT NOT NULL,
    settings_hash TEXT NOT NULL,
    condition TEXT NOT NULL,
    fix_number INTEGER NOT NULL,
    started_at TEXT NOT NULL,
    tool_revision TEXT NOT NULL,
    seed INTEGER NOT NULL,
    end_json TEXT NOT NULL,
    error_cells INTEGER NOT NULL,
    score REAL,
    output_reason TEXT,
    output_detail TEXT,
    seconds REAL NOT NULL,
    startup_seconds REAL NOT NULL,
    cpu_seconds REAL,
    peak_memory_bytes INTEGER,
    notebook_file TEXT NOT NULL,
    UNIQUE (version, code_hash, environment, settings_hash)
) STRICT;

CREATE TABLE cells (
    execution INTEGER NOT NULL REFERENCES executions (execution) ON DELETE CASCADE,
    cell INTEGER NOT NULL,
    status TEXT NOT NULL,
    seconds REAL,
    ename TEXT,
    evalue TEXT,
    traceback TEXT,
    line INTEGER,
    PRIMARY KEY (execution, cell)
) STRICT, WITHOUT ROWID;

-- One row a version and condition whose job is done; a changed input makes it out of date.
CREATE TABLE outcomes (
    version TEXT NOT NULL,
    condition TEXT NOT NULL,
    inputs_hash TEXT NOT NULL,
    verdict_json TEXT NOT NULL,
    outcome TEXT NOT NULL,
    target_score REAL NOT NULL,
    environment TEXT,
    fixes INTEGER NOT NULL,
    seconds REAL NOT NULL,
    reason TEXT NOT NULL,
    tool_revision TEXT NOT NULL,
    seed INTEGER NOT NULL,
    recorded_at TEXT NOT NULL,
    PRIMARY KEY (version, condition)
) STRICT, WITHOUT ROWID;

-- One row a fix of a modernize loop.
CREATE TABLE fixes (
    version TEXT NOT NULL,
    condition TEXT NOT NULL,
    number INTEGER NOT NULL,
    fix_type TEXT NOT NULL,
    provider TEXT NOT NULL,
    rules TEXT NOT NULL,
    plan TEXT NOT NULL,
    patch TEXT NOT NULL,
    similarity_to_previous REAL NOT NULL,
    similarity_to_original REAL NOT NULL,
    led_to TEXT NOT NULL,
    led_to_failure_cause TEXT,
    PRIMARY KEY (version, condition, number)
) STRICT, WITHOUT ROWID;

-- What the tables must say of the run: one row a fact.
CREATE TABLE facts (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;
