"""Unpacks a source archive and calls its build backend (PEP 517). Runs in the workshop, on Python 2.7 and later.

build_source.py requires|wheel ARCHIVE BACKEND PATHS OUT: what else the backend needs goes to OUT/requires.json, a wheel into OUT.
BACKEND is module[:object], PATHS are folders of the archive that hold it, joined by colons.
"""
import importlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile


def unpack(archive, folder):
    """The archive's only folder, unpacked anew."""
    shutil.rmtree(folder, ignore_errors=True)
    reader = zipfile.ZipFile(archive) if archive.endswith(".zip") else tarfile.open(archive)
    reader.extractall(folder)
    folders = [name for name in os.listdir(folder) if os.path.isdir(os.path.join(folder, name))]
    return os.path.join(folder, folders[0]) if len(folders) == 1 else folder


def find(backend):
    """The object that has the hooks; None where the setuptools is older than its backend."""
    module, _, inner = backend.partition(":")
    try:
        found = importlib.import_module(module)
    except ImportError:
        if not backend.startswith("setuptools."):
            raise
        return None
    for part in filter(None, inner.split(".")):
        found = getattr(found, part)
    return found


def main(task, archive, backend, paths, out):
    archive, out = os.path.abspath(archive), os.path.abspath(out)
    source = unpack(archive, os.path.join(os.path.dirname(archive), "source-" + task))
    os.chdir(source)
    sys.path[:0] = [os.path.join(source, path) for path in paths.split(":") if path]
    hooks = find(backend)
    if task == "requires":
        ask = getattr(hooks, "get_requires_for_build_wheel", None)
        requires = list(ask()) if ask else []
        with open(os.path.join(out, "requires.json"), "w") as answer:
            json.dump(requires, answer)
    elif hooks is None:
        subprocess.check_call([sys.executable, "-s", "setup.py", "bdist_wheel", "--dist-dir", out])
    else:
        hooks.build_wheel(out)


main(*sys.argv[1:])
