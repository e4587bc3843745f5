"""Finds the CUDA programs of a repository: files with a main, what is compiled with each, and where its headers lie.

A folder whose CMakeLists.txt has add_executable is taken at its word. Elsewhere each file with a main is a program;
with it belong the files that a line of its folder's Makefile names beside it, or, where it is the folder's only main,
the folder's other sources.
"""
from __future__ import annotations

import dataclasses
import pathlib
import re
from collections.abc import Callable

SOURCES = {".cu", ".cpp", ".cc", ".cxx", ".c"}
#: Folders of headers that samples keep beside their programs, at any level above them.
HEADER_FOLDERS = ("Common", "common", "inc", "include", "Common/UtilNPP")
MAIN = re.compile(r"^[ \t]*(?:extern\s+\"C\"\s+)?(?:(?:int|void|auto)\s+(?:[A-Z_]+\s+)?)main\s*\(|^main\s*\(", re.M)
CUDA = re.compile(r"<<<|__global__|__device__|\bcuda[A-Z]\w+\s*\(|\bcu[A-Z]\w+\s*\(|cuda_runtime|<cuda\.h>")
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*([<\"])([^>\"\n]+)[>\"]", re.M)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"", re.S)


@dataclasses.dataclass(frozen=True)
class Program:
    name: str  # the path below the repository that tells it from others
    folder: pathlib.Path
    sources: tuple[pathlib.Path, ...]
    include_folders: tuple[pathlib.Path, ...]
    images: tuple[tuple[str, pathlib.Path], ...] = ()  # what the program loads while it runs: the file's name, and its source
    arguments: tuple[str, ...] = ()  # with which its Makefile, a script or its README calls it


