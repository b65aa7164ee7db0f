# -*- coding: utf-8 -*-
"""Starts an IPython kernel from a layer that lives apart from the notebook's environment.

    python launch_kernel.py <layer folder> -f <connection file> [kernel options]

The layer (ipykernel and what it needs) comes first on sys.path while the kernel is imported, so that
the environment cannot break the kernel. Then it moves to the end, and every module that came from it,
is not part of the kernel itself and also exists in the environment is forgotten: the notebook's own
`import dateutil` finds the environment's version. Runs on Python 2.7 and 3.6 or newer.
"""
import os
import sys

# Packages that the kernel keeps for itself: it hands their objects to the notebook or imports more of
# them later, so a second copy would break isinstance checks or mix versions.
KERNEL = frozenset([
    "IPython", "asttokens", "backcall", "backports", "comm", "executing", "ipykernel", "ipython_genutils",
    "ipython_pygments_lexers", "jupyter_client", "jupyter_core", "matplotlib_inline", "nest_asyncio",
    "nest_asyncio2", "pexpect", "pickleshare", "prompt_toolkit", "ptyprocess", "pure_eval", "pygments",
    "simplegeneric", "stack_data", "tornado", "traitlets", "wcwidth", "zmq",
])


def origin(module):
    """The file or first folder that a module was loaded from, or an empty text."""
    place = getattr(module, "__file__", None)
    if not place:
        folders = list(getattr(module, "__path__", None) or [])
        place = folders[0] if folders else ""
    return os.path.abspath(place) if place else ""


def is_extension(module):
    """Whether a module is compiled: such a module cannot be loaded a second time."""
    return origin(module).rsplit(".", 1)[-1] in ("so", "pyd")


def exists_elsewhere(name, folders):
    """Whether a top-level module of that name lies in one of the folders."""
    for folder in folders:
        base = os.path.join(folder, name)
        if os.path.isdir(base) or os.path.isfile(base + ".py"):
            return True
        try:
            entries = os.listdir(folder)
        except OSError:
            continue
        if any(entry.startswith(name + ".") and entry.endswith(".so") for entry in entries):
            return True
    return False


def forget_shadowing_modules(layer, folders):
    """Drops the layer's modules that the environment has too; returns them, for they must stay alive."""
    members = {}
    for name, module in list(sys.modules.items()):
        if module is not None:
            members.setdefault(name.split(".")[0], []).append((name, module))
    dropped = []
    for top, modules in members.items():
        root = sys.modules.get(top)
        if top in KERNEL or root is None or not origin(root).startswith(layer + os.sep):
            continue
        if any(is_extension(module) for _, module in modules) or not exists_elsewhere(top, folders):
            continue
        for name, module in modules:
            dropped.append(module)
            del sys.modules[name]
    return dropped


def merge_namespace(name, folders):
    """Lets a package that is spread over several folders (Python 2: `backports`) see its part in each."""
    package = sys.modules.get(name)
    for folder in folders:
        part = os.path.join(folder, name)
        if hasattr(package, "__path__") and os.path.isdir(part) and part not in package.__path__:
            package.__path__.append(part)


def end_children_quickly(kernel):
    """Replaces the kernel's patient way to end its children at shutdown.

    It repeats SIGTERM for 14 s before SIGKILL, and the semaphore tracker that joblib starts ignores SIGTERM.
    """
    if not (hasattr(kernel, "_progressively_terminate_all_children") and hasattr(kernel, "_signal_children")):
        return
    import asyncio
    import signal
    import time

    def end_children(self):
        if self._process_children():
            self._signal_children(signal.SIGTERM)
            time.sleep(0.05)
            self._signal_children(signal.SIGKILL)
        return asyncio.sleep(0)

    kernel._progressively_terminate_all_children = end_children


def queue_without_end(application):
    """Keeps every message until it is read: a socket that publishes drops what comes above 1,000 unread ones, which are outputs here."""
    import zmq

    bind = application._bind_socket

    def bind_without_limit(self, socket, port):
        if socket.getsockopt(zmq.TYPE) in (zmq.PUB, zmq.XPUB):
            socket.setsockopt(zmq.SNDHWM, 0)
        return bind(self, socket, port)

    application._bind_socket = bind_without_limit


