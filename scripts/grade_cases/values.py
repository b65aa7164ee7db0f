"""The ways in which the values of a submission are damaged: those of every competition, and those of some kinds alone."""

import json

from grade_cases.ways import has_answers, many, respell, some, target, way


def scaled(cell, change):
    """A cell whose number is changed; a word stays, and an infinity where it has no such number."""
    try:
        return change(float(cell))
    except (ValueError, OverflowError):
        return cell


VALUES = {
    "NaN": lambda cell: "NaN", "blank": lambda cell: "", "infinity": lambda cell: "inf", "minus infinity": lambda cell: "-inf",
    "Infinity": lambda cell: "Infinity", "plus infinity": lambda cell: "+Inf", "minus NaN": lambda cell: "-NaN", "N/A": lambda cell: "N/A",
    "None": lambda cell: "None", "null": lambda cell: "null", "1.#IND": lambda cell: "1.#IND", "nAn": lambda cell: "nAn", "+nan": lambda cell: "+nan",
    "True": lambda cell: "True", "false": lambda cell: "false", "TRUE": lambda cell: "TRUE", "yes": lambda cell: "yes",
    "0": lambda cell: "0", "1": lambda cell: "1", "2": lambda cell: "2", "-1": lambda cell: "-1", "0.5": lambda cell: "0.5", "1.0": lambda cell: "1.0",
    "-0.0": lambda cell: "-0.0", "hexadecimal": lambda cell: "0x1", "an underscore": lambda cell: "1_0", "an exponent": lambda cell: "5e-1",
    "a large exponent": lambda cell: "1E+2", "an exponent without digits": lambda cell: "1e", "a huge number": lambda cell: "1e308",
    "a negative huge number": lambda cell: "-1e308", "beyond all numbers": lambda cell: "1e999", "1e200": lambda cell: "1e200",
    "a subnormal": lambda cell: "5e-324", "below all numbers": lambda cell: "1e-400", "2^63": lambda cell: "9223372036854775808",
    "2^64": lambda cell: "18446744073709551616", "minus 2^63 less one": lambda cell: "-9223372036854775809", "2^53 and one": lambda cell: "9007199254740993",
    "text": lambda cell: "word", "a space": lambda cell: " ", "spaces around": lambda cell: " %s " % cell, "a space before": lambda cell: " " + cell,
    "a space behind": lambda cell: cell + " ", "a tab behind": lambda cell: cell + "\t", "a no-break space behind": lambda cell: cell + "\u00a0",
    "a plus sign": lambda cell: "+" + cell, "a minus sign": lambda cell: "-" + cell, "two signs": lambda cell: "+-" + cell, "a space after the sign": lambda cell: "- " + cell,
    "a comma for the point": lambda cell: cell.replace(".", ","), "a comma in thousands": lambda cell: "1,000", "percent": lambda cell: cell + "%",
    "quotes": lambda cell: '"%s"' % cell, "single quotes": lambda cell: "'%s'" % cell, "brackets": lambda cell: "[%s]" % cell,
    "other digits": lambda cell: "".join(chr(0x660 + int(letter)) if letter in "0123456789" else letter for letter in cell),
    "wide digits": lambda cell: "".join(chr(0xFF10 + int(letter)) if letter in "0123456789" else letter for letter in cell),
    "a minus of typographers": lambda cell: "\u2212" + cell, "leading zeros": lambda cell: "000" + cell, "a point before": lambda cell: ".5", "a point behind": lambda cell: "1.",
    "a point alone": lambda cell: ".", "two points": lambda cell: "0.5.0", "forty digits": lambda cell: "0." + "1234567890" * 4, "a letter d for the exponent": lambda cell: "5d-1",
    "a complex number": lambda cell: "1+0j", "a line end": lambda cell: cell + "\n", "a line in it": lambda cell: cell + "\n" + cell, "NUL": lambda cell: cell + "\0",
    "a zero-width space": lambda cell: cell + "\u200b", "other cases": str.swapcase, "doubled": lambda cell: cell + " " + cell, "stuck to itself": lambda cell: cell + cell,
    "negated": lambda cell: scaled(cell, lambda value: repr(-value)), "times 1000": lambda cell: scaled(cell, lambda value: repr(value * 1000)),
    "a little more": lambda cell: scaled(cell, lambda value: repr(value + 1e-7)), "whole": lambda cell: scaled(cell, lambda value: "%d" % value),
    "a fraction of zero": lambda cell: cell + ".0", "fifty digits": lambda cell: scaled(cell, lambda value: "%.50f" % value),
    "with an exponent": lambda cell: scaled(cell, lambda value: "%.17e" % value), "in single precision": lambda cell: scaled(cell, lambda value: "%.7g" % value),
}


