#!/usr/bin/python3
"""Upper ends without and with buffers that L2 keeps, beside the simulated lower end and the roofline: of launches whose code, constants
and translations are in caches when they begin, and from a cold start. Then upper ends where first caches keep the lines used last.

usage: bench/kept_data/run.py WARPBOUND [FOLDER]: FOLDER gets the cubins (needs nvcc) or has them."""

import json
import os
import subprocess
import sys
import tempfile

MEGABYTE = 512 * 512 * 4
# Grid, block, buffers by parameter, floating-point operations of all threads.
KERNELS = {
    "matrix_product": ("32,32", "16,16", [MEGABYTE] * 3, 2 * 512**3),
    "stencil": ("16,64", "32,8", [MEGABYTE] * 2, 10 * 512**2),
    "convolution": ("16,64", "32,8", [MEGABYTE] * 2, 50 * 512**2),
    "transposition": ("16,16", "32,8", [MEGABYTE] * 2, 0),
    "reduction": ("256", "256", [MEGABYTE, 1024], 512**2),
    "softmax": ("512", "128", [MEGABYTE] * 2, 5 * 512**2),
}
# Device, architecture, bytes that L2 is said to keep, floating-point operations of an SM in a cycle.
DEVICES = [("orin-agx", 87, 4000000, 256), ("a100", 80, 30000000, 128)]


def analyse(program, cubin, kernel, device, more, start="warm"):
    grid, block, buffers, _ = KERNELS[kernel]
    words = [program, "analyze", cubin, "-k", kernel, "--grid", grid, "--block", block, "--sm", device,
             "--carveout", "max", "--json", "--start", start, *more]
    return json.loads(subprocess.run(words, check=True, capture_output=True).stdout)


def declared_for(kernel, retained):
    _, _, buffers, _ = KERNELS[kernel]
    words = ["--set", f"l2.retained={retained}"]
    for p, size in enumerate(buffers):
        words += ["--buffer", f"param_{p}={size},aligned" + (",read-only" if p + 1 < len(buffers) else "")]
    return words


def used_last(program, folder):
    """The table of doc/launches/first-cache.md."""
    print("\n| device | kernel | no first cache | l1.recent = 64 KiB | 128 KiB |\n|---|---|---|---|---|")
    for device, architecture, retained, _ in DEVICES:
        cubin = os.path.join(folder, f"kernels.sm_{architecture}.cubin")
        for kernel in KERNELS:
            upper = []
            for recent in (0, 65536, 131072):
                more = declared_for(kernel, retained) + ["--simulate", "0", "--set", f"l1.recent={recent}"]
                found = analyse(program, cubin, kernel, device, more)
                kept = found["buffers"].get("first_caches", {"kept": True})["kept"]
                upper.append(f"{found['upper']['cycles']:,}" if kept else "as without")
            print(f"| {device} | {kernel} | {' | '.join(upper)} |")


def main():
    program = sys.argv[1]
    folder = sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp()
    source = os.path.join(os.path.dirname(__file__), "kernels.cu")
    print("| device | kernel | roofline | without: lower, upper | kept, cold: lower, upper "
          "| kept, warm: upper | upper / lower | upper / roofline | cold start: without, kept cold |")
    print("|---|---|---|---|---|---|---|---|---|")
    for device, architecture, retained, operations in DEVICES:
        cubin = os.path.join(folder, f"kernels.sm_{architecture}.cubin")
        if not os.path.exists(cubin):
            subprocess.run(["nvcc", "-O3", "-cubin", f"-arch=sm_{architecture}", "-o", cubin, source],
                           check=True)
        values = {v["name"]: v["value"] for v in analyse(
            program, cubin, "stencil", device, [])["values"]}
        for kernel, (_, _, buffers, flops) in KERNELS.items():
            declared = [w for p, size in enumerate(buffers) for w in ("--buffer", f"param_{p}={size},aligned")]
            declared += ["--set", f"l2.retained={retained}"]
            plain = analyse(program, cubin, kernel, device, [])
            cold = analyse(program, cubin, kernel, device, declared)
            warm = analyse(program, cubin, kernel, device, declared + ["--warm-l2"])
            starts = [analyse(program, cubin, kernel, device, more + ["--simulate", "0"], "cold")["upper"]["cycles"]
                      for more in ([], declared)]
            sectors = sum(size / 32 for size in buffers)
            roofline = max(sectors * values["dram.service"] / values["dram.slots"],
                           flops / operations / plain["device"]["sms"])
            lower, upper = cold["lower"]["cycles"], cold["upper"]["cycles"]
            print(f"| {device} | {kernel} | {roofline:,.0f} "
                  f"| {plain['lower']['cycles']:,}, {plain['upper']['cycles']:,} "
                  f"| {lower:,}, {upper:,}{'' if cold['buffers']['kept'] else ' (as without)'} "
                  f"| {warm['upper']['cycles']:,} "
                  f"| {plain['upper']['cycles'] / plain['lower']['cycles']:.1f}, {upper / lower:.1f}, "
                  f"{warm['upper']['cycles'] / warm['lower']['cycles']:.1f} "
                  f"| {plain['upper']['cycles'] / roofline:.1f}, {upper / roofline:.1f}, "
                  f"{warm['upper']['cycles'] / roofline:.1f} | {starts[0]:,}, {starts[1]:,} |")
            print(kernel, cold["buffers"]["all_accesses"], cold["buffers"].get("why_not_kept"),
                  file=sys.stderr)
    used_last(program, folder)


main()
