-- What a host told of a repository beside its stars, and how much of a notebook is text.
ALTER TABLE repositories ADD COLUMN licence TEXT;
ALTER TABLE repositories ADD COLUMN is_fork INTEGER;
ALTER TABLE repositories ADD COLUMN is_archived INTEGER;
ALTER TABLE versions ADD COLUMN markdown_cells INTEGER;
