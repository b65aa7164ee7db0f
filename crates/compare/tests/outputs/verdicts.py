"""Asks nbdime 4 about the pairs of tests/it/pairs and prints its verdicts: name, [its diff is empty, its strict comparison says the same].

    cargo nextest run -p nbrevive-compare -E 'test(nbdime_has_been_asked)'
    python tests/outputs/verdicts.py < ../../target/tmp/pairs.jsonl > tests/outputs/verdicts.json

Counts and metadata are left out of both.
"""

import json
import sys

import nbformat
from nbdime.diffing import notebooks


def bare(notebook):
    """The notebook without counts and metadata."""
    notebook = nbformat.reads(json.dumps(notebook), as_version=4)
    for cell in notebook.cells:
        cell.execution_count = None
        for output in cell.get("outputs", []):
            if "execution_count" in output:
                output.execution_count = None
            if "metadata" in output:
                output.metadata = nbformat.NotebookNode()
    return notebook


def main():
    verdicts = {}
    for line in sys.stdin:
        pair = json.loads(line)
        saved, new = bare(pair["saved"]), bare(pair["new"])
        is_empty = not notebooks.diff_notebooks(saved, new)
        is_same = notebooks.compare_cell_strict(saved.cells[0], new.cells[0])
        verdicts[pair["name"]] = [is_empty, bool(is_same)]
    print("{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(verdict)}" for name, verdict in sorted(verdicts.items())) + "\n}")


if __name__ == "__main__":
    main()
