"""Writes what other programs read of the cases beside it: pip of requirements files, poetry of constraints, setuptools of setup.cfg, PyYAML of
environment.yml. Run in a virtual environment with pip 24.3.1, poetry-core 2.5.0, setuptools 65.5.0 and PyYAML 6.0.4:

    python verdicts.py
"""
import setuptools  # Before distutils, or it refuses to be imported.
import csv
import pathlib
import tempfile
import warnings

HERE = pathlib.Path(__file__).parent

VERSIONS = """0 0.0.1 0.0.3 0.0.4 0.1 0.1.9 0.2 0.2.3 0.2.9 0.3 0.9 1 1.0 1.0.1 1.1 1.2 1.2.0 1.2.3 1.2.4 1.2.9 1.3 1.9.9 1.10 2 2.0 2.0.1 2.1
2.3 2.9 3.0 3.1 3.5 3.6 3.7.1 3.9 3.10 3.12.1 4.0 10.2 2020.1 2021.3""".split()

CONSTRAINTS = [
    "^1.2.3", "^1.2", "^1", "^0.2.3", "^0.2", "^0.0.3", "^0.0", "^0", "~1.2.3", "~1.2", "~1", "~0.2.3", "~2", "*", "1.*", "1.2.*", "==1.2.*",
    "1.2.3", "=1.2.3", "==1.2.3", ">=1.2", ">=1.2,<2", ">= 1.2, < 2.0", ">=1.2 <2", ">1.2", "!=1.2.3", "<=1.2.3", "~=1.2", "~=1.2.3",
    ">=3.6,<4.0", "^3.7", "^3.7.1", "~3.6", ">=2.7, !=3.0.*, !=3.1.*", "^2020.1", "^1.2,!=1.2.4", "1.2", "==1", "^10.2",
]


def pip():
    from pip._internal.network.session import PipSession
    from pip._internal.req import parse_requirements
    from pip._internal.req.constructors import install_req_from_parsed_requirement

    for path in sorted((HERE / "pip").glob("*.txt")):
        for parsed in parse_requirements(str(path), PipSession()):
            place = parsed.comes_from.removeprefix("-r ").removesuffix(")")
            file, line = place.rsplit(" (line ", 1)
            made = install_req_from_parsed_requirement(parsed)
            specifier = sorted(str(one) for one in made.specifier) if made.req else []
            hashes = parsed.options.get("hashes", {}).get("sha256", []) if parsed.options else []
            yield [path.name, pathlib.Path(file).name, line, made.name or "", " ".join(sorted(made.extras)), " ".join(specifier),
                   "link" if made.link else "", "editable" if made.editable else "", len(hashes), "marker" if made.markers else ""]


def poetry():
    from poetry.core.constraints.version import Version, parse_constraint

    for constraint in CONSTRAINTS:
        parsed = parse_constraint(constraint)
        yield [constraint, " ".join(version for version in VERSIONS if parsed.allows(Version.parse(version)))]


def setup_cfg():
    from setuptools.config.setupcfg import read_configuration

    for number, text in enumerate((HERE / "setup_cfg.txt").read_text().split("=====\n")):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "setup.cfg"
            path.write_text(text)
            options = read_configuration(path).get("options", {})
        for requirement in options.get("install_requires", []):
            yield [number, "install", str(requirement)]
        for extra, requirements in options.get("extras_require", {}).items():
            for requirement in requirements:
                yield [number, extra, requirement]
        if "python_requires" in options:
            yield [number, "python", str(options["python_requires"])]


def conda():
    import yaml

    for number, text in enumerate((HERE / "environment_yml.txt").read_text().split("=====\n")):
        for item in yaml.safe_load(text)["dependencies"] or []:
            for one in item["pip"] if isinstance(item, dict) else [item]:
                yield [number, "pip" if isinstance(item, dict) else "conda", one]


def write(name, header, rows):
    with open(HERE / name, "w", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    write("pip.tsv", ["case", "file", "line", "name", "extras", "specifiers", "link", "editable", "hashes", "marker"], pip())
    write("poetry.tsv", ["constraint", "of " + " ".join(VERSIONS)], poetry())
    write("setup_cfg.tsv", ["case", "for", "requirement"], setup_cfg())
    write("environment_yml.tsv", ["case", "for", "requirement"], conda())
