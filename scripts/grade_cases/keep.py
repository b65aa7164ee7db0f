"""The cases that the tests of the crate `grade` hold: small ones that meet every grader and every way."""

import collections
import json
import pathlib
import tempfile

from grade_cases.compare import lack

# How many cases of each competition are looked at, and how large the file may become.
DRAWN, BYTES = 500, 2_000_000


def write(chosen, originals, slugs, draw):
    """Writes the file; says what it holds."""
    met, lines, size = collections.Counter(), [], 0
    for place, slug in enumerate(slugs):
        # What is left is shared by the competitions that are left.
        count = (chosen.cases - len(lines)) // (len(slugs) - place)
        room = (BYTES - size) // (len(slugs) - place)
        for line, ways in picked([draw(slug, index) for index in range(DRAWN)], count, room, met, originals):
            lines.append(line)
            size += len(line.encode())
            met.update(ways)
    chosen.keep.write_text("".join(lines), encoding="utf-8")
    print("%s: %d cases of %d competitions in %d ways, %d bytes" % (chosen.keep, len(lines), len(slugs), len(met), size))
    return 0


def picked(drawn, count, room, met, originals):
    """Cases of one competition: those whose ways were met least, and of these the smallest."""
    weighed = [(own, sum(map(len, own.files()[:2]))) for own in drawn]
    left, taken = sorted(weighed, key=lambda item: item[1]), 0
    while left and taken < count:
        rank = lambda item: (met[item[0].ways[0]] if item[0].ways else taken and 10**9, item[1])
        best = min(left, key=rank)
        left.remove(best)
        line = tried(originals, best[0]) if best[1] < room else None
        if line and len(line.encode()) <= room:
            room -= len(line.encode())
            taken += 1
            yield line, best[0].ways


def tried(originals, own):
    """A case as a line, if the original decides it whatever the sort, by answers that are of use."""
    if lack(own):
        return None
    submission, answers, name = own.files()
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder) / "submission.csv", pathlib.Path(folder) / name]
        for path, content in zip(paths, (submission, answers)):
            path.write_bytes(content)
        found, stable = (originals.grade(own.competition, *map(str, paths), stable=stably) for stably in (False, True))
    if found != stable or "undecided" in found:
        return None
    line = {"case": own.name, "ways": own.ways, "submission": text(submission), "answers": text(answers), "score": found.get("score")}
    return json.dumps(line, ensure_ascii=False) + "\n"


def text(content):
    """Bytes as text, byte for byte where they are no text."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return {"latin1": content.decode("latin-1")}
