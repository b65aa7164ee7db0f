"""Competitions that ask for masks, as runs of pixels."""

from grade_cases import ids
from grade_cases.layouts import Layout
from grade_cases.tables import Table

ORGANS = ["large_bowel", "small_bowel", "stomach"]


def runs(rng, pixels, share):
    """Runs of about this share of the pixels: ascending, apart."""
    out, place = [], 1
    while place <= pixels:
        place += rng.randint(0, max(1, int(pixels * (1 - share) / 4)))
        length = rng.randint(1, max(1, int(pixels * share / 3)))
        if place + length > pixels + 1:
            break
        out += [place, length]
        place += length + 1
    return out


def moved(rng, own, pixels):
    """Runs that hit the truth in part."""
    out, last = [], 0
    for start, length in zip(own[::2], own[1::2]):
        start = max(last + 1, start + rng.randint(-2, 2))
        length = max(1, length + rng.randint(-2, 2))
        if rng.random() < 0.85 and start + length <= pixels + 1:
            out += [start, length]
            last = start + length
    return out


def cell(tokens, empty=""):
    return " ".join(map(str, tokens)) or empty


def pair(rng, pixels, empty=""):
    """The runs that are predicted and those that are true."""
    truth = runs(rng, pixels, rng.choice([0.1, 0.3, 0.6])) if rng.random() < 0.7 else []
    guess = moved(rng, truth, pixels) if rng.random() < 0.8 else runs(rng, pixels, 0.2)
    return cell(guess, empty), cell(truth, empty)


def table(rng, names, sizes, columns, empty=""):
    """One mask a name; `columns` are id, predicted, true, height, width."""
    guess, truth = zip(*(pair(rng, height * width, empty) for height, width in sizes))
    id, predicted, true, height, width = columns
    answers = {id: names, true: truth, height: [str(size[0]) for size in sizes], width: [str(size[1]) for size in sizes]}
    return Table.of({id: names, predicted: guess}), Table.of(answers)


def kidneys(rng, count):
    sizes = [(rng.randint(4, 20), rng.randint(4, 20)) for _ in range(count)]
    return table(rng, ids.pattern("%x%n")(rng, count), sizes, ("id", "predicted", "encoding", "height_pixels", "width_pixels"))


def contrails(rng, count):
    sizes = [(rng.randint(4, 16), rng.randint(4, 16))] * count
    return table(rng, ids.LARGE(rng, count), sizes, ("record_id", "encoded_pixels", "encoded_pixels", "height", "width"), "-")


def scrolls(rng, count):
    sizes = [(rng.randint(4, 20), rng.randint(4, 20)) for _ in range(count)]
    # An empty mask has to be a text there.
    return table(rng, [chr(97 + place % 26) + str(place // 26 or "") for place in range(count)], sizes, ("Id", "Predicted", "Predicted", "height", "width"), " ")


def salt(rng, count):
    names = ids.HASHES(rng, count)
    guess, truth = zip(*(pair(rng, 101 * 101) for _ in names))
    return Table.of({"id": names, "rle_mask": guess}), Table.of({"id": names, "rle_mask": truth})


def organs(rng, count):
    names, kinds, sizes = [], [], []
    days = max(1, count // 12)
    for day in range(days):
        size = (rng.randint(4, 12), rng.randint(4, 12))
        for place in range(max(1, count // days // 3)):
            for organ in ORGANS:
                names.append("case%d_day%d_slice_%04d" % (101 + day // 2, day % 3, place + 1))
                kinds.append(organ)
                sizes.append(size)
    guess, truth = zip(*(pair(rng, height * width) for height, width in sizes))
    answers = {"id": names, "class": kinds, "predicted": truth}
    answers.update({"image_width": [str(size[1]) for size in sizes], "image_height": [str(size[0]) for size in sizes]})
    return Table.of({"id": names, "class": kinds, "predicted": guess}), Table.of(answers)


def layouts(originals):
    def layout(draw, id, target, truth, sizes, further):
        return Layout("mask", id, [target], [truth], draw, sizes, further)

    return {
        "hubmap-kidney-segmentation": layout(kidneys, "id", "predicted", "encoding", (3, 20, 60), ["height_pixels", "width_pixels"]),
        "google-research-identify-contrails-reduce-global-warming": layout(
            contrails, "record_id", "encoded_pixels", "encoded_pixels", (3, 22, 310), ["height", "width"]),
        "vesuvius-challenge-ink-detection": layout(scrolls, "Id", "Predicted", "Predicted", (2, 6, 12), ["height", "width"]),
        "tgs-salt-identification-challenge": layout(salt, "id", "rle_mask", "rle_mask", (3, 22, 90), []),
        "uw-madison-gi-tract-image-segmentation": layout(
            organs, "id", "predicted", "predicted", (6, 24, 120), ["image_height", "image_width"]),
    }
