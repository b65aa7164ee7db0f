"""Grades by the original graders, in a process of its own: a JSON object a line in, another out.

    python -m grade_cases.originals ORIGINALS

In: `competition`, `submission`, `answers` (paths), and `stable` to sort by a stable algorithm in place of the one that
pandas takes. Out: `score` (as text, exact), `refused` (the exception), or `undecided` where memory or time ran out.
"""

import functools
import importlib
import json
import logging
import os
import pathlib
import resource
import signal
import sys
import types
import warnings

SECONDS, BYTES = 30, 6 << 30


class TooLong(BaseException):
    """The grader takes longer than anybody would wait."""


def serial_pool(*_, **__):
    """A pool that works in this process: two graders start one for each submission."""

    class Pool:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def close(self):
            return None

        join = close
        imap = staticmethod(map)

        @staticmethod
        def starmap(function, many):
            return [function(*one) for one in many]

    return Pool()


def prepare(originals):
    sys.path.insert(0, originals)
    # Wanted by what downloads and unpacks, which is not called.
    sys.modules["py7zr"] = types.ModuleType("py7zr")
    import multiprocessing

    multiprocessing.Pool = serial_pool
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    os.environ["TQDM_DISABLE"] = "1"
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))

    def stop(*_):
        raise TooLong

    signal.signal(signal.SIGALRM, stop)


def sorts():
    """The functions of pandas that sort, by where they are."""
    import pandas

    return {(of, name): getattr(of, name) for of in (pandas.DataFrame, pandas.Series) for name in ("sort_values", "sort_index")}


def sort_stably(own_sorts, stably):
    for (of, name), own in own_sorts.items():
        setattr(of, name, functools.partialmethod(own, kind="stable") if stably else own)


@functools.cache
def grader(competition):
    return importlib.import_module("mlebench.competitions.%s.grade" % competition).grade


def graded(task):
    from mlebench.utils import load_answers, read_csv

    signal.alarm(SECONDS)
    try:
        submission = read_csv(task["submission"])
        answers = load_answers(pathlib.Path(task["answers"]))
        return {"score": repr(float(round_free(grader(task["competition"])(submission, answers))))}
    except TooLong:
        return {"undecided": "time"}
    except MemoryError:
        return {"undecided": "memory"}
    except Exception as error:
        return {"refused": "%s: %s" % (type(error).__name__, " ".join(str(error).split())[:200])}
    finally:
        signal.alarm(0)


def round_free(score):
    """The score, if the original's wrapper could round it, as it does next."""
    round(score, 5)
    return score


def main():
    prepare(sys.argv[1])
    # The graders print; what is answered goes to the true standard output.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.stdout = open(os.devnull, "w")
    own_sorts = sorts()
    for line in sys.stdin:
        task = json.loads(line)
        sort_stably(own_sorts, task.get("stable"))
        out.write(json.dumps(graded(task)) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
