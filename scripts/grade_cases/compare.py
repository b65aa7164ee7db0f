"""Both sides of a case: what the originals say, what nbrevive says, and whether that is the same."""

import json
import math
import os
import subprocess
import sys

from grade_cases.tables import Table

NEAR = 1e-9
# The sines of numpy and ours differ in their last bit, and the arc cosine near one makes 2e-8 of that.
ANGLES, NEAR_ANGLE = "icecube-neutrinos-in-deep-ice", 5e-8

# Answers that lack a class are graded by the others there.
WITHOUT_CLASS = "spooky-author-identification"

# Python's sort, which was never meant for it, decides where a box stands whose confidence is no number.
BOXES, TOKENS_OF_BOX = "3d-object-detection-for-autonomous-vehicles", 9


class Originals:
    """A process that grades by the originals; it is started anew when it dies."""

    def __init__(self, originals):
        self.originals, self.process = originals, None

    def grade(self, competition, submission, answers, stable=False):
        task = {"competition": competition, "submission": submission, "answers": answers, "stable": stable}
        if self.process is None or self.process.poll() is not None:
            here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
            command = [sys.executable, "-m", "grade_cases.originals", self.originals]
            environment = {**os.environ, "PYTHONPATH": here, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
        self.process.stdin.write(json.dumps(task) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"undecided": "the process died"}


def ours(program, competition, submission, answers):
    """The score by nbrevive, or why there is none."""
    command = [program, "grade", "--competition", competition, "--answers", answers, "--format", "json", submission]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    # 3 says that a file is of no use.
    if finished.returncode not in (0, 3) or not (finished.stdout or finished.stderr):
        return {"panic": " ".join(finished.stderr.split())[:300] or "status %d" % finished.returncode}
    if not finished.stdout:
        return {"refused": " ".join(finished.stderr.split())[:200]}
    found = json.loads(finished.stdout)
    if found["invalid"]:
        return {"refused": "%s: %s" % (found["invalid"], found["reason"])}
    return {"score": found["not_finite"] or repr(float(found["score"]))}


def alike(competition, one, other):
    """Whether both say the same: a score, but for rounding, or a refusal, whatever its reason."""
    if "score" not in one or "score" not in other:
        return "refused" in one and "refused" in other
    left, right = float(one["score"]), float(other["score"])
    if math.isnan(left) or math.isnan(right) or math.isinf(left) or math.isinf(right):
        return left == right or math.isnan(left) and math.isnan(right)
    near = NEAR_ANGLE if competition == ANGLES else 0
    return abs(left - right) <= max(NEAR * max(abs(left), abs(right)), near, 1e-12)


def lack(case):
    """Whether the answers are of no use, though the original makes a score of them: a mean of nothing, or of fewer classes."""
    if not isinstance(case.answers, Table):
        return not case.answers
    lacks_class = case.competition == WITHOUT_CLASS and not set(case.layout.truths) <= set(case.answers.names)
    return lacks_class or not case.answers.rows


def lacks_rank(case):
    """Whether a box has a confidence that is no number."""
    if case.competition != BOXES or not isinstance(case.submission, Table) or "PredictionString" not in case.submission.names:
        return False
    confidences = (token for cell in case.submission.cells("PredictionString") for token in cell.split(" ")[::TOKENS_OF_BOX])
    return any(token.strip().lower().lstrip("+-") == "nan" for token in confidences)


def verdict(originals, program, case, submission, answers):
    """What was found: `same`, `different`, or why the original does not decide; with what each side said."""
    own = ours(program, case.competition, submission, answers)
    original = originals.grade(case.competition, submission, answers)
    if "undecided" in original:
        return "undecided", original, own
    if alike(case.competition, original, own):
        return "same", original, own
    if "refused" in own and lack(case):
        return "no answers", original, own
    if "refused" in own and lacks_rank(case):
        return "no rank", original, own
    # Rows of one id are in an order that the sort leaves open: a stable one gives another score, and it is ours.
    stable = originals.grade(case.competition, submission, answers, stable=True)
    if "undecided" in stable:
        return "undecided", stable, own
    if not alike(case.competition, original, stable) and alike(case.competition, stable, own):
        return "unstable", original, own
    return "different", original, own
