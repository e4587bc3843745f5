"""The dynamic symbol table of a built module, which was linked from a stranger's file: read here, and by no tool."""
from __future__ import annotations

import dataclasses
import functools
import pathlib
import struct


class Unreadable(Exception):
    """The module is not an ELF file as linkers write it."""


@dataclasses.dataclass(frozen=True)
class Symbols:
    """What a module's dynamic symbol table says. `first_functions` is how many functions run when it is loaded."""

    imported: tuple[str, ...]
    exported: tuple[str, ...]
    first_functions: int


def symbols_of(module: pathlib.Path) -> Symbols:
    """Reads a shared library of x86-64. Raises Unreadable."""
    try:
        data = module.read_bytes()
        if data[:6] != b"\x7fELF\x02\x01":
            raise Unreadable("no ELF file of 64 bits")
        offset, = struct.unpack_from("<Q", data, 0x28)
        size, count, names = struct.unpack_from("<HHH", data, 0x3A)
        sections = [struct.unpack_from("<IIQQQQIIQQ", data, offset + size * index) for index in range(count)]
        text_of = functools.partial(_text, data)
        first, imported, exported = 0, [], []
        for name, kind, _, _, at, length, link, _, _, entry in sections:
            if kind in (14, 16):  # SHT_INIT_ARRAY, SHT_PREINIT_ARRAY
                first += length // 8
            elif kind == 1 and text_of(sections[names][4] + name) in (".ctors",):
                first += length // 8
            elif kind == 11:  # SHT_DYNSYM
                for place in range(at + entry, at + length, entry or 24):
                    symbol, info, _, section = struct.unpack_from("<IBBH", data, place)
                    if info >> 4:  # not a local one
                        (exported if section else imported).append(text_of(sections[link][4] + symbol))
        return Symbols(tuple(sorted(set(imported))), tuple(sorted(set(exported))), first)
    except (OSError, struct.error, IndexError, ValueError, OverflowError) as error:
        raise Unreadable(str(error)) from None


def _text(data: bytes, at: int) -> str:
    return data[at:data.index(b"\0", at)].decode("utf-8", errors="backslashreplace")
