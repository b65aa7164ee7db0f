"""Records in `dated.csv` what each interpreter's own pip of the date resolves.

    python dated.py FOLDER PYENV_VERSIONS dated.csv [CASE...]

Each case (requirements, date, interpreter) is resolved in a new virtual environment by the newest pip that was
uploaded before the date and declares that interpreter, beside the setuptools and wheel of the date, by `pip download`
from an index that hides later files (`dated_index.py`). The columns `pip` and `resolved` are filled in; what the pip
said is kept in FOLDER/logs. Needs `virtualenv` before 20.22, which still makes environments of 2.7 and 3.6.
"""

import csv
import os
import shutil
import subprocess
import sys
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from packaging.version import InvalidVersion, Version

from dated_index import serve
from histories import stem, version_of
from paper import specifiers
from upstream import normalise

COLUMNS = ["case", "date", "python", "requirements", "pip", "resolved"]
AT_ONCE = 2
SECONDS = 1500


def newest_pip(upstream, date, interpreter):
    """The wheel of the newest final pip of before the date that declares the interpreter."""
    found = {}
    for file in upstream.page("pip")["files"]:
        name = file["filename"]
        if not name.endswith(".whl") or file["upload-time"] >= date or file["yanked"] is not False:
            continue
        try:
            version = Version(version_of(name, "pip"))
        except InvalidVersion:
            continue
        bounds = specifiers(file.get("requires-python") or "")
        if not version.is_prerelease and all(bound.contains(interpreter) for bound in bounds):
            found[version] = file
    version = max(found)
    return str(version), upstream.file(found[version])


class Bench:
    """Where cases are run."""

    def __init__(self, folder, interpreters, server):
        self.folder = Path(folder).resolve()
        self.interpreters = Path(interpreters)
        self.upstream = server.RequestHandlerClass.upstream
        self.port = server.server_port
        (self.folder / "logs").mkdir(exist_ok=True)

    def run(self, case):
        """Fills in one case."""
        scratch = self.folder / "cases" / case["case"]
        shutil.rmtree(scratch, ignore_errors=True)
        (scratch / "files").mkdir(parents=True)
        # What old setup scripts ask of easy_install (`setup_requires`) is of the date as well.
        address = self.address(case["date"])
        (scratch / ".pydistutils.cfg").write_text(f"[easy_install]\nindex_url = {address}\n")
        log = (self.folder / "logs" / f"{case['case']}.log").open("w")
        try:
            case["pip"], archive = newest_pip(self.upstream, case["date"], case["python"])
            python = self.environment(scratch / "venv", case["python"], archive, log)
            self.pip(python, case["date"], scratch, log, "install", "setuptools", "wheel")
            wanted = case["requirements"].split()
            self.pip(python, case["date"], scratch, log, "download", "-d", "files", *wanted)
            case["resolved"] = resolved(scratch / "files")
        except subprocess.SubprocessError as error:
            case["resolved"] = ""
            print(f"{case['case']}: {error}; see {log.name}", file=sys.stderr)
        finally:
            log.close()
            shutil.rmtree(scratch, ignore_errors=True)
        print(case["case"], case["pip"], case["resolved"], flush=True)

    def address(self, date):
        """The index as of a date."""
        return f"http://127.0.0.1:{self.port}/{date}/simple/"

    def environment(self, folder, interpreter, archive, log):
        """A virtual environment with that pip and nothing else."""
        base = self.interpreters / interpreter / "bin" / "python"
        make = [sys.executable, "-m", "virtualenv", "-q", "--no-pip", "--no-setuptools", "--no-wheel"]
        subprocess.run([*make, "-p", str(base), str(folder)], check=True, stdout=log, stderr=log)
        python = folder / "bin" / "python"
        library = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
        place = subprocess.run([python, "-c", library], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        with zipfile.ZipFile(archive) as wheel:
            wheel.extractall(place)
        return python

    def pip(self, python, date, scratch, log, *words):
        """Runs the pip with no configuration but ours."""
        kept = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        own = {"HOME": str(scratch), "PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        command = [str(python), "-m", "pip", words[0], "--no-cache-dir", "--index-url", self.address(date), *words[1:]]
        log.write(f"$ pip {' '.join(words)}\n")
        log.flush()
        subprocess.run(
            command, check=True, stdout=log, stderr=log, cwd=scratch, env={**kept, **own}, timeout=SECONDS
        )


def resolved(folder):
    """The distributions in a folder of wheels and source archives."""
    found = []
    for file in folder.iterdir():
        if file.name.endswith(".whl"):
            name = normalise(file.name.split("-")[0])
        else:
            # The version starts at the first dash before a digit.
            bare = stem(file.name)
            cut = next(at for at, mark in enumerate(bare) if mark == "-" and bare[at + 1 : at + 2].isdigit())
            name = normalise(bare[:cut])
        found.append(f"{name}=={Version(version_of(file.name, name))}")
    return " ".join(sorted(found))


def main():
    folder, interpreters, table, *only = sys.argv[1:]
    with open(table, newline="", encoding="utf-8") as rows:
        cases = list(csv.DictReader(rows))
    server = serve(folder)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    bench = Bench(folder, interpreters, server)
    wanted = [case for case in cases if (case["case"] in only if only else not case["resolved"])]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(bench.run, wanted))
    with open(table, "w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(cases)


if __name__ == "__main__":
    main()
