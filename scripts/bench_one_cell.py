"""Times a one-cell notebook: the bare kernel's start and first answer, nbrevive, nbclient; in turn, several times."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import uuid

import jupyter_client

NBREVIVE = os.path.abspath(os.environ.get("NBREVIVE", "target/release/nbrevive"))
NOTEBOOK = {
    "nbformat": 4,
    "nbformat_minor": 4,
    "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
    "cells": [{"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": "1 + 1"}],
}


def bare_kernel(argv, folder):
    """Seconds from the start of the kernel's process to its first answer, without a sandbox and without an executor."""
    connection = os.path.join(folder, f"{uuid.uuid4().hex}.json")
    jupyter_client.write_connection_file(connection)
    client = jupyter_client.BlockingKernelClient(connection_file=connection)
    client.load_connection_file()
    client.start_channels(iopub=False, stdin=False, hb=False, control=False)
    started = time.perf_counter()
    command = [connection if word == "{connection_file}" else word for word in argv]
    kernel = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    client.kernel_info()
    client.get_shell_msg(timeout=60)
    seconds = time.perf_counter() - started
    client.stop_channels()
    kernel.kill()
    kernel.wait()
    return seconds


def command_seconds(command):
    """Wall-clock seconds of a command that has to succeed."""
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - started


def main():
    venv, home, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        notebook = os.path.join(folder, "one.ipynb")
        executed = os.path.join(folder, "one.executed.ipynb")
        with open(notebook, "w", encoding="utf-8") as target:
            json.dump(NOTEBOOK, target)
        ours = [NBREVIVE, "execute", notebook, "--out", executed]
        command_seconds(ours)
        with open(executed, encoding="utf-8") as source:
            kernel = json.load(source)["metadata"]["nbrevive"]["kernel"]
        # A notebook that is handed on names what lies in the user's folder from there.
        argv = [os.path.join(home, word) if word.startswith(("environments/", "kernels/")) else word for word in kernel]
        nbclient = [os.path.join(venv, "bin", "jupyter-execute"), notebook, "--output", os.path.join(folder, "nbclient")]
        command_seconds(nbclient)
        rows = []
        for _ in range(runs):
            rows.append((bare_kernel(argv, folder), command_seconds(ours), command_seconds(nbclient)))
    bare, own, peer = (statistics.median(column) for column in zip(*rows))
    print(f"{runs} runs in turn, medians of whole processes")
    print(f"bare kernel, start to first answer  {bare:6.3f} s")
    print(f"nbrevive execute, sandboxed         {own:6.3f} s   {statistics.median(b / a for a, b, _ in rows):.2f} x the bare kernel")
    print(f"nbclient (jupyter execute)          {peer:6.3f} s   nbrevive takes {statistics.median(b / c for _, b, c in rows):.2f} x of it")


if __name__ == "__main__":
    main()
