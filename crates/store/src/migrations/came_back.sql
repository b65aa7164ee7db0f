-- How much of what its author left a mended notebook shows again.
ALTER TABLE loops ADD COLUMN came_back TEXT;
