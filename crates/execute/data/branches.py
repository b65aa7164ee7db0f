# -*- coding: utf-8 -*-
"""Lets a kernel's process split, so that states of a notebook are kept and gone on from in several ways.

Runs as the one cell of a document, in a namespace of its own, which has `get_ipython`, `place` (the path of a unix socket that listens)
and `working` (a folder). A process connects there, tells who it is, and waits for lines of JSON:

    {"do": "fork", "id": 7, "code": "…"}    a copy of this process connects by itself, runs the code and waits
    {"do": "run", "code": "…"}              this process runs it
    {"do": "kill", "pid": 12}

What code gives is told in messages as the protocol of Jupyter has them, a line each, and a last line with "done". A process ends when
its connection does. The first one runs no code, and goes on being the kernel then. Python 3.6 or newer.
"""
import json
import os
import signal
import socket
import sys

MOST_FILES = 20000


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


def files():
    """Everything in the working folder, as far as it can be told apart without reading it."""
    found = {}
    for folder, _, names in os.walk(working):  # noqa: F821
        for name in names:
            path = os.path.join(folder, name)
            try:
                state = os.lstat(path)
            except OSError:
                continue
            found[path] = (state.st_size, state.st_mtime_ns, state.st_ino)
            if len(found) >= MOST_FILES:
                return found
    return found


class Server(object):
    def __init__(self):
        self.shell = get_ipython()  # noqa: F821
        self.channel = Channel(0)
        self.is_first = True

    def install(self):
        """What is shown goes to this process's own channel."""
        server = self

        class Stream(type(sys.stdout)):
            """Text is told at once; all else is as the kernel has it."""

            def __init__(self, plain, name):
                self.__dict__.update(plain.__dict__)
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

            def send(self, stream, message, content=None, **_):
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
        before = files()
        result = self.shell.run_cell(code, store_history=True)
        error = result.error_before_exec or result.error_in_exec
        done = {
            "raised": error is not None and [type(error).__name__, str(error)],
            "exit": bool(getattr(self.shell, "exit_now", False)),
            "threads": len(os.listdir("/proc/self/task")),
            "wrote": files() != before,
        }
        self.channel.send({"done": done})

    def fork(self, number, code):
        middle = os.fork()
        if middle:
            os.waitpid(middle, 0)
            return
        if os.fork():
            os._exit(0)
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
