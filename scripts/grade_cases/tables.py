"""Tables of text cells, how they are written, and draws that many layouts share."""

import dataclasses
import io

WORDS = (
    "the a of and model Paris good bad Very it's don't U.S. 1,000 3.14 42 well-known \"quoted\" e.g. #tag @name http://t.co/x "
    "ok! what? ... nan None null true NA привет мир дом Ёж два नमस्ते दुनिया भारत வணக்கம் உலகம் 東京 大阪 日本語 안녕 😀 👩‍👩‍👧 é é ß İ ſ"
).split(" ")


@dataclasses.dataclass
class Table:
    """Named columns of text cells."""

    names: list
    rows: list

    @classmethod
    def of(cls, columns):
        return cls(list(columns), [list(row) for row in zip(*columns.values())])

    def at(self, name):
        return self.names.index(name) if name in self.names else None

    def cells(self, name):
        place = self.at(name)
        return [row[place] for row in self.rows]

    def put(self, name, cells):
        place = self.at(name)
        for row, cell in zip(self.rows, cells):
            row[place] = cell

    def copy(self):
        return Table(list(self.names), [list(row) for row in self.rows])

    def text(self, separator=",", end="\n", quote_all=False):
        """As a CSV, with quotes where they are needed."""
        out = io.StringIO()
        for row in [self.names, *self.rows]:
            # A line of a single blank cell would be skipped.
            lone = len(row) == 1 and row[0] == ""
            out.write(separator.join(quoted(cell, separator, quote_all or lone) for cell in row) + end)
        return out.getvalue()


def quoted(cell, separator=",", always=False):
    needed = always or any(letter in cell for letter in (separator, '"', "\n", "\r"))
    return '"' + cell.replace('"', '""') + '"' if needed else cell


def shuffled(rng, items):
    items = list(items)
    rng.shuffle(items)
    return items


def number(rng, value):
    """A number as programs write it."""
    digits = rng.choice([None, None, 6, 4])
    return repr(float(value)) if digits is None else repr(round(float(value), digits))


def words(rng, most):
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, most)))


def both_classes(rng, count, share=0.4):
    """Noes and yeses, nearly always both of them."""
    marks = [int(rng.random() < share) for _ in range(count)]
    if count > 1 and len(set(marks)) == 1 and rng.random() < 0.97:
        marks[rng.randrange(count)] ^= 1
    return marks


def chances(rng, truth, most=1.0):
    """Probabilities that know something of the truth, in one of the ways that programs write them."""
    style = rng.choice(["full", "full", "full", "rounded", "coarse", "certain", "tiny"])
    cells = []
    for mark in truth:
        value = min(max(mark * 0.35 + rng.random() * 0.7 - 0.02, 0.0), most)
        if style == "rounded":
            value = round(value, 6)
        elif style == "coarse":
            value = round(value, 1)
        elif style == "certain":
            value = float(value > 0.5)
        elif style == "tiny":
            value = value**20
        cells.append(str(int(value)) if style == "certain" and rng.random() < 0.5 else repr(value))
    return cells


def one_hot(rng, count, classes):
    marks = [rng.randrange(classes) for _ in range(count)]
    if rng.random() < 0.9 and count >= classes:
        marks[:classes] = range(classes)
    return [[int(own == mark) for own in range(classes)] for mark in marks]


def shares(rng, marks):
    """Rows of probabilities that sum to one as nearly as numbers can."""
    sharpness, rows = rng.choice([1, 3, 8]), []
    certain = rng.random() < 0.08
    for row in marks:
        weights = [(rng.random() + 0.5 * mark) ** sharpness + 1e-9 for mark in row]
        if certain:
            best = weights.index(max(weights))
            weights = [float(place == best) for place in range(len(weights))]
        total = sum(weights)
        rows.append([repr(weight / total) for weight in weights])
    return rows
