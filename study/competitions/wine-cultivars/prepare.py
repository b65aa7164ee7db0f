"""Write the files of the competition `wine-cultivars`.

Usage: python prepare.py OUT

Writes OUT/public/{train,test,sample_submission}.csv and OUT/private/answers.csv.
The rows come from the wine recognition data bundled with scikit-learn; the split
draws the same share of every cultivar with the Mersenne Twister of the standard
library, so that the bytes do not depend on library versions.
"""

import random
import sys
from pathlib import Path

from sklearn.datasets import load_wine

SEED = 19910701
TEST_SHARE = 0.30
FEATURES = [
    "Alcohol",
    "Malic_Acid",
    "Ash",
    "Ash_Alcanity",
    "Magnesium",
    "Total_Phenols",
    "Flavanoids",
    "Nonflavanoid_Phenols",
    "Proanthocyanins",
    "Color_Intensity",
    "Hue",
    "OD280",
    "Proline",
]
CLASSES = ["cultivar_1", "cultivar_2", "cultivar_3"]


def write_csv(path, header, rows):
    """Write comma-separated text with LF line ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [",".join(header)]
    lines.extend(",".join(row) for row in rows)
    path.write_bytes(("\n".join(lines) + "\n").encode("ascii"))


def split(targets, generator):
    """Return the row numbers of train and test, stratified by class and shuffled."""
    train, test = [], []
    for target in sorted(set(targets)):
        rows = [row for row, value in enumerate(targets) if value == target]
        generator.shuffle(rows)
        cut = round(len(rows) * TEST_SHARE)
        test.extend(rows[:cut])
        train.extend(rows[cut:])
    generator.shuffle(train)
    generator.shuffle(test)
    return train, test


def main(out):
    wine = load_wine()
    # repr of a float that was read from short decimal text gives that text back.
    features = [[repr(float(value)) for value in row] for row in wine.data]
    targets = [int(target) for target in wine.target]
    train, test = split(targets, random.Random(SEED))

    numbered_train = list(enumerate(train, start=1))
    numbered_test = list(enumerate(test, start=len(train) + 1))
    train_rows = [
        [str(number)] + features[row] + [CLASSES[targets[row]]] for number, row in numbered_train
    ]
    test_rows = [[str(number)] + features[row] for number, row in numbered_test]
    sample_rows = [[str(number), "0.3333", "0.3333", "0.3334"] for number, _ in numbered_test]
    answer_rows = [[str(number), CLASSES[targets[row]]] for number, row in numbered_test]

    public, private = out / "public", out / "private"
    write_csv(public / "train.csv", ["Id"] + FEATURES + ["Cultivar"], train_rows)
    write_csv(public / "test.csv", ["Id"] + FEATURES, test_rows)
    write_csv(public / "sample_submission.csv", ["Id"] + CLASSES, sample_rows)
    write_csv(private / "answers.csv", ["Id", "Cultivar"], answer_rows)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python prepare.py OUT")
    main(Path(sys.argv[1]))
