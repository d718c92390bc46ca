#!/usr/bin/python3
"""How long the control flow of kernels of many blocks takes, of one program or of two.

usage: many_blocks.py PROGRAM [--before OTHER] [--blocks N] [--seed N] [--depth N] [--time-limit S]
       many_blocks.py --print ARCHITECTURE [--blocks N] [--seed N] [--depth N]
Generated listings in the shapes of compiled code: loops in loops, each in a scope, with ifs and breaks; before
sm_70 scopes are SSY and PBK with SYNC and BRK, from sm_70 on BSSY and BSYNC with BREAK. "calls": around calls to
outside a register holds the innermost scope's mask, which is lost there, as without optimisation. Prints processor
seconds of `cfg`, blocks and loops; with --print one listing.
"""
import argparse
import json
import os
import random
import resource
import subprocess
import tempfile

UNIFORM = 0.2  # share of the conditions on which all lanes agree


class Listing:
    """Text of a kernel, and how many blocks it has about."""

    def __init__(self, architecture, draw, depth, calls):
        self.stack = architecture < 70
        self.architecture, self.draw, self.depth, self.calls = architecture, draw, depth, calls
        self.lines, self.address, self.labels, self.blocks = [], 0, 0, 1
        self.scopes = []  # open: a label and a barrier each

    def put(self, statement, guard=""):
        if self.stack and self.address % 32 == 0:
            self.address += 8
        self.lines.append("        /*%04x*/ %8s %s ;" % (self.address, guard, statement))
        self.address += 8 if self.stack else 16

    def label(self):
        self.labels += 1
        return ".L_x_%d" % self.labels

    def place(self, label):
        self.lines.append(label + ":")
        self.blocks += 1

    def condition(self):
        """A predicate of the lane or of a parameter, and some work."""
        for _ in range(self.draw.randint(1, 4)):
            self.put("IADD3 R%d, R0, 0x4, RZ" % self.draw.randint(8, 20))
        predicate = "P%d" % self.draw.randint(0, 2)
        if self.draw.random() < UNIFORM:
            self.put("MOV R5, c[0x0][0x160]")
            self.put("ISETP.NE.AND %s, PT, R5, 0x%x, PT" % (predicate, self.draw.randint(1, 9)))
        else:
            self.put("LDG.E R6, [R2]")
            self.put("ISETP.NE.AND %s, PT, R6, 0x%x, PT" % (predicate, self.draw.randint(1, 9)))
        return "@!" + predicate

    def open(self, opcode):
        """Opens a scope that ends at a new label."""
        end, barrier = self.label(), len(self.scopes)
        self.put("%s `(%s)" % (opcode, end) if self.stack else "BSSY B%d, `(%s)" % (barrier, end))
        self.scopes.append((end, barrier))

    def close(self, opcode):
        end, barrier = self.scopes.pop()
        self.put(opcode if self.stack else "BSYNC B%d" % barrier)
        self.place(end)

    def choice(self, depth):
        """An if, or an if with an else."""
        self.open("SSY")
        other, together = self.label(), self.label()
        self.put("BRA `(%s)" % other, self.condition())
        self.body(depth + 1)
        self.put("SYNC" if self.stack else "BRA `(%s)" % together)
        self.place(other)
        if self.draw.random() < 0.5:
            self.body(depth + 1)
        self.place(together)
        self.close("SYNC")

    def loop(self, depth):
        """A loop that lanes leave at its head, at its end, or by a break from within an if."""
        self.open("PBK")
        barriers = [b for _, b in self.scopes]
        head, out = self.label(), self.label()
        self.place(head)
        guard = self.condition()
        self.put("BRK" if self.stack else "BRA `(%s)" % out, guard)
        self.body(depth + 1)
        if self.draw.random() < 0.3:  # if (...) { ...; break; }
            self.open("SSY")
            skip, inner = self.label(), self.scopes[-1][1]
            self.put("BRA `(%s)" % skip, self.condition())
            self.body(depth + 2)
            if self.stack:
                self.put("BRK")
            else:
                self.put("BREAK B%d" % inner)
                self.put("BRA `(%s)" % out)
            self.place(skip)
            self.close("SYNC")
        self.put("BRA `(%s)" % head, self.condition() if not self.stack and self.draw.random() < 0.5 else "")
        self.place(out)
        self.close("BRK")
        assert barriers[:-1] == [b for _, b in self.scopes]

    def body(self, depth):
        for _ in range(self.draw.randint(1, 3)):
            kind = self.draw.random()
            if self.calls and self.scopes and kind < 0.15:
                self.put("BMOV.32.CLEAR R40, B%d" % self.scopes[-1][1])
                self.put("CALL.ABS.NOINC `(outside)")
                self.put("BMOV.32 B%d, R40" % self.scopes[-1][1])
            elif depth >= self.depth or kind < 0.3:
                self.put("IADD3 R%d, R0, 0x4, RZ" % self.draw.randint(8, 20))
            elif kind < 0.7:
                self.choice(depth)
            else:
                self.loop(depth)

    def text(self, blocks):
        self.put("MOV R1, c[0x0][0x28]")
        self.put("S2R R0, SR_TID.X")
        while self.blocks < blocks:
            self.body(0)
        self.put("EXIT")
        head = ["\t.headerflags\t@\"EF_CUDA_64BIT_ADDRESS EF_CUDA_SM%d EF_CUDA_VIRTUAL_SM(EF_CUDA_SM%d)\"" %
                (self.architecture, self.architecture),
                "\t.section\t.text.generated,\"ax\",@progbits",
                "        .other          generated,@\"STO_CUDA_ENTRY STV_DEFAULT\"", "generated:", ".text.generated:"]
        return "\n".join(head + self.lines) + "\n"


def listing(architecture, options, calls=False):
    draw = random.Random(options.seed)
    return Listing(architecture, draw, options.depth, calls).text(options.blocks)


def measure(program, path, limit):
    """Processor seconds of one run, and what it found."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run([program, "cfg", path, "--json"], capture_output=True, timeout=limit, check=True)
        kernel = json.loads(done.stdout)["kernels"][0]
        words = "%d blocks, %d edges, %d loops" % tuple(len(kernel[part]) for part in ("blocks", "edges", "loops"))
    except subprocess.TimeoutExpired:
        words = "longer than %g s" % limit
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime, words


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?")
    parser.add_argument("--before", help="another program, for comparison")
    parser.add_argument("--print", type=int, help="the listing of this architecture, and no times")
    parser.add_argument("--blocks", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--depth", type=int, default=5)
    parser.add_argument("--time-limit", type=float, default=60)
    options = parser.parse_args()
    if options.print is not None:
        print(listing(options.print, options), end="")
        return
    programs = [options.program] + ([options.before] if options.before else [])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k.sass")
        for architecture, calls in ((52, False), (75, False), (75, True), (87, False), (87, True)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(listing(architecture, options, calls))
            for program in programs:
                seconds, words = measure(program, path, options.time_limit)
                print("sm_%d %-5s %7.2f s  %s" % (architecture, "calls" if calls else "", seconds, words), flush=True)


if __name__ == "__main__":
    main()
