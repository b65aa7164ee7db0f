# -*- coding: utf-8 -*-
"""Takes chance, time and places out of what a notebook shows.

Runs in the kernel before the first cell, in a namespace of its own, which has `settings`: a dict with the names of the antidotes to give
under "antidotes", a number under "seed", and seconds since 1970 under "clock". Leaves no name behind. Runs on Python 2.7 and 3.6 or newer.

What happens in the kernel outside of cells sees the true clock: it would wait for ever otherwise.
"""
import sys

SEED = settings["seed"]  # noqa: F821
TEXTS = (str, type(u""))


def after_import(module, act):
    """Calls `act` with a module as soon as it is imported, at once where it is already."""
    if module in sys.modules:
        act(sys.modules[module])
        return
    if sys.version_info[0] == 2:
        after_import_of_old(module, act)
        return
    import importlib.abc
    import importlib.util

    class Finder(importlib.abc.MetaPathFinder):
        def find_spec(self, name, path=None, target=None):
            if name != module or not getattr(self, "is_armed", True):
                return None
            self.is_armed = False
            try:
                spec = importlib.util.find_spec(name)
            finally:
                self.is_armed = True
            if spec is None or spec.loader is None or not hasattr(spec.loader, "exec_module"):
                return None
            plain = spec.loader.exec_module

            def exec_module(loaded):
                plain(loaded)
                if self in sys.meta_path:
                    sys.meta_path.remove(self)
                act(loaded)

            try:
                spec.loader.exec_module = exec_module
            except AttributeError:
                return None
            return spec

    sys.meta_path.insert(0, Finder())


def after_import_of_old(module, act):
    """The same of Python 2."""
    import __builtin__

    plain, left, package, under_way = __builtin__.__import__, [act], module.split(".")[0], [0]

    def looking(*arguments, **words):
        # What its own package asks for, and what its parts in C ask for under names of their own, comes before all of it is there.
        is_own = bool(arguments) and str(arguments[0]).split(".")[0] == package
        asker = str((arguments[1:2] or [{}])[0].get("__name__", ""))
        under_way[0] += is_own
        try:
            imported = plain(*arguments, **words)
        finally:
            under_way[0] -= is_own
        if left and not under_way[0] and sys.modules.get(module) is not None and not asker.startswith(package):
            left.pop()(sys.modules[module])
        return imported

    __builtin__.__import__ = looking


def seeds():
    """The generators that nobody gave a seed: of the library, numpy (and so scikit-learn and scipy), torch and TensorFlow."""
    import random
    import uuid

    random.seed(SEED)
    drawn = random.Random(SEED)
    before = [True]

    def at_the_first_cell(*_):
        # The kernel draws numbers of its own until then, on some machines more than on others.
        if before:
            before.pop()
            random.seed(SEED)
            drawn.seed(SEED)

    get_ipython().events.register("pre_run_cell", at_the_first_cell)  # noqa: F821

    def of_numpy(numpy_random):
        numpy_random.seed(SEED)
        plain = getattr(numpy_random, "default_rng", None)
        if plain is not None:
            state = {"next": SEED}

            def default_rng(seed=None):
                if seed is None:
                    seed, state["next"] = state["next"], state["next"] + 1
                return plain(seed)

            numpy_random.default_rng = default_rng

    def of_tensorflow(tensorflow):
        # Before 1.13 there is no module of that name.
        random = getattr(tensorflow, "random", None)
        set_seed = getattr(random, "set_seed", None) or getattr(tensorflow, "set_random_seed", None)
        if set_seed is not None:
            set_seed(SEED)

    after_import("numpy.random", of_numpy)
    after_import("torch", lambda torch: torch.manual_seed(SEED))
    after_import("tensorflow", of_tensorflow)


