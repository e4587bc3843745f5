"""Makes the wheel of a build with WARPBOOK_WHEEL: make_wheel.py BUILD OUT writes warpbook-VERSION-py3-none-PLATFORM.whl into OUT.

The wheel holds the folder warpbook/ with the programs, what they need beside themselves (common/process/installed.hpp),
and wheel.json, which says what each grader was made from. Standard library only.
"""
from __future__ import annotations

import argparse
import base64
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ("simtcc", "simtrun", "warpbook-runner-sim")
#: What the programs are made from, below common/; the lab's own files come on top of it.
FOLDERS = ("call", "confine", "grader", "process", "runner", "simt", "text", "timing", "yardsticks")
_SUFFIXES = {".cpp", ".hpp", ".h", ".cu", ".cuh", ".list", ".txt", ".py"}
_RUBRIC = {".cpp", ".hpp", ".h"}
_TIME = (2020, 1, 1, 0, 0, 0)  # of packed files: the same build makes the same wheel


def _hash(root: pathlib.Path, files: list[pathlib.Path]) -> str:
    said = "".join(f"{path.relative_to(root).as_posix()}:{hashlib.sha256(path.read_bytes()).hexdigest()}\n" for path in sorted(files))
    return hashlib.sha256(said.encode()).hexdigest()


def hash_of_programs(root: pathlib.Path) -> str:
    """Of all files of the tree at `root` that simulator, compiler and the graders' library are made from."""
    return _hash(root, [path for name in FOLDERS for path in (root / "common" / name).rglob("*")
                        if path.suffix in _SUFFIXES and path.is_file()])


def hash_of_lab(folder: pathlib.Path) -> str:
    """Of the files of a lab that its grader is made from: rubric, contract and messages."""
    return _hash(folder, [path for path in folder.iterdir() if path.name == "messages.md" or
                          (path.suffix in _RUBRIC and path.name != "bench.cpp")])


def _newest_glibc(programs: list[pathlib.Path]) -> int:
    """The N of the newest symbol version GLIBC_2.N that `programs` ask for."""
    said = subprocess.run(["objdump", "-T", *map(str, programs)], capture_output=True, text=True, check=True).stdout
    return max(int(minor) for minor in re.findall(r"GLIBC_2\.(\d+)", said))


def contents(root: pathlib.Path, build: pathlib.Path) -> dict[str, pathlib.Path | str]:
    """The files below warpbook/, and where they come from; texts as such."""
    labs = sorted(path.parent for path in (root / "labs").glob("*/lab.json"))
    names = [*PROGRAMS, *(f"grade-{lab.name[:2]}" for lab in labs)]
    files: dict[str, pathlib.Path | str] = {f"bin/{name}": build / "bin" / name for name in names}
    include = root / "common/simt/include"
    files |= {f"include/simt/{path.relative_to(include).as_posix()}": path for path in include.rglob("*") if path.is_file()}
    files["exports.list"] = root / "common/simt/runtime/exports.list"
    files["modules/yardsticks/sim.so"] = build / "modules/yardsticks/sim.so"
    files["yardsticks.hpp"] = root / "common/yardsticks/yardsticks.hpp"
    files |= {f"labs/{lab.name}/{path.name}": path for lab in labs for path in lab.glob("*.hpp")}
    said = {"programs": hash_of_programs(root), "labs": {lab.name: hash_of_lab(lab) for lab in labs}}
    files["wheel.json"] = json.dumps(said, indent=1) + "\n"
    files["__init__.py"] = '"""Programs of Warpbook, for a workbook\'s ./warpbook."""\n'
    return files


def write(root: pathlib.Path, build: pathlib.Path, out: pathlib.Path) -> pathlib.Path:
    """Writes the wheel and returns its path."""
    version = re.search(r"project\(Warpbook VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
    files = contents(root, build)
    platform = f"manylinux_2_{_newest_glibc([path for name, path in files.items() if name.startswith('bin/')])}_x86_64"
    info = f"warpbook-{version}.dist-info"
    packed = {f"warpbook/{name}": content for name, content in files.items()}
    packed[f"{info}/METADATA"] = (f"Metadata-Version: 2.1\nName: warpbook\nVersion: {version}\nSummary: CUDA labs that grade themselves\n"
                                  "Requires-Python: >=3.9\nRequires-Dist: rich\n")
    packed[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: warpbook\nRoot-Is-Purelib: false\nTag: py3-none-{platform}\n"
    out.mkdir(parents=True, exist_ok=True)
    wheel = out / f"warpbook-{version}-py3-none-{platform}.whl"
    record = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        def put(name: str, data: bytes, mode: int) -> None:
            entry = zipfile.ZipInfo(name, _TIME)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)

        for name, content in sorted(packed.items()):
            data = content.encode() if isinstance(content, str) else content.read_bytes()
            put(name, data, 0o755 if name.startswith("warpbook/bin/") else 0o644)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}")
        put(f"{info}/RECORD", "\n".join([*record, f"{info}/RECORD,,", ""]).encode(), 0o644)
    return wheel


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    arguments = parser.parse_args()
    print(write(ROOT, arguments.build.resolve(), arguments.out))
    sys.exit(0)
