"""What stands beside lab 04's table of floors, and what its steps quote. Read by plots/floors.py and plots/figures.py."""
from __future__ import annotations

from comparison import Lab, listed
from measurements import Measurements, pick

LONG = str(1 << 28)  # elements, of the comparison of the steps
GRID = "dot_in_blocks_f32"


def value(data: Measurements, submission: str, metric: str, function: str = "dot_f32", n: str = LONG, blocks: str = "0") -> float | None:
    """One number of the measurements; None if it is not in them. `submission` may be a step's name without its idea."""
    found = [row for row in pick(data.rows, metric=metric, function=function, n=n, blocks=blocks)
             if row["submission"] == submission or row["submission"].startswith(submission + "_")]
    return float(found[0]["value"]) if found else None


def beside(data: Measurements, lab: Lab) -> list[str]:
    """What the pictures show, in figures; nothing where a part was not measured."""
    speed = {name: value(data, name, "bandwidth") for name in ("step-v0", "step-v1", "step-v2", "step-v3", "step-v4", "step-v5", "step-v7")}
    ratio = {name: value(data, name, "ratio_to_read") for name in ("step-v3", "step-v5", "step-v7", "solution")}
    queue, doubles = value(data, "step-v0", "time"), value(data, "solution", "ratio_to_read", "dot_f64")
    short = {name: value(data, name, "time", "dot_deterministic_f32" if name == "step-v6" else "dot_f32", "65536") for name in ("step-v5", "step-v6")}
    grids = {blocks: value(data, "step-v5", "bandwidth", GRID, blocks=blocks) for blocks in ("528", "792")}
    if None in (*speed.values(), *ratio.values(), queue, doubles, *short.values(), *grids.values()):
        return []
    lines = [
        f"- One atomic addition for every product (v0) reaches {speed['step-v0']:.1f} GB/s: one addition to the address every "
        f"{queue * 1e3 / int(LONG):.1f} ns. With one for every 256 products (v1, v2) it is {speed['step-v1']:,.0f} GB/s for either tree, "
        "although the first makes almost four times as many requests to shared memory: the queue of atomic operations is still the limit.",
        f"- The grid-stride loop (v3) ends the queue: {speed['step-v3']:,.0f} GB/s, {ratio['step-v3']:.2f} of a read. Shuffles (v4) do not "
        f"change that ({speed['step-v4']:,.0f} GB/s), because each block adds up its threads only once.",
        f"- 16 bytes per access and many accesses in flight (v5) reach {ratio['step-v5']:.2f} of a read, and v7 {ratio['step-v7']:.3f}. "
        f"The readable solution is at {ratio['solution']:.2f}, and at {doubles:.2f} for doubles, which are twice as long.",
        f"- v5 in 528 blocks reads {grids['528']:,.0f} GB/s, and in 792 blocks {grids['792']:,.0f}. A multiprocessor holds 5 of these blocks, 132 of "
        "them hold 660: 132 of the 792 blocks run after the others, and most of the GPU waits for them.",
        f"- A short dot product of 65,536 floats takes {short['step-v5']:.2f} µs with atomic additions (v5) and {short['step-v6']:.2f} µs with a last "
        f"block (v6): {short['step-v6'] - short['step-v5']:.2f} µs more for the same bits on every run.",
    ]
    return lines


def quoted_in_steps(data: Measurements, lab: Lab) -> dict[str, str]:
    """{step: what its head says after "Measured"}"""
    def speed(name: str) -> str:
        return f"{value(data, name, 'bandwidth'):,.0f}"

    def of_read(name: str) -> str:
        return f"{value(data, name, 'ratio_to_read'):.2f} of a read"

    def grid(name: str, blocks: int) -> str:
        return f"{value(data, name, 'bandwidth', GRID, blocks=str(blocks)):,.0f}"

    def times(names: list[str], n: int) -> list[str]:
        return [f"{value(data, name, 'time', n=str(n)):.1f}" for name in names]

    libraries = ["step-v7", "peer-cub", "peer-cublas"]
    v0 = value(data, "step-v0", "bandwidth")
    one_pass, two = times(["step-v6", "step-v5"], 1 << 16)
    phrases = {"v0": f"{v0:.1f} GB/s, that is one atomic addition every {value(data, 'step-v0', 'time') * 1e3 / int(LONG):.1f} ns.",
               "v1": f"{speed('step-v1')} GB/s, {of_read('step-v1')}.",
               "v2": f"{speed('step-v2')} GB/s.",
               "v3": f"{grid('step-v3', 1056)} GB/s with 1,056 blocks, {grid('step-v3', 528)} with 528.",
               "v4": f"{speed('step-v4')} GB/s.",
               "v5": f"{speed('step-v5')} GB/s, {of_read('step-v5')} (cuBLAS {speed('peer-cublas')}, CUB {speed('peer-cub')}). Few blocks are "
                     f"enough: {grid('step-v5', 132)} GB/s with 132 of them, where step 3 has {grid('step-v3', 132)}.",
               "v6": f"{speed('step-v6')} GB/s. 2^16 floats: {one_pass} µs, where step 5 takes {two}:"}
    heads = {step: f"H200, 2^28 floats: {phrase}" for step, phrase in phrases.items()}
    heads["v7"] = (f"H200, this step, CUB and cuBLAS: {listed([speed(name) for name in libraries])} GB/s at 2^28 floats; "
                   f"{listed(times(libraries, 1 << 18))} µs at 2^18; {listed(times(libraries, 1 << 12))} µs at 2^12.")
    steps = {row["submission"].removeprefix("step-") for row in data.rows}
    return {step: head for step in steps for name, head in heads.items() if step.startswith(name + "_")}