def value(case, change):
    respell(case.submission, target(case), some(case.rng, len(case.submission.rows)), change)


many("values: %s", VALUES, value)


def all_targets(case, change):
    for name in case.layout.targets:
        respell(case.submission, name, some(case.rng, len(case.submission.rows)), change)


many("values of all columns: %s", {name: VALUES[name] for name in (
    "NaN", "blank", "0", "1", "0.5", "-1", "a fraction of zero", "whole", "True", "2", "text", "a huge number", "in single precision")}, all_targets)


@way("values: those of other rows")
def _(case):
    name = target(case)
    cells = case.submission.cells(name)
    case.rng.shuffle(cells)
    case.submission.put(name, cells)


@way("values: one for all")
def _(case):
    for name in case.layout.targets:
        cells = case.submission.cells(name)
        case.submission.put(name, [case.rng.choice(cells)] * len(cells))


@way("values: the true ones")
def _(case):
    if not has_answers(case) or len(case.layout.truths) != len(case.layout.targets):
        return False
    names = case.answers.cells(case.layout.id)
    for own, true in zip(case.layout.targets, case.layout.truths):
        known = dict(zip(names, case.answers.cells(true)))
        respelled = [known.get(name, "0") for name in case.submission.cells(case.layout.id)]
        if case.submission.at(own) is None:
            return False
        case.submission.put(own, respelled)
    return None


# ---- shares

def row_share(case, change):
    """Changes one column of some rows, so that they sum to something else."""
    place = case.submission.at(target(case))
    for row in some(case.rng, len(case.submission.rows)):
        cell = case.submission.rows[row][place]
        case.submission.rows[row][place] = scaled(cell, lambda number: repr(change(number)))


many("shares: %s", {
    "sums off by 1e-7": lambda number: number + 1e-7, "sums off by 9e-7": lambda number: number + 9e-7, "sums off by 4e-6": lambda number: number + 4e-6,
    "sums off by 1.05e-5": lambda number: number + 1.05e-5, "sums off by 1.2e-5": lambda number: number + 1.2e-5, "sums off by 1e-4": lambda number: number + 1e-4,
    "sums less by 6e-7": lambda number: number - 6e-7, "sums of two": lambda number: number + 1, "sums of less": lambda number: number / 2,
}, row_share, ("share",))


@way("shares: one, and zeros", ("share",))
def _(case):
    whole = case.rng.random() < 0.5
    for row in case.submission.rows:
        best = case.rng.choice(case.layout.targets)
        for name in case.layout.targets:
            row[case.submission.at(name)] = ("1" if name == best else "0") + ("" if whole else ".0")


@way("shares: rounded", ("share",))
def _(case):
    for name in case.layout.targets:
        respell(case.submission, name, range(len(case.submission.rows)), lambda cell: scaled(cell, lambda number: "%.6f" % number))


# ---- tokens: lists, masks, texts and boxes

TOKENS = {
    "no token": lambda parts: [], "a token twice": lambda parts: parts + parts[-1:], "one token": lambda parts: parts[:1],
    "the last token missing": lambda parts: parts[:-1], "the first token missing": lambda parts: parts[1:], "a token more": lambda parts: [*parts, "5"],
    "a word more": lambda parts: [*parts, "word"], "tokens backwards": lambda parts: parts[::-1], "a hundred tokens": lambda parts: (parts * 100)[:100],
    "an empty token": lambda parts: [*parts[:1], "", *parts[1:]], "an empty token before": lambda parts: ["", *parts], "an empty token behind": lambda parts: [*parts, ""],
    "a token NaN": lambda parts: ["nan", *parts[1:]], "a token of another place": lambda parts: parts[1:] + parts[:1], "all tokens twice": lambda parts: parts + parts,
    "a plus sign": lambda parts: ["+" + part for part in parts], "underscores": lambda parts: [part[:1] + "_" + part[1:] for part in parts],
    "other cases": lambda parts: [part.swapcase() for part in parts],
}
TOKEN_KINDS = ("list", "mask", "box", "text", "label")


def retokened(case, change):
    respell(case.submission, target(case), some(case.rng, len(case.submission.rows)), lambda cell: " ".join(change(cell.split(" "))))


many("tokens: %s", TOKENS, retokened, TOKEN_KINDS)
many("tokens: %s between", {
    "two spaces": "  ", "a tab": "\t", "a line end": "\n", "a no-break space": "\u00a0", "a comma": ",", "a separator of files": "\x1c", "nothing": "",
}, lambda case, between: respell(
    case.submission, target(case), some(case.rng, len(case.submission.rows)), lambda cell: cell.replace(" ", between)), TOKEN_KINDS)


