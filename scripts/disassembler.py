"""NVIDIA's disassembler, asked for the text of machine words: helper of compare-disassembly."""
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


class Tool:
    """A disassembler and the architectures that it knows."""

    def __init__(self, path):
        self.path = path
        text = subprocess.run([path, "--help"], capture_output=True, text=True, check=True).stdout
        self.names = set(re.findall(r"'(SM\d+[a-z]?)'", text))

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


def nop(sm):
    return 0x50B0000000070F00 if sm < 70 else SCHEDULE << 64 | 0x7918


def pack(sm, words):
    if sm < 70:
        return struct.pack("<%dQ" % len(words), *words)
    low = 2 ** 64 - 1
    return b"".join(struct.pack("<QQ", w & low, w >> 64) for w in words)


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
