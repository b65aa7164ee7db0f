"""Times Kendall's tau-b against scipy's, and Cliff's delta against its definition, in turn, several times."""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
from scipy import stats


def measure(program, name, x, y, rounds, folder):
    # For the definition of Cliff's delta, of each side.
    pairs, values = len(x), len(x) // 50
    path = folder / "pairs"
    path.write_bytes(numpy.column_stack((x, y)).astype("<f8").tobytes())
    peer, ours = [], []
    for _ in range(rounds):
        started = time.perf_counter()
        tau = stats.kendalltau(x, y).statistic
        peer.append(time.perf_counter() - started)
        said = subprocess.run([program, str(path), str(values)], check=True, capture_output=True, text=True).stdout
        ours.append(json.loads(said))
        assert abs(ours[-1]["tau"] - tau) < 1e-12, (ours[-1]["tau"], tau)
    median = {key: statistics.median(one[key] for one in ours) for key in ours[0]}
    scipy = statistics.median(peer)
    print(f"stats, {name}: Kendall's tau-b of {pairs:,} pairs: {median['kendall']:.3f} s, "
          f"scipy {scipy:.3f} s, {scipy / median['kendall']:.1f} times as fast")
    print(f"stats, {name}: Cliff's delta of {values:,} and {values:,} values: {median['cliff'] * 1000:.2f} ms, "
          f"by its definition {median['definition'] * 1000:.1f} ms, {median['definition'] / median['cliff']:.0f} times as fast; "
          f"of {pairs:,} and {pairs:,} values: {median['cliff_all']:.3f} s")


def main():
    program, rounds, pairs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    random = numpy.random.default_rng(20250101)
    x = random.normal(size=pairs)
    noise = random.normal(size=pairs)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        measure(program, "untied", x, 0.3 * x + noise, rounds, folder)
        measure(program, "tied", numpy.round(8 * x), numpy.round(2 * x + 8 * noise), rounds, folder)


if __name__ == "__main__":
    main()
