"""Checks import_names.csv against the table of top-level names that the tool pigar ships.

    python3 -m pip install --no-deps --target FOLDER pigar==2.2.0
    python3 check_import_names.py FOLDER

Rows whose source is that table must be found there with the stated version; the sources of the others are
listed for a check by hand. Ends with 1 if a row is wrong. Nothing but the given folder is read.
"""
import csv
import pathlib
import re
import sqlite3
import sys

SOURCE = re.compile(r"top-level names? (?:(\S+) )?of (\S+) (\S+) (?:\(.*?\) )?in pigar")


def normalised(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def top_level_names(folder):
    """Versions and top-level names by normalised distribution: some are there in two spellings."""
    (path,) = pathlib.Path(folder).glob("pigar/.db.sqlite3")
    query = (
        "select d.name, d.version, t.name from distributions d "
        "left join top_level_module_names t on t.distribution_id = d.id"
    )
    known = {}
    for name, version, module in sqlite3.connect(path).execute(query):
        versions, modules = known.setdefault(normalised(name), (set(), set()))
        versions.add(version)
        modules.add(module)
    return known


def main(folder):
    known = top_level_names(folder)
    table = pathlib.Path(__file__).with_name("import_names.csv").read_text("utf-8").splitlines()
    rows = list(csv.DictReader((line for line in table if not line.startswith("#")), restkey="rest"))
    checked, wrong = 0, []
    for row in rows:
        source = ",".join([row["source"], *row.get("rest", [])])
        stated = SOURCE.match(source)
        if not stated:
            print(f"by hand: {row['import_name']} -> {row['distribution']}: {source}")
            continue
        checked += 1
        part, distribution, version = stated.groups()
        versions, modules = known.get(distribution, (set(), set()))
        own = normalised(row["distribution"]) == distribution
        if version not in versions or (part or row["import_name"]) not in modules or not (own or "which" in source):
            wrong.append(f"wrong: {row['import_name']} -> {row['distribution']}: {source}; found {sorted(versions)}")
    print("\n".join(wrong + [f"{len(rows)} rows, {checked} checked, {len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
