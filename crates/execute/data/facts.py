# -*- coding: utf-8 -*-
"""Tells what the names of a cell that raised hold: classes, dtypes, shapes, columns, parameters.

Runs in the kernel, in a namespace of its own, which has `code` (the text of the cell) and `raised` (the name of the exception's class), and
leaves what it found in `told`, as JSON in hexadecimal digits: nothing that shows it can change those. No code of the notebook is called:
classes are asked past their metaclasses, attributes are looked up where they lie, and only values whose class is a library's own are asked
for more. Runs on Python 2.7 and 3.6 or newer.
"""
import binascii
import inspect
import json
import re
import sys
import types

MOST_VALUES = 60
MOST_LOCALS = 40
MOST_CLASSES = 12
MOST_COLUMNS = 100
MOST_BYTES = 24000
LONGEST_NAME = 120
LONGEST_TEXT = 60

TEXTS = (str, type(u""))
PLAIN = (int, float, bool, complex, type(None)) + TEXTS
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)
# Those whose values say shape and dtype by themselves.
TABULAR = ("pandas", "numpy", "scipy", "torch", "tensorflow", "polars", "xarray", "jax", "jaxlib")
MISSING = object()


def is_a(value, kinds):
    """What `isinstance` says, without asking the value for its class."""
    return issubclass(type(value), kinds)


def of_type(cls, name):
    """An attribute of a class, whatever its metaclass says."""
    found = type.__dict__.get(name)
    return found.__get__(cls) if found is not None and is_a(cls, type) else None


def public_names(value, module, name):
    """The dotted names under which a value is found from outside of its library, the shortest first."""
    if not is_a(module, TEXTS) or not is_a(name, TEXTS):
        return []
    (head, _, inner), parts, found = name.partition("."), module.split("."), []
    for end in range(1, len(parts) + 1):
        outer = sys.modules.get(".".join(parts[:end]))
        there = object.__getattribute__(outer, "__dict__").get(head) if is_a(outer, types.ModuleType) else None
        if there is value or inner and is_a(there, type):
            found.append(".".join(parts[:end] + [name]))
    return [one[:LONGEST_NAME] for one in found or [module + "." + name]]


def class_names(cls):
    module = of_type(cls, "__module__")
    return public_names(cls, module, of_type(cls, "__qualname__") or of_type(cls, "__name__"))


def lines_of(cls):
    """A class and those that it inherits from, the nearest first."""
    names = []
    for one in (of_type(cls, "__mro__") or ())[:-1][:MOST_CLASSES]:
        names.extend(name for name in class_names(one) if name not in names)
    return names[: 2 * MOST_CLASSES]


def parameters(value):
    """The names of what a function, or a class when it is called, takes; a last one of two stars where it takes any."""
    if is_a(value, type):
        value = next((one["__init__"] for one in members_of(value) if "__init__" in one), None)
    for _ in range(8):
        if is_a(value, types.MethodType):
            value = value.__func__
        if not is_a(value, types.FunctionType):
            return []
        inner = value.__dict__.get("__wrapped__")
        if inner is None:
            break
        value = inner
    made = value.__code__
    count = made.co_argcount + getattr(made, "co_kwonlyargcount", 0)
    return list(made.co_varnames[:count][:MOST_LOCALS]) + (["**"] if made.co_flags & inspect.CO_VARKEYWORDS else [])


def label(value):
    if type(value) in TEXTS:
        return value[:LONGEST_TEXT]
    return repr(value)[:LONGEST_TEXT] if type(value) in PLAIN else type(value).__name__[:LONGEST_TEXT]


def of_library(value, fact):
    """What a value of a library says of its form."""
    shape = getattr(value, "shape", None)
    if is_a(shape, tuple) and all(type(size) is int for size in shape):
        fact["shape"] = list(shape[:8])
    if fact["classes"][0] == "pandas.DataFrame":
        kinds = list(value.dtypes.items())[:MOST_COLUMNS]
        fact["columns"] = [[label(name), str(kind)[:LONGEST_TEXT]] for name, kind in kinds]
    elif getattr(value, "dtype", None) is not None:
        fact["dtype"] = str(value.dtype)[:LONGEST_TEXT]


