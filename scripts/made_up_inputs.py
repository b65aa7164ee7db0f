#!/usr/bin/env python3
"""Counts how far notebooks run with files that are made up (crate `inputs`), beside how far they run with their own.

    scripts/made_up_inputs.py list FOLDER > LIST         # notebooks that read something, of all repositories in a folder
    made_up_inputs ENVIRONMENT LIST OUT                  # the example of crate `inputs`: runs them
    scripts/made_up_inputs.py count OUT [--errors]       # the shares

Repositories are halved by their names in order: every second one is held out, and not looked at before the end.
"""

import collections
import json
import math
import pathlib
import re
import sys

READS = re.compile(
    r"\b(read_\w+|loadtxt|genfromtxt|load|open|imread|listdir|glob|connect|ZipFile|ExcelFile|read|load_img|create_engine)\s*\("
)


def code(path):
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError):
        return ""
    cells = notebook.get("cells") or [cell for sheet in notebook.get("worksheets", []) for cell in sheet["cells"]]
    return "\n".join("".join(cell.get("source", cell.get("input", ""))) for cell in cells if cell.get("cell_type") == "code")


def repositories(folder):
    return sorted(path.name for path in pathlib.Path(folder).iterdir() if path.is_dir())


def listed(folder):
    for path in sorted(pathlib.Path(folder).rglob("*.ipynb")):
        if ".ipynb_checkpoints" not in path.parts and READS.search(code(path)):
            print(path)


def wilson(hits, total, z=1.96):
    if not total:
        return 0.0, 1.0
    share = hits / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return middle - half, middle + half


def row(name, rows):
    total = len(rows)
    as_far = sum(one["made"]["ran"] >= one["real"]["ran"] for one in rows)
    first = sum((one["first"] or one["made"])["ran"] >= one["real"]["ran"] for one in rows)
    prefix = sum(one["made"]["prefix"] >= one["real"]["prefix"] for one in rows)
    gained = sum(max(0, min(one["made"]["ran"], one["real"]["ran"]) - one["bare"]["ran"]) for one in rows)
    lost = sum(one["real"]["ran"] - one["bare"]["ran"] for one in rows)
    low, high = wilson(as_far, total)
    seconds = sum(one["seconds"] for one in rows) / max(total, 1)
    print(
        f"{name:52} {total:4} as far {as_far:4} {100 * as_far / max(total, 1):5.1f} % ({100 * low:.0f}-{100 * high:.0f})"
        f"  at once {first:3}  prefix {prefix:3}  cells back {100 * gained / max(lost, 1):5.1f} %  {seconds:5.1f} s"
    )


def counted(out, with_errors):
    last = {}
    for line in open(out, encoding="utf-8"):
        one = json.loads(line)
        last[one["path"]] = one
    failed = [one for one in last.values() if "failed" in one]
    rows = [one for one in last.values() if "made" in one]
    groups = collections.defaultdict(list)
    for one in rows:
        groups[next(part for part in pathlib.Path(one["path"]).parts if "+" in part)].append(one)
    for name in sorted(groups):
        row(name, groups[name])
    whole = [one for one in rows if one["real"]["ran"] == one["real"]["code"]]
    row("all", rows)
    row("all that run through with their own", whole)
    print(f"{sum('unneeded' in one for one in last.values())} run as far without any file; {len(failed)} could not be run")
    if with_errors:
        for one in rows:
            if one["made"]["ran"] < one["real"]["ran"]:
                print(f"\n{one['path']} real {one['real']} made {one['made']} turns {one['turns']}")
                print("\n".join(f"    {error}" for error in one["left"][:6] + ["corrected: " + text for text in one["corrections"][:6]]))


def main():
    command, *rest = sys.argv[1:] or ["help"]
    if command == "list" and rest:
        listed(rest[0])
    elif command == "count" and rest:
        counted(rest[0], "--errors" in rest)
    else:
        sys.exit(__doc__)


main()
