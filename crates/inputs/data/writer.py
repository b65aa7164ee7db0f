# Writes the input files that a recipe describes. Runs in the sandbox, with the standard library alone where the format allows it.
# Python 3.6 and later: the environments of old notebooks have nothing newer.
import json as _json


def _make_inputs(recipe, levels):
    import bz2, csv, datetime, gzip, io, json, lzma, math, os, random, re, sqlite3, struct, wave, zipfile, zlib

    start = os.getcwd()
    root = os.path.normpath(os.path.join(start, *[".."] * levels))
    day = datetime.timedelta(days=1)
    typed = ("parquet", "feather", "hdf", "pickle", "excel")
    vocabulary = (
        "amber bridge canal delta ember forest garden harbor island jungle kettle lantern meadow nectar orchard "
        "pebble quartz river summit timber umbra valley willow yonder zephyr good bad great poor love hate"
    ).split()
    date_formats = (
        "%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%m/%d/%Y", "%d/%m/%Y", "%m/%d/%y", "%d-%m-%Y", "%Y/%m/%d",
        "%d.%m.%Y", "%b %d, %Y", "%B %d, %Y", "%d-%b-%y", "%d-%b-%Y", "%m/%d/%Y %H:%M", "%m/%d/%Y %H:%M:%S", "%d/%m/%Y %H:%M", "%Y%m%d",
        "%Y-%m", "%Y", "%b %Y", "%m-%d-%Y", "%d %b %Y", "%d %B %Y", "%Y-%m-%d %H:%M:%S.%f", "%Y-%m-%dT%H:%M:%SZ", "%m/%d/%y %H:%M",
    )

    def inside(path):
        """Where a path lies on the disk; only below the root."""
        if path.startswith("~/"):
            target = os.path.join(root, ".made-up", "home", path[2:])
        elif path.startswith("/kaggle/working/"):
            target = os.path.join(root, path[len("/kaggle/working/"):])
        elif path.startswith("/"):
            target = os.path.join(root, ".made-up", "absolute", path[1:])
        else:
            target = os.path.join(start, path)
        target = os.path.normpath(target)
        if os.path.commonpath([os.path.realpath(target), os.path.realpath(root)]) != os.path.realpath(root):
            raise ValueError("it would lie outside of the working folder")
        return target

    def number(text):
        try:
            value = float(text)
        except (TypeError, ValueError):
            return text
        return int(value) if value == int(value) and "." not in str(text) and "e" not in str(text).lower() else value

    def parsed(texts, formats):
        """The days of texts, and the first format that all of them have."""
        for form in formats:
            try:
                return [datetime.datetime.strptime(text.strip(), form) for text in texts], form
            except (ValueError, TypeError):
                continue
        return None, None

    def dates(column, rows, rng, values):
        form = column.get("format")
        known, seen = parsed(values[:50], ([form] if form else []) + list(date_formats)) if values else (None, None)
        if values and known is None:
            return [values[row % len(values)] for row in range(rows)], None
        form = form or seen or "%Y-%m-%d"
        low = parsed([column["low"]], date_formats)[0] if column.get("low") else None
        high = parsed([column["high"]], date_formats)[0] if column.get("high") else None
        first = min(known) if known else datetime.datetime(2015, 1, 1)
        step = day
        if known and len(known) > 2:
            gaps = sorted(abs(b - a) for a, b in zip(known, known[1:]) if a != b)
            step = gaps[len(gaps) // 2] if gaps else day
        elif not any(part in form for part in ("%d", "%j", "%c", "%x")):
            step = 31 * day if "%m" in form or "%b" in form or "%B" in form else 366 * day
        step = min(step, 400 * day)
        if low:
            first = min(low[0] - 10 * day, first) if known else low[0] - 10 * day
            last = (high or low)[0] + 40 * day
            step = max(step, (last - first) / max(rows, 1))
        if step > day and "%H" not in form:
            step = datetime.timedelta(days=round(step / day))
        room = (datetime.datetime(2200, 1, 1) - first) / max(rows, 1)
        step = min(step, room)
        return [first + row * step for row in range(rows)], form

    def match_of(pattern, rng):
        """A text that a regular expression matches."""
        try:
            import re._parser as parser
        except ImportError:
            import sre_parse as parser
        tree = parser.parse(pattern)

        def one(op, argument):
            op = str(op)
            if op == "LITERAL":
                return chr(argument)
            if op == "NOT_LITERAL":
                return "x" if chr(argument) != "x" else "y"
            if op == "ANY":
                return rng.choice("abcdefg")
            if op == "IN":
                if str(argument[0][0]) == "NEGATE":
                    banned = re.compile("[" + "".join(re.escape(chr(a)) for o, a in argument[1:] if str(o) == "LITERAL") + "]|$^")
                    return next(c for c in "abcxyzABC012_ " if not banned.match(c))
                return one(*rng.choice(argument))
            if op == "RANGE":
                return chr(rng.randint(argument[0], min(argument[1], argument[0] + 25)))
            if op == "CATEGORY":
                name = str(argument)
                table = {"DIGIT": "0123456789", "SPACE": " ", "WORD": "abcdefg", "NOT_DIGIT": "abc", "NOT_SPACE": "abc", "NOT_WORD": " "}
                return rng.choice(table.get(name.replace("CATEGORY_", ""), "a"))
            if op in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
                least, most, inner = argument
                return "".join(many(inner) for _ in range(rng.randint(least, min(most, max(least, 4)))) or ([0] if not least and most else []))
            if op == "SUBPATTERN":
                return many(argument[-1])
            if op == "BRANCH":
                return many(rng.choice(argument[1]))
            return ""

        def many(tree):
            return "".join(one(op, argument) for op, argument in tree)

        return many(tree)

    def text_of(column, row, rng):
        name = column["name"].strip("/*") or "text"
        if column.get("pattern"):
            try:
                found = match_of(column["pattern"], rng)
                rest = "" if column["pattern"].endswith("$") else " ".join([""] + [rng.choice(vocabulary) for _ in range(6)])
                return found + rest
            except Exception:
                pass
        words = [name, str(row)] + [rng.choice(vocabulary) for _ in range(6)]
        if column.get("affixes") is not None:
            words = [str(rng.randint(1, 99)) for _ in words]
        separators = [one for one in column.get("separators", []) if one and not one.startswith("\\")]
        if not separators or set(separators) == {" "} and len(separators) == 3:
            return " ".join(words)
        inner = [one for one in dict.fromkeys(separators) if one != separators[0]]
        if inner:
            # Parts are cut again: each of them has parts of its own.
            return separators[0].join(inner[place % len(inner)].join(words[:4]) for place in range(4))
        text = words[0]
        for place, separator in enumerate(separators):
            text += separator + words[(place + 1) % len(words)]
        return text

    def values_of(column, rows, seed):
        rng = random.Random("{}/{}".format(seed, column["name"]))
        kind, values = column["kind"], column.get("values", [])
        unique, each = column.get("unique", False), max(column.get("each") or 1, 1)
        if each > 1 and kind != "date":
            few = values_of(dict(column, each=1), -(-rows // each), seed)
            return [few[row // each] for row in range(rows)]
        low, high = column.get("low"), column.get("high")
        if kind != "date" and len(values) >= rows and not (kind in ("integer", "number") and unique):
            made = [number(value) if kind in ("integer", "number", "category") else value for value in values[:rows]]
        elif kind == "category":
            pool = [number(value) for value in values] or ["{} {}".format(column["name"], one) for one in range(1, 6)]
            made = [pool[row % len(pool)] for row in range(rows)]
            if not column.get("cycle"):
                rng.shuffle(made)
        elif kind == "boolean":
            made = [row % 2 == 0 for row in range(rows)]
            rng.shuffle(made)
        elif kind == "date":
            made, form = dates(column, -(-rows // each), rng, values)
            made = [made[row // each] for row in range(rows)]
            if form is None:
                return made
            column = dict(column, format=form)
        elif kind in ("integer", "number"):
            low = float(low) if low not in (None, "") else 1.0
            high = float(high) if high not in (None, "") else low + 99.0
            if not (math.isfinite(low) and math.isfinite(high)):
                low, high = 1.0, 100.0
            high = max(high, low + (1 if kind == "integer" else 0.01))
            must = [number(value) for value in values]
            if kind == "integer" and unique:
                made = [int(low) + row for row in range(rows)]
                extra = [value for value in must if value not in set(made)]
                made[len(made) - len(extra):] = extra[:rows]
            elif kind == "integer":
                made = [rng.randint(int(math.ceil(low)), max(int(math.floor(high)), int(math.ceil(low)))) for _ in range(rows)]
            else:
                digits = 2 if high - low >= 1 else 6
                made = [round(rng.uniform(low, high), digits) for _ in range(rows)]
            if must and not unique:
                for place, value in zip(rng.sample(range(rows), min(len(must), rows)), must):
                    made[place] = value
            if column.get("affixes"):
                before, behind = column["affixes"]
                made = ["{}{}{}".format(before, value, behind) for value in made]
        else:
            made = [values[row % len(values)] if values and not (unique and row >= len(values)) else None for row in range(rows)]
            if column.get("pattern") or column.get("separators"):
                made = [value if value is not None and row % 2 else None for row, value in enumerate(made)] if values else made
            made = [text_of(column, row, rng) if value is None else value for row, value in enumerate(made)]
        if kind == "date":
            made = [Moment(value, column["format"]) for value in made]
        if column.get("missing") and rows >= 10:
            made = [None if row % 10 == 7 else value for row, value in enumerate(made)]
        return made

    class Moment:
        """A time, and how it is written."""

        def __init__(self, time, form):
            self.time, self.form = time, form

        def __str__(self):
            return self.time.strftime(self.form)

    def rows_of(table, path):
        rows = table.get("rows", 200)
        seed = "{}/{}".format(recipe.get("seed", 0), rows)
        columns = [values_of(column, rows, seed) for column in table["columns"]]
        return [column["name"] for column in table["columns"]], columns

    def plain(value):
        return str(value) if isinstance(value, Moment) else value

    def frame_of(table, path):
        import pandas

        names, columns = rows_of(table, path)
        typed_columns = [[value.time if isinstance(value, Moment) else value for value in column] for column in columns]
        frame = pandas.DataFrame({place: column for place, column in enumerate(typed_columns)})
        frame.columns = names
        return frame

    def delimited(file, table):
        options = file.get("options", {})
        separator = options.get("separator") or ("\t" if re.search(r"\.(tsv|tab)(\.|$)", file["path"]) else ",")
        out = io.StringIO()
        for line in range(options.get("skipped_lines", 0)):
            out.write("skipped line {}\n".format(line + 1))
        names, columns = rows_of(table, file["path"])
        lines = [] if options.get("headless") else [names]
        lines += [["" if value is None else plain(value) for value in row] for row in zip(*columns)]
        if separator == " ":
            lines = [[str(value).replace(" ", "_") or "nan" for value in line] for line in lines]
        if options.get("decimal") == ",":
            lines = [[str(value).replace(".", ",") if isinstance(value, float) else value for value in line] for line in lines]
        if len(separator) == 1:
            csv.writer(out, delimiter=separator, lineterminator="\n").writerows(lines)
        else:
            for line in lines:
                out.write(separator.join(str(value) for value in line) + "\n")
        return out.getvalue()

    def encoded(file, text):
        name = file.get("options", {}).get("encoding") or "utf-8"
        try:
            return text.encode(name, "replace")
        except LookupError:
            return text.encode("utf-8")

    def packed(file, data):
        option, path = file.get("options", {}).get("compression"), file["path"]
        if option == "gzip" or option is None and path.endswith(".gz"):
            return gzip.compress(data)
        if option == "bz2" or option is None and path.endswith(".bz2"):
            return bz2.compress(data)
        if option == "xz" or option is None and path.endswith(".xz"):
            return lzma.compress(data)
        if option == "zip" or option is None and path.endswith(".zip"):
            out = io.BytesIO()
            with zipfile.ZipFile(out, "w") as archive:
                archive.writestr(os.path.basename(path)[: -4 if path.endswith(".zip") else None], data)
            return out.getvalue()
        return data

    def put(tree, parts, value):
        """Sets a value at a pointer; `*` is the first element of a list."""
        if not parts:
            return value if tree is None else tree
        part = parts[0].replace("~1", "/").replace("~0", "~")
        if part == "*":
            tree = tree if isinstance(tree, list) else [None]
            tree[0] = put(tree[0], parts[1:], value)
            return tree
        tree = tree if isinstance(tree, dict) else {}
        tree[part] = put(tree.get(part), parts[1:], value)
        return tree

    def grown(tree, rows):
        if isinstance(tree, list):
            return [grown(tree[0], rows) for _ in range(min(rows, 20))]
        if isinstance(tree, dict):
            return {name: grown(value, rows) for name, value in tree.items()}
        return tree

    def records(table, path):
        names, columns = rows_of(table, path)
        if names and all(name.startswith("/") for name in names):
            tree = None
            for name, column in sorted(zip(names, columns)):
                tree = put(tree, name.split("/")[1:], None)
            for name, column in zip(names, columns):
                if not any(other.startswith(name + "/") for other in names):
                    tree = put(tree, name.split("/")[1:], plain(column[0]) if column else None)
            return grown(tree, table.get("rows", 20))
        return [dict(zip(names, map(plain, row))) for row in zip(*columns)]

    def png(rng, side=64):
        lines = b"".join(b"\0" + bytes(rng.randrange(256) for _ in range(side * 3)) for _ in range(side))

        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data) & 0xFFFFFFFF)

        head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
        return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")

    def workbook(file, target):
        tables = file["tables"]
        try:
            import openpyxl
        except ImportError:
            with open(target, "wb") as out:
                out.write(bare_workbook(file))
            return
        book = openpyxl.Workbook()
        book.remove(book.active)
        for place, table in enumerate(tables):
            sheet = book.create_sheet(table.get("name") or "Sheet{}".format(place + 1))
            for line in range(file.get("options", {}).get("skipped_lines", 0)):
                sheet.append(["skipped line {}".format(line + 1)])
            names, columns = rows_of(table, file["path"])
            if not file.get("options", {}).get("headless"):
                sheet.append(names)
            for row in zip(*columns):
                sheet.append([value.time if isinstance(value, Moment) else value for value in row])
        with open(target, "wb") as out:
            book.save(out)

    def bare_workbook(file):
        """A workbook by hand: days are texts in it."""
        from xml.sax.saxutils import escape, quoteattr

        def cell(value):
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                return "<c><v>{}</v></c>".format(value)
            return '<c t="inlineStr"><is><t>{}</t></is></c>'.format(escape("" if value is None else str(value)))

        space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
        office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        packages = "http://schemas.openxmlformats.org/package/2006"
        out, sheets, links, types = io.BytesIO(), "", "", ""
        with zipfile.ZipFile(out, "w") as archive:
            for place, table in enumerate(file["tables"], 1):
                names, columns = rows_of(table, file["path"])
                lines = [names] + [list(row) for row in zip(*columns)]
                body = "".join("<row>{}</row>".format("".join(map(cell, line))) for line in lines)
                archive.writestr("xl/worksheets/sheet{}.xml".format(place), "<worksheet {}><sheetData>{}</sheetData></worksheet>".format(space, body))
                name = quoteattr(table.get("name") or "Sheet{}".format(place))
                sheets += '<sheet name={} sheetId="{}" r:id="r{}"/>'.format(name, place, place)
                links += '<Relationship Id="r{0}" Type="{1}/worksheet" Target="worksheets/sheet{0}.xml"/>'.format(place, office)
                types += '<Override PartName="/xl/worksheets/sheet{}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'.format(place)
            archive.writestr("xl/workbook.xml", '<workbook {} xmlns:r="{}"><sheets>{}</sheets></workbook>'.format(space, office, sheets))
            archive.writestr("xl/_rels/workbook.xml.rels", '<Relationships xmlns="{}/relationships">{}</Relationships>'.format(packages, links))
            archive.writestr("_rels/.rels", '<Relationships xmlns="{}/relationships"><Relationship Id="r1" Type="{}/officeDocument" Target="xl/workbook.xml"/></Relationships>'.format(packages, office))
            archive.writestr("[Content_Types].xml", '<Types xmlns="{}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>{}</Types>'.format(packages, types))
        return out.getvalue()

    def database(file, target):
        base = sqlite3.connect(target)
        for place, table in enumerate(file["tables"]):
            names, columns = rows_of(table, file["path"])
            quoted = ['"{}"'.format(name.replace('"', '""')) for name in names]
            name = '"{}"'.format((table.get("name") or "table{}".format(place + 1)).replace('"', '""'))
            base.execute("CREATE TABLE {} ({})".format(name, ", ".join(quoted)))
            marks = ", ".join("?" * len(names))
            base.executemany("INSERT INTO {} VALUES ({})".format(name, marks), [tuple(map(plain, row)) for row in zip(*columns)])
        base.commit()
        base.close()

    def arrays(file, target, kind):
        import numpy

        def array(table):
            names, columns = rows_of(table, file["path"])
            whole = all(column["kind"] in ("integer", "category") for column in table["columns"])
            made = numpy.array([[value if isinstance(value, (int, float)) else 0 for value in column] for column in columns], dtype=int if whole else float).T
            return made[:, 0] if len(columns) == 1 else made

        made = [array(table) for table in file["tables"]]
        with open(target, "wb") as out:
            if kind == "npy":
                numpy.save(out, made[0])
            else:
                names = file.get("parts") or [table.get("name") or "arr_{}".format(place) for place, table in enumerate(file["tables"])]
                arrays = {name: made[place % len(made)] for place, name in enumerate(names)}
                if kind == "npz":
                    numpy.savez(out, **arrays)
                elif kind == "mat":
                    import scipy.io

                    scipy.io.savemat(out, {name: value.reshape(len(value), -1) for name, value in arrays.items()})
                else:
                    import h5py

                    with h5py.File(out, "w") as book:
                        for name, value in arrays.items():
                            book[name] = value

    def write(file):
        kind, target = file["format"], inside(file["path"])
        if os.path.lexists(target):
            raise FileExistsError("something lies there already")
        os.makedirs(target if kind == "image-folder" else os.path.dirname(target), exist_ok=True)
        rng = random.Random("{}/{}".format(recipe.get("seed", 0), file["path"]))
        if kind == "image-folder":
            for name in file.get("parts") or ["class_a", "class_b"]:
                folder = os.path.join(target, os.path.basename(name))
                os.makedirs(folder, exist_ok=True)
                for place in range(10):
                    with open(os.path.join(folder, "{}.png".format(place + 1)), "wb") as out:
                        out.write(png(rng, 32))
        elif kind == "written":
            with open(target, "wb") as out:
                out.write(file["text"].encode("utf-8"))
        elif kind == "excel":
            workbook(file, target)
        elif kind == "sqlite":
            database(file, target)
        elif kind in ("npy", "npz", "mat", "hdf-arrays"):
            arrays(file, target, kind)
        elif kind == "parquet":
            frame_of(file["tables"][0], file["path"]).to_parquet(target)
        elif kind == "feather":
            frame_of(file["tables"][0], file["path"]).to_feather(target)
        elif kind == "pickle":
            frame_of(file["tables"][0], file["path"]).to_pickle(target)
        elif kind == "hdf":
            for table in file["tables"]:
                frame_of(table, file["path"]).to_hdf(target, key=table.get("name") or "df")
        elif kind == "wav":
            with wave.open(target, "wb") as out:
                out.setnchannels(1), out.setsampwidth(2), out.setframerate(16000)
                out.writeframes(b"".join(struct.pack("<h", int(8000 * math.sin(at / 9.0))) for at in range(16000)))
        elif kind == "zip":
            with zipfile.ZipFile(target, "w") as archive:
                for member in file.get("parts", []):
                    if os.path.isfile(inside(member)):
                        archive.write(inside(member), os.path.normpath(member))
        else:
            if kind == "image":
                data = png(rng)
            elif kind in ("json", "json-lines"):
                made = records(file["tables"][0], file["path"])
                lines = made if kind == "json-lines" and isinstance(made, list) else [made]
                data = encoded(file, "\n".join(json.dumps(line) for line in lines) + ("\n" if kind == "json-lines" else ""))
            elif kind == "csv":
                data = encoded(file, delimited(file, file["tables"][0]))
            else:
                rows = file["tables"][0].get("rows", 50) if file.get("tables") else 50
                lines = [" ".join(rng.choice(vocabulary) for _ in range(8)) for _ in range(min(rows, 2000))]
                data = encoded(file, "\n".join(lines) + "\n")
            with open(target, "wb") as out:
                out.write(packed(file, data))
        return sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(target) for name in names) if os.path.isdir(target) else os.path.getsize(target)

    late = [file for file in recipe["files"] if file["format"] == "zip"]
    for file in [file for file in recipe["files"] if file["format"] != "zip"] + late:
        try:
            said = {"path": file["path"], "bytes": write(file)}
        except Exception as error:
            said = {"path": file["path"], "why": "{}: {}".format(type(error).__name__, error)}
        print("made-up " + json.dumps(said))
    for folder in recipe.get("folders", []):
        try:
            os.makedirs(inside(folder), exist_ok=True)
        except Exception as error:
            print("made-up " + json.dumps({"path": folder, "why": "{}: {}".format(type(error).__name__, error)}))
