#!/usr/bin/python3
"""Lower and upper ends of 22 launches, without and with stages in series: the table of doc/launches/series.md.

usage: bench/kept_data/table.py WARPBOUND [FOLDER]: FOLDER gets the cubins (needs nvcc) or has them."""

import json
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = os.path.join(HERE, "kernels.cu")
OWN = os.path.join(HERE, "more_kernels.cu")
# Source, kernel, grid, block.
LAUNCHES = [
    (KEPT, "matrix_product", "32,32", "16,16"),
    (OWN, "vector_add", "3907", "256"),
    (OWN, "saxpy", "4096", "256"),
    (KEPT, "reduction", "256", "256"),
    (KEPT, "stencil", "16,64", "32,8"),
    (OWN, "histogram", "1024", "256"),
    (KEPT, "softmax", "512", "128"),
    (OWN, "scan", "1024", "256"),
    (KEPT, "transposition", "16,16", "32,8"),
    (OWN, "horner", "512", "128"),
    (OWN, "large_shared", "256", "256"),
]
DEVICES = [("orin-agx", 87), ("a100", 80)]


def cubin_of(source, architecture, folder):
    name = os.path.splitext(os.path.basename(source))[0]
    path = os.path.join(folder, f"{name}.sm_{architecture}.cubin")
    if not os.path.exists(path):
        subprocess.run(["nvcc", "-O3", "-cubin", f"-arch=sm_{architecture}", "-o", path, source], check=True)
    return path


def analyse(program, cubin, launch, device, more):
    _, kernel, grid, block = launch
    words = [program, "analyze", cubin, "-k", kernel, "--grid", grid, "--block", block, "--sm", device,
             "--carveout", "max", "--json", *more]
    done = subprocess.run(words, capture_output=True, check=False, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: {done.stderr}")
    return json.loads(done.stdout)


def main():
    program = sys.argv[1]
    folder = sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp()
    more = sys.argv[3:]
    ratios = [[], []]
    print("| device | launch | lower | upper | upper, series | of before | upper / lower | with series | most of the upper end |")
    print("|---|---|---|---|---|---|---|---|---|")
    for device, architecture in DEVICES:
        for launch in LAUNCHES:
            cubin = cubin_of(launch[0], architecture, folder)
            found = analyse(program, cubin, launch, device, ["--queues", "unlimited", *more])
            lower, upper = found["lower"]["cycles"], found["upper"]["cycles"]
            before = found["upper_without_series"]
            parts = sorted(found["breakdown"], key=lambda part: part["cycles"], reverse=True)[:1]
            most = ", ".join(f"{part['name']} {100 * part['cycles'] / upper:.0f} %" for part in parts)
            ratios[0].append(before / lower)
            ratios[1].append(upper / lower)
            print(f"| {device} | {launch[1]} | {lower:,} | {before:,} | {upper:,} | {100 * upper / before:.0f} % "
                  f"| {before / lower:.2f} | {upper / lower:.2f} | {most} |")
    print(f"| | median | | | | | {statistics.median(ratios[0]):.2f} | {statistics.median(ratios[1]):.2f} | |")


main()
