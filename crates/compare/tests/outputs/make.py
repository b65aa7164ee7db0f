"""Runs small cells and prints their outputs, one JSON object a line: the outputs that tests/it/pairs.rs changes by rule.

    python tests/outputs/make.py > tests/outputs/outputs.jsonl

Needs ipykernel, nbclient, nbformat, numpy, pandas, matplotlib, scikit-learn, sympy and tqdm of any year.
"""

import json
import sys

import nbformat
from nbclient import NotebookClient

SETUP = """
import sys, json, random, collections
import numpy as np, pandas as pd
import matplotlib
%matplotlib inline
import matplotlib.pyplot as plt
from sklearn.datasets import load_iris
plt.rcParams['figure.figsize'] = (3, 2); plt.rcParams['figure.dpi'] = 60
rng = np.random.RandomState(0)
frame = pd.DataFrame({'a': rng.rand(5), 'b': [3, 1, 4, 1, 5], 'name': list('vwxyz')})
long = pd.DataFrame(rng.rand(200, 3), columns=['x', 'y', 'z'])
multi = frame.assign(group=[1, 1, 2, 2, 2]).groupby(['group', 'name']).sum()
"""

CELLS = {
    "float": "0.1 + 0.2",
    "score": "print('accuracy: %.4f, loss: %.6f' % (0.9333, 0.123456))",
    "lines": "for i in range(4): print('epoch', i, 'loss', 1 / (i + 3))",
    "prose": "print('Hello, world. It\\'s fine.')",
    "dict": "{'alpha': 0.25, 'beta': [1, 2.5, 3], 'gamma': {'x': 1.75, 'y': 'z'}}",
    "printed dict": "print('result =', {'alpha': 0.25, 'beta': 1.5, 'n': 10})",
    "set": "{'red', 'green', 'blue'}",
    "printed set": "print({'one', 'two', 'three'})",
    "list": "[1.5, 'two', (3.25, 4), None, True]",
    "array": "np.linspace(0, 1, 7)",
    "matrix": "print(rng.rand(3, 4))",
    "summary": "np.arange(5000.) / 3",
    "series": "frame['a']",
    "long series": "long['x']",
    "frame": "frame",
    "printed frame": "print(frame)",
    "long frame": "long",
    "multi": "multi",
    "describe": "frame.describe()",
    "object": "object()",
    "function": "lambda: 1",
    "line plot": "plt.plot(long['x'][:20]);",
    "bar plot": "plt.bar(range(5), frame['b'])",
    "histogram": "plt.hist(long['y'])",
    "drawing": "%config InlineBackend.figure_formats = ['svg']\nplt.plot([1, 3, 2]);",
    "json": "from IPython.display import JSON\nJSON({'a': [1, 2.5], 'b': {'c': 0.75}})",
    "html": "from IPython.display import HTML\nHTML('<h3 id=\"part7\">Mean 3.25</h3><p>of <b>12</b> rows</p>')",
    "latex": "import sympy\nsympy.init_printing()\nx = sympy.symbols('x')\nsympy.integrate(x ** 2 + 1.5, x)",
    "markdown": "from IPython.display import Markdown\nMarkdown('**bold** 2.5')",
    "timed": "%time sum(range(1000))",
    "moment": "import datetime\nprint('run at', datetime.datetime.now(), 'took 0.53 s')",
    "path": "import tempfile\nprint('saved to', tempfile.mkdtemp() + '/model.pkl')",
    "progress": "import tqdm\nfor i in tqdm.tqdm(range(3), file=sys.stdout): pass\nprint('done')",
    "colours": "print('\\x1b[31mred\\x1b[0m text 1.5')",
    "several": "print('first 1.5')\nframe.head(2)",
    "warning": "import warnings\nwarnings.warn('old')\nprint('shown 2.5')",
    "estimator": "from sklearn.linear_model import Ridge\nprint(Ridge(alpha=0.5))",
    "counter": "collections.Counter('abracadabra')",
}


def main():
    cells = [nbformat.v4.new_code_cell(SETUP)] + [nbformat.v4.new_code_cell(code) for code in CELLS.values()]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, kernel_name="python3", timeout=120).execute()
    for name, cell in zip(CELLS, notebook.cells[1:]):
        assert not any(output.output_type == "error" for output in cell.outputs), (name, cell.outputs)
        json.dump({"name": name, "cell": {**cell, "id": "x", "metadata": {}}}, sys.stdout)
        print()


if __name__ == "__main__":
    main()