def clock():
    """The clock stands. It moves when a cell sleeps, and by a microsecond at each look, so that loops that wait for it end."""
    import datetime
    import gc
    import threading
    import time

    state = {"now": float(settings["clock"]), "in_cell": False}  # noqa: F821
    real = {name: getattr(time, name) for name in ("time", "sleep", "localtime", "gmtime", "strftime", "ctime", "asctime")}
    main = threading.current_thread()

    def stands():
        return state["in_cell"] and threading.current_thread() is main

    def look():
        now = state["now"]
        state["now"] = now + 1e-6
        return now

    def patched(name, value):
        def call(*arguments):
            return value() if stands() else plain(*arguments)

        plain = getattr(time, name, None)
        if plain is not None:
            setattr(time, name, call)

    patched("time", look)
    patched("time_ns", lambda: int(look() * 1000000) * 1000)
    for name in ("perf_counter", "process_time", "thread_time", "clock"):
        patched(name, lambda: look() - float(settings["clock"]))  # noqa: F821
    for name in ("perf_counter_ns", "process_time_ns", "thread_time_ns"):
        patched(name, lambda: int((look() - float(settings["clock"])) * 1000000) * 1000)  # noqa: F821

    def sleep(seconds):
        real["sleep"](seconds)
        if stands():
            state["now"] += seconds

    def localtime(seconds=None):
        return real["localtime"](look() if seconds is None and stands() else seconds)

    def gmtime(seconds=None):
        return real["gmtime"](look() if seconds is None and stands() else seconds)

    def strftime(pattern, *moment):
        return real["strftime"](pattern, *(moment or (localtime(),)))

    def ctime(seconds=None):
        return real["ctime"](look() if seconds is None and stands() else seconds)

    def asctime(*moment):
        return real["asctime"](*(moment or (localtime(),)))

    time.sleep, time.localtime, time.gmtime = sleep, localtime, gmtime
    time.strftime, time.ctime, time.asctime = strftime, ctime, asctime

    def method(owner, name, call):
        """Puts a class method into a class of C."""
        members = gc.get_referents(owner.__dict__)[0]
        members[name] = classmethod(call)
        import ctypes

        ctypes.pythonapi.PyType_Modified(ctypes.py_object(owner))

    moment = datetime.datetime
    plain_now, plain_utcnow, plain_today = moment.now, moment.utcnow, datetime.date.today
    from_timestamp, from_utc = moment.fromtimestamp, moment.utcfromtimestamp

    def now(owner, tz=None):
        if stands():
            return owner.fromtimestamp(look(), tz)
        return plain_now(tz) if owner is moment else owner.fromtimestamp(real["time"](), tz)

    def utcnow(owner):
        return from_utc(look()) if stands() and owner is moment else plain_utcnow()

    def today(owner):
        if not stands():
            return plain_today() if owner is datetime.date else owner.fromtimestamp(real["time"]())
        return owner.fromtimestamp(look())

    method(moment, "now", now)
    method(moment, "utcnow", utcnow)
    method(datetime.date, "today", today)
    # What `%time` looks at besides.
    from IPython.core.magics import execution

    plain_clock = getattr(execution, "clock2", None)
    if plain_clock is not None:
        execution.clock2 = lambda: (look() - float(settings["clock"]), 0.0) if stands() else plain_clock()  # noqa: F821
    shell = get_ipython()  # noqa: F821
    shell.events.register("pre_run_cell", lambda *_: state.update(in_cell=True))
    shell.events.register("post_run_cell", lambda *_: state.update(in_cell=False))


def inline():
    """Pictures in the notebook, as soon as there can be any."""
    shell = get_ipython()  # noqa: F821
    after_import("matplotlib.pyplot", lambda _: shell.run_line_magic("matplotlib", "inline"))


def listings():
    """Folders are listed by name."""
    import os

    plain_list = os.listdir
    os.listdir = lambda *arguments: sorted(plain_list(*arguments))
    plain_scan = getattr(os, "scandir", None)
    if plain_scan is None:
        return

    class Sorted(object):
        def __init__(self, *arguments):
            with plain_scan(*arguments) as entries:
                self.entries = iter(sorted(entries, key=lambda entry: entry.name))

        def __iter__(self):
            return self

        def __next__(self):
            return next(self.entries)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.close()

        def close(self):
            self.entries = iter(())

    os.scandir = Sorted


def addresses():
    """Objects are shown by numbers in the order in which they are first shown, in the place of where they lie."""
    import re

    met = {}
    address = re.compile(r"\b0x[0-9a-fA-F]{6,16}\b")

    def stable(text):
        return address.sub(lambda found: met.setdefault(found.group(), "0x%06x" % (len(met) + 1)), text)

    def steady(stream):
        plain = stream.write
        if getattr(plain, "is_steady", False):
            return

        def write(text):
            return plain(stable(text) if isinstance(text, TEXTS) else text)

        write.is_steady = True
        stream.write = write

    shell = get_ipython()  # noqa: F821
    # Before each cell: from IPython 9 on a stream has a `write` of its own while one runs, and the one before it when it ends.
    shell.events.register("pre_run_cell", lambda *_: [steady(stream) for stream in (sys.stdout, sys.stderr)])
    formatter = shell.display_formatter
    plain = formatter.format

    def format(*arguments, **words):
        data, metadata = plain(*arguments, **words)
        for kind, value in list(data.items()):
            if kind.startswith("text/") and isinstance(value, TEXTS):
                data[kind] = stable(value)
        return data, metadata

    object.__setattr__(formatter, "format", format)


for name, give in (("seeds", seeds), ("clock", clock), ("inline", inline), ("listings", listings), ("addresses", addresses)):
    if name in settings["antidotes"]:  # noqa: F821
        try:
            give()
        except Exception as error:
            sys.__stderr__.write("the antidote %s cannot be given: %r\n" % (name, error))