def true_tokens(case, change):
    if not has_answers(case):
        return False
    name = case.rng.choice(case.layout.truths)
    respell(case.answers, name, some(case.rng, len(case.answers.rows)), lambda cell: " ".join(change(cell.split(" "))))
    return None


many("true tokens: %s", {name: TOKENS[name] for name in (
    "no token", "a token twice", "one token", "the last token missing", "a token more", "an empty token", "a hundred tokens")}, true_tokens, ("list", "mask", "box", "text"))


# ---- masks

def masked(case, cell):
    respell(case.submission, target(case), some(case.rng, len(case.submission.rows)), lambda old: cell)


many("masks: %s", {
    "a start of zero": "0 3", "a negative start": "-3 2", "a length of zero": "3 0", "a negative length": "3 -1", "overlapping": "1 5 3 5",
    "touching": "1 2 3 2", "unsorted": "9 1 1 1", "twice the same": "2 1 2 1", "beyond the picture": "5 100000", "far beyond": "100000 5", "one number": "7",
    "three numbers": "1 2 5", "five numbers": "1 1 3 1 5", "fractions": "1.0 2.0", "an exponent": "1e1 2", "everything": "1 100000", "a dash": "-", "a dash and more": "- ",
    "a comma": "1,3", "one pixel": "1 1", "a word": "none", "huge": "1 99999999999999999999", "huge start": "99999999999999999999 1", "2^63": "1 9223372036854775807",
    "spaces": "   ", "signs": "+1 +2", "zeros": "001 002", "other digits": "\u0661 \u0662", "an underscore": "1_0 2", "hexadecimal": "0x1 2", "ends at 2^63": "9223372036854775807 1",
}, masked, ("mask",))

def sized(case, cell):
    if not case.layout.further:
        return False
    respell(case.answers, case.rng.choice(case.layout.further), some(case.rng, len(case.answers.rows)), lambda old: cell)
    return None


many("masks: pictures of %s", {"no pixels": "0", "other sizes": "7", "sizes with fractions": "9.7", "sizes without": "9.0", "unknown size": "", "less than nothing": "-4"}, sized, ("mask",))


# ---- boxes

def boxed(case, change):
    """Changes one token of a cell, by its place."""
    def changed(cell):
        parts = cell.split(" ")
        return " ".join(change(case.rng, parts)) if parts != [""] else cell

    respell(case.submission, target(case), some(case.rng, len(case.submission.rows)), changed)


def put(parts, place, token):
    return [token if own == place else part for own, part in enumerate(parts)]


def anywhere(token):
    return lambda rng, parts: put(parts, rng.randrange(len(parts)), token)


many("boxes: %s", {
    **{"a token %s" % token: anywhere(token) for token in ("nan", "inf", "-inf", "0", "-5", "1e200", "1e308", "word", "1_300", "0x10", "1.5", "1e-320")},
    "upside down": lambda rng, parts: parts[:-2] + parts[-1:] + parts[-2:-1], "without extent": lambda rng, parts: parts[:-1] + parts[-2:-1],
    "the first twice": lambda rng, parts: parts + parts[:6], "ninefold": lambda rng, parts: parts * 9, "confidences of zero": lambda rng, parts: [
        "0" if place % 6 == 1 else part for place, part in enumerate(parts)],
    "confidences alike": lambda rng, parts: ["0.5" if place % 6 == 1 else part for place, part in enumerate(parts)],
    "confidences below zero": lambda rng, parts: ["-" + part if place % 6 == 1 else part for place, part in enumerate(parts)],
    "classes of elsewhere": lambda rng, parts: ["77" if place % 6 == 0 else part for place, part in enumerate(parts)],
    "classes with fractions": lambda rng, parts: [part + ".9" if place % 6 == 0 else part for place, part in enumerate(parts)],
    "sizes of nothing": lambda rng, parts: ["0" if place % 9 == 4 else part for place, part in enumerate(parts)],
    "sizes below zero": lambda rng, parts: ["-" + part if place % 9 == 5 else part for place, part in enumerate(parts)],
    "confidences of 3D alike": lambda rng, parts: ["0.5" if place % 9 == 0 else part for place, part in enumerate(parts)],
    "large": lambda rng, parts: [part + "000" if place % 6 > 3 else part for place, part in enumerate(parts)],
}, boxed, ("box",))


# ---- texts and questions

