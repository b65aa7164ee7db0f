-- The recipes of the conditions that ran, by the words of the study's file; a condition of before has none.
CREATE TABLE conditions (
    condition TEXT PRIMARY KEY,
    role TEXT NOT NULL,
    environment TEXT NOT NULL,
    cells TEXT NOT NULL,
    installs INTEGER NOT NULL,
    repair TEXT NOT NULL,
    level TEXT NOT NULL,
    repetitions INTEGER,
    start TEXT
) STRICT, WITHOUT ROWID;
