"""Competitions that ask for probabilities."""

from grade_cases import ids
from grade_cases.layouts import Layout, plain
from grade_cases.tables import Table, both_classes, chances, number, one_hot, shares, shuffled, words

# Slug, id, ids, target; the area under the curve or the log loss of one column.
SINGLE = [
    ("aerial-cactus-identification", "id", ids.PICTURES, "has_cactus"),
    ("alaska2-image-steganalysis", "Id", ids.pattern("0%d.jpg%n"), "Label"),
    ("detecting-insults-in-social-commentary", "Comment", ids.COMMENTS, "Insult"),
    ("dogs-vs-cats-redux-kernels-edition", "id", ids.counted(1), "label"),
    ("histopathologic-cancer-detection", "id", ids.HASHES, "label"),
    ("invasive-species-monitoring", "name", ids.counted(1), "invasive"),
    ("mlsp-2013-birds", "Id", ids.counted(100), "Probability"),
    ("random-acts-of-pizza", "request_id", ids.pattern("t3_%x"), "requester_received_pizza"),
    ("rsna-breast-cancer-detection", "prediction_id", ids.pattern("%n_L"), "cancer"),
    ("rsna-miccai-brain-tumor-radiogenomic-classification", "BraTS21ID", ids.PADDED, "MGMT_value"),
    ("seti-breakthrough-listen", "id", ids.HASHES, "target"),
    ("siim-isic-melanoma-classification", "image_name", ids.pattern("ISIC_%d%d"), "target"),
    ("statoil-iceberg-classifier-challenge", "id", ids.HASHES, "is_iceberg"),
    ("tabular-playground-series-may-2022", "id", ids.counted(900000), "target"),
    ("the-icml-2013-whale-challenge-right-whale-redux", "clip", ids.pattern("2009%d_%n_TRAIN.aif"), "probability"),
]
# Columns that the answers have besides.
BESIDES = {
    "detecting-insults-in-social-commentary": ["Date", "Usage"],
    "tabular-playground-series-may-2022": ["f_00", "f_27"],
}
IDENTITIES = [
    "male", "female", "homosexual_gay_or_lesbian", "christian", "jewish", "muslim", "black", "white",
    "psychiatric_or_mental_illness",
]
VOTES = ["seizure_vote", "lpd_vote", "gpd_vote", "lrda_vote", "grda_vote", "other_vote"]
FRACTURES = ["patient_overall", "C1", "C2", "C3", "C4", "C5", "C6", "C7"]


def single(competition, id, names, target):
    # Random acts are marked True and False.
    spell = ["False", "True"] if competition == "random-acts-of-pizza" else ["0", "1"]

    def draw(rng, count):
        truth = both_classes(rng, count)
        besides = {name: [words(rng, 3) for _ in truth] for name in BESIDES.get(competition, [])}
        return {target: chances(rng, truth)}, {target: [spell[mark] for mark in truth]}, besides

    return plain("chance", id, names, draw, [target])


def several(id, names, targets, share=0.3, unscored=(), marked=False, more=()):
    """A probability for each of several columns; rows may be marked as not scored, with -1."""

    def draw(rng, count):
        predicted, truth = {}, {}
        out = [marked and rng.random() < 0.3 for _ in range(count)]
        for name in [*targets, *more]:
            marks = both_classes(rng, count, share)
            predicted[name] = chances(rng, marks)
            truth[name] = ["-1" if left else str(mark) for left, mark in zip(out, marks)]
        for name in more:
            del predicted[name]
        besides = {name: [words(rng, 1) for _ in range(count)] for name in unscored}
        return predicted, truth, besides

    return plain("chance", id, names, draw, targets)


def classes(id, names, targets, besides=(), sizes=(3, 22, 310)):
    """A probability for each class, of which one is true."""

    def draw(rng, count):
        marks = one_hot(rng, count, len(targets))
        order = shuffled(rng, targets) if rng.random() < 0.1 else targets
        guess = dict(zip(targets, zip(*shares(rng, marks))))
        truth = dict(zip(targets, ([str(mark) for mark in column] for column in zip(*marks))))
        more = {name: [words(rng, 8) for _ in range(count)] for name in besides}
        return {name: guess[name] for name in order}, truth, more

    return plain("share", id, names, draw, targets, sizes=sizes)


def tags(rng, count, targets):
    marks = [[int(rng.random() < 0.06) for _ in targets] for _ in range(count)]
    for row in marks:
        if rng.random() < 0.85:
            row[rng.randrange(len(row))] = 1
    columns = list(zip(*marks))
    steps = rng.choice([4, 1000, 10**9])
    guess = {
        name: [repr(round(rng.random() * 0.8 + 0.2 * mark, 12) if steps > 9 else rng.randint(0, 4) / 4) for mark in column]
        for name, column in zip(targets, columns)
    }
    return guess, {name: [str(mark) for mark in column] for name, column in zip(targets, columns)}


