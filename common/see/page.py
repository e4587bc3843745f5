"""Makes the page of `./warpbook see` from one trace, or from two: before and after."""
from __future__ import annotations

import json
import pathlib
import re
import subprocess
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
MOST_BYTES = 2_900_000  # of a page
IMPORT = re.compile(r'^import\s+(?:\{[^}]*\}\s+from\s+)?"\./([\w.]+)";\n', re.MULTILINE)
VIEWS = ("source", "request", "array", "time")

Record = dict[str, Any]


class BrokenTrace(Exception):
    """A trace that cannot be read; the text says where and why."""


def read_trace(path: pathlib.Path) -> list[Record]:
    records = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):  # a source's text may have other line ends
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise BrokenTrace(f"{path}:{number} is no JSON: {error}") from error
        if not isinstance(record, dict) or len(record) != 1:
            raise BrokenTrace(f"{path}:{number} is no record: it is to be an object with one key")
        records.append(record)
    if not records or "trace" not in records[0]:
        raise BrokenTrace(f"{path} is no trace: its first record is to be `trace`")
    if records[0]["trace"].get("version") != 1:
        raise BrokenTrace(f"{path} has version {records[0]['trace'].get('version')}, and 1 can be read")
    return records


def modules(entry: str = "page.js") -> list[pathlib.Path]:
    """The modules that `entry` imports, each after those that it imports itself."""
    order: list[pathlib.Path] = []

    def visit(name: str) -> None:
        path = HERE / name
        if path in order:
            return
        for imported in IMPORT.findall(path.read_text(encoding="utf-8")):
            visit(imported)
        order.append(path)

    visit(entry)
    return order


def code() -> str:
    """All modules as one: imports removed, `export` stripped. Names of modules' own must differ; a test sees to it."""
    parts = [re.sub(r"^export ", "", IMPORT.sub("", path.read_text(encoding="utf-8")), flags=re.MULTILINE) for path in modules()]
    text = "\n".join(parts)
    if "</script" in text.lower():
        raise ValueError("the page's code must not contain </script")
    return text


