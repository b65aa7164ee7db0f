-- How many orders of cells a condition draws, and what takes chance out of its runs.
ALTER TABLE conditions ADD COLUMN samples INTEGER;
ALTER TABLE conditions ADD COLUMN antidotes TEXT;