def take_futures_below_other_lines(interactiveshell):
    """Lets a cell have `from __future__` below a magic, as every IPython does but 7 on Python 3.6 and 3.7.

    That one takes a cell that does not compile as a whole for one with `await`, and puts a function around it.
    """
    is_async = interactiveshell._should_be_async

    def should_be_async(cell):
        try:
            compile(cell, "<cell>", "exec")
        except SyntaxError as error:
            if "__future__" in str(error):
                return False
        except Exception:
            pass
        return is_async(cell)

    interactiveshell._should_be_async = should_be_async


class ColoursOfOldMatplotlib(object):
    """What the kernel asks of matplotlib's colours, as matplotlib 1 (before 2017) has it."""

    def __init__(self, colors):
        self.to_rgba = colors.colorConverter.to_rgba
        self.to_rgba_array = colors.colorConverter.to_rgba_array


def mend_figures():
    """Lets the kernel, which is younger than its environment, show figures of matplotlib 1."""
    backend = sys.modules.get("ipykernel.pylab.backend_inline")
    colors = getattr(backend, "colors", None)
    if hasattr(colors, "colorConverter") and not hasattr(colors, "to_rgba"):
        backend.colors = ColoursOfOldMatplotlib(colors)


def mend_figures_before_they_are_shown(shell):
    """Does so after each cell, before what the backend does then: that registers itself later."""
    init_events = shell.init_events

    def init(self):
        init_events(self)
        self.events.register("post_execute", mend_figures)

    shell.init_events = init


# What Jupyter set for figures before matplotlib-inline 0.1.4 of August 2022 left it to matplotlib (`InlineBackend.rc` of ipykernel 4 and 5).
FIGURES_BEFORE_2022 = {
    "figure.figsize": (6.0, 4.0),
    "figure.facecolor": (1, 1, 1, 0),
    "figure.edgecolor": (1, 1, 1, 0),
    "font.size": 10,
    "figure.dpi": 72,
    "figure.subplot.bottom": 0.125,
}
# The first matplotlib after that.
LEFT_ALONE = (3, 5, 3)


def version_of(distribution, folders):
    """The version of a distribution in the first of the folders that has it, as numbers; none where no folder has it."""
    for folder in folders:
        try:
            entries = os.listdir(folder)
        except OSError:
            continue
        for entry in entries:
            parts = entry.split("-")
            if parts[0].lower() == distribution and len(parts) > 1 and entry.endswith(("-info", ".egg-info")):
                return tuple(int(part) for part in parts[1].split(".")[:3] if part.isdigit())
    return None


def figures_of_their_time(folders):
    """Settings of a kernel that is younger than its environment: figures have the size and resolution of the environment's time."""
    from traitlets.config import Config

    version = version_of("matplotlib", folders)
    return Config({"InlineBackend": {"rc": FIGURES_BEFORE_2022}} if version and version < LEFT_ALONE else {})


def main():
    """Loads the kernel from the layer, gives the environment precedence, runs the kernel."""
    layer = os.path.abspath(sys.argv.pop(1))
    here = os.path.dirname(os.path.abspath(__file__))
    others = [folder for folder in sys.path if folder and os.path.abspath(folder) != here]
    sys.path[:] = [layer] + others
    merge_namespace("backports", [layer])
    import ipykernel.ipkernel
    import ipykernel.kernelapp
    import ipykernel.kernelbase
    import ipykernel.zmqshell
    # Importing IPython adds its folder of extensions: that entry stays.
    sys.path[:] = [folder for folder in sys.path if folder != layer] + [layer]
    merge_namespace("backports", others)
    # Python 2 clears the globals of a module that nothing refers to, functions in use included.
    ipykernel.modules_kept_alive = forget_shadowing_modules(layer, others)
    end_children_quickly(ipykernel.kernelbase.Kernel)
    queue_without_end(ipykernel.kernelapp.IPKernelApp)
    if sys.version_info < (3, 7):
        mend_figures_before_they_are_shown(ipykernel.zmqshell.ZMQInteractiveShell)
    if (3,) < sys.version_info < (3, 8):
        import IPython.core.interactiveshell
        take_futures_below_other_lines(IPython.core.interactiveshell)
    if hasattr(sys, "path_importer_cache"):
        sys.path_importer_cache.pop(layer, None)
    if sys.version_info < (3, 7):
        ipykernel.kernelapp.launch_new_instance()
    else:
        ipykernel.kernelapp.launch_new_instance(config=figures_of_their_time(others))


if __name__ == "__main__":
    main()
