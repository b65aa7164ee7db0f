-- The place of a condition in its study's file, from 1; none of before, and of one that the file no longer has.
ALTER TABLE conditions ADD COLUMN position INTEGER;
