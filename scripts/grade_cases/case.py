"""One case: answers and a submission, and what was done to them."""

import dataclasses
import random
import typing

from grade_cases.labels import json_lines
from grade_cases.tables import Table

# Every ninth case is whole, every seventh of the others is damaged in two ways.
WHOLE, TWICE = 9, 7


@dataclasses.dataclass
class Written:
    """How a table becomes bytes."""

    separator: str = ","
    end: str = "\n"
    quote_all: bool = False
    header: bool = True
    # What is done to the text, and then to the bytes.
    texts: list = dataclasses.field(default_factory=list)
    bytes: list = dataclasses.field(default_factory=list)

    def of(self, table):
        text = table.text(self.separator, self.end, self.quote_all)
        if not self.header:
            text = Table([], table.rows).text(self.separator, self.end, self.quote_all)[len(self.end):]
        for change in self.texts:
            text = change(text)
        data = text.encode("utf-8", "surrogatepass")
        for change in self.bytes:
            data = change(data)
        return data


@dataclasses.dataclass
class Case:
    """A submission and answers of a competition; both are still tables, which ways change."""

    competition: str
    index: int
    layout: object
    rng: random.Random
    submission: Table
    answers: object
    ways: list = dataclasses.field(default_factory=list)
    written: Written = dataclasses.field(default_factory=Written)
    written_answers: Written = dataclasses.field(default_factory=Written)
    made: typing.Optional[tuple] = None

    @property
    def name(self):
        return "%s/%d" % (self.competition, self.index)

    def files(self):
        """The bytes of the submission and of the answers, and what the answers' file is called."""
        # Made once: some ways go on drawing.
        if self.made is None:
            is_table = isinstance(self.answers, Table)
            answers = self.written_answers.of(self.answers) if is_table else json_lines(self.answers).encode()
            self.made = self.written.of(self.submission), answers, "answers.csv" if is_table else "answers.jsonl"
        return self.made

    def apply(self, way):
        """Whether the way had something to do here."""
        before = self.submission.copy(), self.answers.copy() if isinstance(self.answers, Table) else list(self.answers)
        try:
            done = way.damage(self)
        except (LookupError, TypeError, ValueError):
            # What a second way wants to change may be gone.
            if not self.ways:
                raise
            done = False
        if done is False:
            self.submission, self.answers = before
            return False
        self.ways.append(way.name)
        return True


def drawn(seed, competition, index, layout, ways):
    """The case of this number: it depends on nothing but these names."""
    rng = random.Random("%s/%s/%d" % (seed, competition, index))
    count = rng.choices(layout.sizes, [4, 4, 2])[0]
    case = Case(competition, index, layout, rng, *layout.draw(rng, count))
    if index % WHOLE == 0:
        return case
    # Each case of a competition has another way, until all were had.
    deck = [way for way in ways if way.kinds is None or layout.kind in way.kinds]
    random.Random("%s/%s" % (seed, competition)).shuffle(deck)
    place = index
    while not case.apply(deck[place % len(deck)]):
        place += 1
    if index % TWICE == 0:
        case.apply(rng.choice(deck))
    return case
