-- How much of what a repository declares could not be had as it is declared.
ALTER TABLE repository_environments ADD COLUMN loosened INTEGER;
