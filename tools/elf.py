# SPDX-License-Identifier: MIT
"""Reads object files (ELF, 64 bit, little-endian) and static libraries, for the other tools of this folder."""
import collections
import pathlib
import struct

Section = collections.namedtuple("Section", "name kind flags offset size entry")
Symbol = collections.namedtuple("Symbol", "name value size kind bind section")
FUNCTION, OBJECT = 2, 1  # kinds of a symbol
WEAK, UNIQUE = 2, 10  # bindings of a symbol
EXECUTABLE, MERGED, STRINGS, WRITABLE = 0x4, 0x10, 0x20, 0x1  # flags of a section


def members(path):
    """Yields name and bytes of each object file in a static library, or the file itself."""
    data = path.read_bytes()
    if data[:8] != b"!<arch>\n":
        yield path.name, data
        return
    at, long = 8, b""
    while at + 60 <= len(data):
        name, size = data[at:at + 16].decode().rstrip(), int(data[at + 48:at + 58])
        body = data[at + 60:at + 60 + size]
        at += 60 + size + size % 2
        if name == "//":
            long = body
        elif name not in ("/", "/SYM64/"):
            if name[0] == "/":
                start = int(name[1:])
                name = long[start:long.index(b"/\n", start)].decode()
            yield name.rstrip("/"), body


def objects(place):
    place = pathlib.Path(place)
    if not place.exists():
        raise ValueError(f"{place}: must be a library, an object file or a folder, and does not exist")
    files = [place]
    if place.is_dir():
        files = sorted(place.rglob("*.o")) or sorted(place.rglob("*.a"))
    found = [m for file in files for m in members(file) if m[1][:4] == b"\x7fELF"]
    if not found:
        raise ValueError(f"{place}: must hold object files (ELF), and holds none; build it first, without -flto")
    return found


def text_at(data, at):
    return data[at:data.index(b"\0", at)].decode()


def read_elf(data):
    """Sections and symbols of a 64-bit little-endian object file."""
    start, = struct.unpack_from("<Q", data, 0x28)
    step, count, names = struct.unpack_from("<HHH", data, 0x3A)
    raw = [struct.unpack_from("<IIQQQQIIQQ", data, start + i * step) for i in range(count or 1)]
    if count == 0:  # more sections than 16 bits can count: the first one holds the number
        raw = [struct.unpack_from("<IIQQQQIIQQ", data, start + i * step) for i in range(raw[0][5])]
        names = raw[0][6] if names == 0xFFFF else names
    sections = [Section(text_at(data, raw[names][4] + r[0]), r[1], r[2], r[4], r[5], r[9]) for r in raw]
    symbols = []
    for i, r in enumerate(raw):
        if r[1] != 2:
            continue
        strings = raw[r[6]][4]
        extended = next((s[4] for s in raw if s[1] == 18 and s[6] == i), None)
        for k in range(r[5] // 24):
            name, info, _, index, value, size = struct.unpack_from("<IBBHQQ", data, r[4] + 24 * k)
            if index == 0xFFFF and extended is not None:
                index, = struct.unpack_from("<I", data, extended + 4 * k)
            symbols.append(Symbol(text_at(data, strings + name), value, size, info & 15, info >> 4, index))
    return sections, symbols
