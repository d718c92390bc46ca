#!/usr/bin/python3
"""Times that others measured on GPUs beside what `warpbound analyze` says of the same launches.

usage: hardware.py [options] PROGRAM
Each row of doc/measured/hardware.csv is a launch of a kernel of tests/fixtures/hardware: prints the measured time, both ends of the
bracket and upper end / measured time. A point above its upper end is marked, and refutes a number of the device or a part of the model.
With --rounds A,B the launches of more rounds of blocks than B (all that the GPU holds at a time are a round) are cut to A and to B rounds,
and what B - A rounds more take is printed for each: the longest run found of the model, the upper end, both for the measured time.
"""
import argparse
import csv
import json
import os
import statistics
import subprocess

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
POINTS = os.path.join(ROOT, "doc", "measured", "hardware.csv")
# Cycles of the SMs' clock in a unit of time.
SECONDS = {"ms": 1e-3, "us": 1e-6}


def command_of(program, point, options, simulate=0):
    command = [program, "analyze", os.path.join(os.path.dirname(POINTS), point["file"]), "--json",
               "--arch", point["architecture"], "--kernel", point["kernel"], "--sm", point["device"], "--grid", point["grid"], "--block", point["block"],
               "--dynamic-shared", point["shared"], "--simulate", str(simulate), "--start", options.start, "--queues", options.queues]
    for value in point["parameters"].split():
        command += ["--param", value]
    for option in ("clock", "mode", "carveout"):
        if point[option]:
            command += ["--" + option, point[option]]
    if point["facts"]:
        command += ["--flow-facts", os.path.join(os.path.dirname(POINTS), point["facts"])]
    for value in point["values"].split():
        command += ["--set", value]
    for buffer in point["buffers"].split() if options.buffers else ():
        command += ["--buffer", buffer]
    return command


def run_of(program, point, options, simulate=0):
    run = subprocess.run(command_of(program, point, options, simulate), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode not in (0, 5):
        raise SystemExit("%s: %s" % (point["point"], run.stderr.strip()))
    return json.loads(run.stdout)


def measured_of(point, answer):
    measured = float(point["measured"])
    return measured if point["unit"] == "cycles" else measured * SECONDS[point["unit"]] * answer["device"]["clock"]


def analyse(program, point, options):
    """The point's measured time and both ends of the bracket, in cycles."""
    answer = run_of(program, point, options)
    measured = measured_of(point, answer)
    return measured, answer["lower"]["cycles"], answer["upper"]["cycles"], answer["upper"]["kind"]


def print_rounds(options, rounds, points):
    """What a round of blocks takes: measured, in the longest run found, by the upper end."""
    allowed = []
    print("%-27s %9s %9s %9s %12s %15s" % ("point", "measured", "run", "upper", "run / upper", "run / measured"))
    for point in points:
        answer = run_of(options.program, point, options)
        grid = int(point["grid"]) if "," not in point["grid"] else 0
        width = answer["device"]["sms"] * answer["occupancy"]["resident_blocks"]
        if grid <= rounds[-1] * width:
            continue
        ends = []
        for count in rounds:
            cut = run_of(options.program, dict(point, grid=str(count * width)), options, options.simulate)
            ends.append((cut["lower"]["cycles"], cut["upper"]["cycles"]))
        run, upper = ((last - first) / (rounds[-1] - rounds[0]) for first, last in zip(*ends))
        measured = measured_of(point, answer) / grid * width
        allowed.append(run / measured)
        print("%-27s %9.0f %9.0f %9.0f %12.2f %15.2f" % (point["point"], measured, run, upper, run / upper, run / measured), flush=True)
    if allowed:
        print("%d points; run / measured: median %.2f, most %.2f" % (len(allowed), statistics.median(allowed), max(allowed)))


def summary(name, ratios):
    above = sum(ratio < 1 for ratio in ratios)
    print("%-9s %3d points, %2d above the upper end; upper end / measured: median %.2f, worst %.2f" % (
        name, len(ratios), above, statistics.median(ratios), max(ratios)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--only", default="", help="points whose name contains this")
    parser.add_argument("--points", default=POINTS)
    parser.add_argument("--buffers", action="store_true", help="with the buffers of the points declared")
    parser.add_argument("--start", default="cold", help="what caches have when the launch begins: cold (default) or warm")
    parser.add_argument("--queues", default="any", help="what is assumed of queues, as for --queues of analyze: any (default)")
    parser.add_argument("--rounds", help="A,B: launches that are cut to A and to B rounds of blocks")
    parser.add_argument("--simulate", type=int, default=20000000, help="with --rounds: instructions to simulate of each (20000000)")
    options = parser.parse_args()
    if options.rounds:
        with open(options.points, newline="") as file:
            points = [point for point in csv.DictReader(file) if options.only in point["point"]]
        print_rounds(options, [int(count) for count in options.rounds.split(",")], points)
        return
    ratios = {}
    print("%-27s %14s %14s %14s %8s  %s" % ("point", "measured", "lower", "upper", "ratio", "use"))
    with open(options.points, newline="") as file:
        for point in csv.DictReader(file):
            if options.only not in point["point"]:
                continue
            measured, lower, upper, kind = analyse(options.program, point, options)
            ratios.setdefault(point["use"], []).append(upper / measured)
            print("%-27s %14.0f %14d %14d %8.2f  %s%s%s" % (
                point["point"], measured, lower, upper, upper / measured, point["use"],
                "" if kind == "upper" else ", " + kind, ", ABOVE" if measured > upper else ""), flush=True)
    print("cycles of the SMs' clock")
    for use, of in sorted(ratios.items()):
        summary(use, of)


if __name__ == "__main__":
    main()
