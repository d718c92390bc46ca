"""NVIDIA's disassembler, asked for the text of machine words: helper of compare-disassembly and
make-word-fixtures."""
import os
import re
import struct
import subprocess
import tempfile

LINE = re.compile(r"^\s*/\*([0-9a-f]+)\*/\s*(.*)$")
BAD_ADDRESS = re.compile(r"at address 0x([0-9a-f]+)")
# A bundle's control word that is legal with all instructions, and reuses nothing.
BUNDLE = 0x001F8000FC0007E0
# Control bits of a word of 128 bits that are always legal: one cycle, no scoreboard.
SCHEDULE = 0x000FE20000000000

# What is left out of the disassembler's texts, in this order: (what is replaced, by what). The
# decoder's text is one that a listing has, without columns and without what is told by control
# bits.
SPELLINGS = [
    # Pairs of instructions that Maxwell and Pascal issue together stand in braces.
    (re.compile(r"^\{ +|  \}$"), ""),
    # Columns: what follows, and values without a name (???32), are moved to the right.
    (re.compile(r"\s+"), " "),
    # Remarks on control bits: &req={1,0}, &wr=0x2, ?trans1, ?WAIT4_END_GROUP, ?PM1.
    (re.compile(r"( (&\w+=\S+|\?\w\S*|\?{4}\d+))+(?=$| \(\*)"), ""),
]
NUMBER = re.compile(r"(-?)0x([0-9a-f]+)(?=\D*$)")
PIECE = 1 << 16  # words of one run: few enough that targets do not wrap


class Tool:
    """A disassembler and the architectures that it knows."""

    def __init__(self, path):
        self.path = path
        self.names = set(re.findall(r"'(SM\d+[a-z]?)'", self.says("--help")))
        self.version = re.search(r"release ([\d.]+)", self.says("--version"))[1]

    def says(self, option):
        return subprocess.run([self.path, option], capture_output=True, text=True, check=True).stdout

    def name(self, sm):
        """The widest of the architecture's variants: sm_90a accepts what sm_90 does, and more."""
        return next((n for n in ("SM%da" % sm, "SM%d" % sm) if n in self.names), None)

    def run(self, sm, data):
        with tempfile.NamedTemporaryFile(suffix=".bin") as file:
            file.write(data)
            file.flush()
            return subprocess.run([self.path, "-b", self.name(sm), file.name], capture_output=True,
                                  text=True, errors="replace")

    def listing(self, path):
        done = subprocess.run([self.path, "-hex", "-g", path], capture_output=True, text=True,
                              errors="replace")
        if done.returncode != 0:
            raise RuntimeError("%s: %s" % (path, done.stderr[:400]))
        return done.stdout

    def refused(self, sm, words, at=0):
        """The places of the words that it does not accept. Most are told by their addresses; for a
        few it gives up without: those are looked for by halves."""
        size = 8 if sm < 70 else 16
        words, bad = list(words), set()
        while True:
            done = self.run(sm, pack(sm, words))
            if done.returncode == 0:
                return {at + index for index in bad}
            told = {int(m[1], 16) // size for m in BAD_ADDRESS.finditer(done.stderr)}
            if "fatal" in done.stderr or not told - bad:
                break
            bad |= told
            for index in told:
                words[index] = nop(sm)
        step = 4 if sm < 70 else 1
        if len(words) <= step:
            return {at + index for index in range(len(words))}
        half = (len(words) // step + 1) // 2 * step
        found = self.refused(sm, words[:half], at) | self.refused(sm, words[half:], at + half)
        return found | {at + index for index in bad}

    def texts(self, sm, words):
        """The text of each word at its place; None where it is refused or is a control word."""
        bad = self.refused(sm, words)
        done = self.run(sm, pack(sm, [nop(sm) if i in bad else w for i, w in enumerate(words)]))
        texts, size = [None] * len(words), 8 if sm < 70 else 16
        for line in done.stdout.splitlines():
            match = LINE.match(line)
            if match and int(match[1], 16) // size not in bad:
                texts[int(match[1], 16) // size] = match[2].rstrip(" ;")
        return texts

    def texts_at_0(self, sm, words):
        """The normal text of each word, with targets as at address 0; None where it is refused."""
        result = []
        for start in range(0, len(words), PIECE):
            part = words[start:start + PIECE]
            near = self.laid_out(sm, part, 0)
            legal = [i for i, text in enumerate(near) if text]
            far = dict(zip(legal, self.laid_out(sm, [part[i] for i in legal], 1)))
            result += [text and as_at_0(text, far[i]) for i, text in enumerate(near)]
        return result

    def laid_out(self, sm, words, first):
        """The normal text and the address of each word, behind `first` words or bundles of
        nothing; None where it is refused."""
        if sm < 70:
            row = bundles([nop(sm)] * 3 * first + words)
            places = [(i // 3 + first) * 4 + i % 3 + 1 for i in range(len(words))]
        else:
            row = [nop(sm)] * first + words
            places = [i + first for i in range(len(words))]
        texts = self.texts(sm, row)
        size = 8 if sm < 70 else 16
        return [None if texts[p] is None else (normal(texts[p]), p * size) for p in places]


def normal(text):
    for pattern, replacement in SPELLINGS:
        text = pattern.sub(replacement, text)
    return text.strip()


def as_at_0(text, other):
    """A word's text, with its target as at address 0: its last number if it is another one at
    another address. None where that cannot be told."""
    if other is None:
        return None
    if text[0] == other[0]:
        return text[0]
    number = NUMBER.search(text[0])
    if number is None or NUMBER.search(other[0]) is None:
        return None
    target = int(number[2], 16) * (-1 if number[1] else 1) - text[1]
    if target >= 1 << 63:
        target -= 1 << 64
    start, end = number.span()
    return text[0][:start] + ("-0x%x" % -target if target < 0 else "0x%x" % target) + text[0][end:]


def nop(sm):
    return 0x50B0000000070F00 if sm < 70 else SCHEDULE << 64 | 0x7918


def pack(sm, words):
    if sm < 70:
        return struct.pack("<%dQ" % len(words), *words)
    low = 2 ** 64 - 1
    return b"".join(struct.pack("<QQ", w & low, w >> 64) for w in words)


def bundles(words):
    """Words of 64 bits with a control word before each three."""
    out = []
    for at in range(0, len(words), 3):
        part = words[at:at + 3]
        out += [BUNDLE] + part + [nop(50)] * (3 - len(part))
    return out


def find_tools(folders):
    """The disassemblers below the folders, or on PATH, in that order."""
    places = [os.path.join(place, "nvdisasm") for folder in folders
              for place, _, names in sorted(os.walk(folder)) if "nvdisasm" in names]
    if not folders:
        places = [os.path.join(d, "nvdisasm") for d in os.environ.get("PATH", "").split(os.pathsep)]
    tools = []
    for path in places:
        if os.access(path, os.X_OK) and os.path.isfile(path):
            tools.append(Tool(path))
    return tools
