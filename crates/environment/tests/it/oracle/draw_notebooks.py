"""Draws the 40 notebooks of `real_notebooks.csv` from clones of the development repositories.

    python draw_notebooks.py FOLDER STDLIB.csv > real_notebooks.csv

FOLDER holds `<owner>+<name>/repo`, git directories with their history. A candidate is one committed version of a
notebook, made between 2016 and 2023, that imports something beyond the standard library and the IPython that runs
it. Of each year five are drawn, then as many of any year as are missing, no two with the same set of imports, no two
of one path, at most twelve of one repository. The draw is seeded and knows nothing of which plans succeed.

The date of a row is that of the first commit with the same content: moving a file does not make it younger.
"""

import csv
import json
import random
import re
import subprocess
import sys
from pathlib import Path

REPOSITORIES = [
    "ageron/handson-ml",
    "codebasics/py",
    "dipanjanS/practical-machine-learning-with-python",
    "donnemartin/data-science-ipython-notebooks",
    "jakevdp/PythonDataScienceHandbook",
]
YEARS = range(2016, 2024)
WANTED, A_YEAR, A_REPOSITORY = 40, 5, 12
SEED = 40
IMPORT = re.compile(r"^\s*(?:import|from)\s+([A-Za-z_]\w*)", re.MULTILINE)


def git(folder, repository, *words):
    """What git says; nothing of an object that the clone lacks, as a partial one may."""
    place = Path(folder) / repository.replace("/", "+") / "repo"
    command = ["git", f"--git-dir={place}", "-c", "core.quotePath=false", *words]
    ran = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return ran.stdout.decode(errors="replace") if ran.returncode == 0 else ""


def versions(folder, repository):
    """(path, commit, date) of each committed version of each notebook, oldest first."""
    commit, date = "", ""
    words = ["log", "--reverse", "--format=@%H %cs", "--name-only", "--diff-filter=AM"]
    for line in git(folder, repository, *words).splitlines():
        if line.startswith("@"):
            commit, date = line[1:].split()
        elif line.endswith(".ipynb") and int(date[:4]) in YEARS:
            yield line, commit, date


def first_dates(folder, repository):
    """When each content first appeared in a repository, by its object name."""
    dates, date = {}, ""
    words = ["log", "--reverse", "--format=@%cs", "--raw", "--no-abbrev", "--no-renames"]
    for line in git(folder, repository, *words).splitlines():
        if line.startswith("@"):
            date = line[1:]
        elif line.startswith(":"):
            dates.setdefault(line.split()[3], date)
    return dates


def imports(text, known):
    """The modules that a notebook's code imports, beyond the known ones."""
    try:
        notebook = json.loads(text)
    except ValueError:
        return frozenset()
    cells = notebook.get("cells") or [cell for sheet in notebook.get("worksheets", []) for cell in sheet["cells"]]
    code = ["".join(cell.get("source", cell.get("input", ""))) for cell in cells if cell["cell_type"] == "code"]
    return frozenset(IMPORT.findall("\n".join(code))) - known


class Draw:
    """What was drawn so far."""

    def __init__(self, folder, known):
        self.folder, self.known = folder, known
        self.rows, self.sets, self.paths = [], set(), set()

    def take(self, candidates, wanted):
        """Takes candidates in order until so many were taken."""
        for repository, path, commit, date in candidates:
            full = sum(row[0] == repository for row in self.rows) >= A_REPOSITORY
            if wanted == 0 or full or (repository, path) in self.paths:
                continue
            found = imports(git(self.folder, repository, "show", f"{commit}:{path}"), self.known)
            if found and found not in self.sets:
                self.sets.add(found)
                self.paths.add((repository, path))
                self.rows.append((repository, path, commit, date))
                wanted -= 1


def main():
    folder, stdlib = sys.argv[1:]
    with open(stdlib, newline="", encoding="utf-8") as rows:
        lines = (line for line in rows if not line.startswith("#"))
        known = {row["module"] for row in csv.DictReader(lines)} | {"IPython", "ipywidgets"}
    candidates = [(one, *version) for one in REPOSITORIES for version in versions(folder, one)]
    random.Random(SEED).shuffle(candidates)
    draw = Draw(folder, known)
    for year in YEARS:
        draw.take([one for one in candidates if one[3].startswith(str(year))], A_YEAR)
    draw.take(candidates, WANTED - len(draw.rows))
    dates = {one: first_dates(folder, one) for one in REPOSITORIES}
    rows = []
    for repository, path, commit, _ in draw.rows:
        content = git(folder, repository, "rev-parse", f"{commit}:{path}").strip()
        rows.append((repository, path, commit, dates[repository][content]))
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["repository", "path", "commit", "date"])
    out.writerows(sorted(rows, key=lambda row: (row[3], row)))


if __name__ == "__main__":
    main()
