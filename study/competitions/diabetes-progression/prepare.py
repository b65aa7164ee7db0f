"""Writes the files of the competition "Diabetes Progression" below a folder.

Usage: python prepare.py OUT

The rows are those of the diabetes data that scikit-learn ships, in their original units. One fixed shuffle decides which
rows are held out; every number is written with an explicit format, so that the bytes do not depend on library versions.
"""

import os
import random
import sys

from sklearn.datasets import load_diabetes

SEED = 442
TEST_ROWS = 122
# scikit-learn calls the six blood serum measurements s1 to s6; these are the names that its description gives them.
COLUMNS = ["age", "sex", "bmi", "bp", "tc", "ldl", "hdl", "tch", "ltg", "glu"]


def write_lines(out, name, lines):
    """Writes text lines with LF ends to OUT/name."""
    path = os.path.join(out, *name.split("/"))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii", newline="\n") as stream:
        stream.write("\n".join(lines) + "\n")


def main(out):
    """Splits the data and writes the public and the private files."""
    data = load_diabetes(scaled=False)
    rows = [
        ([format(float(value), ".6g") for value in features], format(float(target), ".6g"))
        for features, target in zip(data.data, data.target)
    ]
    random.Random(SEED).shuffle(rows)
    test, train = rows[:TEST_ROWS], rows[TEST_ROWS:]

    header = ["id"] + COLUMNS
    train_lines = [",".join(header + ["progression"])]
    for identifier, (features, target) in enumerate(train, start=1):
        train_lines.append(",".join([str(identifier)] + features + [target]))
    test_lines, answer_lines, sample_lines = [",".join(header)], ["id,progression"], ["id,progression"]
    for identifier, (features, target) in enumerate(test, start=len(train) + 1):
        test_lines.append(",".join([str(identifier)] + features))
        answer_lines.append("%d,%s" % (identifier, target))
        sample_lines.append("%d,150" % identifier)

    write_lines(out, "public/train.csv", train_lines)
    write_lines(out, "public/test.csv", test_lines)
    write_lines(out, "public/sample_submission.csv", sample_lines)
    write_lines(out, "private/answers.csv", answer_lines)


if __name__ == "__main__":
    main(sys.argv[1])
