"""The cases that the tests of the crate `grade` hold: small ones that meet every grader and every way."""

import json
import pathlib
import tempfile

# How many cases a competition is drawn from, and how large the file may become.
DRAWN, BYTES = 600, 2_000_000


def write(chosen, originals, slugs, draw):
    """Writes the file; says what it holds."""
    per, cases, size, ways = max(1, chosen.cases // len(slugs)), [], 0, set()
    for slug in slugs:
        kept = pick([draw(slug, index) for index in range(DRAWN)], per, ways)
        for own in kept:
            line = tried(originals, own)
            if line and size + len(line) < BYTES:
                cases.append(line)
                size += len(line)
                ways.update(own.ways)
    chosen.keep.write_bytes("".join(cases).encode())
    print("%s: %d cases of %d competitions in %d ways, %d bytes" % (chosen.keep, len(cases), len(slugs), len(ways), size))
    return 0


def pick(drawn, count, ways):
    """The smallest cases, those first whose ways were met least."""
    raise NotImplementedError


def tried(originals, own):
    """A case as a line, if the original decides it whatever the sort."""
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
