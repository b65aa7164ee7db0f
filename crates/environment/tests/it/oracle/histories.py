"""Writes release histories as JSON lines, one `Entry` of the crate's `index` module a line.

    python histories.py FOLDER OUT.jsonl NAME...

FOLDER keeps the index's answers. The grouping of files into releases is read here from PEP 440, 503, 592, 691 and
700, apart from the crate's own code, so that an export of the crate can be compared with it.
"""

import json
import re
import sys
from pathlib import Path

from packaging.version import InvalidVersion, Version

from upstream import Upstream, normalise

ARCHIVES = (".tar.gz", ".zip", ".tar.bz2", ".tgz", ".tar.xz")
BUILT_FOR_ONE_PLATFORM = re.compile(r"\.(linux-[^-]*|macosx-.*|win32|win-amd64)(-py\d.*)?$")


def stem(file_name):
    """The name of a wheel or source archive without its ending; `None` for what no pip installs."""
    if file_name.endswith(".whl"):
        return file_name[: -len(".whl")]
    for ending in ARCHIVES:
        if file_name.endswith(ending):
            bare = file_name[: -len(ending)]
            return None if BUILT_FOR_ONE_PLATFORM.search(bare) else bare
    return None


def version_of(file_name, name):
    """The version that a file's name bears, or `None`."""
    bare = stem(file_name)
    if bare is None:
        # Eggs and installers date a release too: name-version-py2.7.egg, name-1.0.win32.exe.
        match = re.match(r"(.+?)-(\d[^-]*?)(?:\.win|\.linux|\.macosx|-|\.egg|\.rpm|$)", file_name)
        if not match or normalise(match.group(1)) != normalise(name):
            return None
        return match.group(2)
    if file_name.endswith(".whl"):
        return bare.split("-")[1]
    cuts = [at.start() for at in re.finditer("-", bare) if normalise(bare[: at.start()]) == normalise(name)]
    return bare[max(cuts) + 1 :] if cuts else None


def release(version, text, files):
    """One release of its listed files; `None` where nothing of it can be installed."""
    installable = [file for file in files if stem(file["filename"])]
    if not installable:
        return None
    yanked = all(file["yanked"] is not False for file in installable)
    kept = [file for file in installable if yanked or file["yanked"] is False]
    bounds = [file["requires-python"] for file in kept if (file.get("requires-python") or "").strip()]
    out = {"version": str(version), "text": text, "uploaded": min(file["upload-time"] for file in files)}
    if yanked:
        out["yanked"] = True
    if bounds:
        out["requires_python"] = bounds[0]
    out["files"] = [
        {
            "name": file["filename"],
            "uploaded": file["upload-time"],
            "size": file["size"],
            "sha256": file["hashes"]["sha256"],
        }
        for file in sorted(kept, key=lambda file: file["filename"])
    ]
    return out


def entry(page):
    """The `Entry` of one page of the Simple API."""
    groups = {}
    for file in page["files"]:
        text = version_of(file["filename"], page["name"])
        try:
            groups.setdefault(Version(text or ""), (text, []))[1].append(file)
        except InvalidVersion:
            continue
    releases = [release(version, text, files) for version, (text, files) in sorted(groups.items())]
    name = normalise(page["name"])
    return {"history": {"name": name, "releases": [one for one in releases if one]}, "metadata": {}}


def main():
    folder, out, *names = sys.argv[1:]
    upstream = Upstream(folder)
    entries = [entry(upstream.page(name)) for name in sorted({normalise(name) for name in names})]
    lines = (json.dumps(one, ensure_ascii=False, separators=(",", ":")) + "\n" for one in entries)
    Path(out).write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
