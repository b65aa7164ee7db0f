"""Write the files of the competition `breast-cancer-diagnosis`.

Usage: python prepare.py OUT

Writes OUT/public/{train,test,sample_submission}.csv and OUT/private/answers.csv.
The rows come from the Wisconsin diagnostic data bundled with scikit-learn; ids and
split use the Mersenne Twister of the standard library, so that the bytes do not
depend on library versions.
"""

import random
import sys
from pathlib import Path

from sklearn.datasets import load_breast_cancer

SEED = 19951101
TEST_ROWS = 159
MEASURES = [
    "radius",
    "texture",
    "perimeter",
    "area",
    "smoothness",
    "compactness",
    "concavity",
    "concave points",
    "symmetry",
    "fractal_dimension",
]
STATISTICS = ["mean", "se", "worst"]
MALIGNANT = 0


def write_csv(path, header, rows):
    """Write comma-separated text with LF line ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [",".join(header)]
    lines.extend(",".join(row) for row in rows)
    path.write_bytes(("\n".join(lines) + "\n").encode("ascii"))


def main(out):
    cancer = load_breast_cancer()
    # repr of a float that was read from short decimal text gives that text back.
    features = [[repr(float(value)) for value in row] for row in cancer.data]
    malignant = [int(target) == MALIGNANT for target in cancer.target]
    feature_names = ["%s_%s" % (m, s) for s in STATISTICS for m in MEASURES]

    generator = random.Random(SEED)
    ids = [str(number) for number in generator.sample(range(842000, 927000), len(malignant))]
    order = list(range(len(malignant)))
    generator.shuffle(order)
    test, train = order[:TEST_ROWS], order[TEST_ROWS:]

    train_rows = [[ids[row], "M" if malignant[row] else "B"] + features[row] for row in train]
    test_rows = [[ids[row]] + features[row] for row in test]
    sample_rows = [[ids[row], "0.5"] for row in test]
    answer_rows = [[ids[row], "1" if malignant[row] else "0"] for row in test]

    public, private = out / "public", out / "private"
    write_csv(public / "train.csv", ["id", "diagnosis"] + feature_names, train_rows)
    write_csv(public / "test.csv", ["id"] + feature_names, test_rows)
    write_csv(public / "sample_submission.csv", ["id", "diagnosis"], sample_rows)
    write_csv(private / "answers.csv", ["id", "diagnosis"], answer_rows)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python prepare.py OUT")
    main(Path(sys.argv[1]))
