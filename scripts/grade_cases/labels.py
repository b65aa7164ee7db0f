"""Competitions that ask for labels, lists of labels, and texts."""

import json

from grade_cases import ids
from grade_cases.layouts import Layout, plain
from grade_cases.tables import Table, WORDS, number, shuffled, words

NUMBERED = [
    ("aptos2019-blindness-detection", "id_code", ids.HASHES, "diagnosis", 5, 0),
    ("cassava-leaf-disease-classification", "image_id", ids.PICTURES, "label", 5, 0),
    ("cdiscount-image-classification-challenge", "_id", ids.LARGE, "category_id", 40, 1000003225),
    ("herbarium-2020-fgvc7", "Id", ids.counted(0), "Predicted", 30, 0),
    ("herbarium-2021-fgvc8", "Id", ids.counted(17), "Predicted", 30, 0),
    ("herbarium-2022-fgvc9", "Id", ids.counted(0), "Predicted", 30, 0),
    ("inaturalist-2019-fgvc6", "id", ids.counted(268243), "predicted", 20, 0),
    ("iwildcam-2019-fgvc6", "Id", ids.pattern("%x-%x-11e8"), "Category", 23, 0),
    ("iwildcam-2020-fgvc7", "Id", ids.pattern("%x-%x-11ea"), "Category", 60, 0),
    ("learning-agency-lab-automated-essay-scoring-2", "essay_id", ids.HASHES, "score", 6, 1),
    ("ml2021spring-hw2", "Id", ids.counted(0), "ClassId", 39, 0),
    ("movie-review-sentiment-analysis-kernels-only", "PhraseId", ids.counted(156061), "Sentiment", 5, 0),
    ("nfl-player-contact-detection", "contact_id", ids.pattern("58168_003392_%n_38590_G"), "contact", 2, 0),
    ("tabular-playground-series-dec-2021", "Id", ids.counted(3600000), "Cover_Type", 7, 1),
]
NAMED = [
    ("paddy-disease-classification", "image_id", ids.pattern("1%d%n.jpg"), "label", ["blast", "hispa", "normal", "tungro"]),
    ("plant-seedlings-classification", "file", ids.pattern("%x.png"), "species", ["Maize", "Sugar beet", "Loose Silky-bent"]),
    ("spaceship-titanic", "PassengerId", ids.pattern("%d%n_01"), "Transported", ["True", "False"]),
    ("tensorflow-speech-recognition-challenge", "fname", ids.pattern("clip_%x%n.wav"), "label", ["yes", "no", "up", "silence"]),
]
# Columns that the answers have besides.
BESIDES = {
    "paddy-disease-classification": ["variety", "age"],
    "movie-review-sentiment-analysis-kernels-only": ["SentenceId", "Phrase"],
    "learning-agency-lab-automated-essay-scoring-2": ["full_text"],
    "spaceship-titanic": ["Name", "VIP"],
    "tabular-playground-series-dec-2021": ["Elevation"],
    "hotel-id-2021-fgvc8": ["chain", "timestamp"],
    "facebook-recruiting-iii-keyword-extraction": ["Title", "Body"],
    "tweet-sentiment-extraction": ["text", "sentiment"],
}


def besides(competition, rng, count):
    return {name: [words(rng, 4) + "." for _ in range(count)] for name in BESIDES.get(competition, [])}


def label(competition, id, names, target, known):
    def draw(rng, count):
        truth, right = [rng.choice(known) for _ in range(count)], rng.choice([0.3, 0.7, 0.95])
        guess = [own if rng.random() < right else rng.choice(known) for own in truth]
        if competition == "inaturalist-2019-fgvc6" and rng.random() < 0.5:
            guess = [" ".join([own, *(rng.choice(known) for _ in range(rng.randint(0, 4)))]) for own in guess]
        return {target: guess}, {target: truth}, besides(competition, rng, count)

    return plain("label", id, names, draw, [target])


def token_lists(competition, id, names, target, known, most, one_true=False):
    """Names with blanks between; of hotels and whales one is true."""

    def draw(rng, count):
        truth, guess = [], []
        for _ in range(count):
            own = rng.sample(known, 1 if one_true else rng.randint(1, min(most, len(known))))
            found = [name for name in own if rng.random() < 0.6] + rng.sample(known, rng.randint(0, min(most, 5)))
            truth.append(" ".join(own))
            guess.append(" ".join(shuffled(rng, found or own)))
        return {target: guess}, {target: truth}, besides(competition, rng, count)

    return plain("list", id, names, draw, [target])


def changed(rng, text):
    """A text that is right in part."""
    parts = text.split(" ")
    for _ in range(rng.choice([0, 0, 1, 2, 4])):
        place = rng.randrange(len(parts) + 1)
        parts[place : place + rng.randint(0, 1)] = [rng.choice(WORDS)] * rng.randint(0, 1)
    return " ".join(parts) or "the"


def texts(competition, id, names, target, draw_text, change=changed):
    def draw(rng, count):
        truth = [draw_text(rng) for _ in range(count)]
        return {target: [change(rng, own) for own in truth]}, {target: truth}, besides(competition, rng, count)

    return plain("text", id, names, draw, [target], sizes=(3, 22, 200))


def molecule(rng):
    return "InChI=1S/C%dH%dN%dO/c1-2-%d(3)4/h1-%dH,(H,5,6)" % tuple(rng.randint(1, 20) for _ in range(5))


