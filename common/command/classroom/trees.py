"""What was given as a tree of folders and files: a folder on disk, a zip or a tar, and archives inside of them.

Nothing is unpacked under a name that an archive gives. Members are read one by one, up to a limit; what is kept is kept in
nameless files of a scratch folder. Links, devices and names that lead out of an archive become entries with a sentence.
"""
from __future__ import annotations

import bz2
import contextlib
import dataclasses
import datetime
import gzip
import io
import lzma
import os
import pathlib
import re
import stat
import struct
import sys
import tarfile
import tempfile
import zipfile
import zlib
from typing import BinaryIO, Callable, Iterator

MOST_SOURCE_BYTES = 1_000_000  # of a hand-in
MOST_ARCHIVE_BYTES = 512 << 20  # of an archive in what was given, packed
MOST_MEMBERS = 50_000  # of such an archive, with all archives inside of it
MOST_UNPACKED = 512 << 20  # bytes read from it, likewise
MOST_GIVEN_MEMBERS = 1_000_000  # of the archive that was given itself
MOST_GIVEN_UNPACKED = 64 << 30
MOST_DEPTH = 4  # archives in archives
MOST_FOLDERS = 60  # one in the other
MOST_NAME = 255  # characters of a file or folder in an archive, as on disk
MOST_RATIO = 300  # of an archive in an archive
_MOST_XZ_MEMORY = 128 << 20

#: Canvas inserts the number of a resubmission before the last suffix: hand-in.tar-1.gz (instructure/canvas-lms issue 606).
_ARCHIVE = re.compile(r"\.(zip|tar|tgz|tbz2?|txz|tar(-\d+)?\.(gz|bz2|xz))$", re.I)
_OTHER_ARCHIVE = re.compile(r"\.(7z|rar|zst|tar\.zst|gz|bz2|xz|lz4|cab|iso)$", re.I)
#: One or the other.
ANY_ARCHIVE = re.compile(f"({_ARCHIVE.pattern})|({_OTHER_ARCHIVE.pattern})", re.I)


LOST = "lost"  # the id of what has no place in the tree; such an entry bears its whole name


class Unreadable(Exception):
    """Why something cannot be read: a diagnosis id and a sentence's end, such as `is a symbolic link`."""

    def __init__(self, why: str, id: str = "not-a-source"):
        super().__init__(why)
        self.why = why
        self.id = id


#: Of a class there are hundreds of thousands; Python 3.9 has no slots for dataclasses, so there they take more memory.
_SLOTS = {"slots": True} if sys.version_info >= (3, 10) else {}


@dataclasses.dataclass(**_SLOTS)
class Node:
    """A folder or a file. `name` is one component of a path; bytes that are not UTF-8 are surrogates, as os.fsdecode gives them."""

    name: str
    size: int = 0
    time: float | None = None  # seconds since 1970
    order: int = 0  # in its archive: a later entry replaces an earlier one
    children: list["Node"] | None = None  # of a folder
    opened: Callable[..., BinaryIO] | None = None  # of a file; raises Unreadable
    member: object = None  # of an archive's file: what `opened` needs
    fault: Unreadable | None = None
    folder: Callable[[], list["Node"]] | None = None  # of a folder on disk: read when asked for

    @property
    def is_folder(self) -> bool:
        return self.children is not None or self.folder is not None

    @property
    def is_archive(self) -> bool:
        return not self.is_folder and self.fault is None and bool(_ARCHIVE.search(self.name))

    @property
    def is_other_archive(self) -> bool:
        return not self.is_folder and not self.is_archive and bool(_OTHER_ARCHIVE.search(self.name))

    def entries(self) -> list["Node"]:
        """What a folder holds, by name. Raises Unreadable."""
        if self.children is None:
            assert self.folder is not None
            self.children = self.folder()
        return self.children

    def open(self) -> BinaryIO:
        """The bytes of a file. Raises Unreadable."""
        assert self.opened is not None
        return self.opened(self) if self.member else self.opened()

    def read(self, most: int = MOST_SOURCE_BYTES) -> bytes:
        """The bytes of a file of at most `most`. Raises Unreadable."""
        if self.fault:
            raise self.fault
        if self.size > most:
            raise Unreadable(f"has {self.size} bytes; at most {most} are read", "too-large")
        try:
            with self.open() as file:
                data = _read_up_to(file, most + 1)
        except _READ_ERRORS as error:
            raise Unreadable(f"cannot be read: {_said(error)}", "missing-file") from None
        if len(data) > most:
            raise Unreadable(f"has more than {most} bytes", "too-large")
        return data


