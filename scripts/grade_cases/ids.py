"""How the competitions name their rows."""

from grade_cases.tables import words


def distinct(draw):
    """Names of which none repeats."""

    def many(rng, count):
        seen = {}
        while len(seen) < count:
            seen.setdefault(draw(rng, len(seen)))
        return list(seen)

    return many


def digits(rng, length, letters="0123456789abcdef"):
    return "".join(rng.choice(letters) for _ in range(length))


def counted(start, step=1):
    """Whole numbers from `start` on."""
    return lambda rng, count: [str(start + step * place) for place in range(count)]


def pattern(text):
    """A text with `%x` for hexadecimal digits and `%d` for digits, and the place of the row for `%n`."""

    def draw(rng, place):
        out = text.replace("%n", str(place))
        while "%x" in out:
            out = out.replace("%x", digits(rng, 6), 1)
        while "%d" in out:
            out = out.replace("%d", digits(rng, 3, "0123456789"), 1)
        return out

    return distinct(draw)


HASHES = pattern("%x%x")
PICTURES = pattern("%x%x.jpg")
LARGE = distinct(lambda rng, place: str(rng.randrange(10**8, 10**9)))
COMMENTS = distinct(lambda rng, place: '"' + words(rng, 9).replace('"', "") + "\\n%d\"" % place)
PADDED = distinct(lambda rng, place: "%05d" % rng.randrange(1000))
STUDIES = pattern("1.2.826.0.1.3680043.8.498.%d%d%d%d")
KEYS = distinct(lambda rng, place: "2015-0%d-%02d %02d:08:24.000000%d" % (
    rng.randint(1, 9), rng.randint(1, 28), rng.randint(0, 23), rng.randint(1, 9)))


def tokens(rng, count):
    """Places of tokens in sentences: `<sentence>_<token>`."""
    names, sentence, token = [], rng.randrange(1000), 0
    for _ in range(count):
        names.append("%d_%d" % (sentence, token))
        token += 1
        if rng.random() < 0.2:
            sentence, token = sentence + rng.randint(1, 9), 0
    return names


def pixels(rng, count):
    """Pixels of pictures: `<picture>_<row>_<column>`, from 1."""
    width = rng.randint(2, 9)
    return ["%d_%d_%d" % (110 + place // 40, place % 40 // width + 1, place % 40 % width + 1) for place in range(count)]