def describe(name, value):
    cls = type(value)
    fact = {"name": name[:LONGEST_NAME], "classes": lines_of(cls)}
    if is_a(value, type):
        fact.update(classes=[], stands_for=class_names(value), parameters=parameters(value))
    elif is_a(value, FUNCTIONS):
        inner = value.__func__ if is_a(value, types.MethodType) else value
        owner = inner.__module__ if is_a(inner, FUNCTIONS[:2]) else None
        names = public_names(inner, owner, getattr(inner, "__qualname__", inner.__name__))
        fact.update(classes=[], stands_for=names, parameters=parameters(value))
    elif cls in PLAIN:
        fact["text"] = label(value)
    elif cls in (list, tuple, set, frozenset, dict):
        fact["shape"] = [len(value)]
        if cls is dict:
            keys = [key for key in list(value)[:MOST_LOCALS] if type(key) in TEXTS]
            fact["parameters"] = [key[:LONGEST_TEXT] for key in keys]
    elif str(of_type(cls, "__module__")).split(".")[0] in TABULAR:
        of_library(value, fact)
    return fact


def members_of(cls):
    return [of_type(one, "__dict__") for one in of_type(cls, "__mro__") or ()]


def attribute_of(value, name):
    """An attribute that lies in the value itself, or in its class as it is; the library's own function for it asks metaclasses."""
    if is_a(value, types.ModuleType):
        return MISSING
    members = members_of(type(value))
    slot = next((one["__dict__"] for one in members if "__dict__" in one), None)
    # A property in this place would be code of the notebook.
    if type(slot) is types.GetSetDescriptorType and not is_a(value, type):
        members.insert(0, slot.__get__(value))
    elif is_a(value, type):
        members = members_of(value)
    found = next((one[name] for one in members if name in one), MISSING)
    computes = any("__get__" in one for one in members_of(type(found)))
    return MISSING if computes and not is_a(found, FUNCTIONS) else found


def frame_of_cell(trace):
    """The innermost function of the notebook that the error went through."""
    found = None
    for _ in range(1000):
        if trace is None:
            break
        frame, place = trace.tb_frame, trace.tb_frame.f_code.co_filename
        if ("ipython-input" in place or "ipykernel_" in place) and frame.f_code.co_name != "<module>":
            found = frame
        trace = trace.tb_next
    return found


def spaces():
    """The names that the cell, and the function in which it raised, can see."""
    shell = sys.modules["IPython"].get_ipython()
    seen = [shell.user_ns]
    if getattr(getattr(sys, "last_type", None), "__name__", None) == raised:  # noqa: F821
        frame = frame_of_cell(getattr(sys, "last_traceback", None))
        if frame is not None:
            seen.insert(0, dict(list(frame.f_locals.items())[:MOST_LOCALS]))
    return seen


def values(seen):
    """Names and chains of names in the order of the text, with what they stand for; those of a function first."""
    chains = list(seen[0]) if len(seen) > 1 else []
    chains += re.findall(r"(?<![\w.])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", code)  # noqa: F821
    done = set()
    for chain in chains:
        parts = chain.split(".")
        value = next((space[parts[0]] for space in seen if parts[0] in space), MISSING)
        for end in range(1, min(len(parts), 5) + 1):
            if value is MISSING or is_a(value, types.ModuleType):
                break
            name = ".".join(parts[:end])
            if name not in done:
                done.add(name)
                yield name, value
            value = attribute_of(value, parts[end]) if end < len(parts) else MISSING


def missing():
    """What an AttributeError misses, and on what."""
    error = getattr(sys, "last_value", None)
    slots = [AttributeError.__dict__.get(name) for name in ("name", "obj")]
    if getattr(sys.last_type, "__name__", None) != raised or not is_a(error, AttributeError) or None in slots:  # noqa: F821
        return None
    name, owner = [slot.__get__(error) for slot in slots]
    if type(name) is not str or owner is None:
        return None
    if is_a(owner, types.ModuleType):
        owners = [str(object.__getattribute__(owner, "__dict__").get("__name__"))]
    else:
        owners = class_names(owner) if is_a(owner, type) else lines_of(type(owner))
    return {"name": name[:LONGEST_NAME], "owners": owners}


def tell():
    facts, left = {"values": []}, MOST_BYTES
    for name, value in values(spaces()):
        try:
            fact = describe(name, value)
        except Exception:
            continue
        left -= len(json.dumps(fact))
        if left < 0 or len(facts["values"]) >= MOST_VALUES:
            break
        facts["values"].append(fact)
    if getattr(sys, "last_type", None) is not None:
        facts["missing"] = missing()
    return facts


told = str(binascii.hexlify(json.dumps(tell()).encode("ascii")).decode("ascii"))
