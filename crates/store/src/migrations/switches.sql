-- Fixes that restore old behaviours as a whole.
ALTER TABLE fixes ADD COLUMN is_switch INTEGER;