def votes(rng, count):
    marks = one_hot(rng, count, len(VOTES))
    truth = [[mark * rng.randint(1, 9) + (rng.random() < 0.3) * rng.randint(0, 6) for mark in row] for row in marks]
    guess = shares(rng, marks)
    besides = {"eeg_sub_id": [str(rng.randint(0, 9)) for _ in marks], "expert_consensus": [words(rng, 1) for _ in marks]}
    columns = [[str(cell) for cell in column] for column in zip(*truth)]
    return dict(zip(VOTES, zip(*guess))), dict(zip(VOTES, columns)), besides


def unintended(rng, count):
    toxic = [rng.choice([0.0, 0.2, 0.4, 0.5, 0.6, 0.9]) for _ in range(count)]
    truth = {"toxicity": [repr(value) for value in toxic]}
    for name in IDENTITIES:
        # An identity has to be among the toxic and the others for there to be a score.
        often = rng.choice([0.3, 0.5])
        cells = [rng.choice(["0.5", "0.8", "1.0"]) if rng.random() < often else rng.choice(["0.0", "", "0.2"]) for _ in toxic]
        for side in (True, False):
            rows = [row for row, value in enumerate(toxic) if (value >= 0.5) == side]
            for row, cell in zip(shuffled(rng, rows)[:2], ["1.0", "0.0"]):
                cells[row] = cell
        truth[name] = cells
    besides = {"comment_text": [words(rng, 7) for _ in toxic], "severe_toxicity": [number(rng, value / 2) for value in toxic]}
    return {"prediction": [repr(min(max(value + rng.gauss(0, 0.35), 0), 1)) for value in toxic]}, truth, besides


def fractures(rng, count):
    """Eight rows a patient."""
    patients = ids.STUDIES(rng, max(1, count // len(FRACTURES)))
    names = [(patient, kind) for patient in patients for kind in FRACTURES]
    truth = both_classes(rng, len(names))
    return names, chances(rng, truth), truth


def fractured():
    def both(rng, count):
        names, guess, truth = fractures(rng, count)
        rows = ["%s_%s" % name for name in names]
        answers = Table.of({
            "StudyInstanceUID": [patient for patient, _ in names], "prediction_type": [kind for _, kind in names],
            "fractured": [str(mark) for mark in truth], "row_id": rows,
        })
        return Table.of({"row_id": rows, "fractured": guess}), answers

    return Layout("chance", "row_id", ["fractured"], ["fractured"], both, (8, 40, 320))


def layouts(originals):
    found = {slug: single(slug, id, names, target) for slug, id, names, target in SINGLE}
    toxic = originals("jigsaw-toxic-comment-classification-challenge", "classes").CLASSES
    lines = originals("ranzcr-clip-catheter-line-classification", "classes").CLASSES
    leaves = originals("leaf-classification", "classes").CLASSES
    dogs = originals("dog-breed-identification", "dogs").DOGS_LIST
    sounds = originals("freesound-audio-tagging-2019", "vocabulary").CLASS_NAMES
    found.update({
        "jigsaw-toxic-comment-classification-challenge": several("id", ids.pattern("%x%x%d"), toxic, marked=True),
        "plant-pathology-2020-fgvc7": several(
            "image_id", ids.pattern("Test_%n"), ["healthy", "multiple_diseases", "rust", "scab"]),
        "ranzcr-clip-catheter-line-classification": several(
            "StudyInstanceUID", ids.STUDIES, lines, unscored=["Swan Ganz Catheter Present", "PatientID"]),
        "playground-series-s3e18": several("id", ids.counted(14838), ["EC1", "EC2"], 0.6, more=["EC3", "EC6"]),
        "dog-breed-identification": classes("id", ids.HASHES, dogs, sizes=(3, 12, 130)),
        "leaf-classification": classes("id", ids.counted(4, 3), leaves, sizes=(3, 12, 130)),
        "spooky-author-identification": classes("id", ids.pattern("id%d%n"), ["EAP", "HPL", "MWS"]),
        "lmsys-chatbot-arena": classes(
            "id", ids.LARGE, ["winner_model_a", "winner_model_b", "winner_tie"], besides=["model_a", "prompt"]),
        "freesound-audio-tagging-2019": plain(
            "chance", "fname", ids.pattern("%x.wav"), lambda rng, count: tags(rng, count, sounds), sounds, sizes=(3, 12, 130)),
        "hms-harmful-brain-activity-classification": plain("share", "eeg_id", ids.LARGE, votes, VOTES),
        "jigsaw-unintended-bias-in-toxicity-classification": plain(
            "chance", "id", ids.counted(7000000), unintended, ["prediction"], ["toxicity"], IDENTITIES, (8, 40, 310)),
        "rsna-2022-cervical-spine-fracture-detection": fractured(),
    })
    return found
