"""Compares the names that notebooks' cells are said to use and define with those that they use and define when they run.

    cargo run --release -p nbrevive-pysource --example names_folder -- FOLDER --list > names.jsonl
    PYTHON scripts/trace_names.py names.jsonl [SECONDS] [--show]

PYTHON is 3.12 or newer, with IPython and whatever the notebooks import. It runs foreign code: put it into a sandbox without network
(`bwrap --unshare-all --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp …`). Every notebook runs in a process of its own, in its folder,
past its errors, for at most SECONDS (default 30; those that take longer are not counted).

Counted are statements of which an instruction ran and that raised no error, those of functions apart from those of cells: in each the names of the namespace that
instructions which ran looked up, bound or deleted, and those that were said to be. Left out are names that IPython or the compiler puts
there, cells behind `%%` (they run under other names), and, counted apart, cells and functions of which something is unknown.
"""

import ast
import collections
import dis
import json
import os
import signal
import subprocess
import sys
import types

WHAT = {
    "LOAD_NAME": "use", "LOAD_GLOBAL": "use", "LOAD_FROM_DICT_OR_GLOBALS": "use", "STORE_NAME": "define", "STORE_GLOBAL": "define",
    "DELETE_NAME": "delete", "DELETE_GLOBAL": "delete",
}
AT_ONCE = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}
OWN = {"__annotations__", "__module__", "__qualname__", "__name__", "__doc__", "__static_attributes__", "__firstlineno__", "get_ipython"}
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
TOOL = 4
# The flag of code objects of functions, which those of modules and classes lack.
OPTIMIZED = 1


class Trace:
    """Which instructions of cells ran."""

    def __init__(self, shell):
        self.shell, self.cell, self.cells, self.ran, self.cut = shell, None, {}, collections.defaultdict(set), set()
        events = sys.monitoring.events
        sys.monitoring.use_tool_id(TOOL, "names")
        sys.monitoring.register_callback(TOOL, events.INSTRUCTION, self.instruction)
        sys.monitoring.register_callback(TOOL, events.PY_START, self.start)
        sys.monitoring.register_callback(TOOL, events.RAISE, self.raised)
        sys.monitoring.set_events(TOOL, events.PY_START | events.RAISE)

    def start(self, code, _):
        if code.co_filename.startswith("<ipython-input") and code not in self.ran:
            self.cells.setdefault(code.co_filename, self.cell)
            self.ran[code]
            sys.monitoring.set_local_events(TOOL, code, sys.monitoring.events.INSTRUCTION)

    def raised(self, code, offset, _):
        self.cut.add((code, offset))

    def note_error(self, error):
        """Notes the lines that an error passed on its way out, as negative numbers: what raised can stand between two offsets."""
        trace = error and error.__traceback__
        while trace:
            self.cut.add((trace.tb_frame.f_code, -trace.tb_lineno))
            trace = trace.tb_next

    def instruction(self, code, offset):
        self.ran[code].add(offset)
        return sys.monitoring.DISABLE


class Statements:
    """The statements of a cell as it is handed to Python, each by the place where it begins; several can stand on a line."""

    def __init__(self, source):
        tree = ast.parse(source)
        # What a magic runs runs under another name.
        of_magic = {number for number, line in enumerate(source.split("\n"), 1) if "get_ipython().run_" in line}
        self.on, self.names = collections.defaultdict(list), collections.defaultdict(list)
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt):
                first = min([(node.lineno, node.col_offset)] + [(one.lineno, one.col_offset) for one in getattr(node, "decorator_list", [])])
                for line in range(first[0], node.end_lineno + 1):
                    if line not in of_magic:
                        self.on[line].append((first, (node.end_lineno, node.end_col_offset)))
        for node in ast.walk(tree):
            name = node.id if isinstance(node, ast.Name) else node.name if isinstance(node, DEFINITIONS) else None
            if name:
                self.names[node.lineno, name].append(node.col_offset)

    def at(self, line, column):
        """Where the innermost statement begins that has this place; of a line alone the first of the line."""
        within = [first for first, end in self.on.get(line, []) if first <= (line, column) < end]
        return max(within, default=None) or min((first for first, _ in self.on.get(line, [])), default=None)

    def of_name(self, line, name):
        """Those on a line that have the name; where the tree has it in no place of its own, the innermost that begins last."""
        places = {self.at(line, column) for column in self.names.get((line, name), [])}
        return places or {max((first for first, _ in self.on.get(line, [])), default=None)}


def inner_codes(code, in_body):
    """The code objects of a cell, with whether they are in a function, and in a class."""
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            is_function = bool(inner.co_flags & OPTIMIZED)
            body = in_body or (is_function and inner.co_name not in AT_ONCE)
            yield inner, body, not is_function
            yield from inner_codes(inner, body)


