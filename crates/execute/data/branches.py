# -*- coding: utf-8 -*-
"""Lets a kernel's process split, so that states of a notebook are kept and gone on from in several ways.

Runs as the one cell of a document, in a namespace of its own, which has `get_ipython`, `place` (the path of a unix socket that listens)
and `working` (a folder). A process connects there, tells who it is, and waits for lines of JSON:

    {"do": "fork", "id": 7, "code": "…"}    a copy of this process connects by itself, runs the code and waits
    {"do": "run", "code": "…"}              this process runs it
    {"do": "look"}                          this process tells its names, each with a digest of its value and how it is shown
    {"do": "kill", "pid": 12}

What code gives is told in messages as the protocol of Jupyter has them, a line each, and a last line with "done". A process ends when
its connection does. The first one runs no code, and goes on being the kernel then. Python 3.6 or newer.
"""
import gc
import hashlib
import io
import json
import os
import random
import signal
import socket
import stat
import sys
import types

MOST_FILES = 20000
# Of files of the working folder that are kept in memory, in bytes.
MOST_BYTES = 64 << 20
FOLDER = "folder"
MOST_NAMES = 2000
MOST_PARTS = 200000
LONGEST_SHOWN = 200


class Channel(object):
    """The connection of this process."""

    def __init__(self, number):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(place)  # noqa: F821
        self.lines = self.socket.makefile("r", encoding="utf-8")
        self.send({"hello": number, "pid": os.getpid()})

    def send(self, message):
        text = json.dumps(message, default=repr)
        self.socket.sendall(text.encode("utf-8", "backslashreplace") + b"\n")

    def tell(self, kind, content):
        self.send({"type": kind, "content": content})


class Files(object):
    """The working folder as this process left it. Only one process runs at a time: what others did meanwhile is undone before this one goes on."""

    def __init__(self):
        self.left = MOST_BYTES
        self.known = {}
        self.take()

    def there(self):
        """Everything in the folder, as far as it can be told apart without reading it; none of too much."""
        found = {}
        for folder, folders, names in os.walk(working):  # noqa: F821
            for path in [os.path.join(folder, name) for name in folders + names]:
                try:
                    state = os.lstat(path)
                except OSError:
                    continue
                is_folder = stat.S_ISDIR(state.st_mode)
                found[path] = FOLDER if is_folder else (state.st_mode, state.st_size, state.st_mtime_ns)
                if len(found) > MOST_FILES:
                    return None
        return found

    def content(self, path, state):
        """What is in a file; none of a folder, and of what is no file or too large to be kept."""
        if state == FOLDER or not stat.S_ISREG(state[0]) or state[1] > self.left:
            return None
        try:
            with io.open(path, "rb") as file:
                content = file.read(state[1] + 1)
        except OSError:
            return None
        self.left -= len(content)
        return content

    def take(self):
        """Takes the folder for this process's own; whether what it was before, and what it is now, can be made again."""
        now = self.there()
        if now is None:
            return False
        before, self.known, is_whole = self.known, {}, True
        for path, state in now.items():
            is_same = path in before and before[path][0] == state
            self.known[path] = before[path] if is_same else (state, self.content(path, state))
            is_whole = is_whole and (is_same or self.can_make(self.known[path]))
        gone = [kept for path, kept in before.items() if self.known.get(path) != kept]
        return is_whole and all(map(self.can_make, gone))

    def can_make(self, kept):
        return kept[0] == FOLDER or kept[1] is not None

    def restore(self):
        """Makes the folder what it was when this process was left; whether that could be done."""
        now = self.there()
        if now is None:
            return False
        try:
            for path in sorted(set(now), reverse=True):
                if path not in self.known or (now[path] == FOLDER) != (self.known[path][0] == FOLDER):
                    (os.rmdir if now[path] == FOLDER else os.unlink)(path)
                    del now[path]
            for path in sorted(self.known):
                state, content = self.known[path]
                if now.get(path) == state:
                    continue
                if state == FOLDER:
                    os.mkdir(path)
                elif content is None:
                    return False
                else:
                    if path in now and not stat.S_ISREG(now[path][0]):
                        os.unlink(path)
                    with io.open(path, "wb") as file:
                        file.write(content)
                    os.chmod(path, stat.S_IMODE(state[0]))
                    os.utime(path, ns=(state[2], state[2]))
        except OSError:
            return False
        return True