compact = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def cluster(launch: Record, block: int) -> int:
    """The number of the cluster that a block is in, as clusterOf in model.js."""
    width, height, _ = launch["grid"]
    across, down, deep = launch.get("cluster", [1, 1, 1])
    x, y, z = block % width, block // width % height, block // (width * height)
    columns, rows = -(-width // across), -(-height // down)
    return x // across + columns * (y // down + rows * (z // deep))


def wanted_first(units: list[tuple[int, int]], findings: list[Record], launches: list[Record]) -> list[tuple[int, int]]:
    """Clusters of blocks by how much the page needs them: those of findings, the first and the last, then evenly spread."""
    order: dict[tuple[int, int], None] = {}
    known = set(units)
    for finding in findings:
        for place in finding.get("places", []):
            if "launch" in place and "block" in place:
                unit = (place["launch"], cluster(launches[place["launch"]], place["block"]))
                if unit in known:
                    order[unit] = None
    order[units[0]] = None
    order[units[-1]] = None
    parts = 2
    while len(order) < len(units):  # halves, quarters, eighths …
        for part in range(1, parts):
            order[units[part * len(units) // parts]] = None
        if parts >= len(units):
            order.update(dict.fromkeys(units))
        parts *= 2
    return list(order)


def sampled(records: list[Record], room: int) -> tuple[list[Record], Record | None]:
    """The trace within `room` bytes: steps of whole clusters of blocks only, and what was left out.

    Records of the other kinds are kept, because their numbers identify them; only child grids at the end are dropped
    where there are so many that they take more than a third.
    """
    if len(compact(records).encode()) <= room:
        return records, None
    launches = [record["launch"] for record in records if "launch" in record]
    kept_launches, used = 0, 0
    for launch in launches:
        used += len(compact(launch)) + 14
        if used > room // 3 and kept_launches > 0:
            break
        kept_launches += 1
    findings = [record["finding"] for record in records if "finding" in record]
    for finding in findings:
        finding["places"] = [
            {key: value for key, value in place.items() if place.get("launch", 0) < kept_launches or key in ("file", "line", "access")}
            for place in finding.get("places", [])
        ]

    others: list[Record] = []
    steps: list[tuple[tuple[int, int] | None, Record, int]] = []  # cluster, step, bytes
    blocks: dict[tuple[int, int], set[int]] = {}
    launch_number = 0
    for record in records:
        if "launch" in record:
            launch_number += 1
            if launch_number <= kept_launches:
                others.append(record)
        elif "step" in record:
            step = record["step"]
            unit = None
            if step["kind"] != "host":
                unit = (step["launch"], cluster(launches[step["launch"]], step["block"]))
                blocks.setdefault(unit, set()).add(step["block"])
            steps.append((unit, record, len(compact(record)) + 1))
        else:
            others.append(record)
    room -= sum(len(compact(record)) + 1 for record in others)

    size: dict[tuple[int, int] | None, int] = {}
    for unit, _, length in steps:
        size[unit] = size.get(unit, 0) + length
    all_blocks = sum(len(members) for members in blocks.values())
    units = sorted(unit for unit in size if unit is not None and unit[0] < kept_launches)
    chosen: set[tuple[int, int]] = set()
    left = room - size.get(None, 0)
    for unit in wanted_first(units, findings, launches) if units else []:
        if size[unit] <= left:
            chosen.add(unit)
            left -= size[unit]
    cut: tuple[int, int] | None = None
    if not chosen and units:  # one cluster is too large by itself: its first steps
        cut = wanted_first(units, findings, launches)[0]
        chosen.add(cut)

    kept: list[Record] = []
    used = 0
    for unit, record, length in steps:
        if unit is not None and unit not in chosen:
            continue
        if unit == cut and cut is not None:
            used += length
            if used > room:
                continue
        step = record["step"]
        if step.get("child", 0) >= kept_launches:
            record = {"step": {key: value for key, value in step.items() if key != "child"}}
        kept.append(record)
    left_out = len(steps) - len(kept)
    shown = sum(len(blocks[unit]) for unit in chosen)
    result = []
    for record in [*(r for r in others if "end" not in r), *kept, *(r for r in others if "end" in r)]:
        if "end" in record:
            record = {"end": {"steps": len(kept), "left_out": record["end"].get("left_out", 0) + left_out}}
        result.append(record)
    return result, {"blocks": all_blocks, "blocks_shown": shown, "steps_left_out": left_out}


def page(traces: list[list[Record]], select: str = "") -> str:
    """The page's text. `select` is what stands behind # in its address at first, as `line=57&request=3`."""
    template = (HERE / "page.html").read_text(encoding="utf-8")
    style = (HERE / "page.css").read_text(encoding="utf-8")
    script = code()
    room = MOST_BYTES - len(template) - len(style) - len(script.encode())
    data = []
    for records in traces:
        kept, sample = sampled(records, room // len(traces))
        data.append({"records": kept, "sample": sample} if sample else {"records": kept})
    title = traces[0][0]["trace"].get("title", "A kernel") + (": before and after" if len(traces) > 1 else "")
    values = {
        "TITLE": title.replace("&", "&amp;").replace("<", "&lt;"),
        "STYLE": style,
        "DATA": compact({"traces": data, "select": select}).replace("<", "\\u003c"),
        "CODE": script,
    }
    return re.sub("@(TITLE|STYLE|DATA|CODE)@", lambda match: values[match.group(1)], template)


def write_page(traces: list[pathlib.Path], out: pathlib.Path, select: str = "") -> None:
    """Writes the page of one trace, or of two side by side."""
    out.write_text(page([read_trace(path) for path in traces], select), encoding="utf-8")


def write_pictures(trace: pathlib.Path, folder: pathlib.Path, select: str = "") -> list[pathlib.Path]:
    """Draws the page's main pictures of a trace as SVG and PNG. Needs node and rsvg-convert; returns what was written."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for view in VIEWS:
        drawn = subprocess.run(["node", str(HERE / "picture.js"), str(trace), "--view", view, "--select", select], capture_output=True,
                               encoding="utf-8")
        if drawn.returncode == 2:  # the trace has nothing of the kind
            continue
        if drawn.returncode != 0:
            raise RuntimeError(f"{view} of {trace} was not drawn: {drawn.stderr.strip()}")
        svg = folder / f"{trace.stem}-{view}.svg"
        svg.write_text(drawn.stdout, encoding="utf-8")
        png = svg.with_suffix(".png")
        subprocess.run(["rsvg-convert", "--zoom", "2", "-o", str(png), str(svg)], check=True)
        written += [svg, png]
    return written
