"""Write the files of the competition `handwritten-digits`.

Usage: python prepare.py OUT

Writes OUT/public/{train,test,sample_submission}.csv and OUT/private/answers.csv.
The rows come from the digits data set bundled with scikit-learn; the split uses
the Mersenne Twister of the standard library, so that the bytes do not depend on
library versions.
"""

import random
import sys
from pathlib import Path

from sklearn.datasets import load_digits

SEED = 20120725
TEST_ROWS = 497


def write_csv(path, header, rows):
    """Write comma-separated text with LF line ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [",".join(header)]
    lines.extend(",".join(row) for row in rows)
    path.write_bytes(("\n".join(lines) + "\n").encode("ascii"))


def main(out):
    digits = load_digits()
    pixels = [[str(int(value)) for value in row] for row in digits.data]
    labels = [str(int(label)) for label in digits.target]

    order = list(range(len(labels)))
    random.Random(SEED).shuffle(order)
    test, train = order[:TEST_ROWS], order[TEST_ROWS:]

    pixel_names = ["pixel%d" % index for index in range(len(pixels[0]))]
    train_rows = [
        [str(number), labels[row]] + pixels[row] for number, row in enumerate(train, start=1)
    ]
    test_rows = [[str(number)] + pixels[row] for number, row in enumerate(test, start=1)]
    sample_rows = [[row[0], "0"] for row in test_rows]
    answer_rows = [[str(number), labels[row]] for number, row in enumerate(test, start=1)]

    public, private = out / "public", out / "private"
    write_csv(public / "train.csv", ["ImageId", "Label"] + pixel_names, train_rows)
    write_csv(public / "test.csv", ["ImageId"] + pixel_names, test_rows)
    write_csv(public / "sample_submission.csv", ["ImageId", "Label"], sample_rows)
    write_csv(private / "answers.csv", ["ImageId", "Label"], answer_rows)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python prepare.py OUT")
    main(Path(sys.argv[1]))
