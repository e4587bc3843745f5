"""Reads the CSV files that the benches write. Standard library only.

A file is `# key: value` lines that say where the numbers come from, a header row,
and one row per measured value. Every lab's file has the columns of REQUIRED; its
own parameters (offset, n, ...) stand between them.
"""
from __future__ import annotations

import csv
import dataclasses
import math
import pathlib

REQUIRED = ("submission", "function", "metric", "value", "unit")


class BrokenFile(Exception):
    """The file cannot be drawn; the text is a sentence with file and line."""


@dataclasses.dataclass
class Measurements:
    provenance: dict[str, str]
    columns: list[str]
    rows: list[dict[str, str]]

    def need(self, path: pathlib.Path, numeric: tuple[str, ...] = (), text: tuple[str, ...] = ()) -> None:
        """Raises BrokenFile unless these columns are there, and the numeric ones hold numbers."""
        missing = [column for column in (*numeric, *text) if column not in self.columns]
        if missing:
            raise BrokenFile(f"{path} has no column '{missing[0]}'; it has {', '.join(self.columns)}.")
        for row in self.rows:
            for column in numeric:
                try:
                    float(row[column])
                except ValueError:
                    where = f"{path}, line {row['line']}"
                    raise BrokenFile(f"{where}: {column} is '{row[column]}', not a number.") from None


def read(path: str | pathlib.Path) -> Measurements:
    """Reads and checks a file of measurements; each row also gets its `line`."""
    path = pathlib.Path(path)
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise BrokenFile(f"{path} is not a text file.") from None
    except OSError as error:
        raise BrokenFile(f"{path} cannot be read: {error.strerror}.") from None

    provenance: dict[str, str] = {}
    columns: list[str] = []
    rows: list[dict[str, str]] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if line.startswith("#"):
            key, colon, value = line[1:].partition(":")
            if colon:
                provenance[key.strip()] = value.strip()
            continue
        cells = [cell.strip() for cell in next(csv.reader([line]))]
        if not columns:
            missing = [column for column in REQUIRED if column not in cells]
            if missing:
                raise BrokenFile(f"{path}, line {number}: the header row has no column '{missing[0]}'.")
            columns = cells
            continue
        if len(cells) != len(columns):
            raise BrokenFile(f"{path}, line {number}: {len(cells)} cells, and the header row has {len(columns)}.")
        row = dict(zip(columns, cells), line=str(number))
        try:
            finite = math.isfinite(float(row["value"]))
        except ValueError:
            finite = False
        if not finite:
            raise BrokenFile(f"{path}, line {number}: the value is '{row['value']}', not a number.")
        rows.append(row)
    if not columns:
        raise BrokenFile(f"{path} holds no header row.")
    if not rows:
        raise BrokenFile(f"{path} holds no measurements below its header row.")
    return Measurements(provenance, columns, rows)


def pick(rows: list[dict[str, str]], **wanted: str) -> list[dict[str, str]]:
    """The rows that have these values in these columns."""
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def least_of(row: dict[str, str]) -> float | None:
    """What the task needs at least of what the row measured; None where that is a matter of choice, or an older file does not say."""
    return float(row["least"]) if row.get("least") else None


def least_over(rows: list[dict[str, str]], along: str) -> list[tuple[float, float]]:
    """The points of a line over the column `along`: the least that the task needs, as far as it is known."""
    least: dict[float, float] = {}
    for row in rows:
        if (value := least_of(row)) is not None:
            least[float(row[along])] = min(value, least.get(float(row[along]), value))
    return sorted(least.items())


def copy_speed(measurements: Measurements) -> float | None:
    """GB/s of the yardstick copy, if it was measured."""
    found = pick(measurements.rows, submission="yardstick", function="copy", metric="effective_bandwidth")
    return float(found[0]["value"]) if found else None