TEXTS = {
    "upper case": str.upper, "marks that combine": lambda cell: cell + "e\u0301", "an emoji": lambda cell: "👩‍👩‍👧" + cell, "the word nan": lambda cell: "nan", "digits alone": lambda cell: "1234",
    "very long": lambda cell: (cell + " ") * 50, "a quote": lambda cell: 'a "b" c', "a comma": lambda cell: "a,b", "a dotted I": lambda cell: "İstanbul", "a final sigma": lambda cell: "ΟΔΟΣ",
    "a sharp s": lambda cell: "STRASSE ß", "a separator of records": lambda cell: "a\x1eb", "a next line": lambda cell: "a\u0085b", "an ideographic space": lambda cell: "a\u3000b",
    "a zero-width space": lambda cell: "a\u200bb", "a line end": lambda cell: "a\nb", "CRLF": lambda cell: "a\r\nb", "beyond the first plane": lambda cell: "𝔘𝔫𝔦" + cell,
}


def reworded(case, change):
    respell(case.submission, target(case), some(case.rng, len(case.submission.rows)), change)


many("texts: %s", TEXTS, reworded, ("text", "list", "label"))


def retold(case, change):
    """Changes both sides, so that what is equal stays so."""
    name = case.layout.targets[0]
    respell(case.submission, name, some(case.rng, len(case.submission.rows)), change)
    respell(case.answers, case.layout.truths[0], some(case.rng, len(case.answers.rows)), change)


many("texts on both sides: %s", {name: TEXTS[name] for name in (
    "upper case", "digits alone", "the word nan", "a dotted I", "a final sigma", "a next line", "an ideographic space", "a zero-width space")}, retold, ("text", "list"))
many("both sides: %s", {"blank": lambda cell: "", "numbers": lambda cell: "7", "fractions": lambda cell: "7.50", "yes": lambda cell: "True", "a space": lambda cell: " ",
    "numbers of 19 digits": lambda cell: "9223372036854775807", "large numbers": lambda cell: "1e16"}, retold, ("text", "list", "label"))
many("answers given: %s", {
    "lower case": "yes", "spaces around": " YES ", "spaces in a span": "5 : 10", "a sign": "+5:10", "an underscore": "1_0:2_0", "three parts": "1:2:3", "no parts": ":", "words": "a:b",
    "no end": "5:", "a fraction": "5.0:10.0", "a number": "5", "minus one": "-1:-1", "a space": " ", "a word": "MAYBE", "NaN": "nan", "a time": "12:30:00", "True": "True", "both": "YES NO", "zeros": "005:010",
    "other digits": "\u0665:\u0661", "huge": "99999999999999999999:5",
}, masked, ("question",))


def annotation(case, change):
    for place in some(case.rng, len(case.answers)):
        copied = json.loads(json.dumps(case.answers[place]))
        change(copied)
        case.answers[place] = copied


def cleared(name):
    return lambda answer: answer["annotations"][0].pop(name)


many("annotations: %s", {
    "yes": lambda answer: answer["annotations"][0].update(yes_no_answer="YES"), "none short": lambda answer: answer["annotations"][0].update(short_answers=[]),
    "no long one": cleared("long_answer"), "no short ones": cleared("short_answers"), "no yes or no": cleared("yes_no_answer"),
    "none at all": lambda answer: answer.update(annotations=[]), "two": lambda answer: answer["annotations"].append({}),
    "an id that is a number": lambda answer: answer.update(example_id=5), "no id": lambda answer: answer.pop("example_id"),
    "spans of texts": lambda answer: answer["annotations"][0].update(long_answer={"start_token": "5", "end_token": "10"}),
    "spans with fractions": lambda answer: answer["annotations"][0].update(long_answer={"start_token": 5.7, "end_token": 10.2}),
    "a span from minus one": lambda answer: answer["annotations"][0].update(long_answer={"start_token": -1, "end_token": 7}),
    "maybe": lambda answer: answer["annotations"][0].update(yes_no_answer="MAYBE"),
    "more than is needed": lambda answer: answer["annotations"][0].update(annotation_id=7, more=[None]),
}, annotation, ("question",))


@way("answers given: an id without its ending", ("question",))
def _(case):
    respell(case.submission, case.layout.id, some(case.rng, len(case.submission.rows)), lambda cell: cell.split("_")[0])


@way("answers given: another ending", ("question",))
def _(case):
    respell(case.submission, case.layout.id, some(case.rng, len(case.submission.rows)), lambda cell: cell + case.rng.choice(["_long", "_short", "_x"]))


def all_ways():
    """Every way, in one order."""
    from grade_cases.ways import WAYS

    names = [own.name for own in WAYS]
    assert len(set(names)) == len(names), [name for name in names if names.count(name) > 1]
    return WAYS
