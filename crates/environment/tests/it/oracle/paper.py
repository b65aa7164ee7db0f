"""Makes `paper.csv`: what section 2.2.1 of the paper chooses in 200 (name, date, interpreter) cases.

    zstdcat paper.snapshot.zst | python paper.py make  > paper.csv
    zstdcat paper.snapshot.zst | python paper.py check paper.csv

This is a reading of the paper of its own, with the `packaging` library; it shares nothing with the crate. The
paper leaves details open; they are fixed as follows.

- A release counts when it is not yanked, has a version of PEP 440 and a wheel or a source archive.
- Pre-releases (and development releases) count only where the distribution has nothing else.
- A release appears with the first upload of any of its files; "before" is strict; a date alone is its start in UTC.
- A release is compatible with an interpreter when its declared Requires-Python admits the full patch version
  (`>=3.6.*` is read as `>=3.6`, parts that nobody can read bound nothing, absence admits all), and when it has a
  source archive or a wheel for that CPython on Linux, x86_64, glibc 2.36, whenever that file was uploaded.
- Chosen is the newest compatible release before the date; else the oldest compatible one; else the oldest one.
  Newest and oldest are said of versions, not of upload dates.
"""

import csv
import json
import random
import re
import sys
from datetime import datetime, timedelta, timezone
from functools import cache

from packaging import tags
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import Version

INTERPRETERS = ["2.7.18", "3.6.15", "3.7.16", "3.8.18", "3.9.18", "3.10.13", "3.11.7", "3.12.1", "3.13.0"]
GLIBC = (2, 36)
NEWEST, COMPATIBLE, OLDEST = "newest-before-date", "oldest-compatible", "oldest-available"
SEED = 221

# Names as people write them: each must be normalised (PEP 503).
SPELLINGS = {
    "scikit-learn": "Scikit_Learn",
    "opencv-python": "OpenCV.Python",
    "pandas-profiling": "pandas_profiling",
    "ydata-profiling": "YData--Profiling",
    "pyyaml": "PyYAML",
    "theano": "Theano",
    "jinja2": "Jinja2",
    "tensorflow-gpu": "tensorflow_gpu",
    "pytorch-lightning": "PyTorch-_.Lightning",
    "beautifulsoup4": "BeautifulSoup4",
}


def instant(text):
    """A date or an instant as UTC."""
    read = datetime.fromisoformat(text)
    return read.replace(tzinfo=timezone.utc) if read.tzinfo is None else read.astimezone(timezone.utc)


