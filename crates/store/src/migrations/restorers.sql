-- Who says what is put back, and conditions that hide the files that notebooks read.
ALTER TABLE conditions ADD COLUMN prepare_by TEXT NOT NULL DEFAULT 'rules';
ALTER TABLE conditions ADD COLUMN hide_data INTEGER NOT NULL DEFAULT 0;