class Digest(object):
    """Tells values apart by what is in them, wherever they lie: what a value would be pickled from, as deep as it goes."""

    def __init__(self):
        self.left = MOST_PARTS
        self.open = {}

    def of(self, value):
        self.left -= 1
        if self.left < 0:
            return "too large"
        if id(value) in self.open:
            return "again %d" % (len(self.open) - self.open[id(value)])
        self.open[id(value)] = len(self.open)
        try:
            parts = self.parts(value)
        except Exception as error:
            parts = ["cannot be looked into", type(error).__name__]
        finally:
            del self.open[id(value)]
        text = "\0".join([type(value).__module__, type(value).__name__] + parts)
        return hashlib.sha1(text.encode("utf-8", "surrogatepass")).hexdigest()

    def parts(self, value):
        if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
            return [repr(value)]
        if isinstance(value, dict):
            # A number that is the address of a neighbour is another in each process: scikit-learn keeps that of its stop words, and
            # matplotlib finds the parents of a transform by theirs.
            places = set(map(id, value.values()))
            told = lambda part: "place" if type(part) is int and part in places else self.of(part)  # noqa: E731
            parts = [told(key) + told(entry) for key, entry in value.items()]
            return parts + [self.of(vars(value))] if hasattr(value, "__dict__") else parts
        if isinstance(value, (set, frozenset)):
            return sorted(self.of(entry) for entry in value)
        if isinstance(value, (list, tuple)):
            return [self.of(entry) for entry in value]
        if isinstance(value, (types.FunctionType, types.MethodType)):
            code = value.__code__
            return [value.__name__, repr(code.co_code), repr([one for one in code.co_consts if not hasattr(one, "co_code")])]
        if isinstance(value, (type, types.ModuleType, types.BuiltinFunctionType)):
            return [getattr(value, "__module__", "") or "", value.__name__]
        if type(value).__name__ == "ndarray" and value.dtype.hasobject is False:
            return [str(value.dtype), str(value.shape), hashlib.sha1(value.tobytes()).hexdigest()]
        reduced = value.__reduce_ex__(4)
        if isinstance(reduced, str):
            return [reduced]
        listed = [list(part) if hasattr(part, "__next__") else part for part in reduced]
        return [self.of(part) for part in listed]


class Server(object):
    def __init__(self):
        self.shell = get_ipython()  # noqa: F821
        self.channel = Channel(0)
        self.files = Files()
        self.is_first = True

    def install(self):
        """What is shown goes to this process's own channel."""
        server = self

        class Stream(type(sys.stdout)):
            """Text is told at once; all else is as the kernel has it."""

            def __init__(self, plain, name):
                self.__dict__.update(plain.__dict__)
                # From IPython 9 on a stream has a `write` of its own while a cell runs, which goes to the kernel's.
                self.__dict__.pop("write", None)
                self.told_as = name

            def write(self, text):
                if not isinstance(text, str):
                    raise TypeError("write() argument must be str, not %s" % type(text))
                server.channel.tell("stream", {"name": self.told_as, "text": text})
                return len(text)

            def flush(self):
                pass

            def close(self):
                pass

        class Recorder(type(self.shell.displayhook.session)):
            """Tells messages in the place of sending them."""

            def send(self, stream, message, content=None, *_, **__):
                kind = message if isinstance(message, str) else message["header"]["msg_type"]
                content = content if isinstance(message, str) else message["content"]
                server.channel.tell(kind, content)

        recorder = Recorder(key=b"")
        sys.stdout, sys.stderr = Stream(sys.stdout, "stdout"), Stream(sys.stderr, "stderr")
        self.shell.displayhook.session = recorder
        self.shell.display_pub.session = recorder
        history = self.shell.history_manager
        history.input_hist_parsed[:] = [""]
        history.input_hist_raw[:] = [""]
        self.shell.execution_count = 1

    def run(self, code):
        import asyncio

        # The kernel's loop waits for the cell that this is; code with `await` gets one of its own.
        asyncio._set_running_loop(None)
        is_own = self.files.restore()
        result = self.shell.run_cell(code, store_history=True)
        error = result.error_before_exec or result.error_in_exec
        done = {
            "raised": error is not None and [type(error).__name__, str(error)],
            "exit": bool(getattr(self.shell, "exit_now", False)),
            "threads": len(os.listdir("/proc/self/task")),
            "wrote": not self.files.take() or not is_own,
        }
        self.channel.send({"done": done})

    def look(self):
        names = {}
        for name, value in list(self.shell.user_ns.items()):
            is_ours = name.startswith("_") or name in ("In", "Out", "get_ipython", "exit", "quit", "open")
            if is_ours or isinstance(value, types.ModuleType) or len(names) >= MOST_NAMES:
                continue
            try:
                shown = repr(value)[:LONGEST_SHOWN]
            except Exception as error:
                shown = "<%s>" % type(error).__name__
            names[name] = [Digest().of(value), shown]
        self.channel.send({"done": {"names": names}})

    def fork(self, number, code):
        # The collector of the copy would touch, and so copy, every page.
        getattr(gc, "freeze", int)()
        drawn = random.getstate()
        middle = os.fork()
        if middle:
            os.waitpid(middle, 0)
            return
        if os.fork():
            os._exit(0)
        # From Python 3.7 on a copy has another seed.
        random.setstate(drawn)
        self.is_first = False
        self.channel.socket.close()
        self.channel = Channel(number)
        self.run(code)

    def serve(self):
        for line in iter(lambda: self.channel.lines.readline(), ""):
            asked = json.loads(line)
            if asked["do"] == "fork":
                self.fork(asked["id"], asked["code"])
            elif asked["do"] == "run":
                self.run(asked["code"])
            elif asked["do"] == "look":
                self.look()
            else:
                try:
                    os.kill(asked["pid"], signal.SIGKILL)
                except OSError:
                    pass


def serve():
    server = Server()
    kept = sys.stdout, sys.stderr, server.shell.displayhook.session, server.shell.display_pub.session
    server.install()
    try:
        server.serve()
    finally:
        if not server.is_first:
            os._exit(0)
        sys.stdout, sys.stderr, server.shell.displayhook.session, server.shell.display_pub.session = kept


serve()
