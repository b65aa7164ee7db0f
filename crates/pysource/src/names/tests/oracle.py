"""What Python's own compiler does with the names of the namespace.

Reads a JSON list of modules; writes, for each, null where it does not compile, else a list of [in a body?, what, name, line].
"""

import dis
import json
import sys
import types
import warnings

WHAT = {
    "LOAD_NAME": "load", "LOAD_GLOBAL": "load", "STORE_NAME": "store", "STORE_GLOBAL": "store", "DELETE_NAME": "delete",
    "DELETE_GLOBAL": "delete",
}
# Functions that run as soon as they are made.
AT_ONCE = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}
# What the compiler looks up and binds without being told to.
OWN = {"__annotations__", "__module__", "__qualname__", "__name__", "__doc__", "__static_attributes__", "__firstlineno__"}


def walk(code, is_body, is_class, found):
    # In a class the same instruction looks up the class's own names, once they are bound.
    own = set()
    for instruction in dis.get_instructions(code):
        what, name = WHAT.get(instruction.opname), instruction.argval
        is_own = is_class and instruction.opname.endswith("_NAME") and (what != "load" or name in own)
        if what and not is_own and name not in OWN:
            # What ends the life of an exception's name has no line, or any.
            found.append([is_body, what, name, instruction.positions.lineno if what == "load" else 0])
        if is_own and what == "store":
            own.add(name)
        elif is_own and what == "delete":
            own.discard(name)
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            is_function = bool(inner.co_flags & 1)
            walk(inner, is_body or (is_function and inner.co_name not in AT_ONCE), not is_function, found)
    return found


def names(source):
    try:
        code = compile(source, "cell", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError):
        return None
    return walk(code, False, False, [])


warnings.simplefilter("ignore")
json.dump([names(source) for source in json.load(sys.stdin)], sys.stdout)
