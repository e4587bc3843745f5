"""Finds the tools, headers, libraries and Python modules that Warpbook needs; changes nothing."""
from __future__ import annotations

import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys

from . import build_folder, requirements, wheel
from .requirements import MINIMUM, Requirement


@dataclasses.dataclass
class Finding:
    """One requirement on this machine. `problem` is empty when it is met."""

    requirement: Requirement
    path: str = ""
    version: str = ""
    problem: str = ""
    watched: list[str] = dataclasses.field(default_factory=list)  # files whose change calls for a new look


@dataclasses.dataclass
class Machine:
    findings: list[Finding]
    compiler: str = ""
    python: str = ""

    def missing(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.problem]


def parse_version(text: str) -> tuple[int, ...]:
    """The version in a tool's `--version` output: () if there is none.

    g++ puts a package version in brackets first, so its own stands last on the line.
    """
    first = next((line for line in text.splitlines() if line.strip()), "")
    named = re.search(r"(?:clang version|cmake version|release|V)\s*(\d+(?:\.\d+)+)", text)
    if named:
        found = [named.group(1)]
    else:
        found = re.findall(r"(?<![\w.])\d+(?:\.\d+)+", re.sub(r"\([^)]*\)", " ", first))
    return tuple(int(part) for part in found[-1].split(".")) if found else ()


def dotted(version: tuple[int, ...]) -> str:
    return ".".join(str(part) for part in version)


