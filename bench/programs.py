#!/usr/bin/python3
"""What two builds of the program say of the same code: graphs, loop bounds, WCET, launches, schedules.

usage: bench/programs.py OLD NEW [--some N] [--jobs N] [--only PART...] [FILE...]
Each FILE (all listings and cubins of tests/fixtures without one) is analysed by both with `cfg`, with `wcet`
without and with parameters, and its first kernel as a launch; each string of bench/random_200.txt by formulas and
by a search within a small table (no clock is looked at). Prints how many values are equal, better and worse,
and each kind of difference with an example; exit status 1 where one is worse. A proven number is better than an
estimate, and an answer than none.
"""
import argparse
import collections
import concurrent.futures
import glob
import json
import os
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
FIXTURES = os.path.join(ROOT, "tests", "fixtures")
LAUNCH = ["--grid", "40", "--block", "128", "--default-loop-bound", "8", "--simulate", "20000", "--allow-other-sm",
          "--static-shared", "1024", "--barriers", "1", "--registers", "32"]
DEVICES = {"sm_5": "gtx-1080", "sm_6": "gtx-1080"}  # others: orin-agx
PARAMETERS = ["--block", "64", "--grid", "8"] + [
    word for offset in range(0, 64, 4) for word in ("--param", "%d=1000" % offset)]
MISSING = float("inf")


