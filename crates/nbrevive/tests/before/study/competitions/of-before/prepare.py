"""Writes the files of the competition "Of before" below a folder.

Usage: python prepare.py OUT
"""

import os
import sys


def write_lines(out, name, lines):
    """Writes text lines with LF ends to OUT/name."""
    path = os.path.join(out, *name.split("/"))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii", newline="\n") as stream:
        stream.write("\n".join(lines) + "\n")


def main(out):
    """Ten numbers to learn from, ten to tell."""
    rows = range(1, 11)
    write_lines(out, "public/train.csv", ["Id,Value,Label"] + ["%d,%d,%d" % (row, row * 7, row % 2) for row in rows])
    write_lines(out, "public/test.csv", ["Id,Value"] + ["%d,%d" % (row + 10, row * 3) for row in rows])
    write_lines(out, "public/sample_submission.csv", ["Id,Label"] + ["%d,0" % (row + 10) for row in rows])
    write_lines(out, "private/answers.csv", ["Id,Label"] + ["%d,%d" % (row + 10, row % 2) for row in rows])


if __name__ == "__main__":
    main(sys.argv[1])
