#!/usr/bin/python3
"""Warpbound beside solvers of integer programs: the worst-case makespan of the same instances.

Each solver gets the same two models, as strong as we could make them, with a proven horizon and
with the symmetry of identical warps broken:
  steps   0/1 variables: by the end of cycle t, have w warps issued instruction i?
  counts  integer variables: how many warps have issued instruction i by the end of cycle t?
A rival's time is that of its solver alone, without making the model (CBC: of its command, which
reads an LP file); Warpbound's is that of its library from string to answer. All are medians of
calls in a row. Needs Python 3.8 and uses, where they are there, the packages ortools (CP-SAT) and
highspy (HiGHS) and the command cbc.
"""

import argparse
import ctypes
import importlib.metadata
import json
import math
import multiprocessing
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

# string, units, warps; no cap, every sigma whole
INSTANCES = (
    ("LLCLL", "L=1,C=1", 4),
    ("LLCLL", "L=1,C=1", 6),
    ("5L9C2L9C", "L=1,C=4", 4),
)
RIVAL_RUNS = 5  # as many, or fewer where they take more than a second together
CP_SAT_THREADS = 8  # at least: its set of strategies is whole from there on
GRACE = 30  # seconds over its limit after which a solver is ended


# ---- linear models ----


class Linear:
    """A constant and a sum of variables with coefficients."""

    def __init__(self, constant=0, terms=None):
        self.constant = constant
        self.terms = terms or {}

    def __add__(self, other):
        if not isinstance(other, Linear):
            return Linear(self.constant + other, self.terms)
        terms = dict(self.terms)
        for name, factor in other.terms.items():
            terms[name] = terms.get(name, 0) + factor
            if terms[name] == 0:
                del terms[name]
        return Linear(self.constant + other.constant, terms)

    def __mul__(self, factor):
        terms = {name: factor * own for name, own in self.terms.items()}
        return Linear(factor * self.constant, terms)

    def __sub__(self, other):
        return self + (other * -1 if isinstance(other, Linear) else -other)

    __radd__ = __add__  # for sum()


class Model:
    """Variables with bounds, rows (each: a sum <= a number), and what is to be maximised."""

    def __init__(self):
        self.variables = {}
        self.rows = []
        self.objective = Linear()

    def variable(self, name, low, high):
        if low == high:
            return Linear(low)
        self.variables[name] = (low, high)
        return Linear(0, {name: 1})

    def at_most(self, left, right):
        row = left - right
        if row.terms:
            self.rows.append((row.terms, -row.constant))
        elif row.constant > 0:
            raise ValueError("a row cannot hold")

    def write_lp(self, path):
        def text(terms):
            return " ".join("%+d %s" % (factor, name) for name, factor in terms.items())

        with open(path, "w", encoding="ascii") as file:
            file.write("Maximize\n obj: %s\nSubject To\n" % text(self.objective.terms))
            for terms, most in self.rows:
                file.write(" %s <= %d\n" % (text(terms), most))
            file.write("Bounds\n")
            for name, (low, high) in self.variables.items():
                file.write(" %d <= %s <= %d\n" % (low, name, high))
            file.write("Generals\n %s\nEnd\n" % "\n ".join(self.variables))


class Question:
    """What both models share. Warps and instructions count from 0, cycles from 1."""

    def __init__(self, string, units, warps, horizon):
        self.letters = expand(string)
        self.length = len(self.letters)
        self.sigma = {unit: int(count) for unit, count in re.findall(r"(\w)=(\d+)", units)}
        self.warps = warps
        self.horizon = horizon
        self.cycles = range(1, horizon + 1)

    def most_done(self, i, t):
        """How many warps can have issued instruction i by the end of cycle t."""
        return max(0, min(self.warps, (t - i) * self.sigma[self.letters[i]]))

    def must_be_done(self, i, t):
        """Whether all must have, to be done with all by the horizon."""
        return t >= self.horizon - (self.length - 1 - i)

    def of_type(self, unit):
        return [i for i in range(self.length) if self.letters[i] == unit]

    def issued(self, done, unit, t):
        return sum((done[i, t] - done[i, t - 1] for i in self.of_type(unit)), Linear())