def run(program, words):
    """The JSON object that is printed, and why there is none."""
    done = subprocess.run([program, *words, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False)
    try:
        return json.loads(done.stdout), ""
    except json.JSONDecodeError:
        return None, done.stderr.strip().split("\n")[0] or "status %d" % done.returncode


def least(bound):
    """A number of which less is better: first whether it is proven."""
    return (bound.get("kind") == "estimate", bound["cycles"])


def graph_values(answer):
    """Name of a value: the value; differences are neither better nor worse."""
    for kernel in answer["kernels"] + answer.get("functions", []):
        name = kernel["name"]
        yield (name, "blocks"), ("same", [(b["first"], b["last"]) for b in kernel["blocks"]])
        yield (name, "edges"), ("same", sorted((e["from"], e["to"], e["kind"]) for e in kernel["edges"]))
        yield (name, "loops"), ("same", [(l["header"], sorted(l["back_edges"]), l["depth"]) for l in kernel["loops"]])
        yield (name, "divergence points"), ("fewer", sorted(kernel["divergence_points"]))
        yield (name, "opcodes without meaning"), ("ignored", None)


def wcet_values(answer):
    for kernel in answer["kernels"]:
        yield (kernel["name"], "WCET"), ("least", least(kernel["wcet"]) if kernel.get("wcet") else (True, MISSING))
        for number, loop in enumerate(kernel["loops"]):
            bound = loop.get("warp_bound")
            yield (kernel["name"], "loop", number), ("least", (
                loop["source"] in ("default", "unknown"), MISSING if bound is None else bound))


def launch_values(answer):
    if "upper" in answer:
        yield ("", "upper end"), ("least", least(answer["upper"]))
    if "lower" in answer:
        yield ("", "lower end"), ("most", answer["lower"]["cycles"])
    for number, access in enumerate(answer.get("accesses", [])):
        for name in ("sectors", "wavefronts"):
            yield ("", name, number), ("least", access[name] if access[name] is not None else MISSING)


def makespan_values(answer):
    yield ("", "makespan, upper"), ("least", answer["upper"]["cycles"])
    yield ("", "makespan, lower"), ("most", answer["lower"]["cycles"])


def judge(how, old, new):
    if how == "ignored" or old == new:
        return "equal"
    if isinstance(old, tuple) and old[0] and new[0]:
        return "changed"  # two estimates
    if how == "same":
        return "changed"
    if how == "fewer":
        return "better" if set(new) < set(old) else "worse" if set(new) > set(old) else "changed"
    return "better" if (new < old) == (how == "least") else "worse"


def compare(job):
    """Differences of one question: judgement, what, where, old, new."""
    programs, part, place, words, values = job
    answers = [run(program, words) for program in programs]
    if answers[0][0] is None or answers[1][0] is None:
        reasons = [reason or "an answer" for _, reason in answers]
        verdict = "equal" if (answers[0][0] is None) == (answers[1][0] is None) else \
            "better" if answers[0][0] is None else "worse"
        return [(verdict, part + ", answers", place, *reasons)]
    old, new = (dict(values(answer)) for answer, _ in answers)
    rows = []
    upper = ("", "upper end")
    other_launch = upper in old and old[upper] != new[upper]
    for key in sorted(set(old) | set(new), key=str):
        what = "%s, %s" % (part, key[1])
        where = "%s %s" % (place, " ".join(map(str, key[:1] + key[2:])))
        if key not in old or key not in new or (other_launch and key[1] == "lower end"):
            rows.append(("changed", what, where, old.get(key), new.get(key)))
        else:
            how = old[key][0]
            rows.append((judge(how, old[key][1], new[key][1]), what, where, old[key][1], new[key][1]))
    return rows


def first_kernel(program, path):
    done = subprocess.run([program, "kernels", path, "--names"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, check=False)
    return (done.stdout.split("\n") + [""])[0]


def code_jobs(programs, path, only):
    name = os.path.relpath(path, ROOT)
    device = next((device for start, device in DEVICES.items() if start in name), "orin-agx")
    if "cfg" in only:
        yield programs, "graph", name, ["cfg", path], graph_values
    if "wcet" in only:
        yield programs, "wcet", name, ["wcet", path, "--default-loop-bound", "100"], wcet_values
        yield (programs, "wcet with parameters", name,
               ["wcet", path, "--default-loop-bound", "100", *PARAMETERS], wcet_values)
    if "analyze" in only:
        kernel = first_kernel(programs[1], path)
        yield (programs, "launch", name, ["analyze", path, *(["-k", kernel] if kernel else []), "--sm", device,
                                          *LAUNCH], launch_values)


def string_jobs(programs):
    with open(os.path.join(ROOT, "bench", "random_200.txt"), encoding="utf-8") as lines:
        rows = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    for number, _, _, _, warps, units, slots, string in rows:
        words = ["makespan", string, "-W", warps, "--units", units, "--issue-slots", slots]
        yield programs, "formulas", number, [*words, "--method", "bounds"], makespan_values
        if int(number) % 8 == 0:
            yield (programs, "exact search", number,
                   [*words, "--method", "exact", "--memory-limit", "2M", "--threads", "1"], makespan_values)
        yield (programs, "annealing", number,
               [*words, "--method", "anneal", "--runs", "1", "--iterations", "200", "--threads", "1"], makespan_values)


def report(rows):
    kinds = collections.defaultdict(list)
    for verdict, what, where, old, new in rows:
        kinds[what, verdict].append((where, old, new))
    for (what, verdict), found in sorted(kinds.items()):
        print("%-36s %-8s %7d" % (what, verdict, len(found)))
        for where, old, new in found[:5 if verdict in ("worse", "changed") else 1] if verdict != "equal" else ():
            print("    %s: %s -> %s" % (where, str(old)[:150], str(new)[:150]))
    return not any(verdict == "worse" for _, verdict in kinds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs=2)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--some", type=int, default=1, metavar="N", help="every N-th question")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", action="append", choices=("cfg", "wcet", "analyze", "strings"))
    parser.add_argument("--rows", metavar="FILE", help="write all rows")
    options = parser.parse_args()
    only = options.only or ["cfg", "wcet", "analyze", "strings"]
    paths = options.files or sorted(
        path for end in ("sass", "cubin") for path in glob.glob(os.path.join(FIXTURES, "**", "*." + end),
                                                                recursive=True))
    jobs = [job for path in paths for job in code_jobs(options.programs, path, only)]
    if "strings" in only and not options.files:
        jobs += string_jobs(options.programs)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = [row for found in pool.map(compare, jobs[::options.some]) for row in found]
    if options.rows:
        with open(options.rows, "w", encoding="utf-8") as out:
            json.dump(rows, out, indent=0)
    sys.exit(0 if report(rows) else 1)


if __name__ == "__main__":
    main()
