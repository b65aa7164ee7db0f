-- One row a piece of an install line that was not carried out.
CREATE TABLE install_refusals (
    version TEXT NOT NULL,
    position INTEGER NOT NULL,
    cell INTEGER NOT NULL,
    piece TEXT NOT NULL,
    why TEXT NOT NULL,
    PRIMARY KEY (version, position)
) STRICT, WITHOUT ROWID;