def spelled(rng):
    return rng.choice([words(rng, 3), str(rng.randint(0, 2000)), "twenty %s" % words(rng, 1), "nineteen ninety", "."])


def normalised(rng, text):
    return text if rng.random() < 0.7 else spelled(rng)


def gestures(rng):
    return " ".join(str(rng.randint(1, 20)) for _ in range(rng.randint(2, 9)))


def regestured(rng, text):
    parts = text.split(" ")
    for _ in range(rng.randint(0, 3)):
        place = rng.randrange(len(parts) + 1)
        parts[place : place + rng.randint(0, 1)] = [str(rng.randint(1, 20))]
    return " ".join(parts)


def cells(rng):
    return " ".join(dict.fromkeys(ids.digits(rng, 8) for _ in range(rng.randint(2, 12))))


def reordered(rng, text):
    parts = text.split(" ")
    for _ in range(rng.choice([0, 1, 5])):
        parts.insert(rng.randrange(len(parts)), parts.pop(rng.randrange(len(parts))))
    return " ".join(parts)


def annotated(rng, name):
    span = lambda: {"start_token": rng.randint(1, 40), "end_token": rng.randint(41, 60)}
    none = {"start_token": -1, "end_token": -1}
    short = [span() for _ in range(rng.choice([0, 0, 1, 2]))]
    yes_no = "NONE" if short else rng.choice(["NONE", "NONE", "YES", "NO"])
    annotation = {"long_answer": span() if rng.random() < 0.6 else none, "short_answers": short, "yes_no_answer": yes_no}
    question = {"question_text": words(rng, 6), "document_text": words(rng, 9), "annotations": [annotation]}
    return {"example_id": name, **question}


def answered(rng, annotation, kind):
    span = lambda of: "%d:%d" % (of["start_token"], of["end_token"])
    right = [span(annotation["long_answer"])] if kind == "long" else [span(own) for own in annotation["short_answers"]]
    if kind == "short" and annotation["yes_no_answer"] != "NONE":
        right.append(annotation["yes_no_answer"])
    wrong = ["%d:%d" % (rng.randint(0, 20), rng.randint(20, 60)), rng.choice(["YES", "NO"]), ""]
    return rng.choice(right) if right and rng.random() < 0.6 and "-1" not in right[0] else rng.choice(wrong)


def questions(rng, count):
    names = ids.distinct(lambda rng, place: str(rng.randrange(10**18, 9 * 10**18)))(rng, max(1, count // 2))
    answers = [annotated(rng, name) for name in names]
    rows = []
    for answer in answers:
        for kind in ("long", "short"):
            rows.append(["%s_%s" % (answer["example_id"], kind), answered(rng, answer["annotations"][0], kind)])
    return Table(["example_id", "PredictionString"], rows), answers


def json_lines(answers):
    return "".join(json.dumps(answer) + "\n" for answer in answers)


def layouts(originals):
    found = {}
    for slug, id, names, target, count, first in NUMBERED:
        found[slug] = label(slug, id, names, target, [str(first + place) for place in range(count)])
    for slug, id, names, target, known in NAMED:
        found[slug] = label(slug, id, names, target, known)
    numbered = [str(place) for place in range(0, 60)]
    lists = [
        ("facebook-recruiting-iii-keyword-extraction", "Id", ids.counted(1), "Tags", ["c#", "java", "php", "jquery", ".net", "c"], 5),
        ("h-and-m-personalized-fashion-recommendations", "customer_id", ids.HASHES, "prediction",
         [str(706016001 + 13 * place) for place in range(30)], 12),
        ("imet-2020-fgvc7", "id", ids.HASHES, "attribute_ids", numbered, 6),
        ("plant-pathology-2021-fgvc8", "image", ids.PICTURES, "labels", ["healthy", "scab", "rust", "complex", "frog_eye_leaf_spot"], 3),
    ]
    found.update({slug: token_lists(slug, *rest) for slug, *rest in lists})
    found["hotel-id-2021-fgvc8"] = token_lists(
        "hotel-id-2021-fgvc8", "image", ids.PICTURES, "hotel_id", [str(20000 + 7 * place) for place in range(20)], 5, True)
    found["whale-categorization-playground"] = token_lists(
        "whale-categorization-playground", "Image", ids.PICTURES, "Id", ["new_whale", "w_1287fbc", "w_98baff9", "w_7554f44"], 4, True)
    sentence = lambda rng: words(rng, 14)
    found.update({slug: texts(slug, *rest) for slug, *rest in [
        ("billion-word-imputation", "id", ids.counted(1), "sentence", sentence),
        ("bms-molecular-translation", "image_id", ids.HASHES, "InChI", molecule, lambda rng, text: text.replace("-", rng.choice("-+"))),
        ("chaii-hindi-and-tamil-question-answering", "id", ids.HASHES, "PredictionString", lambda rng: words(rng, 4)),
        ("tweet-sentiment-extraction", "textID", ids.HASHES, "selected_text", sentence),
        ("text-normalization-challenge-english-language", "id", ids.tokens, "after", spelled, normalised),
        ("text-normalization-challenge-russian-language", "id", ids.tokens, "after", spelled, normalised),
        ("multi-modal-gesture-recognition", "Id", ids.counted(300), "Sequence", gestures, regestured),
        ("AI4Code", "id", ids.HASHES, "cell_order", cells, reordered),
    ]})
    found["tensorflow2-question-answering"] = Layout(
        "question", "example_id", ["PredictionString"], [], questions, (4, 22, 310))
    return found
