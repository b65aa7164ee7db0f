-- The rules of which a fix lost a part, since a cell that ran before raised for its sake.
ALTER TABLE fixes ADD COLUMN taken_back TEXT;