def text_of(path: pathlib.Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def without_comments(text: str) -> str:
    """Text of strings stays, because the names of headers are such."""
    return COMMENT.sub(lambda found: found.group(0) if found.group(0)[0] == '"' else " ", text)


def as_on_linux(text: str) -> str:
    """The text without what stands between #if and #endif for Windows, macOS or QNX alone, or for nothing (#if 0)."""
    kept: list[str] = []
    open_conditions: list[bool | None] = []  # True: its lines are kept; False: they are not; None: not known, so kept
    for line in text.splitlines():
        directive = re.match(r"\s*#\s*(ifdef|ifndef|if|elif|else|endif)\b(.*)", line)
        if not directive:
            if False not in open_conditions:
                kept.append(line)
            continue
        word, condition = directive.groups()
        if word in ("ifdef", "ifndef", "if", "elif"):
            wanted = holds_on_linux(condition, negated=word == "ifndef")
            if word == "elif" and open_conditions:
                open_conditions[-1] = False if open_conditions[-1] is True else wanted
            else:
                open_conditions.append(wanted)
        elif word == "else" and open_conditions:
            open_conditions[-1] = None if open_conditions[-1] is None else not open_conditions[-1]
        elif open_conditions:
            open_conditions.pop()
    return "\n".join(kept) + "\n"


def holds_on_linux(condition: str, negated: bool) -> bool | None:
    """Whether a condition about the operating system holds; None for all others."""
    if re.fullmatch(r"\s*0\s*", condition):
        return False
    if "&&" in condition or re.search(r"__linux", condition):
        return None
    if re.search(r"\b(_?WIN(32|64)|_WIN32|_WIN64|_MSC_VER|__APPLE__|MACOSX|__MACOSX|__QNX__|__QNXNTO__|_WINDOWS)\b", condition):
        return negated != bool(re.match(r"\s*!", condition))
    return None


def has_main(path: pathlib.Path) -> bool:
    return MAIN.search(without_comments(text_of(path))) is not None


def find_programs(repository: pathlib.Path) -> list[Program]:
    repository = repository.resolve()
    folders: dict[pathlib.Path, list[pathlib.Path]] = {}
    for path in sorted(repository.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(repository).parts)
        if path.suffix in SOURCES and path.is_file() and not hidden:
            folders.setdefault(path.parent, []).append(path)
    programs: list[Program] = []
    taken: set[pathlib.Path] = set()
    # First what CMake builds: its sources may lie below its folder.
    for lists in sorted(repository.rglob("CMakeLists.txt")):
        for program in programs_of_cmake(repository, lists):
            programs.append(program)
            taken |= set(program.sources)
    for folder, files in folders.items():
        mains = [path for path in files if path not in taken and has_main(path)]
        for main in mains:
            sources = sources_with(main, files, only=len(mains) == 1 and not taken.intersection(files))
            name = str(main.relative_to(repository).with_suffix("") if main.suffix == ".cu" else main.relative_to(repository))
            headers = tuple(path for path in include_folders_of_makefile(folder) if path.is_relative_to(repository))
            programs.append(Program(name, folder, sources, tuple(dict.fromkeys((*include_folders(repository, folder), *headers))),
                                    images_of_makefile(folder), arguments_said(folder, main.stem, only=len(mains) == 1)))
    return sorted((program for program in programs if is_cuda(program)), key=lambda program: program.name)


def is_cuda(program: Program) -> bool:
    return any(path.suffix == ".cu" or CUDA.search(without_comments(text_of(path))) for path in program.sources)


def include_folders(repository: pathlib.Path, folder: pathlib.Path) -> tuple[pathlib.Path, ...]:
    folders = [folder]
    for above in (folder, *folder.parents):
        folders += [above / name for name in HEADER_FOLDERS if (above / name).is_dir()]
        if above == repository:
            break
    return tuple(dict.fromkeys(folders))


def sources_with(main: pathlib.Path, files: list[pathlib.Path], only: bool) -> tuple[pathlib.Path, ...]:
    """`main` and what a line of the Makefile names beside it. Where none names `main`: the other files, if it is the `only` main, else
    those of the headers that it includes, as part.cpp of part.h."""
    others = [path for path in files if path != main]
    is_named = False
    for makefile in ("Makefile", "makefile", "GNUmakefile"):
        path = main.parent / makefile
        if not path.is_file():
            continue
        for line in text_of(path).replace("\\\n", " ").splitlines():
            words = {word.removeprefix("./") for word in re.split(r"[\s:=]+", line)}
            if main.name not in words and main.with_suffix(".o").name not in words:
                continue
            is_named = True  # the Makefile knows what belongs to it
            named = [other for other in others if {other.name, other.with_suffix(".o").name} & words and not has_main(other)]
            named += sources_elsewhere(main.parent, words)
            if named:
                return (main, *dict.fromkeys(named))
    if is_named:
        return (main,)
    headers = {pathlib.PurePath(name).stem for _, name in INCLUDE.findall(as_on_linux(without_comments(text_of(main))))}
    return (main, *(path for path in others if (only or path.stem in headers) and not has_main(path)))


def sources_elsewhere(folder: pathlib.Path, words: set[str]) -> list[pathlib.Path]:
    """The sources in other folders that words of a Makefile's line name, by their own names or by those of their objects."""
    found = []
    for word in sorted(word for word in words if "/" in word and "$" not in word):
        path = folder / word
        candidates = [path.with_suffix(suffix) for suffix in sorted(SOURCES)] if path.suffix == ".o" else [path]
        found += [candidate.resolve() for candidate in candidates
                  if candidate.suffix in SOURCES and candidate.is_file() and candidate.resolve().parent != folder.resolve()
                  and not has_main(candidate)][:1]
    return found


def include_folders_of_makefile(folder: pathlib.Path) -> tuple[pathlib.Path, ...]:
    """What the folder's Makefile or one of its scripts gives to a compiler by -I, as far as it lies in the repository."""
    texts = [text_of(path) for path in sorted(folder.iterdir())
             if path.name in ("Makefile", "makefile", "GNUmakefile") or path.suffix == ".sh" and path.is_file()]
    words = [word for text in texts for word in re.findall(r"(?:^|\s)-I[ \t]*([^\s$;&|\"']+)", text)]
    return tuple(dict.fromkeys(path.resolve() for word in words if not word.startswith("/") and (path := folder / word).is_dir()))


def variables_of(text: str) -> Callable[[str], str]:
    """What puts the values of a Makefile's or script's variables into words of it."""
    values = dict(re.findall(r"^[ \t]*(\w+)[ \t]*[:?]?=[ \t]*([^\n#]*)", text, re.M))

    def expanded(words: str) -> str:
        for _ in range(4):
            words = re.sub(r"\$(?:[({](\w+)[)}]|(\w+))", lambda found: values.get(found.group(1) or found.group(2), found.group(0)), words)
        return words

    return expanded


def arguments_said(folder: pathlib.Path, name: str, only: bool = False) -> tuple[str, ...]:
    """The arguments of the first line in the folder's Makefile, scripts or README that calls the program (any, if it is the `only` one)
    with some, and needs no one to fill a gap in."""
    files = [path for path in sorted(folder.iterdir()) if path.is_file() and re.fullmatch(r"(GNUm|M|m)akefile|.*\.sh|README.*", path.name)]
    for path in files:
        text = text_of(path).replace("\\\n", " ")
        for line in map(variables_of(text), text.splitlines()):
            called = re.fullmatch(r"[\s@$>`]*(?:time\s+)?\./([\w.-]+)((?:\s+[\w.,=+/:-]+)+)\s*(?:[>|&#`;].*)?", line)
            if called and (called.group(1).removesuffix(".out") == name or only and not re.search(r"configure|\.(sh|py|exe)$", called.group(1))):
                return tuple(called.group(2).split())
    return ()


def images_of_makefile(folder: pathlib.Path) -> tuple[tuple[str, pathlib.Path], ...]:
    """What rules of the folder's Makefile compile for its programs to load."""
    text = next((text_of(folder / name) for name in ("Makefile", "makefile", "GNUmakefile") if (folder / name).is_file()), "")
    text = text.replace("\\\n", " ")
    variables = variables_of(text)

    def expanded(words: str) -> str:
        return re.sub(r"\$[({]\w+[)}]", "", variables(words))  # one without a value is empty

    images = []
    for targets, needed, recipe in re.findall(r"^([^\s#:=][^:=\n]*):(?!=)([^\n]*)\n((?:\t[^\n]*\n?)+)", text, re.M):
        target, first = expanded(targets).split()[:1], expanded(needed).split()[:1]
        for line in recipe.splitlines():
            for name, value in (("$@", target), ("$<", first), ("$^", first)):
                line = line.replace(name, "".join(value))
            if image := image_of_command(expanded(line).split(), folder):
                images.append(image)
    return tuple(dict.fromkeys(images))


def programs_of_cmake(repository: pathlib.Path, lists: pathlib.Path) -> list[Program]:
    folder = lists.parent
    text = re.sub(r"#[^\n]*", "", text_of(lists))
    values = {"CMAKE_CURRENT_BINARY_DIR": ".", **dict.fromkeys(
        ("CMAKE_CURRENT_SOURCE_DIR", "CMAKE_CURRENT_LIST_DIR", "PROJECT_SOURCE_DIR", "CMAKE_SOURCE_DIR"), str(folder))}

    def expanded(words: str) -> list[str]:
        for _ in range(4):
            words = re.sub(r"\$\{(\w+)\}", lambda found: values.get(found.group(1), found.group(0)), words)
        return words.replace('"', " ").split()

    for name, value in re.findall(r"\bset\s*\(\s*(\w+)\s+([^)]*)\)", text):
        values[name] = " ".join(expanded(value))
    for pattern in re.findall(r"\bfile\s*\(\s*GLOB(?:_RECURSE)?\s+(\w+)\s+([^)]*)\)", text):
        values[pattern[0]] = " ".join(str(path) for word in expanded(pattern[1])
                                      if not pathlib.Path(word).is_absolute() and "*" in word for path in sorted(folder.glob(word)))
    folders = [folder / word for words in re.findall(r"\binclude_directories\s*\(([^)]*)\)", text) for word in expanded(words)]
    images = tuple(image for command in re.findall(r"\badd_custom_command\s*\((.*?)\)\s*$", text, re.M | re.S)
                   if (image := image_of_command(expanded(command), folder)))
    programs = []
    for words in re.findall(r"\b(?:cuda_)?add_executable\s*\(([^)]*)\)", text):
        target, *files = expanded(words)
        sources = [folder / word for word in files if pathlib.Path(word).suffix in SOURCES and (folder / word).is_file()]
        if not any(has_main(path) for path in sources):
            continue
        own = [folder / word for found in re.findall(rf"\btarget_include_directories\s*\(\s*{re.escape(target)}\s([^)]*)\)", text)
               for word in expanded(found)]
        found = tuple(dict.fromkeys(path.resolve() for path in [*own, *folders] if path.is_dir()))
        place = str(folder.relative_to(repository))
        name = place if pathlib.Path(place).name == target else f"{place}/{target}"
        programs.append(Program(name, folder, tuple(path.resolve() for path in dict.fromkeys(sources)),
                                tuple(dict.fromkeys((*found, *include_folders(repository, folder)))), images,
                                arguments_said(folder, target)))
    return programs


def image_of_command(words: list[str], folder: pathlib.Path) -> tuple[str, pathlib.Path] | None:
    """Of a command that compiles kernels into a file which the program loads while it runs: the file's name, and the source."""
    if not {"-fatbin", "--fatbin", "-cubin", "--cubin", "-ptx", "--ptx"} & set(words) or "-o" not in words[:-1]:
        return None
    source = next((folder / word for word in words if word.endswith(".cu") and (folder / word).is_file()), None)
    return (pathlib.Path(words[words.index("-o") + 1]).name, source) if source else None


def headers_of(program: Program) -> set[str]:
    """What the program's files include, and what the headers among them that lie in the repository include; without those that lie
    beside the file that includes them."""
    seen: set[pathlib.Path] = set()
    names: set[str] = set()
    waiting = list(program.sources)
    while waiting:
        path = waiting.pop().resolve()
        if path in seen:
            continue
        seen.add(path)
        for opening, name in INCLUDE.findall(as_on_linux(without_comments(text_of(path)))):
            is_own = opening == '"' and (path.parent / name).is_file()
            if not is_own:
                names.add(name)
            for folder in (path.parent, *program.include_folders):
                if (folder / name).is_file():
                    waiting.append(folder / name)
                    break
    return names
