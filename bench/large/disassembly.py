#!/usr/bin/python3
"""Warpbound beside nvdisasm: the listing, with labels and bits, of the same large cubin.

The cubins, one of words of 64 bits and one of 128, are made of bundled ones (large_cubin.py).
Each program runs as a process that writes its listing into a file; the two take turns, and the
medians of processor time (user and system) and of wall time count. Needs Python 3.8 and no CUDA
toolkit: nvdisasm is taken where it is on the path or --nvdisasm names it.
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import large_cubin

CUBINS = ("old_52.cubin", "old_90a.cubin")
FIXTURES = os.path.join(os.path.dirname(__file__), "../../tests/fixtures/binary/vectors")
INSTRUCTION = re.compile(rb"^ +/\*[0-9a-f]+\*/ +[{@A-Z]", re.MULTILINE)


class Program:
    def __init__(self, name, words):
        self.name, self.words = name, words
        self.processor, self.wall, self.memory = [], [], 0

    def run(self, cubin, output):
        start = time.perf_counter()
        with open(output, "wb") as file:
            process = subprocess.Popen(self.words + [cubin], stdout=file)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.wall.append(time.perf_counter() - start)
        self.processor.append(usage.ru_utime + usage.ru_stime)
        self.memory = max(self.memory, usage.ru_maxrss)
        if process.returncode != 0:
            sys.exit("disassembly: %s failed (%d)" % (self.name, process.returncode))

    def show(self, instructions):
        processor = statistics.median(self.processor)
        print(
            "  %-24s %9.3f %9.3f %9.2f %9.0f"
            % (
                self.name, processor, statistics.median(self.wall),
                instructions / processor / 1e6, self.memory / 1024,
            )
        )  # fmt: skip


def count_instructions(path):
    with open(path, "rb") as file:
        return len(INSTRUCTION.findall(file.read()))


def version_of(nvdisasm):
    output = subprocess.run([nvdisasm, "--version"], stdout=subprocess.PIPE, check=True).stdout
    found = re.search(r"release [\d.]+, V([\d.]+)", output.decode())
    return found.group(1) if found else "of no version"


def ratio(ours, theirs):
    """Of runs that were neighbours."""
    return statistics.median(b / a for a, b in zip(ours, theirs))


def race(source, options, folder):
    cubin, listing = os.path.join(folder, source), os.path.join(folder, "listing")
    large_cubin.make(os.path.join(FIXTURES, source), cubin, "code", options.instructions)
    ours = Program("warpbound", [os.path.join(options.build, "src/warpbound"), "disassemble"])
    programs = [ours]
    if options.nvdisasm:
        name = "nvdisasm " + version_of(options.nvdisasm)
        programs.append(Program(name, [options.nvdisasm, "--print-instruction-encoding"]))
    instructions = 0
    for run in range(options.runs):
        for program in programs:
            program.run(cubin, listing)
            if run == 0:
                counted = count_instructions(listing)
                if instructions not in (0, counted):
                    print("  THE LISTINGS DIFFER: %d instructions" % counted)
                instructions = counted
    decoder = subprocess.run(
        [os.path.join(options.build, "bench/decoding"), cubin], stdout=subprocess.PIPE, check=True
    ).stdout.decode()
    seconds = float(decoder.split()[-2])
    print("%s repeated: %d instructions" % (source, instructions))
    print("  %-24s %9s %9s %9s %9s" % ("", "cpu s", "wall s", "million/s", "MiB"))
    for program in programs:
        program.show(instructions)
    rate = instructions / seconds / 1e6
    print("  %-24s %9.3f %9s %9.2f" % ("(the decoder alone)", seconds, "", rate))
    for theirs in programs[1:]:
        print(
            "  %s takes %.0f times the processor time of warpbound, %.0f times the wall time"
            % (theirs.name, ratio(ours.processor, theirs.processor), ratio(ours.wall, theirs.wall))
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", help="the folder that Warpbound is built in")
    parser.add_argument(
        "--nvdisasm", default=shutil.which("nvdisasm"), help="default: the one on the path"
    )
    parser.add_argument("--instructions", type=int, default=1000000, metavar="N")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="of each program")
    options = parser.parse_args()
    if options.instructions < 1 or options.runs < 1:
        parser.error("expected numbers above 0")
    if not options.nvdisasm:
        print("nvdisasm is left out: it is not on the path (--nvdisasm names one)")
    print("load of the machine before: %.1f" % os.getloadavg()[0])
    sys.stdout.flush()
    with tempfile.TemporaryDirectory() as folder:
        for source in CUBINS:
            race(source, options, folder)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
