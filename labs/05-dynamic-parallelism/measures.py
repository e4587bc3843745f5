"""Lab 05's own rules for the floors of its lab.json, read by plots/floors.py, and the measured figures that its pages and steps
quote, read by plots/figures.py."""
from __future__ import annotations

import dataclasses
import pathlib

from comparison import Task, matching
from floors import Bytes, Floor, Labs, issue_rate, number
from measurements import Measurements, read


@dataclasses.dataclass(frozen=True)
class Launches:
    """Every int is read once, at the speed of a kernel that only reads as many bytes; then a launch of this kind, at what
    one of a chain of eight took."""

    launch: str = ""   # the submission that made the chain
    kind: str = ""
    columns: tuple[str, ...] = ("size",)
    counted: float = 1

    def floor(self, labs: Labs, lab: str, task: Task) -> Floor | None:
        read = Bytes("read", 4, self.columns, 4, is_read=True).floor(labs, lab, task)
        if read is None or not self.launch:
            return read
        prices = [float(row["value"]) for row in labs[lab].rows
                  if row["submission"] == self.launch and row["function"] == "one launch of a chain of eight"]
        return Floor(read.seconds + prices[0] * 1e-6, f"{read.text}, and {self.kind} of {prices[0]:.3g} µs") if prices else None


@dataclasses.dataclass(frozen=True)
class Steps:
    """The pixels that the rule asks for take so many steps in all, which the bench counted on the CPU; a step is seven additions
    and multiplications, each rounded by itself."""

    slots: int = 7
    columns: tuple[str, ...] = ("size", "size")
    counted: float = 1

    def floor(self, labs: Labs, lab: str, task: Task) -> Floor | None:
        rate = issue_rate(labs[lab])
        found = matching([row for row in labs[lab].rows if row["metric"] == "steps"], task.where)
        if not found or rate is None:
            return None
        steps = float(found[0]["value"])
        return Floor(steps * self.slots / rate[0], f"{number(steps)} steps x {self.slots} issue slots / {rate[1]}")


RULES = {"launches": Launches, "steps": Steps}


# ---- what README.md and more.md quote

SIZE = 2**24  # ints, of the sums that the pages speak of
PART = 256
ROUNDS = [2**k for k in range(8)]  # their distances


def requests_of(warps_with_work: int) -> int:
    """Of a block's loads: the part's elements, two per round and warp with an addition, and the sum."""
    return PART // 32 + 2 * warps_with_work + 1


def one(rows, **where) -> float:
    [value] = [float(row["value"]) for row in rows if all(row[key] == str(wanted) for key, wanted in where.items())]
    return value


def counted(function: str, metric: str, submission: str = "solution") -> float:
    """What the simulator counted."""
    simulated = read(pathlib.Path(__file__).parents[2] / "plots" / "data" / "05-dynamic-parallelism-sim.csv")
    return one(simulated.rows, submission=submission, function=function, metric=metric)