_READ_ERRORS = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, tarfile.TarError, RuntimeError, ValueError,
                NotImplementedError, OverflowError)


def _said(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return " ".join(str(error).split()) or type(error).__name__


def _read_up_to(file: BinaryIO, most: int) -> bytes:
    pieces, have = [], 0
    while have < most and (piece := file.read(min(1 << 16, most - have))):
        pieces.append(piece)
        have += len(piece)
    return b"".join(pieces)


# ---- folders on disk ------------------------------------------------------------------------------------------------------

def on_disk(path: pathlib.Path, order: int = 0) -> Node:
    """A file or folder on disk. Symbolic links are not followed; nothing but regular files is opened."""
    try:
        status = os.lstat(path)
    except OSError as error:
        return Node(path.name, order=order, fault=Unreadable(f"cannot be read: {_said(error)}", "missing-file"))
    node = Node(path.name, status.st_size, status.st_mtime, order)
    if stat.S_ISDIR(status.st_mode):
        node.folder = lambda: _listed(path)
    elif stat.S_ISREG(status.st_mode):
        node.opened = lambda: _opened(path)
    else:
        node.fault = Unreadable(f"is {_kind(status.st_mode)}; only regular files are read")
    return node


def _kind(mode: int) -> str:
    return {stat.S_IFLNK: "a symbolic link", stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket",
            stat.S_IFCHR: "a device", stat.S_IFBLK: "a device", stat.S_IFDIR: "a folder"}.get(stat.S_IFMT(mode), "no ordinary file")


def _listed(folder: pathlib.Path) -> list[Node]:
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise Unreadable(f"cannot be read: {_said(error)}", "missing-file") from None
    return [on_disk(folder / name, order) for order, name in enumerate(names)]


def _opened(path: pathlib.Path) -> BinaryIO:
    # What a student put there may have become a link or a pipe since it was listed.
    number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise Unreadable("is no ordinary file")
    return os.fdopen(number, "rb")


# ---- archives -------------------------------------------------------------------------------------------------------------

@dataclasses.dataclass
class Budget:
    """What one archive, with all archives inside of it, may still cost."""

    members: int = MOST_MEMBERS
    bytes: int = MOST_UNPACKED
    depth: int = MOST_DEPTH
    given: bool = False  # it is the archive that the instructor gave: a whole class
    zone: datetime.tzinfo | None = None  # of the times in zips

    def take(self, members: int = 0, bytes: int = 0) -> None:
        """Raises Unreadable when that is too much."""
        self.members -= members
        self.bytes -= bytes
        if self.members < 0:
            raise Unreadable(f"holds more than {MOST_GIVEN_MEMBERS if self.given else MOST_MEMBERS} files", "too-large")
        if self.bytes < 0:
            raise Unreadable(f"unpacks to more than {(MOST_GIVEN_UNPACKED if self.given else MOST_UNPACKED) >> 20} MiB", "too-large")


@contextlib.contextmanager
def unpacked(node: Node, budget: Budget, scratch: pathlib.Path) -> Iterator[tuple[Node, Unreadable | None]]:
    """An archive as a folder, and what is wrong with the rest of it if only a part could be read. Raises Unreadable.

    The folder's files can be read within the `with` statement; copies lie in `scratch`, without names.
    """
    if budget.depth <= 0:
        raise Unreadable(f"is nested in more than {MOST_DEPTH} archives", "too-large")
    budget.depth -= 1
    with contextlib.ExitStack() as files:
        try:
            yield _unpacked(node, budget, scratch, files)
        finally:
            budget.depth += 1


def _unpacked(node: Node, budget: Budget, scratch: pathlib.Path, files: contextlib.ExitStack) -> tuple[Node, Unreadable | None]:
    if node.size > MOST_ARCHIVE_BYTES and not budget.given:
        raise Unreadable(f"has {node.size >> 20} MiB; archives of at most {MOST_ARCHIVE_BYTES >> 20} MiB are opened", "too-large")
    try:
        file = files.enter_context(node.open())
        begin = _read_up_to(file, 512)
        file.seek(0)
        if begin[:4] in (b"PK\3\4", b"PK\5\6", b"PK\7\x08"):
            return _Zip(file, budget, scratch).tree(node.name), None
        if begin[:2] == b"\x1f\x8b":
            return _tar(gzip.GzipFile(fileobj=file), node.name, budget, scratch, files)
        if begin[:3] == b"BZh":
            return _tar(bz2.BZ2File(file), node.name, budget, scratch, files)
        if begin[:6] == b"\xfd7zXZ\0":
            return _tar(_Xz(file), node.name, budget, scratch, files)
        if begin[257:262] == b"ustar" or (node.name.lower().endswith(".tar") and any(begin)):
            return _tar(file, node.name, budget, scratch, files)
        if not begin:
            raise Unreadable("is empty")
    except _READ_ERRORS as error:
        raise Unreadable(f"is damaged or not an archive: {_said(error)}") from None
    except MemoryError:
        raise Unreadable("needs too much memory to be opened", "too-large") from None
    raise Unreadable("is not an archive, although its name says so")


class _Tree:
    """Folders and files made from the names of an archive."""

    def __init__(self, name: str):
        self.root = Node(name, children=[])
        self.folders: dict[tuple[str, ...], Node] = {(): self.root}
        self.count = 0

    def folder(self, parts: tuple[str, ...]) -> Node:
        # From the inside out, without recursion: a name may have thousands of components.
        missing = []
        while parts not in self.folders:
            missing.append(parts)
            parts = parts[:-1]
        for path in reversed(missing):
            node = Node(path[-1], children=[])
            self.folders[path[:-1]].entries().append(node)
            self.folders[path] = node
        return self.folders[parts if not missing else missing[0]]

    def add(self, name: str, make: Callable[[str], Node]) -> None:
        """Adds the member called `name`; what leads out of the archive becomes a fault under its whole name."""
        self.count += 1
        try:
            parts = _parts(name)
        except Unreadable as why:
            node = Node(name, order=self.count, fault=why)
            self.root.entries().append(node)
            return
        if name.endswith(("/", "\\")):
            self.folder(parts)
            return
        node = make(parts[-1])
        node.order = self.count
        self.folder(parts[:-1]).entries().append(node)


def _parts(name: str) -> tuple[str, ...]:
    """The components of a member's name. Raises Unreadable for a name that leads out of the archive."""
    parts = tuple(part for part in re.split(r"[/\\]", name) if part not in ("", "."))
    if name.startswith(("/", "\\")) or re.match(r"[A-Za-z]:([/\\]|$)", name) or ".." in parts:
        raise Unreadable("has a name that leads out of its archive and was not read", LOST)
    if not parts:
        raise Unreadable("has no name", LOST)
    if len(parts) > MOST_FOLDERS or max(map(len, parts)) > MOST_NAME:
        raise Unreadable(f"is nested in more than {MOST_FOLDERS} folders or has a name of more than {MOST_NAME} characters", LOST)
    return parts


class _Zip:
    """The members of a zip."""

    def __init__(self, file: BinaryIO, budget: Budget, scratch: pathlib.Path):
        self.file, self.budget, self.scratch = file, budget, scratch
        # The list of members is held in memory as a whole, and the number that the archive states may be wrong.
        budget.take(members=_count_in(file, b"PK\1\2", budget.members))
        self.zip = zipfile.ZipFile(file)

    def tree(self, name: str) -> Node:
        tree = _Tree(name)
        for member in self.zip.infolist():
            tree.add(_zip_name(member), lambda last, member=member: self._node(last, member))
        return tree.root

    def _node(self, name: str, member: zipfile.ZipInfo) -> Node:
        node = Node(name, member.file_size, _seconds(member, self.budget.zone))
        kind = stat.S_IFMT(member.external_attr >> 16)
        if member.flag_bits & 1:
            node.fault = Unreadable("is encrypted", "archive-encrypted")
        elif kind not in (0, stat.S_IFREG):
            node.fault = Unreadable(f"is {_kind(kind)} in an archive; only regular files are read")
        elif member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            # Python unpacks the other methods without a limit.
            node.fault = Unreadable("is compressed by another method than deflate; pack it again as an ordinary zip")
        else:
            # Without a closure: a class's archive may have half a million members.
            node.opened, node.member = self._open, member
        return node

    def _open(self, node: Node) -> BinaryIO:
        member = node.member
        assert isinstance(member, zipfile.ZipInfo)
        self.budget.take(bytes=min(member.file_size, MOST_ARCHIVE_BYTES))
        if node.is_archive:
            if member.file_size > MOST_SOURCE_BYTES and member.file_size > MOST_RATIO * max(1, member.compress_size):
                raise Unreadable(f"unpacks to more than {MOST_RATIO} times its size, as only a zip bomb does", "too-large")
            return _kept(self.zip.open(member), member.file_size, self.scratch)
        return self.zip.open(member)


def _count_in(file: BinaryIO, mark: bytes, most: int) -> int:
    """How often `mark` is in the file; stops at more than `most`."""
    file.seek(0)
    count, rest = 0, b""
    while count <= most and (piece := file.read(1 << 20)):
        data = rest + piece
        count += data.count(mark)
        rest = data[len(data) - len(mark) + 1:]
    file.seek(0)
    return count


def _zip_name(member: zipfile.ZipInfo) -> str:
    """A member's name. Without the UTF-8 flag a name is in code page 437 by the specification, and in practice often UTF-8
    (macOS); Info-ZIP says it in an extra field (0x7075)."""
    name = member.orig_filename
    if member.flag_bits & 0x800:
        return name
    try:
        raw = name.encode("cp437")
    except UnicodeEncodeError:
        return name
    extra = member.extra
    while len(extra) >= 4:
        kind, size = int.from_bytes(extra[:2], "little"), int.from_bytes(extra[2:4], "little")
        if kind == 0x7075 and 5 < size <= len(extra) - 4 and int.from_bytes(extra[5:9], "little") == zlib.crc32(raw):
            raw = extra[9:4 + size]
            break
        extra = extra[4 + size:]
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return name


def _seconds(member: zipfile.ZipInfo, zone: datetime.tzinfo | None) -> float | None:
    """When a zip's member was changed: the second that Info-ZIP says in an extra field (0x5455), or else the local time that each zip has, in
    `zone`, by default this machine's."""
    extra = member.extra
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        if kind == 0x5455 and 5 <= size <= len(extra) - 4 and extra[4] & 1:
            return float(struct.unpack_from("<i", extra, 5)[0])
        extra = extra[4 + size:]
    try:
        return datetime.datetime(*member.date_time, tzinfo=zone).timestamp() if member.date_time[:3] > (1980, 1, 1) else None
    except (ValueError, OverflowError, OSError):
        return None


def _kept(file: BinaryIO, size: int, scratch: pathlib.Path) -> BinaryIO:
    """A nameless copy of at most `size` bytes that can be read from any place."""
    copy = tempfile.TemporaryFile(dir=scratch)
    with contextlib.ExitStack() as cleaning, file:
        cleaning.callback(copy.close)
        have = 0
        while piece := file.read(1 << 18):
            have += len(piece)
            if have > size:
                raise Unreadable("is longer than its archive says")
            copy.write(piece)
        copy.seek(0)
        cleaning.pop_all()
    return copy


class _Xz(io.RawIOBase):
    """An xz stream, unpacked within a limit of memory, which lzma.open does not take."""

    def __init__(self, file: BinaryIO):
        self.file, self.unpack = file, lzma.LZMADecompressor(memlimit=_MOST_XZ_MEMORY)

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        while True:
            if self.unpack.eof:
                rest = self.unpack.unused_data.lstrip(b"\0") or self.file.read(1 << 16)
                if not rest.strip(b"\0"):
                    return b""
                self.unpack = lzma.LZMADecompressor(memlimit=_MOST_XZ_MEMORY)
                piece = self.unpack.decompress(rest, max(size, 1))
            elif self.unpack.needs_input:
                packed = self.file.read(1 << 16)
                if not packed:
                    raise EOFError("the archive ends too early")
                piece = self.unpack.decompress(packed, max(size, 1))
            else:
                piece = self.unpack.decompress(b"", max(size, 1))
            if piece:
                return piece


class _Metered:
    """A stream that stops when the budget is spent."""

    def __init__(self, file, budget: Budget):
        self.file, self.budget = file, budget

    def read(self, size: int) -> bytes:
        pieces, missing = [], size
        while missing > 0 and (piece := self.file.read(missing)):
            self.budget.take(bytes=len(piece))
            pieces.append(piece)
            missing -= len(piece)
        return b"".join(pieces)


class _Member(tarfile.TarInfo):
    """A tar's member whose long name or pax header cannot fill the memory."""

    def _proc_member(self, archive):
        headers = (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE)
        if self.type in headers and self.size > 1 << 20:
            raise tarfile.ReadError("a header has more than 1 MiB")
        return super()._proc_member(archive)


def _tar(stream, name: str, budget: Budget, scratch: pathlib.Path,
         files: contextlib.ExitStack) -> tuple[Node, Unreadable | None]:
    tree = _Tree(name)
    store = files.enter_context(tempfile.TemporaryFile(dir=scratch))
    try:
        with tarfile.open(fileobj=_Metered(stream, budget), mode="r|", tarinfo=_Member) as archive:
            while (member := archive.next()) is not None:
                archive.members = []  # tarfile remembers each
                budget.take(members=1)
                if member.isdir():
                    tree.add(member.name + "/", lambda last: Node(last, children=[]))
                    continue
                taken = _taken_from_tar(archive, member, store)
                tree.add(member.name, lambda last, taken=taken: dataclasses.replace(taken, name=last))
    except Unreadable as why:
        return tree.root, why
    except _READ_ERRORS as error:
        if not tree.count:
            raise
        return tree.root, Unreadable(f"is damaged after {tree.count} files: {_said(error)}")
    return tree.root, None


def _taken_from_tar(archive: tarfile.TarFile, member: tarfile.TarInfo, store: BinaryIO) -> Node:
    """A member as a node; its bytes, if they can be a hand-in's or an archive's, are appended to `store`."""
    time = float(member.mtime)
    node = Node("", member.size, time if 0 < time < 1e12 else None)
    if not member.isreg() or member.issparse():
        what = ("a symbolic link" if member.issym() else "a hard link" if member.islnk() else "a sparse file" if member.issparse()
                else "a named pipe" if member.isfifo() else "a device" if member.isdev() else "no ordinary file")
        node.fault = Unreadable(f"is {what} in an archive; only regular files are read")
        return node
    last = re.split(r"[/\\]", member.name)[-1]
    if member.size > (MOST_ARCHIVE_BYTES if _ARCHIVE.search(last) else MOST_METADATA if last == GRADESCOPE else MOST_SOURCE_BYTES):
        return node  # read() says that it is too large
    begin = store.seek(0, os.SEEK_END)
    source = archive.extractfile(member)
    assert source is not None
    while piece := source.read(1 << 18):
        store.write(piece)
    end = store.tell()
    if end - begin != member.size:
        raise EOFError("the archive ends too early")
    node.opened = lambda: io.BufferedReader(_Slice(store, begin, end))
    return node


GRADESCOPE = "submission_metadata.yml"
MOST_METADATA = 64 << 20


class _Slice(io.RawIOBase):
    """Bytes `begin` to `end` of a file that others read, too."""

    def __init__(self, file: BinaryIO, begin: int, end: int):
        self.file, self.begin, self.end, self.place = file, begin, end, begin

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        base = {os.SEEK_SET: self.begin, os.SEEK_CUR: self.place, os.SEEK_END: self.end}[whence]
        self.place = max(self.begin, base + offset)
        return self.place - self.begin

    def readinto(self, buffer) -> int:
        data = os.pread(self.file.fileno(), max(0, min(len(buffer), self.end - self.place)), self.place)
        buffer[:len(data)] = data
        self.place += len(data)
        return len(data)


def count(node: Node) -> int:
    """How many files there are in a folder, at most a million; archives in it count as one. What cannot be listed counts as one."""
    total, waiting, depth_limit = 0, [(node, 0)], 4 * MOST_FOLDERS
    while waiting and total < 1_000_000:
        here, depth = waiting.pop()
        if not here.is_folder:
            total += 1
            continue
        try:
            entries = here.entries() if depth < depth_limit else []
        except Unreadable:
            total += 1
            continue
        waiting.extend((entry, depth + 1) for entry in entries)
        if here.folder:
            here.children = None  # a folder on disk can be listed again; a whole clone is not kept in memory
    return total
