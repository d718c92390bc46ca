#!/usr/bin/python3
"""Makes a large cubin of a small one, to see what a disassembler's time grows with.

Shapes, each of about N instructions, symbols or relocations:
  code         the code of all functions, over and over, as one function
  branches     one function of branches, each with a label of its own
  kernels      kernels of a few instructions, each in a section with metadata and constants
  functions    one section with a function at each 16 instructions
  symbols      one function, and within it as many symbols as instructions
  relocations  one function with a relocation at each instruction
"""

import argparse
import struct

SHT_PROGBITS, SHT_SYMTAB, SHT_RELA, SHT_NOBITS = 1, 2, 4, 8
SHF_EXECINSTR = 4
STT_NOTYPE, STT_FUNC = 0, 2
HEAD = struct.Struct("<16sHHIQQQIHHHHHH")
SECTION = struct.Struct("<IIQQQQIIQQ")
SYMBOL = struct.Struct("<IBBHQQ")
RELOCATION = struct.Struct("<QQq")
MOST_SECTIONS = 0xFF00  # with numbers of 16 bits


class Section:
    def __init__(self, name, kind, flags, data, link, info, alignment, entry_size, size=None):
        self.name, self.kind, self.flags, self.data = name, kind, flags, data
        self.link, self.info, self.alignment, self.entry_size = link, info, alignment, entry_size
        self.size = len(data) if size is None else size  # that of sections without bytes, too

    def copy(self, **changes):
        section = Section.__new__(Section)
        section.__dict__.update(self.__dict__, **changes)
        if "data" in changes:
            section.size = len(section.data)
        return section


def string_at(data, at):
    return data[at : data.index(b"\0", at)].decode()


