"""The configured package index, asked through pip itself, with every answer kept in a folder.

The address, certificates, time limits and retries are those of the user's pip: this file names no host. Only what
is asked for by name is fetched, each page and each file once. Needs a pip of 24 or later as the running one.
"""

import hashlib
import json
import os
import re
import threading
import urllib.parse
from pathlib import Path

from pip._internal.commands import create_command

SIMPLE_JSON = "application/vnd.pypi.simple.v1+json"


def normalise(name):
    """A distribution's normalised name (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name.strip()).lower()


class Upstream:
    """Pages and files of the index, from the folder where it has them."""

    def __init__(self, folder):
        self.pages = Path(folder) / "pages"
        self.files = Path(folder) / "files"
        self.pages.mkdir(parents=True, exist_ok=True)
        self.files.mkdir(parents=True, exist_ok=True)
        command = create_command("download")
        options, _ = command.parse_args(["--no-cache-dir"])
        self.index = options.index_url.rstrip("/")
        self.session = command._build_session(options)
        self.lock = threading.Lock()
        self.fetching = {}

    def page(self, name):
        """The answer of the Simple API (PEP 691) for a distribution; `None` where the index has none."""
        name = normalise(name)
        kept = self.pages / f"{name}.json"
        with self.lock:
            if kept.exists():
                return json.loads(kept.read_text())
            address = f"{self.index}/{name}/"
            answer = self.session.get(address, headers={"Accept": SIMPLE_JSON})
            if answer.status_code == 404:
                kept.write_text("null")
                return None
            answer.raise_for_status()
            page = answer.json()
            for file in page["files"]:
                file["url"] = urllib.parse.urljoin(answer.url, file["url"])
            write_whole(kept, json.dumps(page).encode())
            return page

    def file(self, listed):
        """The path of a listed file, fetched where it is not kept; its digest is checked."""
        kept = self.files / listed["filename"]
        with self.lock:
            busy = self.fetching.setdefault(listed["filename"], threading.Lock())
        with busy:
            if not kept.exists():
                self.fetch(listed, kept)
        return kept

    def fetch(self, listed, kept):
        """Streams a listed file to its place."""
        answer = self.session.get(listed["url"].split("#")[0], headers={"Accept-Encoding": "identity"}, stream=True)
        answer.raise_for_status()
        digest = hashlib.sha256()
        partial = partial_of(kept)
        with partial.open("wb") as out:
            for chunk in answer.iter_content(1 << 20):
                digest.update(chunk)
                out.write(chunk)
        expected = listed.get("hashes", {}).get("sha256")
        if expected and digest.hexdigest() != expected:
            partial.unlink()
            raise ValueError(f"{listed['filename']}: the index sent another file than it lists")
        partial.rename(kept)


def partial_of(path):
    """Where a file is written until it is whole."""
    return path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}.partial")


def write_whole(path, content):
    """Writes a file so that nobody ever reads half of it."""
    partial = partial_of(path)
    partial.write_bytes(content)
    partial.rename(path)