def add_capacities(question, model, done):
    """Rows on done[i, t], how many warps have issued i by the end of t. Returns full[U, t]: 1
    only if all units of type U are taken in cycle t."""
    full = {}
    for t in question.cycles:
        for unit, sigma in question.sigma.items():
            full[unit, t] = model.variable("full_%s_%d" % (unit, t), 0, 1)
            issued = question.issued(done, unit, t)
            model.at_most(issued, sigma)
            model.at_most(full[unit, t] * sigma, issued)
    return full


def steps_model(question):
    """step[w, i, t] is 1 iff more than w warps have issued instruction i by the end of cycle t.
    That breaks the symmetry: the w-th to issue i is called warp w, for every i."""
    model = Model()
    step = {}
    for i in range(question.length):
        for t in range(question.horizon + 1):
            for w in range(question.warps):
                low = int(question.must_be_done(i, t))
                high = max(low, int(w < question.most_done(i, t)))
                step[w, i, t] = model.variable("step_%d_%d_%d" % (w, i, t), low, high)
    done = {
        (i, t): sum(step[w, i, t] for w in range(question.warps))
        for i in range(question.length)
        for t in range(question.horizon + 1)
    }
    full = add_capacities(question, model, done)
    for w, i, t in step:
        if t == 0:
            continue
        could = step[w, i - 1, t - 1] if i > 0 else Linear(1)
        model.at_most(step[w, i, t - 1], step[w, i, t])
        if i > 0:
            model.at_most(step[w, i, t], could)
        model.at_most(could - step[w, i, t], full[question.letters[i], t])  # work conservation
        if w > 0:
            model.at_most(step[w, i, t], step[w - 1, i, t])
    last = question.warps - 1, question.length - 1
    for t in question.cycles:  # follows from the above: something issues before the end
        issued = sum(question.issued(done, unit, t) for unit in question.sigma)
        model.at_most(Linear(1) - step[last + (t - 1,)], issued)
    model.objective = sum((Linear(1) - step[last + (t,)] for t in question.cycles), Linear(1))
    return model


def counts_model(question):
    model = Model()
    done = {}
    for i in range(question.length):
        for t in range(question.horizon + 1):
            high = question.most_done(i, t)
            low = question.warps if question.must_be_done(i, t) else 0
            done[i, t] = model.variable("done_%d_%d" % (i, t), low, max(low, high))
    full = add_capacities(question, model, done)

    def could(i, t):
        return done[i - 1, t - 1] if i > 0 else Linear(question.warps)

    for i, t in done:
        if t > 0:
            model.at_most(done[i, t - 1], done[i, t])
            model.at_most(done[i, t], could(i, t))
    before = Linear(1)
    for t in question.cycles:
        for unit, sigma in question.sigma.items():  # work conservation
            idle = sum((could(i, t) - done[i, t] for i in question.of_type(unit)), Linear())
            model.at_most(idle, full[unit, t] * max(0, question.warps - sigma))
        active = model.variable("active_%d" % t, 0, 1)  # some warp is not done before cycle t
        model.at_most(active, before)
        model.at_most(active, Linear(question.warps) - done[question.length - 1, t - 1])
        issued = sum(question.issued(done, unit, t) for unit in question.sigma)
        model.at_most(active, issued)
        model.objective += active
        before = active
    return model


MODELS = {"steps": steps_model, "counts": counts_model}


# ---- solvers: (model, seconds, threads) to (seconds, finished, lower, upper) ----


def bracket(model, objective, bound):
    """A solver's best objective and bound as whole cycles; None for what it does not have."""

    def cycles(value):
        if value is None or not abs(value) < 1e9:
            return None
        return math.floor(value + model.objective.constant + 1e-6)

    return cycles(objective), cycles(bound)


def cp_sat(model, limit, threads):
    from ortools.sat.python import cp_model

    program = cp_model.CpModel()
    x = {name: program.NewIntVar(*ends, name) for name, ends in model.variables.items()}
    for terms, most in model.rows:
        program.Add(sum(factor * x[name] for name, factor in terms.items()) <= most)
    program.Maximize(sum(factor * x[name] for name, factor in model.objective.terms.items()))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = limit
    solver.parameters.num_workers = max(CP_SAT_THREADS, threads)
    start = time.perf_counter()
    status = solver.Solve(program)
    seconds = time.perf_counter() - start
    found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    objective = solver.ObjectiveValue() if found else None
    ends = bracket(model, objective, solver.BestObjectiveBound())
    return (seconds, status == cp_model.OPTIMAL) + ends


