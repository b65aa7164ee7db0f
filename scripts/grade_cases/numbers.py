"""Competitions that ask for numbers."""

import math

from grade_cases import ids
from grade_cases.layouts import Layout, plain
from grade_cases.tables import Table, number, shuffled, words

COUPLINGS = ["1JHC", "2JHC", "1JHN", "3JHH"]
ENERGIES = ["formation_energy_ev_natom", "bandgap_energy_ev"]
DEGRADATION = ["reactivity", "deg_Mg_pH10", "deg_pH10", "deg_Mg_50C", "deg_50C"]
SCORED = ["reactivity", "deg_Mg_pH10", "deg_Mg_50C"]


def near(rng, truth, spread, least=-math.inf, most=math.inf):
    """Predictions around the truth, written as programs write them; sometimes whole."""
    whole = rng.random() < 0.12
    cells = []
    for value in truth:
        value = min(max(value + rng.gauss(0, spread), least), most)
        cells.append(str(round(value)) if whole else number(rng, value))
    return cells


def single(id, names, target, draw_truth, spread, least=-math.inf, most=math.inf, write=repr, more=None):
    def draw(rng, count):
        truth = [draw_truth(rng) for _ in range(count)]
        besides = more(rng, count) if more else {}
        return {target: near(rng, truth, spread, least, most)}, {target: [write(value) for value in truth]}, besides

    return draw, (id, names, target)


def simple(further, drawn):
    draw, (id, names, target) = drawn
    return plain("number", id, names, draw, [target], further=further)


def trip(rng, count):
    return {"pickup_datetime": [words(rng, 1) for _ in range(count)], "passenger_count": [str(rng.randint(1, 6)) for _ in range(count)]}


