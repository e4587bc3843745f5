"""What the simulator costs, and what its peers cost on the same work where they are installed.

Usage: benchmark.py BUILD [--against OTHER] [--works NAME,...] [--repetitions 5] [--small] [--numba-python PYTHON]
                    [--json FILE]

BUILD is a build folder (build/sim) with the targets simtcc and simtrun. They translate and run works.cu, the program
beside this file, with counters and race checks on. The time of a work is the CPU time of the whole process, user and
system: the smallest of the repetitions.

--against OTHER compares with the build folder of another commit. Its own simtcc and simtrun do the same works, in turn
with BUILD's, and the table has both times, their ratio (OTHER / BUILD) and the peak memory of both.
--small takes sizes that only show that all works run. Oclgrind is found as `oclgrind-kernel` on the PATH, Numba in the
Python that is named.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
ACCESSES = ("global_load_lanes", "global_store_lanes", "shared_load_lanes", "shared_store_lanes")


@dataclass(frozen=True)
class Work:
    name: str
    size: int
    small: int
    what: str

    def sized(self, small):
        return self.small if small else self.size


WORKS = (
    Work("transpose", 1024, 32, "1024 x 1024 transpose in shared memory"),
    Work("increment", 1 << 20, 256, "one load and one store by each of 2^20 threads"),
    Work("rotate", 64, 1, "shared memory with a barrier between accesses, 64 blocks of 256 threads"),
    Work("nbody", 8192, 256, "gravity between 8,192 bodies, tile by tile"),
    Work("scan", 1 << 20, 1024, "sums of 2^20 integers, blocks of 1,024 threads"),
    Work("product", 512, 16, "512 x 512 x 512 matrix product, tiles of 16 x 16"),
)
# Of the table of one build: how the cost per access changes with the size.
SIZES = tuple(Work("increment", 1 << exponent, 256, f"one load and one store by each of 2^{exponent} threads")
              for exponent in (18, 22, 24))


@dataclass
class Cost:
    """Of one run, or of the one among several that took least."""
    cpu: float  # seconds, user and system
    peak: float  # MiB, when the kernels have run
    kernels: float  # seconds of CPU time
    accesses: int  # by lanes, to global and shared memory

    def least(self, other):
        faster = min(self, other, key=lambda cost: cost.cpu)
        return replace(faster, peak=min(self.peak, other.peak))


class Build:
    """works.cu, translated and run by the simulator of a build folder."""

    def __init__(self, folder, scratch):
        self.runner = folder / "bin" / "simtrun"
        self.program = scratch / "works.so"
        subprocess.run([folder / "bin" / "simtcc", "--program", "-o", self.program, HERE / "works.cu"], check=True)

    def run(self, work, size):
        command = [str(self.runner), "--json", str(self.program), work, str(size)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            output = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise subprocess.CalledProcessError(process.returncode, command)
        report = json.loads(output)
        seconds, peak = map(float, report["output"].split())
        accesses = sum(kernel["counters"].get(name, 0) for kernel in report["kernels"] for name in ACCESSES)
        return Cost(usage.ru_utime + usage.ru_stime, peak / 1024, seconds, accesses)


def measure(builds, work, size, repetitions):
    """The least cost of a work for each of the builds, which take turns."""
    best = [build.run(work, size) for build in builds]
    for _ in range(repetitions - 1):
        best = [cost.least(build.run(work, size)) for cost, build in zip(best, builds)]
    return best


def comparison(builds, works, options):
    rows = [("work", "CPU", "before", "ratio", "peak memory", "before")]
    for work in works:
        now, before = measure(builds, work.name, work.sized(options.small), options.repetitions)
        rows.append((work.what, f"{now.cpu:.3f} s", f"{before.cpu:.3f} s", f"{before.cpu / now.cpu:.2f}",
                     f"{now.peak:.0f} MiB", f"{before.peak:.0f} MiB"))
    return rows


def costs(build, works, options):
    rows = [("work", "CPU", "kernels, per access", "peak memory")]
    for work in works + tuple(size for size in SIZES if size.name in (work.name for work in works)):
        [cost] = measure([build], work.name, work.sized(options.small), options.repetitions)
        rows.append((work.what, f"{cost.cpu:.3f} s", f"{cost.kernels / cost.accesses * 1e9:.1f} ns",
                     f"{cost.peak:.0f} MiB"))
    return rows


def wall_time(command, **options):
    start = time.perf_counter()
    output = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout
    return time.perf_counter() - start, output


def peers(options):
    """Rows of the table for the peers that are here, with wall times."""
    rows = []
    oclgrind = shutil.which("oclgrind-kernel")
    if oclgrind:
        wall = min(wall_time([oclgrind, "--data-races", "transpose.sim"], cwd=HERE)[0] for _ in range(3))
        rows.append(("Oclgrind with race detection, the same transpose", f"{wall:.2f} s"))
    if options.numba_python:
        _, output = wall_time([options.numba_python, str(HERE / "numba_transpose.py"), "64"])
        small = json.loads(output)
        estimate = small["seconds"] * 1024 * 1024 / small["elements"]
        rows.append(("Numba's CUDA simulator, 64 x 64", f"{small['seconds']:.2f} s"))
        rows.append(("the same, extrapolated to 1024 x 1024", f"{estimate:.0f} s"))
    return rows


def choose(names):
    known = [work.name for work in WORKS]
    for name in names:
        if name not in known:
            raise ValueError(f"no such work: {name}; there are {', '.join(known)}")
    return tuple(work for work in WORKS if not names or work.name in names)


def print_table(rows):
    columns = max(len(row) for row in rows)
    rows = [row + ("",) * (columns - len(row)) for row in rows]
    widths = [max(len(row[column]) for row in rows) for column in range(columns)]
    for row in rows:
        print("  ".join([row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]))


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--works", default="")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--numba-python")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    try:
        works = choose([name for name in options.works.split(",") if name])
        with tempfile.TemporaryDirectory() as own, tempfile.TemporaryDirectory() as other:
            build = Build(options.build.resolve(), Path(own))
            if options.against:
                rows = comparison([build, Build(options.against.resolve(), Path(other))], works, options)
            else:
                rows = costs(build, works, options) + peers(options)
    except (OSError, subprocess.CalledProcessError, ValueError) as error:
        print(f"benchmark.py: {error}", file=sys.stderr)
        return 1
    print_table(rows)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