class Cubin:
    """An ELF file as a list of sections and one of symbols: [name, info, other, section, value,
    size]."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        self.head = list(HEAD.unpack_from(data))
        places, count, names = self.head[6], self.head[12], self.head[13]
        rows = [SECTION.unpack_from(data, places + SECTION.size * s) for s in range(count)]
        strings = data[rows[names][4] :]
        self.names = names
        self.sections = []
        for name, kind, flags, _, place, size, link, info, alignment, entry_size in rows:
            content = b"" if kind == SHT_NOBITS else data[place : place + size]
            self.sections.append(
                Section(
                    string_at(strings, name), kind, flags, content, link, info, alignment,
                    entry_size, size,
                )
            )  # fmt: skip
        self.symtab = next(s for s in self.sections if s.kind == SHT_SYMTAB)
        strings = self.sections[self.symtab.link].data
        self.symbols = [
            [string_at(strings, row[0])] + list(row[1:])
            for row in SYMBOL.iter_unpack(self.symtab.data)
        ]

    def code(self):
        """The numbers of the sections of code."""
        return [
            s
            for s, section in enumerate(self.sections)
            if section.kind == SHT_PROGBITS and section.flags & SHF_EXECINSTR
        ]

    def resize(self, number):
        """Makes the function of a section as long as the section is."""
        for symbol in self.symbols:
            if symbol[1] & 15 == STT_FUNC and symbol[3] == number:
                symbol[5] = len(self.sections[number].data)

    def write(self, path):
        def table(strings):
            places, data, length = [], [b"\0"], 1
            for string in strings:
                places.append(length)
                data.append(string.encode() + b"\0")
                length += len(data[-1])
            return places, b"".join(data)

        places, strings = table(symbol[0] for symbol in self.symbols)
        self.symtab.data = b"".join(
            SYMBOL.pack(place, *symbol[1:]) for place, symbol in zip(places, self.symbols)
        )
        if self.sections[self.symtab.link] is self.sections[self.names]:
            raise ValueError("expected names of sections and symbols in sections of their own")
        self.sections[self.symtab.link].data = strings
        places, self.sections[self.names].data = table(s.name for s in self.sections)
        with open(path, "wb") as file:
            file.seek(HEAD.size)
            rows = []
            for name, section in zip(places, self.sections):
                file.seek(-file.tell() % max(1, section.alignment), 1)
                rows.append(
                    SECTION.pack(
                        name, section.kind, section.flags, 0, file.tell(),
                        len(section.data) or section.size, section.link, section.info,
                        section.alignment, section.entry_size,
                    )
                )  # fmt: skip
                file.write(section.data)
            file.seek(-file.tell() % 8, 1)
            self.head[5] = self.head[10] = 0  # no program headers
            self.head[6], self.head[12] = file.tell(), len(rows)
            file.write(b"".join(rows))
            file.seek(0)
            file.write(HEAD.pack(*self.head))


def word_size(cubin):
    """In bytes, of an instruction; with words of 8 bytes every fourth is a control word."""
    flags = cubin.head[7]
    architecture = flags >> 8 & 0xFF if cubin.head[0][8] >= 8 else flags & 0xFF
    return 8 if architecture < 70 else 16


def fill(cubin, pattern, instructions):
    """Puts a pattern, over and over, before the first function's code."""
    period = len(pattern) // 32 * 3 if word_size(cubin) == 8 else len(pattern) // 16
    number = cubin.code()[0]
    section = cubin.sections[number]
    section = section.copy(data=pattern * -(-instructions // period) + section.data)
    cubin.sections[number] = section
    cubin.resize(number)
    name = ".nv.info" + section.name[len(".text") :]
    for attributes in cubin.sections:
        if attributes.name == name:  # its offsets are no longer those of instructions
            attributes.data, attributes.size = b"", 0
    return number


def make_code(cubin, count):
    return fill(cubin, b"".join(cubin.sections[s].data for s in cubin.code()), count)


def make_branches(cubin, count):
    """Of the branch to itself that stands behind each function, under a guard."""
    branch, mask = (0xE24 << 52, 0xFFF << 52) if word_size(cubin) == 8 else (0x947, 0xFFF)
    guard = 0x7 << 16 if word_size(cubin) == 8 else 0x7 << 12  # P0 for PT
    data = cubin.sections[cubin.code()[0]].data
    size = word_size(cubin)
    at = next(
        at
        for at in range(len(data) - size, 0, -size)
        if (size == 16 or at % 32 != 0)
        and struct.unpack_from("<Q", data, at)[0] & mask == branch
    )
    low = struct.unpack_from("<Q", data, at)[0] & ~guard
    word = struct.pack("<Q", low) + data[at + 8 : at + size]
    return fill(cubin, bytes(8) + 3 * word if size == 8 else word, count)


def make_symbols(cubin, count):
    number = make_code(cubin, count)
    size = word_size(cubin)
    for s in range(min(count, len(cubin.sections[number].data) // size)):
        cubin.symbols.append(["place_%d" % s, STT_NOTYPE, 0, number, size * s, 0])


def make_functions(cubin, count):
    number = make_code(cubin, count)
    size = 16 * word_size(cubin)
    for f in range(1, len(cubin.sections[number].data) // size):
        cubin.symbols.append(["function_%d" % f, STT_FUNC, 0, number, size * f, size])


def make_relocations(cubin, count):
    number = make_code(cubin, count)
    size = word_size(cubin)
    symbol = next(s for s, symbol in enumerate(cubin.symbols) if symbol[1] & 15 == STT_FUNC)
    data = b"".join(
        RELOCATION.pack(size * r, symbol << 32 | (0x2B if size == 8 else 0x38), 16 * r % 4096)
        for r in range(min(count, len(cubin.sections[number].data) // size))
    )
    symtab = cubin.sections.index(cubin.symtab)
    name = ".rela" + cubin.sections[number].name
    cubin.sections.append(Section(name, SHT_RELA, 0x40, data, symtab, number, 8, RELOCATION.size))


def make_kernels(cubin, count):
    """Copies of the shortest kernel with its metadata and constants."""
    number = min(cubin.code(), key=lambda s: len(cubin.sections[s].data))
    kernel = next(
        symbol for symbol in cubin.symbols if symbol[1] & 15 == STT_FUNC and symbol[3] == number
    )
    attached = [
        section
        for section in cubin.sections
        if section.info == number and section.name.startswith((".nv.info.", ".nv.constant0."))
    ]
    size = len(cubin.sections[number].data) // word_size(cubin)
    copies = min(count // size, (MOST_SECTIONS - len(cubin.sections)) // (1 + len(attached)))
    for copy in range(copies):
        name = "%s_%d" % (kernel[0], copy)
        text = len(cubin.sections)
        info = cubin.sections[number].info >> 24 << 24 | len(cubin.symbols)
        cubin.sections.append(cubin.sections[number].copy(name=".text." + name, info=info))
        for section in attached:
            prefix = section.name[: -len(kernel[0])]
            cubin.sections.append(section.copy(name=prefix + name, info=text))
        cubin.symbols.append([name] + kernel[1:3] + [text] + kernel[4:])


SHAPES = {
    "code": make_code,
    "branches": make_branches,
    "kernels": make_kernels,
    "functions": make_functions,
    "symbols": make_symbols,
    "relocations": make_relocations,
}


def make(source, path, shape, count):
    cubin = Cubin(source)
    SHAPES[shape](cubin, count)
    cubin.write(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", help="the small cubin")
    parser.add_argument("path", help="where the large one goes")
    parser.add_argument("--shape", choices=SHAPES, default="code")
    parser.add_argument("--count", type=int, default=1000000, metavar="N")
    options = parser.parse_args()
    make(options.source, options.path, options.shape, options.count)


if __name__ == "__main__":
    main()
