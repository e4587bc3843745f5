"""Measures the golden kernels on this machine's GPU with Nsight Compute and writes golden.csv; runs those of values.cu and writes
values.csv.

Usage: measure.py [--nvcc nvcc] [--ncu ncu] [-o golden.csv] [--values values.csv]

Needs a GPU whose counters may be read, nvcc and ncu. The tables then say what hardware counts and computes; the tests
`golden` compare the simulator with them, case by case and number by number. Where a count differs from that of the table
which is replaced, both are printed.
"""

import argparse
import csv
import datetime
import io
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Our counter -> Nsight Compute's metric, or several that are added: an atomic whose result is unused becomes a
# reduction, which has metrics of its own, and so has the part of an asynchronous copy that writes shared memory.
METRICS = {
    "global_load_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "global_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_store_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "global_store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "global_atomic_requests": ("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
                               "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"),
    "global_atomic_sectors": ("l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
                              "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"),
    "shared_load_requests": "smsp__inst_executed_op_shared_ld.sum",
    "shared_load_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_store_requests": ("smsp__inst_executed_op_shared_st.sum", "smsp__inst_executed_op_ldgsts.sum"),
    "shared_store_wavefronts": ("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
                                "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum"),
    "shared_atomic_requests": "smsp__inst_executed_op_shared_atom.sum",
    "shared_atomic_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
    "remote_shared_load_requests": "l1tex__t_requests_pipe_lsu_mem_dshared_op_ld.sum",
    "remote_shared_store_requests": "l1tex__t_requests_pipe_lsu_mem_dshared_op_st.sum",
    "remote_shared_atomic_requests": ("l1tex__t_requests_pipe_lsu_mem_dshared_op_atom.sum",
                                      "l1tex__t_requests_pipe_lsu_mem_dshared_op_redas.sum"),
    "texture_requests": "smsp__inst_executed_op_texture.sum",
    "texture_linear_sectors": "l1tex__t_sectors_pipe_tex_mem_texture.sum",
    "surface_load_requests": "smsp__inst_executed_op_surface_ld.sum",
    "surface_store_requests": "smsp__inst_executed_op_surface_st.sum",
}
# What the profiler's metric does not mean for a kernel: its cell stays empty, and nothing is compared with it.
# - NVIDIA does not say how the texels of an array lie in memory, so the simulator counts no sectors of these.
# - Asynchronous copies, and what waits for them, count among the instructions that load from shared memory.
# - The C++ library's atomic objects, and atomics on other blocks' shared memory, use instructions that take any address. The
#   profiler does not count those among the instructions for shared memory, but has wavefronts of that kind for all of them. So
#   do most loads of matrices for tensor cores, and stores of those of double.
UNTOLD = [(re.compile("fetch_.*array.*"), {"texture_linear_sectors"}),
          (re.compile("copy_async_.*"), {"shared_load_requests"}),
          (re.compile("object_add_shared"), {"shared_atomic_requests"}),
          (re.compile("object_(?!.*shared).*|remote_add_.*"), {"shared_atomic_wavefronts"}),
          (re.compile("matrix_[ab]_.*_shared"), {"shared_load_requests"}),
          (re.compile("matrix_c_double_.*_shared"), {"shared_load_requests", "shared_store_requests"})]


def parts_of(metric):
    return metric if isinstance(metric, tuple) else (metric,)


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
            counts[ours] = 0
            for part in parts_of(metric):
                value = row[part].replace(",", "")
                if float(value) != int(float(value)):
                    raise ValueError(f"{name}: {part} is {value}, no whole number")
                counts[ours] += int(float(value))
        for kernel, untold in UNTOLD:
            if kernel.fullmatch(name):
                counts.update(dict.fromkeys(untold))
        kernels.append((name, counts))
    return kernels


def read_table(path):
    """The rows of a golden.csv as {kernel: {counter: count}}, the count None for an empty cell; empty if there is no such file."""
    if not path.is_file():
        return {}
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    return {row.pop("kernel"): {counter: int(count) if count else None for counter, count in row.items()} for row in csv.DictReader(lines)}


def differences(before, kernels):
    """One sentence for each count of `kernels` that `before` has otherwise."""
    return [f"{name}: {counter} was {before[name][counter]}, is {count}" for name, counts in kernels if name in before
            for counter, count in counts.items() if before[name].get(counter, count) != count]


def run(command, **options):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def build(nvcc, source, folder):
    program = str(Path(folder) / source.stem)
    run([nvcc, "-std=c++20", "-arch=native", "-DGOLDEN_PROGRAM", "-o", program, str(source)])
    return program


def write_table(path, provenance, header, rows):
    with path.open("w", newline="") as file:
        file.write("".join(f"# {key}: {value}\n" for key, value in provenance.items()))
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--ncu", default="ncu")
    parser.add_argument("-o", "--output", type=Path, default=HERE / "golden.csv")
    parser.add_argument("--values", type=Path, default=HERE / "values.csv")
    options = parser.parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory() as folder:
            # The clocks are left alone: counts do not depend on them.
            text = run([options.ncu, "--csv", "--page", "raw", "--clock-control", "none", "--cache-control", "none",
                        "--print-kernel-base", "function", "--metrics",
                        ",".join(part for metric in METRICS.values() for part in parts_of(metric)),
                        build(options.nvcc, HERE / "golden.cu", folder)])
            values = [line.split(",") for line in run([build(options.nvcc, HERE / "values.cu", folder)]).splitlines()]
        kernels = parse_ncu(text)
        device = run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]).strip().splitlines()[0]
        toolkit = run([options.nvcc, "--version"]).strip().splitlines()[-1]
        ncu = run([options.ncu, "--version"]).strip().splitlines()[-1]
    except (OSError, subprocess.CalledProcessError, ValueError, KeyError) as error:
        print(f"measure.py: {error}", file=sys.stderr)
        return 1
    if not kernels or not values:
        print("measure.py: Nsight Compute reported no kernel, or values.cu gave nothing", file=sys.stderr)
        return 1
    before = read_table(options.output)
    today = f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}"
    provenance = {"device": device, "toolkit": toolkit, "profiler": ncu, "date": today, "command": "measure.py"}
    write_table(options.output, provenance, ["kernel", *METRICS], [[name, *counts.values()] for name, counts in kernels])
    del provenance["profiler"]
    write_table(options.values, provenance, ["case", *range(len(values[0]) - 1)], values)
    changed = differences(before, kernels)
    print(*changed, sep="\n", end="\n" if changed else "")
    print(f"{len(kernels)} kernels measured, {len(changed)} counts differ from the table before; {len(values)} cases of values")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
