-- What the debugger says of the first order of a notebook.
ALTER TABLE conditions ADD COLUMN debug INTEGER NOT NULL DEFAULT 0;
ALTER TABLE order_runs ADD COLUMN unrepeatable INTEGER;
ALTER TABLE order_runs ADD COLUMN suspicious_cell INTEGER;
ALTER TABLE order_runs ADD COLUMN suspicious_line INTEGER;
ALTER TABLE order_runs ADD COLUMN is_beside_saved INTEGER;
ALTER TABLE order_runs ADD COLUMN is_suspicious_repeatable INTEGER;
