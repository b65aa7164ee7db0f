"""Writes the files of the competition "Iris Species" below a folder.

Usage: python prepare.py OUT

The rows are those of the iris data that scikit-learn ships. The classes are easy to tell apart, so two fifths of each are
held out. One fixed shuffle decides the split, and every number is written with an explicit format, so that the bytes do not
depend on library versions.
"""

import os
import random
import sys

from sklearn.datasets import load_iris

SEED = 1936
TEST_ROWS_PER_SPECIES = 20
COLUMNS = ["SepalLengthCm", "SepalWidthCm", "PetalLengthCm", "PetalWidthCm"]
SPECIES = ["Iris-setosa", "Iris-versicolor", "Iris-virginica"]


def write_lines(out, name, lines):
    """Writes text lines with LF ends to OUT/name."""
    path = os.path.join(out, *name.split("/"))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii", newline="\n") as stream:
        stream.write("\n".join(lines) + "\n")


def main(out):
    """Splits the data, a fixed number of rows of each species held out, and writes the public and the private files."""
    data = load_iris()
    generator = random.Random(SEED)
    train, test = [], []
    for number, species in enumerate(SPECIES):
        rows = [
            ([format(float(value), ".1f") for value in features], species)
            for features, target in zip(data.data, data.target)
            if int(target) == number
        ]
        generator.shuffle(rows)
        test.extend(rows[:TEST_ROWS_PER_SPECIES])
        train.extend(rows[TEST_ROWS_PER_SPECIES:])
    generator.shuffle(train)
    generator.shuffle(test)

    header = ["Id"] + COLUMNS
    train_lines = [",".join(header + ["Species"])]
    for identifier, (features, species) in enumerate(train, start=1):
        train_lines.append(",".join([str(identifier)] + features + [species]))
    test_lines, answer_lines, sample_lines = [",".join(header)], ["Id,Species"], ["Id,Species"]
    for identifier, (features, species) in enumerate(test, start=len(train) + 1):
        test_lines.append(",".join([str(identifier)] + features))
        answer_lines.append("%d,%s" % (identifier, species))
        sample_lines.append("%d,Iris-setosa" % identifier)

    write_lines(out, "public/train.csv", train_lines)
    write_lines(out, "public/test.csv", test_lines)
    write_lines(out, "public/sample_submission.csv", sample_lines)
    write_lines(out, "private/answers.csv", answer_lines)


if __name__ == "__main__":
    main(sys.argv[1])
