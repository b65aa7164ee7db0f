"""Competitions that ask for boxes or points with their classes."""

import math

from grade_cases import ids
from grade_cases.layouts import Layout
from grade_cases.tables import Table, shuffled

LETTERS = ["U+306F", "U+304C", "U+3044", "U+4E00"]
FINDINGS = ["opacity"]
STUDY = ["negative", "typical", "indeterminate", "atypical"]
SEEN = ["Aortic enlargement", "Atelectasis", "Calcification", "Cardiomegaly"]


def confidence(rng):
    return repr(rng.choice([round(rng.random(), 1), rng.random(), rng.random()]))


def flat(rng, whole=False):
    left, top = rng.uniform(0, 800), rng.uniform(0, 800)
    corners = [left, top, left + rng.uniform(20, 300), top + rng.uniform(20, 300)]
    return [float(round(corner)) for corner in corners] if whole else [round(corner, 4) for corner in corners]


def moved(rng, corners, spread):
    return [round(corner + rng.gauss(0, spread), 4) for corner in corners]


def some(rng, most=4):
    return rng.choice([0, 1, 1, 2, most])


def characters(rng, count):
    names, guess, truth = ids.pattern("100249476_%n_%d")(rng, count), [], []
    for _ in names:
        own, found = [], []
        for _ in range(some(rng, 6)):
            letter, x, y, width, height = rng.choice(LETTERS), rng.randint(1, 900), rng.randint(1, 900), rng.randint(9, 90), rng.randint(9, 90)
            own.append("%s %d %d %d %d" % (letter, x, y, width, height))
            if rng.random() < 0.8:
                found.append("%s %d %d" % (letter, x + rng.randint(-2, width + 2), y + rng.randint(-2, height + 2)))
            if rng.random() < 0.2:
                found.append("%s %.1f %d" % (rng.choice(LETTERS), rng.uniform(1, 900), rng.randint(1, 900)))
        guess.append(" ".join(shuffled(rng, found)))
        truth.append(" ".join(own))
    return Table.of({"image_id": names, "labels": guess}), Table.of({"image_id": names, "labels": truth})


def covid(rng, count):
    names, guess, truth = [], [], []
    for place in range(count):
        study = place % 2 == 0
        names.append("%s_%s" % (ids.digits(rng, 12), "study" if study else "image"))
        if study or rng.random() < 0.3:
            kind = rng.choice(STUDY) if study else "none"
            truth.append("%s 1 0 0 1 1" % kind)
            kinds = STUDY if study else ["none", "opacity"]
            guess.append(" ".join("%s %s 0 0 1 1" % (own, confidence(rng)) for own in rng.sample(kinds, rng.randint(1, len(kinds)))))
            continue
        own = [flat(rng) for _ in range(rng.randint(1, 3))]
        found = [moved(rng, corners, rng.choice([4, 40])) for corners in own if rng.random() < 0.8]
        found += [flat(rng) for _ in range(some(rng))]
        write = lambda corners, sure: " ".join(["opacity", sure, *map(repr, corners)])
        truth.append(" ".join(write(corners, "1") for corners in own))
        guess.append(" ".join(write(corners, confidence(rng)) for corners in found) or "none 1 0 0 1 1")
    return Table.of({"id": names, "PredictionString": guess}), Table.of({"id": names, "PredictionString": truth})


def chests(rng, count):
    """One box a row in the answers, one picture a row in the submission."""
    rows, guess = [], []
    for name in ids.HASHES(rng, count):
        found = []
        for _ in range(rng.randint(1, 4)):
            place, corners = rng.randrange(len(SEEN)), flat(rng, True)
            if rng.random() < 0.25:
                place, corners = 14, [0.0, 0.0, 1.0, 1.0]
            rows.append([name, "No finding" if place == 14 else SEEN[place], str(place), "R%d" % rng.randint(1, 17), *map(repr, corners)])
            if rng.random() < 0.8:
                found.append([place, *moved(rng, corners, rng.choice([0, 3, 30]))])
        found += [[rng.randrange(len(SEEN)), *flat(rng, rng.random() < 0.3)] for _ in range(some(rng))]
        found = found or [[14, 0.0, 0.0, 1.0, 1.0]]
        guess.append([name, " ".join(" ".join([str(own[0]), confidence(rng), *("%g" % corner for corner in own[1:])]) for own in found)])
    names = ["image_id", "class_name", "class_id", "rad_id", "x_min", "y_min", "x_max", "y_max"]
    return Table(["image_id", "PredictionString"], guess), Table(names, shuffled(rng, rows) if rng.random() < 0.3 else rows)


def solid(rng, kind):
    width, length = (1.9, 4.7) if kind == "car" else (0.8, 0.9)
    place = [rng.uniform(900, 1000), rng.uniform(600, 700), rng.uniform(-20, -18)]
    return [*place, width + rng.random() / 5, length + rng.random() / 5, 1.5 + rng.random() / 5, rng.uniform(-math.pi, math.pi)]


def solids(rng, count):
    names, guess, truth = ids.pattern("%x%x%x")(rng, count), [], []
    for _ in names:
        own, found = [], []
        for _ in range(rng.randint(1, 4)):
            kind = rng.choice(["car", "car", "pedestrian"])
            box, spread = solid(rng, kind), rng.choice([0.0, 0.02, 0.2])
            own.append(" ".join(["1.0", *map(repr, box), kind]))
            if rng.random() < 0.8:
                near = [value + rng.gauss(0, spread) for value in box[:6]] + [box[6] + rng.gauss(0, spread / 4)]
                found.append(" ".join([confidence(rng), *map(repr, near), kind]))
        found += [" ".join([confidence(rng), *map(repr, solid(rng, "car")), rng.choice(["car", "bus"])]) for _ in range(some(rng, 2))]
        guess.append(" ".join(found))
        truth.append(" ".join(own))
    return Table.of({"Id": names, "PredictionString": guess}), Table.of({"Id": names, "PredictionString": truth})


def layouts(originals):
    prediction = "PredictionString"
    corners = ["class_id", "x_min", "y_min", "x_max", "y_max"]
    return {
        "kuzushiji-recognition": Layout("box", "image_id", ["labels"], ["labels"], characters, (3, 22, 200)),
        "siim-covid19-detection": Layout("box", "id", [prediction], [prediction], covid, (4, 22, 200)),
        "vinbigdata-chest-xray-abnormalities-detection": Layout("box", "image_id", [prediction], corners[1:], chests, (3, 22, 120), ["class_id"]),
        "3d-object-detection-for-autonomous-vehicles": Layout("box", "Id", [prediction], [prediction], solids, (3, 10, 24)),
    }
