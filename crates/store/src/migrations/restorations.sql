-- What is put back that a notebook misses: a word of a recipe, and what each turn of a restoration did.
ALTER TABLE conditions ADD COLUMN prepare TEXT NOT NULL DEFAULT '';

-- What popularity is counted by.
ALTER TABLE repositories ADD COLUMN stars INTEGER;

CREATE TABLE restorations (
    version TEXT NOT NULL,
    condition TEXT NOT NULL,
    position INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    preparation TEXT NOT NULL,
    what TEXT NOT NULL,
    because TEXT NOT NULL,
    is_kept INTEGER NOT NULL,
    ran INTEGER NOT NULL,
    ran_before_error INTEGER NOT NULL,
    PRIMARY KEY (version, condition, position)
) STRICT, WITHOUT ROWID;

-- Each error of an outcome's last execution with the one that it follows from.
CREATE TABLE error_roots (
    version TEXT NOT NULL,
    condition TEXT NOT NULL,
    cell INTEGER NOT NULL,
    error TEXT NOT NULL,
    executability TEXT NOT NULL,
    root INTEGER NOT NULL,
    follows INTEGER,
    link TEXT,
    is_certain INTEGER NOT NULL,
    PRIMARY KEY (version, condition, cell)
) STRICT, WITHOUT ROWID;
