-- What an execution took of its GPU, as the driver told.
ALTER TABLE executions ADD COLUMN gpu_busy_seconds REAL;
ALTER TABLE executions ADD COLUMN gpu_peak_memory_bytes INTEGER;
