"""Measures the golden kernels on this machine's GPU with Nsight Compute and writes golden.csv.

Usage: measure.py [--nvcc nvcc] [--ncu ncu] [-o golden.csv]

Needs a GPU whose counters may be read, nvcc and ncu. The table then says what hardware counts; the test
`golden` compares the simulator with it, case by case and number by number.
"""

import argparse
import csv
import datetime
import io
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Our counter -> Nsight Compute's metric.
METRICS = {
    "global_load_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "global_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_store_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "global_store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "shared_load_requests": "smsp__inst_executed_op_shared_ld.sum",
    "shared_load_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_store_requests": "smsp__inst_executed_op_shared_st.sum",
    "shared_store_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
}


def parse_ncu(text):
    """Nsight Compute's CSV (one row a kernel and metric, page `raw`) as (kernel name, {counter: count}) in launch order."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    rows = list(csv.DictReader(io.StringIO("\n".join(lines))))
    kernels = []
    for row in rows:
        if not row.get("ID"):  # the row of units
            continue
        name = row["Kernel Name"].strip()
        counts = {}
        for ours, metric in METRICS.items():
            value = row[metric].replace(",", "")
            if float(value) != int(float(value)):
                raise ValueError(f"{name}: {metric} is {value}, no whole number")
            counts[ours] = int(float(value))
        kernels.append((name, counts))
    return kernels


def run(command, **options):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--ncu", default="ncu")
    parser.add_argument("-o", "--output", type=Path, default=HERE / "golden.csv")
    options = parser.parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory() as folder:
            program = str(Path(folder) / "golden")
            run([options.nvcc, "-std=c++20", "-arch=native", "-DGOLDEN_PROGRAM", "-o", program, str(HERE / "golden.cu")])
            # The clocks are left alone: counts do not depend on them.
            text = run([options.ncu, "--csv", "--page", "raw", "--clock-control", "none", "--cache-control", "none",
                        "--print-kernel-base", "function", "--metrics", ",".join(METRICS.values()), program])
        kernels = parse_ncu(text)
        device = run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]).strip().splitlines()[0]
        toolkit = run([options.nvcc, "--version"]).strip().splitlines()[-1]
        ncu = run([options.ncu, "--version"]).strip().splitlines()[-1]
    except (OSError, subprocess.CalledProcessError, ValueError, KeyError) as error:
        print(f"measure.py: {error}", file=sys.stderr)
        return 1
    if not kernels:
        print("measure.py: Nsight Compute reported no kernel", file=sys.stderr)
        return 1
    with options.output.open("w", newline="") as file:
        file.write(f"# device: {device}\n# toolkit: {toolkit}\n# profiler: {ncu}\n")
        file.write(f"# date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}\n# command: measure.py\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["kernel", *METRICS])
        for name, counts in kernels:
            writer.writerow([name, *counts.values()])
    print(f"{len(kernels)} kernels measured")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
