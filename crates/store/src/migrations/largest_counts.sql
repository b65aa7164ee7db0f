-- How far the counter of the session had come that a notebook was saved in.
ALTER TABLE versions ADD COLUMN largest_count INTEGER;