def highs(model, limit, threads):
    import highspy

    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.lp")
        model.write_lp(path)
        solver.readModel(path)
    solver.setOptionValue("time_limit", float(limit))
    solver.setOptionValue("threads", threads)
    solver.setOptionValue("mip_rel_gap", 0.0)
    solver.setOptionValue("mip_abs_gap", 0.99)  # makespans are whole
    start = time.perf_counter()
    solver.run()
    seconds = time.perf_counter() - start
    info = solver.getInfo()
    finished = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return (seconds, finished) + bracket(model, info.objective_function_value, info.mip_dual_bound)


def cbc(model, limit, threads):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.lp")
        model.write_lp(path)
        words = ["cbc", path, "sec", str(limit), "timeMode", "elapsed", "allow", "0.99"]
        if threads > 1:
            words += ["threads", str(threads)]
        start = time.perf_counter()
        output = subprocess.run(
            words + ["solve", "quit"], stdout=subprocess.PIPE, timeout=limit + GRACE, check=True
        ).stdout.decode()
        seconds = time.perf_counter() - start

    def number(words):
        found = re.search(words + r":?\s+(-?[\d.]+(e[+-]?\d+)?)", output)
        return float(found.group(1)) if found else None

    finished = "Optimal solution found" in output
    objective = number("Objective value")
    bound = objective if finished else number("Upper bound")
    return (seconds, finished) + bracket(model, objective, bound)


def version_of_package(name):
    __import__({"ortools": "ortools.sat.python.cp_model"}.get(name, name))
    return importlib.metadata.version(name)


def version_of_cbc(name):
    if shutil.which(name) is None:
        raise ImportError("no command '%s' (package coinor-cbc)" % name)
    output = subprocess.run([name, "quit"], stdout=subprocess.PIPE, check=True).stdout.decode()
    return re.search(r"Version:\s*(\S+)", output).group(1)


# name, how it solves, how its version is found, what has the version
SOLVERS = (
    ("CP-SAT", cp_sat, version_of_package, "ortools"),
    ("HiGHS", highs, version_of_package, "highspy"),
    ("CBC", cbc, version_of_cbc, "cbc"),
)


def in_a_process(seconds, function, *arguments):
    """The function's result, from a process of its own: ortools brings a HiGHS along that
    highspy does not bear beside it, and a process can be ended."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply_async(function, arguments).get(seconds)


def solve(solver, model_name, question, limit, threads):
    """Several times where it is quick; returns the model's size, too."""
    model = MODELS[model_name](question)
    times = []
    while not times or (len(times) < RIVAL_RUNS and sum(times) < 1):
        seconds, finished, lower, upper = solver(model, limit, threads)
        times.append(seconds)
    size = len(model.variables), len(model.rows)
    return size, statistics.median(times), finished, lower, upper


# ---- Warpbound ----


def expand(string):
    return "".join(letter * int(count or 1) for count, letter in re.findall(r"(\d*)(\D)", string))