def output_of(command: list[str], timeout: float = 20, env: dict[str, str] | None = None, stderr: int = subprocess.STDOUT,
              errors: str = "replace") -> str | None:
    """stdout and, if that is not sent elsewhere, stderr of a command that succeeded; None if it did not, or cannot be run. `errors`: what
    becomes of bytes that are not UTF-8."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr, timeout=timeout, env=env, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", errors=errors) if done.returncode == 0 else None


def _tool(requirement: Requirement, names: list[str], minimum: tuple[int, ...] = ()) -> Finding:
    finding = Finding(requirement, problem="not found")
    for name in names:
        path = shutil.which(name)
        if not path:
            continue
        version = parse_version(output_of([path, "--version"]) or "")
        finding = Finding(requirement, path, dotted(version), watched=[path])
        if not version:
            finding.problem = "does not answer to --version"
        elif version < minimum:
            finding.problem = f"{dotted(version)} is too old, {dotted(minimum)} is needed"
        if not finding.problem:
            return finding
    return finding


_USUAL_LIBRARY_FOLDERS = ["/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"]


@dataclasses.dataclass
class _SearchPaths:
    headers: list[str]
    libraries: list[str]


def _extra_prefixes() -> list[str]:
    return [prefix for prefix in re.split(r"[:;]", os.environ.get("CMAKE_PREFIX_PATH", "")) if prefix]


def _search_paths(compiler: str) -> _SearchPaths:
    """Where the compiler looks, asked of the compiler itself; the usual places if there is none."""
    headers: list[str] = []
    libraries: list[str] = []
    if compiler:
        said = output_of([compiler, "-E", "-v", "-x", "c++", os.devnull]) or ""
        listed = re.search(r"#include <\.\.\.> search starts here:\n(.*?)End of search list", said, re.S)
        headers = [line.strip() for line in listed.group(1).splitlines()] if listed else []
        said = output_of([compiler, "-print-search-dirs"]) or ""
        listed = re.search(r"^libraries: =?(.*)$", said, re.M)
        libraries = [path.lstrip("=") for path in listed.group(1).split(":")] if listed else []
    else:
        headers = ["/usr/local/include", "/usr/include/x86_64-linux-gnu", "/usr/include"]
    libraries += _USUAL_LIBRARY_FOLDERS
    for prefix in _extra_prefixes():
        headers += [f"{prefix}/include", f"{prefix}/include/x86_64-linux-gnu"]
        libraries += [f"{prefix}/lib", f"{prefix}/lib/x86_64-linux-gnu", f"{prefix}/lib64"]
    return _SearchPaths(headers, libraries)


def _first_existing(folders: list[str], names: list[str]) -> str:
    for folder in folders:
        for name in names:
            path = os.path.join(folder, name)
            if os.path.exists(path):
                return os.path.normpath(path)
    return ""


def find_compiler() -> Finding:
    """$CXX if set, else the first of c++, g++ and clang++ that is new enough and brings its headers."""
    requirement = requirements.COMPILER
    chosen = os.environ.get("CXX", "").split(" ")[0]
    best = Finding(requirement, problem="not found (g++ 11 or clang++ 14)")
    for name in [chosen] if chosen else ["g++", "clang++", "c++"]:
        path = shutil.which(name)
        if not path:
            continue
        said = output_of([path, "--version"]) or ""
        kind = "clang++" if "clang" in said.split("\n", 1)[0] else "g++"
        version = parse_version(said)
        finding = Finding(requirement, path, f"{kind} {dotted(version)}", watched=[path])
        if not version:
            finding.problem = "does not answer to --version"
        elif version < MINIMUM[kind]:
            finding.problem = f"{kind} {dotted(version)} is too old, {dotted(MINIMUM[kind])} is needed"
        else:
            folders = _search_paths(path).headers
            lacking = [header for header in ("span", "stdio.h") if not _first_existing(folders, [header])]
            if not lacking:
                return finding
            finding.problem = f"has no <{lacking[0]}>: its standard library is not installed"
        best = finding
    if chosen and not best.path:
        best.problem = f"CXX={chosen} is not a program on PATH"
    return best


def _dependency(requirement: Requirement, paths: _SearchPaths, header: str, libraries: list[str] | None = None,
                version: tuple[list[str], str] | None = None) -> Finding:
    """A header, and the library that belongs to it. `version` is (headers, pattern) that tells which one it is."""
    found = _first_existing(paths.headers, [header])
    if not found:
        return Finding(requirement, problem=f"no <{header}>")
    finding = Finding(requirement, found, watched=[found])
    if libraries:
        library = _first_existing(paths.libraries, libraries)
        if not library:
            finding.problem = f"no {libraries[0]}"
            return finding
        finding.watched.append(library)
    if version:
        source = _first_existing(paths.headers, version[0])
        try:
            text = pathlib.Path(source).read_text(errors="replace") if source else ""
        except OSError:
            text = ""
        match = re.search(version[1], text)
        finding.version = ".".join(match.groups()).replace("_", ".") if match else ""
    return finding


def _three_macros(prefix: str) -> str:
    return r"[\s\S]*?".join(rf"{prefix}_{part}\s+(\d+)" for part in ("MAJOR", "MINOR", "PATCH"))


def find_headers(compiler: str) -> list[Finding]:
    paths = _search_paths(compiler)
    return [
        _dependency(requirements.DOCTEST, paths, "doctest/doctest.h",
                    version=(["doctest/doctest.h"], _three_macros("DOCTEST_VERSION"))),
        _dependency(requirements.BOOST, paths, "boost/context/detail/fcontext.hpp",
                    ["libboost_context.so", "libboost_context.a"],
                    (["boost/version.hpp"], r'BOOST_LIB_VERSION "([\d_]+)"')),
        _dependency(requirements.LIBFFI, paths, "ffi.h", ["libffi.so", "libffi.a"],
                    (["ffi.h"], r"libffi (\d[\d.]*\d)")),
        _dependency(requirements.JSON, paths, "nlohmann/json.hpp",
                    version=(["nlohmann/detail/abi_macros.hpp", "nlohmann/json.hpp"],
                             _three_macros("NLOHMANN_JSON_VERSION"))),
        _dependency(requirements.CLI11, paths, "CLI/CLI.hpp",
                    version=(["CLI/Version.hpp"], _three_macros("CLI11_VERSION"))),
        _dependency(requirements.ELFUTILS, paths, "elfutils/libdwfl.h", ["libdw.so", "libdw.a"],
                    (["elfutils/version.h"], r"_ELFUTILS_VERSION\s+(\d+)")),
        _dependency(requirements.SECCOMP, paths, "seccomp.h", ["libseccomp.so", "libseccomp.a"],
                    (["seccomp.h"], _three_macros("SCMP_VER").replace("PATCH", "MICRO"))),
    ]


_MODULES_PROBE = """
import importlib.util as u, importlib.metadata as m, sys
if sys.version_info < (3, 9): sys.exit(1)
for n in sys.argv[1:]:
    s = u.find_spec(n)
    try: v = m.version(n) if s else ""
    except Exception: v = ""
    print("found", n, s.origin if s else "", v, sep="|")
