"""Exports synthetic stores of growing size and says how long it took and how much memory it needed.

usage: bench_export.py VERSIONS…

Every version has an outcome and an execution of 20 cells under each of three conditions; every tenth cell raised. The peer reads the
same cells with sqlite3 and writes them with pyarrow, in groups of the same size and with the same compression: `cells` alone, where
nbrevive writes every table, hashes, and metadata. Nothing here is a result: the rows are made up.
"""

import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

PROGRAM = pathlib.Path(__file__).parent.parent / "target/release/nbrevive"
CELLS = 20

FILL = """
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :versions)
INSERT INTO versions (version, competition, title, submitted, notebook_hash, code_cells, code_lines, target_score)
  SELECT printf('synthetic-%09d', i), 'synthetic-' || i % 79, 'synthetic', '2019-01-01T00:00:00Z',
  printf('%032x', i), :cells, 100, 0.5 FROM n;
INSERT INTO outcomes (version, condition, inputs_hash, verdict_json, outcome, target_score, environment, fixes, seconds, reason,
  tool_revision, seed, recorded_at) SELECT version, condition, 'inputs', verdict, 'error-reproducible', 0.5, 'environment-' || condition, 0, 12.5, 'synthetic',
  'synthetic', 0, '2026-01-01T00:00:00Z' FROM versions, conditions;
INSERT INTO executions (version, code_hash, environment, settings_hash, condition, fix_number, started_at, tool_revision, seed,
  end_json, error_cells, seconds, startup_seconds, cpu_seconds, peak_memory_bytes, notebook_file,
  repetition) SELECT version, printf('%032x', versions.rowid * 3 + conditions.rowid), 'environment-' || condition,
  'settings', condition, 0, '2026-01-01T00:00:00Z', 'synthetic', 0, '"Completed"', 2, 12.5, 1.5, 10.0, 1000000,
  'executed/none.ipynb', 1 FROM versions, conditions;
INSERT INTO grades SELECT execution, 0.5, NULL, NULL FROM executions;
WITH RECURSIVE c(cell) AS (SELECT 0 UNION ALL SELECT cell + 1 FROM c WHERE cell + 1 < :cells)
INSERT INTO cells SELECT execution, cell, iif(cell % 10 = 9, 'error', 'ok'), 0.001 * (execution % 997) + cell,
  iif(cell % 10 = 9, 'NameError', NULL), iif(cell % 10 = 9, 'name ''x'' is not defined', NULL),
  iif(cell % 10 = 9, 'Cell In[1], line 1' || char(10) || 'NameError: name ''x'' is not defined', NULL), iif(cell % 10 = 9, 1, NULL)
  FROM executions, c;
"""

VERDICT = (
    '{"outcome":"error-reproducible","error_status":"error","output_status":"csv","output_reason":null,"failure":null,'
    '"failure_cause":null,"score":0.5,"deviation":0.0}'
)


def fill(folder, versions):
    # A store of the program's own, without rows.
    subprocess.run([PROGRAM, "synthetic", "--store", folder, "--versions", "0"], check=True, capture_output=True)
    base = sqlite3.connect(folder / "study.db", isolation_level=None)
    base.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000;")
    base.execute("CREATE TEMP TABLE conditions (condition TEXT, verdict TEXT)")
    base.executemany("INSERT INTO conditions VALUES (?, ?)", [(word, VERDICT) for word in ("baseline", "backport", "modernize")])
    base.execute("BEGIN")
    for statement in FILL.split(";\n"):
        if statement.strip():
            base.execute(statement, {"versions": versions, "cells": CELLS})
    base.execute("COMMIT")
    base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    base.close()


def peer(database, out):
    import pyarrow
    import pyarrow.parquet

    names = ["version", "code_hash", "environment", "settings_hash", "repetition", "cell", "status", "seconds", "ename", "evalue"]
    types = [pyarrow.string()] * 4 + [pyarrow.int32()] * 2 + [pyarrow.string(), pyarrow.float64()] + [pyarrow.string()] * 2
    schema = pyarrow.schema(list(zip(names, types)))
    rows = sqlite3.connect(database).execute(
        "SELECT version, code_hash, environment, settings_hash, repetition, cell, status, c.seconds, ename, evalue "
        "FROM executions JOIN cells AS c USING (execution) ORDER BY version, condition, fix_number, environment, code_hash, "
        "settings_hash, cell"
    )
    with pyarrow.parquet.ParquetWriter(out, schema, compression="zstd", compression_level=3) as writer:
        while group := rows.fetchmany(50_000):
            writer.write_table(pyarrow.table(list(map(list, zip(*group))), schema=schema))


def measured(command):
    """Seconds, and the peak of resident memory in MiB, of a command."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, command
    return time.monotonic() - start, usage.ru_maxrss / 1024


def main():
    if sys.argv[1] == "peer":
        return peer(sys.argv[2], sys.argv[3])
    print("| versions | outcomes | rows of cells | store | nbrevive | memory | dataset | pyarrow, cells alone | memory |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for versions in map(int, sys.argv[1:]):
        folder = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("BENCH_FOLDER")))
        try:
            fill(folder / "store", versions)
            stored = (folder / "store/study.db").stat().st_size
            ours = measured([PROGRAM, "export", "--store", folder / "store", "--out", folder / "data"])
            size = sum(file.stat().st_size for file in (folder / "data").iterdir())
            shutil.rmtree(folder / "data")
            theirs = measured([sys.executable, __file__, "peer", folder / "store/study.db", folder / "cells.parquet"])
        finally:
            shutil.rmtree(folder)
        mib = 2**20
        print(
            f"| {versions:,} | {versions * 3:,} | {versions * 3 * CELLS:,} | {stored / mib:,.0f} MiB | {ours[0]:.1f} s | {ours[1]:.0f} MiB | "
            f"{size / mib:,.0f} MiB | {theirs[0]:.1f} s | {theirs[1]:.0f} MiB |",
            flush=True,
        )


if __name__ == "__main__":
    main()
