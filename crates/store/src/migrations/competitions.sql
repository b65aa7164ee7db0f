-- What a reader of scores has to know of each competition of the last run, as columns of the dataset name it.
CREATE TABLE competitions (
    competition TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    metric TEXT NOT NULL,
    direction TEXT NOT NULL,
    worst_score REAL,
    best_score REAL,
    unit TEXT NOT NULL,
    id_column TEXT NOT NULL,
    target_columns TEXT NOT NULL,
    prediction TEXT,
    data_source TEXT NOT NULL,
    data_licence TEXT NOT NULL,
    data_files INTEGER NOT NULL,
    data_bytes INTEGER,
    level TEXT,
    flags TEXT
) STRICT, WITHOUT ROWID;