"""


def python_candidates(root: pathlib.Path) -> list[str]:
    """Interpreters that may hold the modules: this one, the workbook's venv, that of the wheel which has given it out, the system's, every one
    on PATH."""
    candidates = [sys.executable or "", os.path.join(build_folder.of(root), "venv", "bin", "python3"), wheel.giver(root).get("python", ""),
                  "/usr/bin/python3"]
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        candidates.append(os.path.join(folder, "python3"))
    usable = [path for path in candidates if path and os.access(path, os.X_OK)]
    return list(dict.fromkeys(usable))


def python_modules(interpreter: str, *names: str) -> dict[str, tuple[str, str]]:
    """Modules, by default matplotlib and rich, as `interpreter` sees them: name -> (file, version), without importing them."""
    said = output_of([interpreter, "-c", _MODULES_PROBE, *(names or ("matplotlib", "rich"))]) or ""
    rows = [line.split("|") for line in said.splitlines() if line.startswith("found|")]
    return {row[1]: (row[2], row[3]) for row in rows if len(row) == 4 and row[2]}


def find_python(root: pathlib.Path, with_matplotlib: bool = True) -> tuple[str, list[Finding]]:
    """The first interpreter with matplotlib and rich, and what it has; the fullest one if none has both."""
    wanted = {"matplotlib": requirements.MATPLOTLIB, "rich": requirements.RICH}
    if not with_matplotlib:
        del wanted["matplotlib"]
    best: tuple[str, dict[str, tuple[str, str]]] = ("", {})
    for interpreter in python_candidates(root):
        modules = {name: where for name, where in python_modules(interpreter).items() if name in wanted}
        if len(modules) > len(best[1]) or not best[0]:
            best = (interpreter, modules)
        if len(modules) == len(wanted):
            break
    interpreter, modules = best
    findings = []
    for name, requirement in wanted.items():
        if name in modules:
            origin, version = modules[name]
            findings.append(Finding(requirement, origin, version, watched=[interpreter, origin]))
        else:
            findings.append(Finding(requirement, problem=f"no python3 here can import {name}"))
    if any(finding.problem for finding in findings):
        # apt installs for the system's interpreter: both modules have to be there.
        system = python_modules("/usr/bin/python3")
        for finding in findings:
            name = finding.requirement.name
            if not finding.problem and name not in system:
                finding.problem = f"{interpreter} has {name}, but no python3 has both matplotlib and rich"
        interpreter = ""
    return interpreter, findings


def survey(root: pathlib.Path, with_wheel: bool = False) -> Machine:
    """Looks at everything that is needed: for a build from source, or for the programs of a wheel."""
    compiler = find_compiler()
    usable = "" if compiler.problem else compiler.path
    if with_wheel:
        python, modules = find_python(root, with_matplotlib=False)
        return Machine([compiler, _tool(requirements.BINUTILS, ["objcopy"]), *modules], usable, python)
    python, modules = find_python(root)
    findings = [
        compiler,
        _tool(requirements.CMAKE, ["cmake"], MINIMUM["cmake"]),
        _tool(requirements.NINJA, ["ninja", "ninja-build"]),
        _tool(requirements.BINUTILS, ["objcopy"]),
        *find_headers(usable),
        *modules,
    ]
    return Machine(findings, usable, python)
