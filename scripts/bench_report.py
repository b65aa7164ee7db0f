"""Times `nbrevive export` and `nbrevive tables` on a made-up study, and the counts of Tables 1 to 4 by pandas and scipy."""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import pandas
from scipy import stats


def run(*command):
    """Wall seconds and peak MiB of one process."""
    started = time.perf_counter()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, said.decode()
    return time.perf_counter() - started, usage.ru_maxrss / 1024


def counts(data):
    """The counts of Tables 1 to 4 and their Wilson intervals, as somebody with pandas would take them."""
    columns = ["condition", "outcome", "output_status", "failure"]
    outcomes = pandas.read_parquet(data / "outcomes.parquet", columns=columns).astype(object).fillna("")
    fixes = pandas.read_parquet(data / "fixes.parquet", columns=["condition", "fix_type", "led_to"]).astype(object)
    fixes = fixes[fixes.condition == "modernize"]
    found = {"outcomes": outcomes.value_counts(), "fixes": fixes.value_counts()}
    for table, whole in ((outcomes, "condition"), (fixes, "fix_type")):
        wholes = table[whole].value_counts()
        for key, count in table.value_counts().items():
            of = int(wholes[key[list(table.columns).index(whole)]])
            stats.binomtest(int(count), of).proportion_ci(method="wilson")
    return found


def check(out, found):
    """Ours are the same."""
    reproducible = 0
    for number in (1, 2, 3):
        rows = json.loads((out / "tables" / f"table{number}.json").read_text())["rows"]
        reproducible += sum(row["count"] for row in rows if row["reproducibility"] == "Reproducible")
    theirs = found["outcomes"]
    expected = sum(n for key, n in theirs.items() if key[1] in ("error-free-reproducible", "error-reproducible"))
    assert reproducible == expected, (reproducible, expected)
    table = json.loads((out / "tables/table4.json").read_text())
    for row in table["rows"][:3]:
        for state, cell in row["states"].items():
            assert cell["count"] == found["fixes"].get(("modernize", row["fix_type"], state), 0), (row, state)


def main():
    program, versions, cells, rounds = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        store, data, out = folder / "store", folder / "data", folder / "out"
        run(program, "synthetic", "--store", store, "--versions", versions, "--cells", cells)
        exported = [run(program, "export", "--store", store, "--out", data) for _ in range(rounds)]
        made, peer = [], []
        for _ in range(rounds):
            made.append(run(program, "tables", "--data", data, "--out", out))
            started = time.perf_counter()
            found = counts(data)
            peer.append(time.perf_counter() - started)
        check(out, found)
    line = f"report, {versions:,} versions, {cells} cells an execution"
    for what, figures in (("export", exported), ("tables and figures", made)):
        wall, memory = (statistics.median(values) for values in zip(*figures))
        print(f"{line}: {what} {wall:.2f} s, {memory:.0f} MiB")
    print(f"{line}: counts of Tables 1 to 4 alone by pandas and scipy {statistics.median(peer):.2f} s; both agree")


if __name__ == "__main__":
    main()