def breaths(rng, count):
    return {"breath_id": [str(place // 8) for place in range(count)], "u_out": [str(int(rng.random() < 0.4)) for _ in range(count)]}


def bonds(rng, count):
    kinds = rng.sample(COUPLINGS, rng.randint(1, len(COUPLINGS)))
    return {"molecule_name": [words(rng, 1) for _ in range(count)], "type": [rng.choice(kinds) for _ in range(count)]}


def energies(rng, count):
    truth = {name: [abs(rng.gauss(0.2, 0.1) if name == ENERGIES[0] else rng.gauss(2, 1)) for _ in range(count)] for name in ENERGIES}
    guess = {name: near(rng, values, 0.05, least=0) for name, values in truth.items()}
    besides = {"number_of_total_atoms": [str(rng.choice([10, 80])) for _ in range(count)]}
    return guess, {name: [repr(round(value, 4)) for value in values] for name, values in truth.items()}, besides


def angles(rng, count):
    truth = {"azimuth": [rng.uniform(0, 2 * math.pi) for _ in range(count)], "zenith": [rng.uniform(0, math.pi) for _ in range(count)]}
    wide = rng.choice([0.1, 1.0, 3.0])
    guess = {name: [repr(value + rng.gauss(0, wide)) for value in values] for name, values in truth.items()}
    return guess, {name: [repr(value) for value in values] for name, values in truth.items()}


def opinions(targets):
    def draw(rng, count):
        truth = {name: [rng.choice([0, 1 / 3, 0.5, 2 / 3, 1]) for _ in range(count)] for name in targets}
        for values in truth.values():
            values[0], values[-1] = (0, 1) if rng.random() < 0.95 else (0, 0)
        guess = {name: near(rng, values, 0.3, 0, 1) for name, values in truth.items()}
        return guess, {name: [repr(float(value)) for value in values] for name, values in truth.items()}

    return plain("number", "qa_id", ids.counted(39), draw, targets, sizes=(3, 12, 130))


def degradation(rng, count):
    truth = {name: [rng.gauss(0.4, 0.5) for _ in range(count)] for name in DEGRADATION}
    guess = {name: near(rng, values, 0.2) for name, values in truth.items()}
    keep = {"keep": [rng.choice(["True", "True", "False"]) for _ in range(count)]}
    return guess, {name: [number(rng, value) for value in values] for name, values in truth.items()}, keep


def decimeters(rng, count):
    rows, trips = [], ["2021-0%d-28-US-MTV-%d/%s" % (place + 1, place + 1, rng.choice(["GooglePixel5", "XiaomiMi8"])) for place in range(3)]
    for place in range(count):
        rows.append((trips[place * 3 // count], 1619650832999 + 1000 * place, 37.4 + rng.random() / 10, -122.1 + rng.random() / 10))
    names = ["tripId", "UnixTimeMillis", "LatitudeDegrees", "LongitudeDegrees"]
    away = rng.choice([1e-6, 1e-4, 1e-1])
    guess = [[name, str(time), repr(north + rng.gauss(0, away)), repr(east + rng.gauss(0, away))] for name, time, north, east in rows]
    truth = [[name, str(time), repr(north), repr(east)] for name, time, north, east in rows]
    if rng.random() < 0.2:
        guess = shuffled(rng, guess)
    return Table(names, guess), Table(names, truth)


def volumes(rng, count):
    """Weeks of patients: rows without a volume are asked for and not scored, and of the others the last three are."""
    names = ["Patient", "Weeks", "FVC", "Percent", "Sex", "Patient_Week", "Confidence"]
    answers, guess = [], []
    for place in range(max(1, count // 6)):
        patient = "ID0%d%s" % (place, ids.digits(rng, 12, "0123456789"))
        for week in rng.sample(range(-12, 134), min(6, count)):
            volume, dummy = rng.randint(900, 5000), rng.random() < 0.4
            answers.append([patient, str(week), "" if dummy else str(volume), "57.3", "Male", "%s_%d" % (patient, week), ""])
            confidence = rng.choice([str(rng.randint(50, 400)), repr(rng.random() * 300)])
            guess.append(["%s_%d" % (patient, week), repr(round(rng.gauss(volume, 200), 1)), confidence])
    if rng.random() < 0.4:
        guess = shuffled(rng, guess)
    return Table(["Patient_Week", "FVC", "Confidence"], guess), Table(names, answers)


def layouts(originals):
    paw, similar = (lambda rng: rng.randint(1, 100)), (lambda rng: rng.choice([0.0, 0.25, 0.5, 0.75, 1.0]))
    anchors = lambda rng, count: {"anchor": [words(rng, 2) for _ in range(count)], "context": ["A47"] * count}
    meta = lambda rng, count: {"Subject Focus": ["0"] * count}
    coupled = single("id", ids.counted(10), "scalar_coupling_constant", lambda rng: rng.gauss(20, 30), 3, more=bonds)
    return {
        "denoising-dirty-documents": simple([], single("id", ids.pixels, "value", lambda rng: rng.choice([0.0, 0.2, 1.0]), 0.1, 0, 1)),
        "new-york-city-taxi-fare-prediction": simple(
            [], single("key", ids.KEYS, "fare_amount", lambda rng: round(rng.expovariate(0.1), 2), 3, more=trip)),
        "petfinder-pawpularity-score": simple([], single("Id", ids.HASHES, "Pawpularity", paw, 9, 1, 100, str, meta)),
        "predict-volcanic-eruptions-ingv-oe": simple(
            [], single("segment_id", ids.LARGE, "time_to_eruption", lambda rng: rng.randrange(5 * 10**7), 10**6, write=str)),
        "us-patent-phrase-to-phrase-matching": simple([], single("id", ids.HASHES, "score", similar, 0.3, more=anchors)),
        "ventilator-pressure-prediction": simple(
            ["u_out"], single("id", ids.counted(1), "pressure", lambda rng: round(rng.uniform(-1, 60), 8), 2, more=breaths)),
        "champs-scalar-coupling": simple(["type"], coupled),
        "nomad2018-predict-transparent-conductors": plain("number", "id", ids.counted(1), energies, ENERGIES),
        "icecube-neutrinos-in-deep-ice": plain("number", "event_id", ids.LARGE, angles, ["azimuth", "zenith"]),
        "google-quest-challenge": opinions(originals("google-quest-challenge", "classes").CLASSES),
        "stanford-covid-vaccine": plain("number", "id_seqpos", ids.pattern("id_%x_%n"), degradation, SCORED, further=["keep"]),
        "smartphone-decimeter-2022": Layout(
            "number", "tripId", ["LatitudeDegrees", "LongitudeDegrees"], ["LatitudeDegrees", "LongitudeDegrees"], decimeters),
        "osic-pulmonary-fibrosis-progression": Layout(
            "number", "Patient_Week", ["FVC", "Confidence"], ["FVC"], volumes, (6, 24, 240), ["Patient"]),
    }
