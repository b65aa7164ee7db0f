-- What the results of a hash were made of: a JSON object of fields and their values.
CREATE TABLE fingerprints (
    hash TEXT PRIMARY KEY,
    fields TEXT NOT NULL
) STRICT, WITHOUT ROWID;
