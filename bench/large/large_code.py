#!/usr/bin/python3
"""How long the control flow of a cubin of a million instructions takes, of one program or of two.

usage: large_code.py PROGRAM [--before OTHER] [--source CUBIN] [--shape SHAPE] [--count N] [--runs N]
Runs `PROGRAM cfg` on the code of a small cubin, over and over as one function (or another --shape), in
turn with OTHER where it is given; prints the median processor seconds of each, instructions a second, and the ratio of each pair of runs.
"""
import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "..", "..", "tests", "fixtures", "binary", "vectors", "new_75.cubin")


def seconds_of(program, path):
    """Processor seconds of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, "cfg", path, "--json"], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--before", help="another program, for comparison")
    parser.add_argument("--source", default=SOURCE)
    parser.add_argument("--shape", default="code", help="as large_cubin.py has them")
    parser.add_argument("--count", type=int, default=1000000)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    programs = [options.program] + ([options.before] if options.before else [])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "large.cubin")
        subprocess.run([sys.executable, os.path.join(HERE, "large_cubin.py"), options.source, path,
                        "--shape", options.shape, "--count", str(options.count)], check=True)
        times = [[seconds_of(program, path) for program in programs] for _ in range(options.runs)]
    for p, program in enumerate(programs):
        median = statistics.median(row[p] for row in times)
        print(f"{program}: {median:.2f} s, {options.count / median / 1e6:.2f} million instructions a second")
    if options.before:
        ratios = sorted(row[0] / row[1] for row in times)
        print(f"{options.program} / {options.before}: median {statistics.median(ratios):.2f}, "
              f"{ratios[0]:.2f} to {ratios[-1]:.2f}")


if __name__ == "__main__":
    main()