def spelled(moment):
    """An instant as the table writes it."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def specifiers(text):
    """Specifiers read leniently."""
    out = []
    for part in (part.strip() for part in text.split(",")):
        for attempt in (part, re.sub(r"\.\*$", "", part)):
            try:
                out.append(SpecifierSet(attempt))
                break
            except InvalidSpecifier:
                continue
    return out


def platforms():
    """The platform tags of Linux on x86_64 with that glibc (PEP 513, 571, 599, 600)."""
    names = [f"manylinux_{GLIBC[0]}_{minor}_x86_64" for minor in range(GLIBC[1], 4, -1)]
    legacy = ["manylinux2014_x86_64", "manylinux2010_x86_64", "manylinux1_x86_64", "linux_x86_64"]
    return names + legacy


def supported(interpreter):
    """The wheel tags that an interpreter takes (PEP 425)."""
    major, minor = Version(interpreter).release[:2]
    flags = "mu" if major == 2 else "m" if minor <= 7 else ""
    own = f"cp{major}{minor}"
    taken = set(tags.cpython_tags((major, minor), abis=[own + flags], platforms=platforms()))
    return taken | set(tags.compatible_tags((major, minor), interpreter=own, platforms=platforms()))


SUPPORTED = {interpreter: supported(interpreter) for interpreter in INTERPRETERS}


def wheel_tags(file_name):
    """The tags of a wheel; empty for a source archive."""
    if not file_name.endswith(".whl"):
        return frozenset()
    return tags.parse_tag("-".join(file_name[: -len(".whl")].split("-")[-3:]))


class Release:
    """One release as the paper sees it."""

    def __init__(self, read):
        self.version = Version(read["version"])
        self.uploaded = instant(read["uploaded"])
        self.yanked = read.get("yanked", False)
        self.bounds = specifiers(read.get("requires_python") or "")
        self.files = [(file["name"], instant(file["uploaded"])) for file in read["files"]]
        self.tags = {name: wheel_tags(name) for name, _ in self.files}

    @cache
    def admits(self, interpreter):
        """Whether Requires-Python admits the interpreter."""
        return all(bound.contains(interpreter, prereleases=True) for bound in self.bounds)

    @cache
    def fitting(self, interpreter):
        """When the files that this interpreter can use were uploaded."""
        taken = SUPPORTED[interpreter]
        return [when for name, when in self.files if not name.endswith(".whl") or self.tags[name] & taken]

    @cache
    def compatible(self, interpreter):
        """Whether the interpreter can install the release, as far as the index tells."""
        return self.admits(interpreter) and bool(self.fitting(interpreter))


class History:
    """The releases of a distribution from which the paper chooses, oldest first."""

    def __init__(self, entry):
        self.name = entry["history"]["name"]
        self.all = sorted((Release(read) for read in entry["history"]["releases"]), key=lambda one: one.version)
        offered = [one for one in self.all if not one.yanked and one.files]
        finals = [one for one in offered if not one.version.is_prerelease]
        self.unfinished = bool(offered) and not finals
        self.offered = finals or offered

    def choose(self, date, interpreter):
        """The release that section 2.2.1 chooses, and why."""
        compatible = [one for one in self.offered if one.compatible(interpreter)]
        before = [one for one in compatible if one.uploaded < date]
        if before:
            return before[-1], NEWEST
        if compatible:
            return compatible[0], COMPATIBLE
        return self.offered[0], OLDEST


class Maker:
    """Draws cases of each kind, none twice, the same ones for the same histories."""

    def __init__(self, histories):
        self.histories = [histories[name] for name in sorted(histories)]
        self.random = random.Random(SEED)
        self.rows = {}

    def add(self, history, date, interpreter, name=None):
        """Adds a case; says whether it is new."""
        key = (name or history.name, date, interpreter)
        if key in self.rows:
            return False
        release, reason = history.choose(instant(date), interpreter)
        self.rows[key] = (str(release.version), reason)
        return True

    def draw(self, wanted, kind, finished=True):
        """Adds cases until `wanted` came of `kind(history, interpreter)`, which gives a date or `None`.

        Distributions take turns, so that no large one fills the table."""
        found = 0
        for _ in range(400):
            histories = [one for one in self.histories if one.unfinished != finished]
            self.random.shuffle(histories)
            for history in histories:
                interpreter = self.random.choice(INTERPRETERS)
                date = kind(history, interpreter)
                if found < wanted and date and self.add(history, date, interpreter):
                    found += 1
        if found < wanted:
            raise SystemExit(f"{kind.__name__}: {found} of {wanted} cases found")

    def day(self, first=2012, last=2026):
        """A random date."""
        start = datetime(first, 1, 1, tzinfo=timezone.utc)
        return (start + timedelta(days=self.random.randrange(365 * (last - first) + 200))).strftime("%Y-%m-%d")

    def reason(self, wanted):
        """Any date at which the paper's rule gives that reason."""

        def kind(history, interpreter):
            date = self.day()
            return date if history.choose(instant(date), interpreter)[1] == wanted else None

        return kind

    def bounded(self, history, interpreter):
        """The newest release before the date does not admit the interpreter, an older one does."""
        date = self.day()
        chosen, reason = history.choose(instant(date), interpreter)
        before = [one for one in history.offered if one.uploaded < instant(date)]
        skipped = before and before[-1] is not chosen and not before[-1].admits(interpreter)
        return date if reason == NEWEST and skipped else None

    def wheelless(self, history, interpreter):
        """The newest release before the date admits the interpreter but has no file for it."""
        date = self.day()
        before = [one for one in history.offered if one.uploaded < instant(date) and one.admits(interpreter)]
        return date if before and not before[-1].fitting(interpreter) else None

    def yanked(self, history, interpreter):
        """A yanked release would be chosen if yanks were not heeded."""
        taken = [one for one in history.all if one.yanked and one.compatible(interpreter)]
        if not taken:
            return None
        date = (self.random.choice(taken).uploaded + timedelta(days=1)).strftime("%Y-%m-%d")
        chosen, _ = history.choose(instant(date), interpreter)
        return date if any(one.uploaded < instant(date) and one.version > chosen.version for one in taken) else None

    def unfinished(self, history, interpreter):
        """A pre-release would be chosen if they counted."""
        taken = [one for one in history.all if one.version.is_prerelease and one.compatible(interpreter)]
        if not taken:
            return None
        date = (self.random.choice(taken).uploaded + timedelta(days=1)).strftime("%Y-%m-%d")
        chosen, _ = history.choose(instant(date), interpreter)
        return date if any(one.uploaded < instant(date) and one.version > chosen.version for one in taken) else None

    def straddling(self, history, interpreter):
        """The chosen release is older than the date, each file that fits the interpreter is younger."""
        late = [one for one in history.offered if one.compatible(interpreter)]
        late = [one for one in late if min(one.fitting(interpreter)) - one.uploaded > timedelta(days=2)]
        if not late:
            return None
        release = self.random.choice(late)
        date = (release.uploaded + timedelta(days=1)).strftime("%Y-%m-%d")
        return date if history.choose(instant(date), interpreter)[0] is release else None

    def backported(self, history, interpreter):
        """A release of an older series was the latest upload: newest is said of versions."""
        date = self.day()
        chosen, reason = history.choose(instant(date), interpreter)
        taken = [one for one in history.offered if one.compatible(interpreter) and one.uploaded < instant(date)]
        return date if reason == NEWEST and max(taken, key=lambda one: one.uploaded) is not chosen else None

    def boundary(self, offset):
        """The instant at which a release appeared, with an offset in microseconds."""

        def kind(history, interpreter):
            taken = [one for one in history.offered if one.compatible(interpreter)]
            if not taken:
                return None
            release = self.random.choice(taken)
            date = release.uploaded + timedelta(microseconds=offset)
            newest = history.choose(release.uploaded + timedelta(seconds=1), interpreter)[0] is release
            return spelled(date) if newest else None

        return kind

    def upload_day(self, history, interpreter):
        """The day on which a release appeared: a date alone is the start of the day, when it was not there yet."""
        date = self.boundary(0)(history, interpreter)
        return date and date[:10]

    def make(self):
        """All 200 cases."""
        self.draw(35, self.reason(NEWEST))
        self.draw(24, self.reason(COMPATIBLE))
        self.draw(14, self.reason(OLDEST))
        self.draw(28, self.bounded)
        self.draw(13, self.wheelless)
        self.draw(14, self.yanked)
        self.draw(12, self.unfinished)
        self.draw(8, self.straddling)
        self.draw(8, self.backported)
        self.draw(8, self.boundary(0))
        self.draw(8, self.boundary(1))
        self.draw(8, self.upload_day)
        self.draw(6, self.reason(NEWEST), finished=False)
        self.draw(4, self.reason(COMPATIBLE), finished=False)
        for history in self.histories:
            if history.name in SPELLINGS:
                self.add(history, self.day(2018, 2025), self.random.choice(INTERPRETERS), SPELLINGS[history.name])
        return self.rows


def read_histories(lines):
    """Histories by name from JSON lines."""
    histories = (History(json.loads(line)) for line in lines)
    return {history.name: history for history in histories}


def check(histories, path):
    """Says where a table differs from this reading."""
    wrong = 0
    with open(path, newline="", encoding="utf-8") as table:
        for row in csv.DictReader(table):
            history = histories[re.sub(r"[-_.]+", "-", row["name"]).lower()]
            release, reason = history.choose(instant(row["date"]), row["python"])
            if (Version(row["expected"]), row["reason"]) != (release.version, reason):
                wrong += 1
                print(f"{row}: this reading says {release.version}, {reason}", file=sys.stderr)
    raise SystemExit(f"{wrong} cases differ" if wrong else 0)


def main():
    histories = read_histories(sys.stdin)
    if sys.argv[1:2] == ["check"]:
        check(histories, sys.argv[2])
    rows = Maker(histories).make()
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["name", "date", "python", "expected", "reason"])
    out.writerows([*key, *value] for key, value in sorted(rows.items()))


if __name__ == "__main__":
    main()