def run(notebook):
    """Runs one notebook; the names that statements used and defined, and which statements ran."""
    import matplotlib
    matplotlib.use("agg")
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.core.history import HistoryManager
    HistoryManager.enabled = False
    shell = InteractiveShell.instance()
    shell.showtraceback = lambda *_, **__: None
    trace, maps = Trace(shell), {}
    for index, source in enumerate(notebook["sources"]):
        if source.lstrip().startswith("%%"):
            shell.run_cell(source, store_history=True)
            continue
        blank = len(source) - len(source.lstrip())
        try:
            maps[index] = (source[:blank].count("\n"), Statements(shell.transform_cell(source)))
        except SyntaxError:
            continue
        trace.cell = index
        trace.note_error(shell.run_cell(source, store_history=True).error_in_exec)
    kinds = {}
    for code in list(trace.ran):
        if code.co_name == "<module>":
            kinds[code] = (False, False)
            kinds.update({inner: (body, is_class) for inner, body, is_class in inner_codes(code, False)})
    ran, seen, cut = set(), set(), set()
    for code, offsets in trace.ran.items():
        cell = trace.cells[code.co_filename]
        if cell not in maps or code not in kinds:
            continue
        (shift, lines), (in_body, is_class) = maps[cell], kinds[code]
        own = {i.argval for i in dis.get_instructions(code) if is_class and i.opname in ("STORE_NAME", "DELETE_NAME")}
        instructions = list(dis.get_instructions(code))
        # Where an exception's name goes out of life, the compiler binds it once more before it deletes it.
        ends = {one.offset for one, after in zip(instructions, instructions[1:])
                if WHAT.get(one.opname) == "define" and WHAT.get(after.opname) == "delete" and one.argval == after.argval}
        for instruction in instructions:
            line, column = instruction.positions.lineno, instruction.positions.col_offset
            first = lines.at(line, column or 0)
            if first is None:
                continue
            place = (cell, (first[0] + shift, first[1]), in_body)
            if (code, instruction.offset) in trace.cut or (code, -line) in trace.cut:
                cut.add(place)
            if instruction.offset not in offsets:
                continue
            ran.add(place)
            what, name = WHAT.get(instruction.opname), instruction.argval
            if what and name not in OWN and name not in own and instruction.offset not in ends:
                seen.add((*place, what, name))
    told, apart = set(), set()
    for index, cell in enumerate(notebook["cells"]):
        if index not in maps:
            continue
        shift, lines = maps[index]
        for in_body, acts in [(False, cell["top"])] + [(True, body) for body in cell["bodies"]]:
            if acts["unknown"] or cell["state"]["state"] != "python":
                apart.add((index, in_body))
            for act, name, line, _ in acts["events"]:
                what = "define" if act.startswith("Bind") else "delete" if act == "Delete" else "use"
                firsts = [first for first in lines.of_name(line - shift, name) if first is not None]
                places = [(index, (first[0] + shift, first[1]), in_body) for first in firsts]
                told.update((*place, what, name) for place in places if place in ran and name not in OWN)
    # It deletes that name, too, as code does others.
    is_counted = lambda row: row[:3] not in cut and row[3] != "delete"
    return set(filter(is_counted, seen)), set(filter(is_counted, told)), apart


def count(notebook):
    seen, told, apart = run(notebook)
    rows = collections.Counter()
    wrong = []
    for row in seen | told:
        cell, line, in_body, what, name = row
        group = f"{'unknown ' if (cell, in_body) in apart else ''}{what} in {'functions' if in_body else 'cells'}"
        kind = "both" if row in seen and row in told else "only traced" if row in seen else "only told"
        rows[f"{group}|{kind}"] += 1
        if kind != "both" and not group.startswith("unknown"):
            wrong.append([kind, cell, line[0], what, name, notebook["sources"][cell].split("\n")[line[0] - 1][:100]])
    return {"rows": rows, "wrong": wrong}


def main():
    if sys.argv[1] == "--one":
        notebook = json.loads(sys.stdin.readline())
        out = os.dup(1)
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        os.chdir(os.path.dirname(os.path.abspath(notebook["path"])))
        os.write(out, json.dumps(count(notebook)).encode())
        os._exit(0)
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 and sys.argv[2] != "--show" else 30
    total, done, ended = collections.Counter(), 0, 0
    for line in open(sys.argv[1]):
        child = subprocess.Popen([sys.executable, __file__, "--one"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        try:
            text, _ = child.communicate(line.encode(), timeout=seconds)
            found = json.loads(text)
        except (subprocess.TimeoutExpired, ValueError):
            ended += 1
            continue
        finally:
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()
        done += 1
        total.update(found["rows"])
        if "--show" in sys.argv:
            for wrong in found["wrong"]:
                print(json.loads(line)["path"], *wrong, sep=" | ")
    print(f"{done} notebooks ran, {ended} did not come to their end")
    for group in sorted({key.split("|")[0] for key in total}):
        both, traced, told = (total[f"{group}|{kind}"] for kind in ("both", "only traced", "only told"))
        precision, recall = both / max(both + told, 1), both / max(both + traced, 1)
        print(f"{group:<28} {both:>7} of both, {told:>5} only told, {traced:>5} only traced: precision {precision:.4f}, recall {recall:.4f}")


if __name__ == "__main__":
    main()
