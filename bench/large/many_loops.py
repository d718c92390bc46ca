#!/usr/bin/python3
"""How long `analyze` takes for kernels of many loops, of one program or of two. Needs nvcc.

usage: many_loops.py PROGRAM [--before OTHER] [--loops N] [--kernels N] [--time-limit S]
Writes kernels of nested loops and such that follow each other, with loads, branches, shared memory and, in some,
barriers; limits are parameters, or of the data, for which the facts of `--template` are filled in. Prints processor
seconds and both ends of each, and verifies the certificate.
"""
import argparse
import os
import random
import re
import resource
import subprocess
import tempfile

# What is in a body: accesses, a branch that lanes may take apart, arithmetic on shared memory.
STATEMENTS = ("s += a[(threadIdx.x + s) & m];", "if (s > {n}) s ^= a[s & m]; else s += {n};", "t[threadIdx.x] = s;",
              "s = s * {n} + t[(threadIdx.x + {n}) & 255];")
# By parameters; by data that all threads read alike; by data of a thread.
TESTS = ("{i} < {p}", "a[{i}] > {p}", "a[{i} + s] > {p}")
BOUNDS = (3, 7, 10, 16, 31, 100, 255, 1000, 4096)
LAUNCH = ["--grid", "64", "--block", "256", "--arch", "sm_87", "--sm", "orin-agx", "--quiet"]
VALUES = [text for offset, value in ((8, 1000), (12, 10), (16, 20), (20, 7), (24, 33))
          for text in ("--param", "%d=%d" % (offset, value))]


def kernel(seed, loops, test, barriers):
    draw = random.Random(seed)
    lines = []
    made = 0

    def body(pad):
        for _ in range(draw.randint(1, 3)):
            lines.append(pad + draw.choice(STATEMENTS).format(n=draw.randint(3, 99)))

    def loop(depth):
        nonlocal made
        counter, pad = "i%d" % made, "  " * depth
        made += 1
        lines.append("%sfor (int %s = 0; %s; %s++) {" %
                     (pad, counter, test.format(i=counter, p="n%d" % draw.randrange(4)), counter))
        body(pad + "  ")
        for chance in (0.5, 0.25):
            if depth < 3 and made < loops and draw.random() < chance:
                loop(depth + 1)
        if barriers and draw.random() < 0.15:
            lines.append(pad + "  __syncthreads();")
        body(pad + "  ")
        lines.append(pad + "}")

    while made < loops:
        loop(1)
    return ('extern "C" __global__ void k(unsigned *a, unsigned m, int n0, int n1, int n2, int n3)\n{\n'
            "  __shared__ unsigned t[256];\n  unsigned s = threadIdx.x;\n"
            "  if (blockIdx.x * 256 + threadIdx.x >= m) return;\n  t[threadIdx.x] = s;\n%s\n  a[threadIdx.x] = s;\n}\n" %
            "\n".join(lines))


def analyse(program, cubin, facts, certificate, limit):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run([program, "analyze", cubin, *LAUNCH, *VALUES, "--flow-facts", facts, "--certificate",
                               certificate], capture_output=True, text=True, timeout=limit, check=False)
        words = (done.stdout or done.stderr).split("\n")[0]
    except subprocess.TimeoutExpired:
        words = "longer than %g s" % limit
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime, re.sub(r"^.*worst case: |\([^)]*\)|, at [0-9.]+ GHz.*$", "", words)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--before", help="another program, for comparison")
    parser.add_argument("--loops", type=int, default=100)
    parser.add_argument("--kernels", type=int, default=6)
    parser.add_argument("--time-limit", type=float, default=300)
    options = parser.parse_args()
    programs = [options.program] + ([options.before] if options.before else [])
    with tempfile.TemporaryDirectory() as folder:
        source, cubin, facts, certificate = (os.path.join(folder, n) for n in ("k.cu", "k.cubin", "f", "c.json"))
        for seed in range(options.kernels):
            test, barriers = TESTS[seed % 3], seed % 2 == 1
            with open(source, "w", encoding="utf-8") as file:
                file.write(kernel(seed, options.loops, test, barriers))
            subprocess.run(["nvcc", "-arch=sm_87", "-cubin", "-Xcicc", "-O1", "-o", cubin, source], check=True)
            subprocess.run([options.program, "analyze", cubin, *LAUNCH, *VALUES, "--template", facts],
                           capture_output=True, check=False)
            draw = random.Random(seed)
            with open(facts, encoding="utf-8") as file:
                lines = [line if line.startswith("#") else
                         re.sub(r"\?", lambda _: str(draw.choice(BOUNDS)), line) for line in file]
            with open(facts, "w", encoding="utf-8") as file:
                file.writelines(lines)
            for program in programs:
                seconds, words = analyse(program, cubin, facts, certificate, options.time_limit)
                print("%d  %-20s %s  %6.2f s  %s" % (seed, test, "barriers" if barriers else "-       ", seconds, words),
                      flush=True)
            subprocess.run([options.program, "verify", certificate], stdout=subprocess.DEVNULL, check=True)


if __name__ == "__main__":
    main()