class Options(ctypes.Structure):
    """struct warpbound_options of include/warpbound.h"""

    _fields_ = [
        ("method", ctypes.c_int),
        ("time_limit", ctypes.c_double),
        ("memory_limit", ctypes.c_uint64),
        ("threads", ctypes.c_uint32),
        ("interrupted", ctypes.c_void_p),
        ("progress", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
    ]


METHOD_EXACT = 2


class Ours:
    """Warpbound's answer and its median times over several runs: of the library's calls from
    string to answer, and of a process of the program."""

    def __init__(self, folder, string, units, warps, runs):
        library = ctypes.CDLL(os.path.join(folder, "libwarpbound.so"))
        words = (string.encode(), units.encode(), 0, 1, warps)
        options = Options(method=METHOD_EXACT)
        instance, result = ctypes.c_void_p(), ctypes.c_void_p()
        seconds = []
        for _ in range(runs):
            start = time.perf_counter()
            status = library.warpbound_instance_create(*words, ctypes.byref(instance), None)
            status = status or library.warpbound_makespan(
                instance, ctypes.byref(options), ctypes.byref(result), None
            )
            seconds.append(time.perf_counter() - start)
            if status != 0:
                sys.exit("rivals: Warpbound fails on %s (status %d)" % (string, status))
            library.warpbound_result_free(result)
            library.warpbound_instance_free(instance)
        self.seconds = statistics.median(seconds)
        program = [os.path.join(folder, "warpbound"), "makespan", string, "-W", str(warps)]
        program += ["--units", units, "--method", "exact", "--json"]
        process = []
        for _ in range(runs):
            start = time.perf_counter()
            output = subprocess.run(program, stdout=subprocess.PIPE, check=True).stdout
            process.append(time.perf_counter() - start)
        self.process = statistics.median(process)
        answer = json.loads(output)
        self.lower = answer["lower"]["cycles"]
        self.upper = answer["upper"]["cycles"]
        formulas = [row for row in answer["bounds"] if row["name"] in ("closed-form", "serial")]
        self.horizon = min(row["cycles"] for row in formulas)


# ---- the table ----


def show(name, model, size, seconds, finished, lower, upper):
    ends = "[%s, %s]" % tuple("?" if end is None else end for end in (lower, upper))
    status = "exact" if finished else "open"
    columns = (name, model) + tuple(size) + ("%.6f" % seconds, status, ends)
    print("  %-24s %-7s %9s %6s %12s  %-6s %s" % columns, flush=True)


def race(instance, solvers, options):
    """Returns whether all answers agree."""
    string, units, warps = instance
    ours = Ours(options.folder, string, units, warps, options.runs)
    question = Question(string, units, warps, ours.horizon)
    print("\n%s, %s, W = %d; horizon %d by the closed form" % (string, units, warps, ours.horizon))
    show("Warpbound", "", ("", ""), ours.seconds, ours.lower == ours.upper, ours.lower, ours.upper)
    fastest = None
    agreed = ours.lower == ours.upper
    longest = RIVAL_RUNS * (options.time_limit + GRACE)
    for name, solver in solvers:
        for model in MODELS:
            try:
                size, seconds, finished, lower, upper = in_a_process(
                    longest, solve, solver, model, question, options.time_limit, options.threads
                )
            except (multiprocessing.TimeoutError, subprocess.SubprocessError) as error:
                print("  %-24s %-7s no answer (%s)" % (name, model, type(error).__name__))
                continue
            show(name, model, size, seconds, finished, lower, upper)
            if (lower or 0) > ours.upper or (upper is not None and upper < ours.lower):
                print("  %-24s %-7s THE ANSWERS DIFFER" % (name, model))
                agreed = False
            if finished and (fastest is None or seconds < fastest[0]):
                fastest = seconds, name, model
    if fastest is not None:
        print(
            "  the fastest to finish, %s (%s), takes %.0f times as long as Warpbound"
            % (fastest[1], fastest[2], fastest[0] / ours.seconds)
        )
    elif solvers:
        print(
            "  none finished: over %.0f times as long as Warpbound"
            % (options.time_limit / ours.seconds)
        )
    print("  (Warpbound as a process, from its start to its end: %.6f s)" % ours.process)
    return agreed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "folder", help="where the program warpbound and libwarpbound.so are: build/src"
    )
    parser.add_argument(
        "--time-limit",
        type=float,
        default=60,
        metavar="S",
        help="seconds for each instance, model and solver (default 60)",
    )
    parser.add_argument(
        "--threads",
        type=int,
        default=os.cpu_count(),
        metavar="N",
        help="threads of each solver (default: one a processor); CP-SAT's are at least %d"
        % CP_SAT_THREADS,
    )
    parser.add_argument(
        "--runs",
        type=int,
        default=11,
        metavar="N",
        help="runs of Warpbound, of which the median counts (default 11)",
    )
    options = parser.parse_args()
    if options.time_limit <= 0 or options.threads < 1 or options.runs < 1:
        parser.error("expected numbers above 0")
    solvers = []
    for name, solver, version_of, package in SOLVERS:
        try:
            version = in_a_process(GRACE, version_of, package)
            solvers.append(("%s %s" % (name, version), solver))
        except (ImportError, multiprocessing.TimeoutError, subprocess.SubprocessError) as error:
            print("%s is left out: %s" % (name, error or "it does not start"))
    print(
        "%g s for each solver and model; threads: %d, CP-SAT %d; load of the machine before: %.1f"
        % (
            options.time_limit,
            options.threads,
            max(CP_SAT_THREADS, options.threads),
            os.getloadavg()[0],
        )
    )
    heads = ("", "model", "variables", "rows", "seconds", "status", "bracket")
    print("  %-24s %-7s %9s %6s %12s  %-6s %s" % heads)
    agreed = [race(instance, solvers, options) for instance in INSTANCES]
    if not all(agreed):
        sys.exit("rivals: an answer is open or differs from another")


if __name__ == "__main__":
    main()
