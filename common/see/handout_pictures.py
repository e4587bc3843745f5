"""The pictures of accesses in the handouts, drawn from traces by the code that draws the pages.

  handout_pictures.py BINARY_DIR SOURCE_DIR --write    draws them into docs/images
  handout_pictures.py BINARY_DIR SOURCE_DIR --check    fails where one of them is not what would be drawn
  handout_pictures.py BINARY_DIR SOURCE_DIR --reads    prints the modules that the pictures are of

BINARY_DIR is a build of the preset sim with the modules of solutions and mutants. Needs node.
"""
from __future__ import annotations

import argparse
import dataclasses
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass(frozen=True)
class Picture:
    lab: str
    submission: str  # the solution, or a mutant
    function: str
    view: str  # as picture.js calls it
    name: str  # of the file
    select: str = ""


PICTURES = (
    Picture("01", "mutant-one_chunk_per_thread", "offset_add_f32", "request", "01-see-chunk"),
    Picture("02", "mutant-tile_without_padding", "transpose", "request", "02-see-column-of-a-tile"),
    Picture("05", "solution", "reduce_nested", "grids", "05-see-nested-grids"),
    Picture("06", "solution", "histogram_cluster", "request", "06-see-other-block", "line=136"),
)


def source_of(picture: Picture, binary: pathlib.Path, source: pathlib.Path) -> pathlib.Path:
    if picture.submission.startswith("mutant-"):
        return binary / "mutants" / picture.lab / f"{picture.submission.removeprefix('mutant-')}.cu"
    return next(source.glob(f"solutions/{picture.lab}-*/*.cu"))


def module_of(picture: Picture, binary: pathlib.Path) -> pathlib.Path:
    return binary / "modules" / picture.lab / "sim" / f"{picture.submission}.so"


def drawn(picture: Picture, binary: pathlib.Path, source: pathlib.Path, folder: pathlib.Path) -> str:
    """The picture as SVG, of a trace that is made now."""
    trace = folder / "trace.jsonl"
    subprocess.run([binary / "bin" / f"grade-{picture.lab}", "--submission", picture.submission, "--kind", "handin", "--backend", "sim",
                    "--module", module_of(picture, binary), "--runner",
                    binary / "bin" / "warpbook-runner-sim", "--source", source_of(picture, binary, source), "--see", picture.function,
                    "--result", trace], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run(["node", HERE / "picture.js", trace, "--view", picture.view, "--select", picture.select], check=True,
                          capture_output=True, encoding="utf-8")
    return done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--write", action="store_true")
    what.add_argument("--check", action="store_true")
    what.add_argument("--reads", action="store_true")
    options = parser.parse_args()
    if options.reads:
        print(*(module_of(picture, options.binary) for picture in PICTURES), sep="\n")
        return 0
    other = []
    with tempfile.TemporaryDirectory() as folder:
        for picture in PICTURES:
            svg = drawn(picture, options.binary, options.source, pathlib.Path(folder))
            path = options.source / "docs" / "images" / f"{picture.name}.svg"
            if options.write:
                path.write_text(svg, encoding="utf-8")
            elif not path.exists() or path.read_text(encoding="utf-8") != svg:
                other.append(path.name)
    if other:
        print(f"{', '.join(other)}: not what is drawn now. Look at the difference, then run common/see/handout_pictures.py --write")
    return 1 if other else 0


if __name__ == "__main__":
    sys.exit(main())
