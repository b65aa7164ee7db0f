-- One row an executed notebook that was stored without its outputs.
CREATE TABLE cut_outputs (
    notebook_file TEXT PRIMARY KEY,
    version TEXT NOT NULL,
    note TEXT NOT NULL
) STRICT, WITHOUT ROWID;