def quoted(data: Measurements, lab) -> list[str]:
    """The phrases of README.md and more.md that hold measured figures."""
    def sums(submission: str, function: str) -> float:
        return one(data.rows, submission=submission, function=function, size=SIZE, metric="time")

    def launch(submission: str) -> float:
        return one(data.rows, submission=submission, function="one launch of a chain of eight")

    def picture(submission: str, max_dwell: int) -> float:
        return one(data.rows, submission=submission, function="mandelbrot_adaptive", max_dwell=max_dwell, metric="time")

    phrases = []
    # Threads that lie apart keep every warp at work as long as their distance is less than a warp.
    apart = sum(min(PART // 32, PART // (2 * distance)) for distance in ROUNDS)
    together = sum(-(-PART // (2 * distance) // 32) for distance in ROUNDS)
    for function, warps in (("reduce_neighbored", apart), ("reduce_neighbored_less", together), ("reduce_interleaved", together)):
        phrases.append(f"| `{function}` | {requests_of(warps)} | {counted(function, 'active_lanes'):.1f} | "
                       f"{counted(function, 'sectors_per_part'):.0f} | {sums('solution', function):.0f} µs |")
    phrases += [f"The loop of TODO(1) makes {requests_of(apart)}, this one {requests_of(together)}.",
                f"{counted('reduce_neighbored_less', 'sectors_per_part'):.0f} sectors per part, where 112 are allowed",
                f"112 sectors per part, where {counted('reduce_interleaved', 'sectors_per_part'):.0f} are needed in global memory",
                f"a launch in such a chain costs {launch('step-level_v0_tail_launch'):.0f} µs, and {launch('peer-host_chain'):.0f} µs if the "
                "host makes it",
                f"the rule computes {100 * counted('mandelbrot_adaptive', 'pixels_computed'):.0f}% of the pixels"]

    phrases += [f"| {what} | {launch(submission):.1f} µs |" for what, submission in
                (("as a node of a CUDA graph", "peer-graph"), ("by the host", "peer-host_chain"),
                 ("by device code, fire and forget", "step-nested_v1_fire_and_forget"),
                 ("by device code, as a tail launch", "step-level_v0_tail_launch"),
                 ("by device code, into the block's own stream", "step-nested_v0_own_stream"))]
    host, own, refused = (sums("peer-host_chain", "reduce_nested_by_level"), sums("step-nested_v0_own_stream", "reduce_nested"),
                          sums("step-nested_v1_fire_and_forget", "reduce_nested"))
    phrases += [f"| flat, the last step | {sums('step-flat_v2_sixteen_bytes_per_lane', 'reduce_interleaved'):.1f} µs |",
                f"| level by level, a tail launch per level | {sums('step-level_v0_tail_launch', 'reduce_nested_by_level'):.0f} µs |",
                f"| the same levels, launched by the host | {host:.1f} µs |",
                f"| {SIZE // PART * 7:,} launches, with room for all that are pending | {own / 1000:.0f} ms |",
                f"does the rest itself | {refused / 1000:.2f} ms |"]

    shared = {function: sums("step-flat_v1_in_shared_memory", function)
              for function in ("reduce_neighbored", "reduce_neighbored_less", "reduce_interleaved")}
    phrases += [f"take {sums('solution', 'reduce_neighbored'):.0f} µs both",
                f"`reduce_neighbored` takes {shared['reduce_neighbored']:.1f} µs and `reduce_interleaved` {shared['reduce_interleaved']:.1f} µs",
                f"`reduce_neighbored_less` takes {shared['reduce_neighbored_less']:.1f} µs there"]

    flat = {most: picture("step-mandelbrot_v0_flat", most) for most in (64, 256, 1024, 4096)}
    faster = [most for most, time in flat.items() if picture("step-mandelbrot_v3_aggregated", most) < time]
    always_slower = all(picture("step-mandelbrot_v1_quarters", most) > time for most, time in flat.items())
    phrases += ["With a launch per division (v1) it is slower than the flat kernel, which computes every pixel, at all four values"
                if always_slower else "With a launch per division (v1) it is not always slower",
                f"(v3) it is faster from {min(faster):,} steps on",
                f"(v5) it takes {picture('step-mandelbrot_v5_sixteen_steps_at_once', 4096) / 1000:.2f} ms, where every pixel takes "
                f"{flat[4096] / 1000:.2f} ms"]
    newest = "step-mandelbrot_v6_new_pixels_only"
    if any(row["submission"] == newest for row in data.rows):  # older measurements have no such step
        phrases.append(f"step v6 takes {picture(newest, 4096) / 1000:.2f} ms")
    return phrases


def quoted_in_steps(data: Measurements, lab) -> dict[str, str]:
    """{step: what its head says after "Measured"}"""
    times = {row["submission"].removeprefix("step-"): float(row["value"]) for row in data.rows
             if row["function"] == "mandelbrot_adaptive" and row["max_dwell"] == "4096" and row["submission"].startswith("step-")}
    return {step: f"H200, 4096 x 4096 pixels, at most 4,096 steps: {time / 1000:.2f} ms." for step, time in times.items()}


def counted_in_steps(data: Measurements, lab) -> dict[str, str]:
    """{step: what its head says of counts that are fractions}"""
    flat = "flat_v0_in_global_memory"
    lanes, sectors = ([f"{counted(f'reduce_{which}', metric, f'step-{flat}'):.{digits}f}" for which in ("neighbored", "neighbored_less", "interleaved")]
                      for metric, digits in (("active_lanes", 1), ("sectors_per_part", 0)))
    pixels = [f"{counted('mandelbrot_adaptive', 'pixels_computed', f'step-mandelbrot_{step}'):.2f}" for step in ("v2_border_once", "v1_quarters")]
    return {flat: f"active lanes of 32: {lanes[0]}, {lanes[1]} and {lanes[2]} on average; sectors read: {sectors[0]}, {sectors[1]} and {sectors[2]}.",
            "mandelbrot_v2_border_once": f"fewer pixels computed: {pixels[0]} instead of {pixels[1]} of the"}
