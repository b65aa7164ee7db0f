-- Why errors are left.
ALTER TABLE error_roots ADD COLUMN cause TEXT;
