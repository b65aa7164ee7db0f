"""The ways in which files are damaged: of ids, columns, answers and whole files. Those of values are in `values`."""

import dataclasses
import typing

from grade_cases.tables import Table, shuffled


@dataclasses.dataclass
class Way:
    """Something that is done to a case. It gives False where it has nothing to do."""

    name: str
    damage: typing.Callable
    # The kinds of layouts that it is for; all where there are none.
    kinds: typing.Optional[tuple] = None


WAYS = []


def way(name, kinds=None):
    def kept(damage):
        WAYS.append(Way(name, damage, kinds))
        return damage

    return kept


def many(pattern, spellings, damage, kinds=None):
    """A way for each spelling."""
    for name, spelling in spellings.items():
        WAYS.append(Way(pattern % name, lambda case, spelling=spelling: damage(case, spelling), kinds))


def has_answers(case):
    return isinstance(case.answers, Table)


def some(rng, count):
    """One place, some, or all."""
    if not count:
        return []
    share = rng.choice(["one", "some", "all"])
    if share == "one":
        return [rng.randrange(count)]
    return [place for place in range(count) if share == "all" or rng.random() < 0.4]


def respell(table, name, places, change):
    cells = table.cells(name)
    for place in places:
        cells[place] = change(cells[place])
    table.put(name, cells)


# ---- ids

def id_spellings(rng):
    return {
        "a space before": lambda cell: " " + cell, "a space after": lambda cell: cell + " ", "a tab after": lambda cell: cell + "\t",
        "leading zeros": lambda cell: "00" + cell, "a plus sign": lambda cell: "+" + cell, "a minus sign": lambda cell: "-" + cell,
        "a fraction of zero": lambda cell: cell + ".0", "an exponent": lambda cell: cell + "e0",
        "other cases": lambda cell: cell.swapcase(), "a letter more": lambda cell: cell + "x", "a quote": lambda cell: cell + '"',
        "underscores": lambda cell: cell[:1] + "_" + cell[1:], "a fraction": lambda cell: cell + ".5",
        "blanks": lambda cell: "", "NaN": lambda cell: "NaN", "a space alone": lambda cell: " ", "True": lambda cell: "True",
        "a line end": lambda cell: cell + "\n", "a no-break space": lambda cell: cell + "\u00a0", "NUL": lambda cell: cell + "\0",
        "hexadecimal": lambda cell: "0x" + cell, "infinity": lambda cell: "inf", "beyond 64 bits": lambda cell: "1844674407370955161" + cell[-1:],
    }


def one_id(case, change):
    names = case.submission.cells(case.layout.id)
    respell(case.submission, case.layout.id, some(case.rng, len(names)), change)


many("ids: %s", id_spellings(None), one_id)


def both_ids(case, change):
    if not has_answers(case):
        return False
    names = sorted(set(case.answers.cells(case.layout.id)))
    changed = {names[place]: change(names[place]) for place in some(case.rng, len(names))}
    for table in (case.submission, case.answers):
        table.put(case.layout.id, [changed.get(name, name) for name in table.cells(case.layout.id)])


many("ids of both sides: %s", {name: change for name, change in id_spellings(None).items() if name not in ("other cases", "a letter more")}, both_ids)


def both_numbered(case, spell):
    if not has_answers(case):
        return False
    names = sorted(set(case.answers.cells(case.layout.id)))
    new = dict(zip(names, shuffled(case.rng, range(len(names)))))
    for place, table in enumerate((case.submission, case.answers)):
        table.put(case.layout.id, [spell(place, new.get(name, 10**6)) for name in table.cells(case.layout.id)])


many("ids of both sides: %s", {
    "whole numbers": lambda side, place: str(place), "of 19 digits": lambda side, place: str(9223372036854775700 + place),
    "around 2^63": lambda side, place: str(9223372036854775800 + place), "fractions": lambda side, place: repr(place / 8),
    "whole here, fractions of zero there": lambda side, place: str(place) + ".0" * side,
    "whole here, with zeros there": lambda side, place: "000%d" % place if side else str(place),
    "negative": lambda side, place: str(-place), "words here, numbers there": lambda side, place: str(place) if side else "n%d" % place,
    "in letters of everywhere": lambda side, place: "".join("aéЖ東😀\uffff"[int(digit) % 6] for digit in str(place)) + "%d" % place,
    "yes and no": lambda side, place: str(place % 2 == 0),
}, both_numbered)


