"""What files say, whether they have changed, and how they are written: whole or not at all. Standard library only."""
from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import pathlib
import stat
from collections.abc import Iterable, Iterator


def is_plain(path: pathlib.Path) -> bool:
    """Whether it is a file, and no link."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def digest(path: str | os.PathLike) -> str:
    """Of a file's content; "" if it cannot be read."""
    try:
        return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""


def fingerprint(data: bytes) -> str:
    """What tells in a file of the tree which text is meant: short, for readers who compare it."""
    return hashlib.sha256(data).hexdigest()[:16]


def digest_below(root: pathlib.Path, paths: Iterable[pathlib.Path]) -> str:
    """Of the names and contents of files below `root`. Line ends may be those of a checkout for Windows."""
    contents = {path.relative_to(root).as_posix(): path.read_bytes().replace(b"\r\n", b"\n") for path in sorted(paths)}
    return digest_of({name: hashlib.sha256(content).hexdigest() for name, content in contents.items()})


def digest_of(document: object) -> str:
    return hashlib.sha256(json.dumps(document, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def stamp(path: str | os.PathLike) -> list[int]:
    """Changes when the file does, without a look into it; [] if there is none. The first number is when it was changed, in ns."""
    try:
        status = os.stat(path)
    except OSError:
        return []
    return [status.st_mtime_ns, status.st_size, status.st_ino]


def read_json(path: pathlib.Path) -> object:
    """The document in a file; None if there is none that can be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8", errors="surrogatepass"))
    except (OSError, ValueError, RecursionError):
        return None


@contextlib.contextmanager
def replacing(path: pathlib.Path) -> Iterator[pathlib.Path]:
    """A name, free, for what takes the place of `path` at the end. Nothing is left of it where that fails."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    draft.unlink(missing_ok=True)
    try:
        yield draft
        os.replace(draft, path)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise


def write(path: pathlib.Path, content: str | bytes, lasting: bool = False) -> None:
    """Writes `path`, so that it holds the old content or all of the new one; with `lasting` whenever the machine stops."""
    data = content if isinstance(content, bytes) else content.encode("utf-8", errors="surrogatepass")
    with replacing(path) as draft, open(draft, "xb") as file:  # not through a link
        file.write(data)
        file.flush()
        if lasting:
            os.fsync(file.fileno())
    if lasting:
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


# ---- files that are not written yet ------------------------------------------------------------------------


@dataclasses.dataclass
class File:
    """A file of what is given out or packed."""

    data: bytes
    runnable: bool = False

    @property
    def text(self) -> str:
        return self.data.decode("utf-8")

    @text.setter
    def text(self, text: str) -> None:
        self.data = text.encode("utf-8")


Tree = dict[str, File]  # by the path below the root, with /


# ---- documents that tell when they were changed ------------------------------------------------------------


def read_checked(path: pathlib.Path) -> object:
    """The document that write_checked() has written; None if there is none, or it is not as it was written."""
    said = read_json(path)
    return said["entry"] if isinstance(said, dict) and "entry" in said and said.get("check") == digest_of(said["entry"]) else None


def write_checked(path: pathlib.Path, document: object, lasting: bool = False) -> None:
    write(path, json.dumps({"check": digest_of(document), "entry": document}, separators=(",", ":")), lasting)
