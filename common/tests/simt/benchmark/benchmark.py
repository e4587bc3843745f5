"""What the simulator costs, and what its peers cost on the same work where they are installed.

Usage: benchmark.py BUILD [--repetitions 5] [--numba-python PYTHON] [--json FILE]

BUILD is the build folder (build/sim), with the target simt-benchmark built. Oclgrind is found as `oclgrind-kernel` on
the PATH, Numba in the Python that is named. Prints a table; times are medians of whole processes unless they say
otherwise.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


def timed(command, repetitions, **options):
    """The median wall time of a process in seconds, and what the last one printed."""
    times, output = [], ""
    for _ in range(repetitions):
        start = time.perf_counter()
        output = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout
        times.append(time.perf_counter() - start)
    return statistics.median(times), output


class Benchmark:
    def __init__(self, build):
        self.program = build / "bin" / "simt-benchmark"
        self.module = build / "common" / "tests" / "simt" / "simt-benchmark-module.so"

    def run(self, work, size, repetitions):
        """Wall seconds of the process, and the program's own figures with the median of its seconds."""
        results = []
        for _ in range(repetitions):
            wall, output = timed([str(self.program), str(self.module), work, str(size)], 1)
            results.append((wall, json.loads(output)))
        figures = results[-1][1]
        figures["seconds"] = statistics.median(figure["seconds"] for _, figure in results)
        return statistics.median(wall for wall, _ in results), figures


def peers(options):
    """Rows of the table for the peers that are here."""
    rows = []
    oclgrind = shutil.which("oclgrind-kernel")
    if oclgrind:
        wall, _ = timed([oclgrind, "--data-races", "transpose.sim"], 3, cwd=HERE)
        rows.append(("Oclgrind with race detection, the same transpose", f"{wall:.2f} s"))
    else:
        rows.append(("Oclgrind", "not installed"))
    if options.numba_python:
        _, output = timed([options.numba_python, str(HERE / "numba_transpose.py"), "64"], 1)
        small = json.loads(output)
        estimate = small["seconds"] * 1024 * 1024 / small["elements"]
        rows.append(("Numba's CUDA simulator, 64 x 64", f"{small['seconds']:.2f} s"))
        rows.append(("the same, extrapolated to 1024 x 1024", f"{estimate:.0f} s"))
    else:
        rows.append(("Numba's CUDA simulator", "no --numba-python given"))
    return rows


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--numba-python")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    benchmark = Benchmark(options.build.resolve())
    rows = []
    try:
        wall, figures = benchmark.run("transpose", 1024, options.repetitions)
        rows.append(("1024 x 1024 transpose in shared memory, counters and race checks on", f"{wall:.3f} s"))
        rows.append(("its kernel alone", f"{figures['seconds']:.3f} s"))
        rows.append(("its peak memory", f"{figures['peak_mib']:.0f} MiB"))
        for exponent in (16, 18, 20, 22, 24):
            repetitions = 1 if exponent > 22 else 3
            _, figures = benchmark.run("increment", 1 << exponent, repetitions)
            cost = figures["seconds"] / figures["accesses"] * 1e9
            rows.append((f"one load and one store by each of 2^{exponent} threads",
                         f"{cost:.0f} ns per access, peak {figures['peak_mib']:.0f} MiB"))
        _, figures = benchmark.run("rotate", 64, 3)
        cost = figures["seconds"] / figures["accesses"] * 1e9
        rows.append(("shared memory with a barrier between accesses, 64 blocks", f"{cost:.0f} ns per access"))
        rows += peers(options)
    except (OSError, subprocess.CalledProcessError, ValueError) as error:
        print(f"benchmark.py: {error}", file=sys.stderr)
        return 1
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"{name:{width}}  {value}")
    if options.json:
        options.json.write_text(json.dumps(dict(rows), indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
