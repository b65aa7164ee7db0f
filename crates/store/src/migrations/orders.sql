-- How many orders of cells a condition draws, and what takes chance out of its runs.
ALTER TABLE conditions ADD COLUMN samples INTEGER;
ALTER TABLE conditions ADD COLUMN antidotes TEXT;

-- What came of each run of the cells in an order.
CREATE TABLE order_runs (
    version TEXT NOT NULL,
    condition TEXT NOT NULL,
    repetition INTEGER NOT NULL,
    time INTEGER NOT NULL,
    cells TEXT NOT NULL,
    executability TEXT NOT NULL,
    code_cells INTEGER NOT NULL,
    ran INTEGER NOT NULL,
    comparable INTEGER,
    exact INTEGER NOT NULL,
    normalized INTEGER NOT NULL,
    value INTEGER NOT NULL,
    picture INTEGER NOT NULL,
    PRIMARY KEY (version, condition, repetition)
) STRICT, WITHOUT ROWID;
