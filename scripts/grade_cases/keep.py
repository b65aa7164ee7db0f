"""The cases that the tests of the crate `grade` hold: small ones that meet every grader and every way."""

import collections
import json
import pathlib
import tempfile

from grade_cases.compare import lack, lacks_rank

# How many cases of each competition are looked at, which is enough for all ways; how large the file may become; and the share of
# the cases that every competition has alike.
DRAWN, BYTES, ALIKE = 600, 2_000_000, 0.9


def write(chosen, originals, slugs, draw, names):
    """Writes the file; says what it holds. `names` are those of all ways."""
    met, lines = collections.Counter(), {}
    room = BYTES // chosen.cases
    for slug in slugs:
        cases = [draw(slug, index) for index in range(DRAWN)]
        for own, line in picked(cases, int(chosen.cases * ALIKE / len(slugs)), room, met, originals):
            lines[own.name] = line
            met.update(own.ways)

    def keep(own, most):
        line = tried(originals, own) if own.name not in lines and len(lines) < chosen.cases else None
        if line and len(line) < most:
            lines[own.name] = line
            met.update(own.ways)

    for slug in slugs:
        for own in (draw(slug, index) for index in range(DRAWN)):
            if set(own.ways) & names - set(met):
                keep(own, 20 * room)
    for index in range(DRAWN):
        for slug in slugs:
            keep(draw(slug, index), room)
    text = "".join(lines.values())
    chosen.keep.write_text(text, encoding="utf-8")
    print("%s: %d cases of %d competitions in %d ways, %d bytes" % (chosen.keep, len(lines), len(slugs), len(met), len(text.encode())))
    print("never met: %s" % ("; ".join(sorted(names - set(met))) or "none"))
    return 0


def picked(drawn, count, room, met, originals):
    """Cases of one competition: those whose ways were met least, and of these the smallest."""
    left, taken, room = sorted(drawn, key=size), 0, room * count
    while left and taken < count:
        best = min(left, key=lambda own: (met[own.ways[0]] if own.ways else taken and 10**9, size(own)))
        left.remove(best)
        line = tried(originals, best) if size(best) < room else None
        if line:
            room -= size(best)
            taken += 1
            yield best, line


def size(own):
    """The bytes of both files."""
    return sum(map(len, own.files()[:2]))


def tried(originals, own):
    """A case as a line, if the original decides it whatever the sort, by answers that are of use."""
    if lack(own) or lacks_rank(own):
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
