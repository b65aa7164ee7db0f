"""A package index on loopback that hides what was uploaded later than a date.

    python dated_index.py FOLDER [PORT]

`/<date>/simple/<name>/` is the Simple page (PEP 503) of a distribution with the files uploaded before the start of
that day (UTC), with their Requires-Python and yank marks. When a file was yanked is unknown, so the marks are those
of today. Pages and files come from the configured index through `upstream.py`, and are kept in FOLDER.
"""

import html
import re
import shutil
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from upstream import Upstream, normalise

PAGE = re.compile(r"/(\d{4}-\d\d-\d\d)/simple/([A-Za-z0-9._-]+)/?")
FILE = re.compile(r"/files/([a-z0-9-]+)/([^/]+)")


def anchor(name, file):
    """The link to one file."""
    marks = ""
    if file.get("requires-python"):
        marks += f' data-requires-python="{html.escape(file["requires-python"])}"'
    if file["yanked"] is not False:
        reason = file["yanked"] if isinstance(file["yanked"], str) else ""
        marks += f' data-yanked="{html.escape(reason)}"'
    address = f"/files/{name}/{file['filename']}#sha256={file['hashes']['sha256']}"
    return f'<a href="{address}"{marks}>{file["filename"]}</a><br>\n'


def simple_page(page, date):
    """The page of a distribution as of a date."""
    name = normalise(page["name"])
    shown = [file for file in page["files"] if file["upload-time"] < date]
    links = "".join(anchor(name, file) for file in shown)
    return f"<!DOCTYPE html>\n<html><head><title>{name}</title></head><body>\n{links}</body></html>\n"


class Handler(BaseHTTPRequestHandler):
    """Answers pips."""

    protocol_version = "HTTP/1.1"
    upstream = None

    def do_GET(self):
        asked = self.path.split("?")[0]
        if match := PAGE.fullmatch(asked):
            self.page(*match.groups())
        elif match := FILE.fullmatch(asked):
            self.file(*match.groups())
        else:
            self.missing()

    def page(self, date, name):
        page = self.upstream.page(name)
        if page is None:
            return self.missing()
        body = simple_page(page, date).encode()
        self.head(200, "text/html; charset=utf-8", len(body))
        self.wfile.write(body)

    def file(self, name, file_name):
        page = self.upstream.page(name)
        listed = next((file for file in page["files"] if file["filename"] == file_name), None) if page else None
        if listed is None:
            return self.missing()
        path = self.upstream.file(listed)
        self.head(200, "application/octet-stream", path.stat().st_size)
        with path.open("rb") as content:
            shutil.copyfileobj(content, self.wfile, 1 << 20)

    def missing(self):
        self.head(404, "text/plain", 0)

    def head(self, status, kind, length):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def log_message(self, *_):
        """Requests are not told: the pips' own logs say what they asked for."""


def serve(folder, port=0):
    """A server that is not running yet; `server_port` says where it listens."""
    handler = type("Served", (Handler,), {"upstream": Upstream(folder)})
    return ThreadingHTTPServer(("127.0.0.1", port), handler)


def main():
    server = serve(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    print(f"http://127.0.0.1:{server.server_port}/<date>/simple/", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