@way("ids: one stands for another")
def _(case):
    names = case.submission.cells(case.layout.id)
    if len(names) < 2:
        return False
    one, other = case.rng.sample(range(len(names)), 2)
    names[one] = names[other]
    case.submission.put(case.layout.id, names)


@way("ids: all the same")
def _(case):
    names = case.submission.cells(case.layout.id)
    case.submission.put(case.layout.id, names[:1] * len(names))


@way("ids: two rows changed places")
def _(case):
    names = case.submission.cells(case.layout.id)
    if len(names) < 2:
        return False
    names[0], names[-1] = names[-1], names[0]
    case.submission.put(case.layout.id, names)


@way("ids of both sides repeat")
def _(case):
    return repeated(case, False)


@way("ids of both sides repeat, in other numbers")
def _(case):
    return repeated(case, True)


def repeated(case, differently):
    """Both sides have ids that repeat; the rows differ, and maybe how often each is there."""
    if not has_answers(case):
        return False
    for turn, table in enumerate((case.submission, case.answers)):
        names = table.cells(case.layout.id)
        known = sorted(set(names))
        if len(known) < 3:
            return False
        kept = known[: max(2, len(known) // 2)]
        if turn == 0 or differently:
            new = {name: kept[case.rng.randrange(len(kept))] for name in known}
        new.update({name: name for name in kept})
        table.put(case.layout.id, [new.get(name, kept[0]) for name in names])


# ---- rows

@way("rows: one is there twice")
def _(case):
    case.submission.rows.append(list(case.rng.choice(case.submission.rows)))


@way("rows: one is there twice, another is missing")
def _(case):
    rows = case.submission.rows
    rows.append(list(rows[0]))
    del rows[case.rng.randrange(len(rows) - 1)]


@way("rows: one is missing")
def _(case):
    del case.submission.rows[case.rng.randrange(len(case.submission.rows))]


@way("rows: the last are missing")
def _(case):
    del case.submission.rows[-case.rng.randint(1, max(1, len(case.submission.rows) - 1)):]


@way("rows: one more")
def _(case):
    row = list(case.rng.choice(case.submission.rows))
    row[case.submission.at(case.layout.id)] = case.rng.choice(["more", "999999999", "0", ""])
    case.submission.rows.insert(case.rng.randrange(len(case.submission.rows) + 1), row)


@way("rows: in another order")
def _(case):
    case.submission.rows = shuffled(case.rng, case.submission.rows)


@way("rows: backwards")
def _(case):
    case.submission.rows.reverse()


@way("rows: sorted by id")
def _(case):
    place = case.submission.at(case.layout.id)
    case.submission.rows.sort(key=lambda row: row[place])


@way("rows: none")
def _(case):
    case.submission.rows = []


@way("rows: one on both sides")
def _(case):
    case.submission.rows = case.submission.rows[:1]
    if not has_answers(case):
        case.submission.rows, case.answers = [*case.submission.rows, *case.submission.rows], case.answers[:1]
        return None
    name = case.submission.cells(case.layout.id)[0]
    place = case.answers.at(case.layout.id)
    case.answers.rows = [row for row in case.answers.rows if row[place] == name][:1]
    return bool(case.answers.rows)


# ---- columns

def target(case):
    return case.rng.choice(case.layout.targets)


def moved(table, order):
    table.names = [table.names[place] for place in order]
    table.rows = [[row[place] for place in order] for row in table.rows]


def without(table, name):
    moved(table, [place for place in range(len(table.names)) if place != table.at(name)])


def added(table, place, name, cell):
    table.names.insert(place, name)
    for row in table.rows:
        row.insert(place, cell(row))


def renamed(table, old, new):
    table.names[table.at(old)] = new


@way("columns: in another order")
def _(case):
    moved(case.submission, shuffled(case.rng, range(len(case.submission.names))))


@way("columns: two names changed places")
def _(case):
    names = case.submission.names
    one, other = case.rng.sample(range(len(names)), 2)
    names[one], names[other] = names[other], names[one]


@way("columns: one is missing")
def _(case):
    without(case.submission, target(case))


@way("columns: the id is missing")
def _(case):
    without(case.submission, case.layout.id)


@way("columns: one more behind")
def _(case):
    cell = case.rng.choice(["x", "0.5", "", "1"])
    added(case.submission, len(case.submission.names), case.rng.choice(["more", "0", " "]), lambda row: cell)


@way("columns: one more before")
def _(case):
    counter = iter(range(10**6))
    added(case.submission, 0, case.rng.choice(["", "index", "Unnamed: 0"]), lambda row: str(next(counter)))


@way("columns: another name")
def _(case):
    renamed(case.submission, target(case), case.rng.choice(["prediction", "target", "label", "Expected", "toxicity"]))


@way("columns: another name for the id")
def _(case):
    renamed(case.submission, case.layout.id, case.rng.choice(["Id", "id", "ID", "image", "index"]))


def respelled_name(case, change):
    place = case.rng.randrange(len(case.submission.names))
    case.submission.names[place] = change(case.submission.names[place])


many("columns: a name with %s", {
    "a space before": lambda name: " " + name, "a space after": lambda name: name + " ", "other cases": str.swapcase,
    "a line end": lambda name: name + "\n", "nothing in it": lambda name: "", "a quote in it": lambda name: '"' + name,
    ".1 behind": lambda name: name + ".1",
}, respelled_name)


@way("columns: a name twice")
def _(case):
    name = target(case)
    source, place = case.submission.at(name), case.rng.randrange(len(case.submission.names) + 1)
    other = case.rng.random() < 0.5
    added(case.submission, place, name, lambda row: row[source] if other else "0")


@way("columns: the id's name twice")
def _(case):
    source = case.submission.at(case.layout.id)
    added(case.submission, len(case.submission.names), case.layout.id, lambda row: row[source])


@way("columns: the answers' name beside the own")
def _(case):
    names = [name for name in [*case.layout.truths, *case.layout.further] if case.submission.at(name) is None]
    name = case.rng.choice(names or ["toxicity"])
    source = case.submission.at(target(case))
    added(case.submission, case.rng.randrange(len(case.submission.names) + 1), name, lambda row: row[source])


@way("columns: the answers' name in place of the own")
def _(case):
    if case.layout.targets == case.layout.truths or not case.layout.truths:
        return False
    renamed(case.submission, case.layout.targets[0], case.layout.truths[0])


@way("columns: the answers themselves")
def _(case):
    if not has_answers(case):
        return False
    case.submission = case.answers.copy()
    if case.rng.random() < 0.7:
        for own, true in zip(case.layout.targets, case.layout.truths):
            renamed(case.submission, true, own)


# ---- answers

ANSWERS = {
    "blank": "", "negative": "-1", "text": "word", "infinite": "inf", "huge": "1e308", "zero": "0", "a fraction": "0.37", "two": "2",
    "True": "True", "a space": " ", "beyond 64 bits": "18446744073709551616", "beyond all numbers": "1e999", "a fraction of zero": "1.0",
}


def true_value(case, cell):
    if not has_answers(case):
        return False
    name = case.rng.choice(case.layout.truths)
    respell(case.answers, name, some(case.rng, len(case.answers.rows)), lambda old: cell)
    return None


many("answers: %s", ANSWERS, true_value)


def further_value(case, cell):
    if not has_answers(case) or not case.layout.further:
        return False
    respell(case.answers, case.rng.choice(case.layout.further), some(case.rng, len(case.answers.rows)), lambda old: cell)
    return None


many("answers, beside the truth: %s", {name: ANSWERS[name] for name in (
    "blank", "negative", "text", "zero", "a fraction", "two", "True", "a fraction of zero", "infinite")}, further_value)


@way("answers: rows of negatives")
def _(case):
    if not has_answers(case):
        return False
    for name in case.layout.truths:
        for place in some(case.rng, len(case.answers.rows)):
            case.answers.rows[place][case.answers.at(name)] = "-1"
    return None


@way("answers: respelled")
def _(case):
    """The same numbers, written otherwise."""
    if not has_answers(case):
        return False
    change = case.rng.choice([lambda cell: cell + ".0", lambda cell: " " + cell, lambda cell: "0" + cell, lambda cell: "+" + cell])
    respell(case.answers, case.rng.choice(case.layout.truths), some(case.rng, len(case.answers.rows)), change)
    return None


@way("answers: one value")
def _(case):
    if not has_answers(case):
        return False
    for name in case.layout.truths:
        cells = case.answers.cells(name)
        case.answers.put(name, [case.rng.choice(cells)] * len(cells))
    return None


@way("answers: in another order")
def _(case):
    if not has_answers(case):
        case.answers = shuffled(case.rng, case.answers)
        return
    case.answers.rows = shuffled(case.rng, case.answers.rows)


@way("answers: none")
def _(case):
    if has_answers(case):
        case.answers.rows = []
    else:
        case.answers = []


@way("answers: fewer")
def _(case):
    rows = case.answers.rows if has_answers(case) else case.answers
    del rows[case.rng.randrange(len(rows)):]


@way("answers: an id repeats")
def _(case):
    if not has_answers(case):
        case.answers.append(case.answers[0])
        return
    names = case.answers.cells(case.layout.id)
    names[-1] = names[0]
    case.answers.put(case.layout.id, names)


@way("answers: an id is blank")
def _(case):
    if not has_answers(case):
        return False
    respell(case.answers, case.layout.id, some(case.rng, len(case.answers.rows)), lambda cell: "")
    return None


@way("answers: a column is missing")
def _(case):
    if not has_answers(case):
        return False
    without(case.answers, case.rng.choice(case.answers.names))
    return None


@way("answers: a column more")
def _(case):
    if not has_answers(case):
        return False
    added(case.answers, case.rng.randrange(len(case.answers.names) + 1), "more", lambda row: "1")
    return None


@way("answers: columns in another order")
def _(case):
    if not has_answers(case):
        return False
    moved(case.answers, shuffled(case.rng, range(len(case.answers.names))))
    return None


# ---- files

def data(case, change):
    case.written.bytes.append(lambda content: change(case, content))


def text(case, change):
    case.written.texts.append(lambda content: change(case, content))


def written(case, changes):
    for name, value in changes.items():
        setattr(case.written, name, value)


many("file: %s", {
    "CRLF": {"end": "\r\n"}, "CR": {"end": "\r"}, "semicolons": {"separator": ";"}, "tabs": {"separator": "\t"},
    "spaces behind commas": {"separator": ", "}, "quotes everywhere": {"quote_all": True}, "no header": {"header": False},
    "quotes and CRLF": {"quote_all": True, "end": "\r\n"}, "LF CR": {"end": "\n\r"}, "bars": {"separator": "|"},
}, written)


def lines_with(case, content, change):
    """Changes one line after the header, or the header where there is no other."""
    lines = content.split("\n")
    place = case.rng.randrange(1, max(2, len(lines) - 1))
    lines[min(place, len(lines) - 1)] = change(lines[min(place, len(lines) - 1)])
    return "\n".join(lines)


def each_line(content, change):
    return "".join(change(line) + "\n" for line in content.split("\n")[:-1])


def each_row(content, change):
    header, _, rows = content.partition("\n")
    return header + "\n" + each_line(rows, change)


many("file: %s", {
    "an unfinished quote": lambda case, content: lines_with(case, content, lambda line: '"' + line),
    "an unfinished quote at the end": lambda case, content: content + '"',
    "an unfinished quote in the last cell": lambda case, content: content.rstrip("\n") + ',"',
    "a quote within a cell": lambda case, content: lines_with(case, content, lambda line: line.replace(",", 'a"b,', 1)),
    "text behind a closing quote": lambda case, content: lines_with(case, content, lambda line: '"' + line.replace(",", '"x,', 1)),
    "a space before a quote": lambda case, content: lines_with(case, content, lambda line: ' "%s"' % line.replace(",", '", "')),
    "a row too long": lambda case, content: lines_with(case, content, lambda line: line + ",1"),
    "a row too long by a blank": lambda case, content: lines_with(case, content, lambda line: line + ","),
    "the first row too long": lambda case, content: content.replace("\n", "\0", 1).replace("\n", ",9\n", 1).replace("\0", "\n"),
    "a row too short": lambda case, content: lines_with(case, content, lambda line: line.rpartition(",")[0]),
    "a row of commas": lambda case, content: lines_with(case, content, lambda line: line + "\n" + "," * line.count(",")),
    "a comma behind every row": lambda case, content: each_line(content, lambda line: line + ","),
    "a comma behind every row but the header": lambda case, content: each_row(content, lambda line: line + ","),
    "two commas behind every row but the header": lambda case, content: each_row(content, lambda line: line + ",,"),
    "an index that the header does not name": lambda case, content: each_row(content, lambda line: "7," + line),
    "a blank line": lambda case, content: lines_with(case, content, lambda line: line + "\n"),
    "blank lines before": lambda case, content: "\n\n" + content,
    "blank lines behind": lambda case, content: content + "\n\n\r\n",
    "a line of spaces": lambda case, content: lines_with(case, content, lambda line: line + "\n   "),
    "a line of tabs": lambda case, content: lines_with(case, content, lambda line: line + "\n\t"),
    "a line of two quotes": lambda case, content: lines_with(case, content, lambda line: line + '\n""'),
    "no line end behind": lambda case, content: content.rstrip("\n"),
    "a comment": lambda case, content: "# made by hand\n" + content,
    "a doubled header": lambda case, content: content.split("\n", 1)[0] + "\n" + content,
    "a header in the middle": lambda case, content: lines_with(case, content, lambda line: line + "\n" + content.split("\n", 1)[0]),
    "the header alone": lambda case, content: content.split("\n", 1)[0] + "\n",
    "the header alone, without a line end": lambda case, content: content.split("\n", 1)[0],
    "CR in a row": lambda case, content: lines_with(case, content, lambda line: line + "\r"),
    "CR before a cell": lambda case, content: lines_with(case, content, lambda line: line.replace(",", ",\r", 1)),
    "CRLF in some rows": lambda case, content: each_line(content, lambda line: line + "\r" * (case.rng.random() < 0.3)),
    "nothing but a line end": lambda case, content: "\n",
    "nothing but spaces": lambda case, content: "   \n",
    "words": lambda case, content: "no table\n",
    "a page of HTML": lambda case, content: "<html><head>\n<title>Sign in</title>\n</head></html>\n",
    "spaces around every cell": lambda case, content: each_line(content, lambda line: " " + line.replace(",", " , ") + " "),
    "a line separator of Unicode": lambda case, content: lines_with(case, content, lambda line: line + "\u2028"),
    "a form feed": lambda case, content: lines_with(case, content, lambda line: line + "\f"),
    "control Z": lambda case, content: content + "\x1a",
}, text)


def middle(case, content, put):
    """Puts bytes somewhere into the file."""
    place = case.rng.randrange(len(content) + 1)
    return content[:place] + put + content[place:]


many("file: %s", {
    "empty": lambda case, content: b"",
    "a mark": lambda case, content: b"\xef\xbb\xbf" + content,
    "two marks": lambda case, content: b"\xef\xbb\xbf" * 2 + content,
    "a mark and quotes": lambda case, content: b'\xef\xbb\xbf"' + content.replace(b",", b'",', 1),
    "a mark alone": lambda case, content: b"\xef\xbb\xbf",
    "NUL in it": lambda case, content: middle(case, content, b"\0"),
    "NUL behind": lambda case, content: content + b"\0" * 9,
    "a byte that is no text": lambda case, content: middle(case, content, b"\xff"),
    "Latin-1": lambda case, content: middle(case, content, b"\xe9"),
    "UTF-16": lambda case, content: content.decode("utf-8", "replace").encode("utf-16"),
    "a surrogate": lambda case, content: middle(case, content, b"\xed\xa0\x80"),
    "cut off": lambda case, content: content[: len(content) // 2],
    "twice": lambda case, content: content + content,
    "zipped": lambda case, content: b"PK\x03\x04" + content,
    "a quote somewhere": lambda case, content: middle(case, content, b'"'),
    "a comma somewhere": lambda case, content: middle(case, content, b","),
    "a line end somewhere": lambda case, content: middle(case, content, b"\n"),
    "a space somewhere": lambda case, content: middle(case, content, b" "),
    "a digit somewhere": lambda case, content: middle(case, content, b"7"),
}, data)


def data_of_answers(case, change):
    if not has_answers(case):
        return False
    case.written_answers.bytes.append(lambda content: change(case, content))
    return None


many("answers' file: %s", {
    "CRLF": lambda case, content: content.replace(b"\n", b"\r\n"), "a mark": lambda case, content: b"\xef\xbb\xbf" + content,
    "empty": lambda case, content: b"", "a quote somewhere": lambda case, content: middle(case, content, b'"'),
    "a comma somewhere": lambda case, content: middle(case, content, b","),
    "a space somewhere": lambda case, content: middle(case, content, b" "),
}, data_of_answers)
