"""Times the page of a study of the paper's size in headless Chromium, beside a plain table of the same versions, in turn."""

import html
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

import polars

# Scrolls something from top to end in 240 frames; gives the time of each frame in milliseconds.
SCROLL = """const [selector, done] = arguments;
const box = selector ? document.querySelector(selector) : document.scrollingElement;
const frames = [], step = (box.scrollHeight - box.clientHeight) / 240;
let last = performance.now();
const frame = (now) => {
    frames.push(now - last); last = now;
    if (frames.length > 240) return done(frames.slice(1));
    box.scrollTop += step; requestAnimationFrame(frame);
};
requestAnimationFrame(frame);"""
OPEN = """const [place, done] = arguments, start = performance.now();
const rows = document.querySelectorAll('#list [data-row]'); rows[place % rows.length].click();
const name = new URLSearchParams(location.hash.slice(1)).get('version');
const look = () => document.getElementById('version').textContent.includes(name) ? done(performance.now() - start) : requestAnimationFrame(look);
look();"""


def study(data, folder, copies):
    for path in data.glob("*.parquet"):
        frame = polars.read_parquet(path)
        if "version" in frame.columns and frame.height:
            name = lambda copy: polars.lit(f"{copy:03}-") + polars.col("version")
            frame = polars.concat([frame.with_columns(version=name(copy)) for copy in range(copies)])
        frame.write_parquet(folder / path.name)


def plain(folder):
    """What one would write without thinking of size: every outcome a row of one table."""
    rows = polars.read_parquet(folder / "outcomes.parquet", columns=["version", "condition", "outcome", "score", "deviation", "reason"]).rows()
    cells = "".join("<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    path = folder / "plain.html"
    path.write_text(f"<!doctype html><meta charset=utf-8><title>plain</title><table>{cells}</table>")
    return path


class Browser:
    def __init__(self):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        said = (re.search(r"successfully on port (\d+)", line) for line in self.driver.stdout)
        self.address = f"http://127.0.0.1:{next(found for found in said if found)[1]}/session"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe", "--window-size=1280,900"]
        options = {"browserName": "chrome", "goog:chromeOptions": {"args": arguments}}
        self.address += "/" + self.call("", {"capabilities": {"alwaysMatch": options}})["sessionId"]

    def call(self, path, body):
        request = urllib.request.Request(self.address + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        return json.load(urllib.request.urlopen(request))["value"]

    def run(self, script, *arguments):
        return self.call("/execute/async", {"script": script, "args": arguments})

    def load(self, path, ready):
        """Milliseconds from the start of the navigation until something is ready, in the page's own clock."""
        self.call("/url", {"url": "about:blank"})
        self.call("/url", {"url": f"file://{path}"})
        return self.run("const [done] = arguments; const look = () => { const at = " + ready + "; at ? done(at) : setTimeout(look, 5); }; look();")

    def close(self):
        urllib.request.urlopen(urllib.request.Request(self.address, method="DELETE"))
        self.driver.kill()


def main():
    program, data = map(pathlib.Path, sys.argv[1:3])
    # 318 copies of the 40 released versions are the 12,720 of the paper.
    rounds, copies = map(int, sys.argv[3:])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        study(data, folder, copies)
        page, table = folder / "report.html", plain(folder)
        started = time.perf_counter()
        subprocess.run([program, "report", "--data", folder, "--out", page], check=True, capture_output=True)
        print(f"page: written in {time.perf_counter() - started:.1f} s, {page.stat().st_size / 1e6:.1f} MB; "
              f"a plain table of the outcomes alone {table.stat().st_size / 1e6:.1f} MB")
        browser = Browser()
        ours, theirs, opened, frames, plain_frames = [], [], [], [], []
        for place in range(rounds):
            ours.append(browser.load(page, "performance.getEntriesByName('ready')[0]?.startTime"))
            opened.append(browser.run(OPEN, place))
            frames += browser.run(SCROLL, "#list")
            theirs.append(browser.load(table, "performance.getEntriesByType('navigation')[0].loadEventEnd"))
            plain_frames += browser.run(SCROLL, None)
        browser.close()
    mine, plain_time = statistics.median(ours), statistics.median(theirs)
    print(f"page: ready {mine:.0f} ms (at most {max(ours):.0f}), the plain table {plain_time:.0f} ms: {plain_time / mine:.1f} times as fast")
    print(f"page: a version opens in {statistics.median(opened):.0f} ms (at most {max(opened):.0f})")
    for what, times in [("scrolling the list", frames), ("scrolling the plain table", plain_frames)]:
        times.sort()
        print(f"page: {what}: frames of {statistics.median(times):.1f} ms, 95 % within {times[len(times) * 95 // 100]:.1f} ms, longest {times[-1]:.1f} ms")


if __name__ == "__main__":
    main()
