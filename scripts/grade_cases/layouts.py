"""What a layout is, and the layouts of all competitions by their names."""

import dataclasses
import typing

from grade_cases.tables import Table, shuffled


@dataclasses.dataclass
class Layout:
    """The form of a competition's files."""

    # What the targets hold: chance, share, label, number, list, text, mask, box, question.
    kind: str
    id: str
    # Names of the columns that are scored, in a submission and in the answers.
    targets: list
    truths: list
    # Draws both tables: (random, number of rows) to (submission, answers).
    draw: typing.Callable
    # Rows of small, middling and large cases, at most.
    sizes: tuple = (3, 22, 310)
    # Columns of the answers that say more of a row: groups, phases, sizes of pictures.
    further: list = dataclasses.field(default_factory=list)


def plain(kind, id, ids, draw, targets, truths=None, further=(), sizes=(3, 22, 310)):
    """A layout of one row an id. `draw` gives columns by name: predicted, true, and maybe what else the answers say."""

    def both(rng, count):
        names = ids(rng, count)
        predicted, truth, *more = draw(rng, count)
        submission = Table.of({id: names, **predicted})
        answers = Table.of({id: names, **(more[0] if more else {}), **truth})
        if rng.random() < 0.3:
            submission.rows = shuffled(rng, submission.rows)
        if rng.random() < 0.2:
            answers.rows = shuffled(rng, answers.rows)
        return submission, answers

    return Layout(kind, id, list(targets), list(truths or targets), both, sizes, list(further))


def all_layouts(originals):
    """The layout of each competition; `originals(competition, module)` imports a module of the originals."""
    from grade_cases import boxes, chances, labels, masks, numbers

    layouts = {}
    for module in (chances, labels, numbers, masks, boxes):
        layouts.update(module.layouts(originals))
    return layouts
