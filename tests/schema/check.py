#!/usr/bin/python3
"""Checks real output of every command, and the files of the source tree, against doc/schema. Prints TAP.

usage: check.py PROGRAM ROOT

Each output has to be valid, to have no member that its schema does not name, and to be refused
once it is spoilt: without a member that is required, or with a value of another type (once for each
place of a schema and each set of members beside it). Each end of
kind estimate has its reasons, in these outputs and in those that the cases of the command line expect.
"""
import copy
import json
import os
import subprocess
import sys
import tempfile

from jsonschema import Draft202012Validator

import estimates

PROGRAM, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
SCHEMAS = os.path.join(ROOT, "doc", "schema")
VORONOI = ["examples/voronoi.ptx", "--through", "$loop_test"]
PATHS = ["examples/divergence.sass", "--default-loop-bound", "3"]
TIMES = ["examples/divergence.sass", "--times", "examples/divergence-times.csv"]
TILED = ["examples/matrix_multiply.sass", "-k", "matrix_tiled", "--param", "24=8"]
SASS = "tests/fixtures/sass/"
CAMERA = ["examples/camera/frame.cubin", "--sm", "orin-agx", "--simulate", "0"]
LAUNCH = ["examples/matrix_multiply.fatbin", "-k", "matrix_tiled", "--sm", "orin-agx", "--param", "param_3=32"]

# Schema, exit status, words of the command. {0} is the scratch folder, with what WRITERS wrote.
COMMANDS = [
    ("wcet", 4, ["wcet", "examples/matrix_multiply.fatbin", "--arch", "sm_87"]),
    ("missing", 4, ["analyze", "examples/matrix_multiply.fatbin", "-k", "matrix_tiled", "--grid", "4,4", "--block", "8,8",
                    "--sm", "orin-agx"]),
    ("analyze-table", 4, ["analyze", "examples/matrix_multiply.fatbin", "-k", "matrix_tiled", "--grid", "4,4", "--block",
                          "8,8", "--sm", "orin-agx", "--sweep", "block=32..64:32"]),
    ("string", 0, ["string", *VORONOI]),
    ("string", 0, ["string", *VORONOI, "--classes", "--sm", "examples/fermi-like.json"]),
    ("string", 0, ["string", "tests/golden/data/ptx/paths.ptx", "-k", "switch", "--classes"]),
    ("string", 0, ["string", *TILED]),
    ("string", 0, ["string", "5L9C"]),
    ("makespan", 1, ["makespan", "tests/golden/data/ptx/paths.ptx", "-k", "switch", "-W", "2", "--sm", "sm_61",
                     "--method", "bounds", "--loop-iterations", "2", "--require-proof"]),
    ("wcet", 1, ["wcet", "tests/golden/data/sass/sections.sass", "--default-loop-bound", "2", "--require-proof"]),
    ("analyze", 1, ["analyze", "tests/golden/data/sass/sleeps/random_sleep.sass", "--sm", "orin-nano", "--grid", "9", "--block",
                    "64", "--registers", "10", "--static-shared", "0", "--deadline", "1ms", "--require-proof"]),
    ("string", 0, ["string", "tests/golden/data/ptx/mangled.ptx", "-k", "scale"]),
    ("kernels", 0, ["kernels", "tests/fixtures/binary/vectors/program"]),
    ("kernels", 0, ["kernels", "tests/fixtures/binary/vectors/old.fatbin"]),
    ("kernels", 0, ["kernels", "tests/fixtures/binary/vectors/lto.fatbin"]),
    ("kernels", 0, ["kernels", "tests/fixtures/binary/vectors/relocatable_87.cubin"]),
    ("kernels", 0, ["kernels", "tests/fixtures/binary/vectors/clusters.fatbin"]),
    ("kernels", 0, ["kernels", "examples/voronoi.ptx"]),
    ("kernels", 0, ["kernels", "examples/matrix_multiply.sass"]),
    ("analyze", 0, ["analyze", *LAUNCH, "--grid", "4,4", "--block", "8,8", "--deadline", "1s", "--budget", "100000000"]),
    ("analyze", 1, ["analyze", *LAUNCH, "--grid", "4,4", "--block", "8,8", "--simulate", "0", "--budget", "1"]),
    ("analyze-table", 0, ["analyze", *LAUNCH, "--grid", "4,4", "--block", "64", "--sweep", "block=64..128:64"]),
    ("check", 0, ["check", "examples/project", "--no-cache"]),
    ("frame", 0, ["analyze", *CAMERA, "--launches", "examples/camera/frame.json", "--graph", "--set", "code.near=0"]),
    ("frame", 0, ["analyze", *CAMERA, "--launches", "examples/camera/frame.json", "--together", "--start", "warm"]),
    ("frame", 0, ["analyze", *CAMERA, "--launches", "examples/camera/own_sms.json", "--beside"]),
    ("compare", 0, ["compare", "tests/golden/data/results/old.json", "tests/golden/data/results/new.json"]),
    ("compare", 1, ["compare", "tests/golden/data/results/old.json", "tests/golden/data/results/new.json",
                    "--fail-above", "5%"]),
    ("evt", 0, ["evt", "examples/times.csv"]),
    ("evt", 0, ["evt", "examples/times.csv", "--method", "peaks", "--threshold", "25000", "--bootstrap", "5",
                "--bound", "40000", "--clock", "1.3GHz", "--probability", "1e-3"]),
    ("evt", 0, ["evt", "tests/golden/data/evt/constant.csv"]),
    ("evt", 0, ["evt", "tests/golden/data/evt/groups.csv", "--group", "kernel"]),
    ("evt", 0, ["evt", "tests/golden/data/evt/drift.csv", "--fit-anyway", "--method", "block-maxima"]),
    ("makespan", 0, ["makespan", "5L9C2L9C", "-W", "4", "-u", "L=1,C=4"]),
    ("makespan", 0, ["makespan", "LD", "-W", "4", "--sm", "sm_61"]),
    ("makespan", 0, ["makespan", "LCLC", "-W", "4", "-u", "L=1,C=1", "--fair-blocks", "1,2,2"]),
    ("makespan", 0, ["makespan", "2L3C", "-W", "3", "-u", "L=1,C=2", "--method", "anneal",
                     "--iterations", "50", "--runs", "2", "--trace", "/dev/null"]),
    ("makespan", 5, ["makespan", "5L9C2L9C", "-W", "9", "-u", "L=1,C=4", "--method", "exact",
                     "--memory-limit", "8K"]),
    ("makespan", 0, ["simulate", "5L9C2L9C", "-W", "4", "-u", "L=1,C=4"]),
    ("makespan", 0, ["ilp", "CC", "-W", "4", "-u", "C=2"]),
    ("makespan", 0, ["ilp", "CC", "-W", "4", "-u", "C=2", "--solve"]),
    ("makespan", 0, ["makespan", "2LBCB2LBCB", "-W", "5", "-u", "L=2,C=1"]),
    ("makespan", 0, ["makespan", "2LBCB2LBCB", "-W", "6", "-u", "L=2,C=1", "--blocks", "2"]),
    ("makespan", 0, ["makespan", "2LCBL", "-W", "8", "--sm", "orin", "--method", "bounds"]),
    ("makespan", 0, ["makespan", "LCLC", "-W", "8", "--sm", "orin", "--blocks", "2",
                     "--method", "bounds"]),
    ("makespan", 0, ["makespan", *PATHS, "-W", "4", "-u", "L=1,C=4"]),
    ("makespan", 0, ["makespan", "tests/golden/data/sass/mixed.sass", "-W", "2", "-u", "C=8"]),
    ("makespan", 0, ["makespan", *TILED, "-W", "8", "--sm", "sm_61"]),
    ("makespan", 0, ["makespan", *VORONOI, "-W", "4", "-u", "L=1,C=4"]),
    ("makespan", 0, ["simulate", "2LBCB", "-W", "4", "-u", "L=2,C=1", "--blocks", "2"]),
    ("makespan-table", 0, ["makespan", "2LBCB2LBCB", "-W", "2..8", "-u", "L=2,C=1"]),
    ("makespan-table", 0, ["makespan", "LCBL", "-W", "2..4", "-u", "L=1,C=1", "--partitions", "2",
                           "--blocks", "2"]),
    ("makespan-table", 0, ["makespan", "LLCLL", "-W", "1..16", "-u", "L=1,C=1",
                           "--partitions", "2"]),
    ("makespan-table", 0, ["makespan", *PATHS, "-W", "1..2", "-u", "L=1,C=4"]),
    ("makespan-table", 0, ["makespan", "LLCLL", "-W", "1..8", "-u", "L=1,C=1"]),
    ("makespan-table", 0, ["simulate", "LC", "-W", "1..2", "-u", "L=1,C=1"]),
    ("makespan-table", 0, ["ilp", "LC", "-W", "1..2", "-u", "L=1,C=1", "--solve"]),
    ("cfg", 0, ["cfg", "examples/matrix_multiply.sass", "--contexts"]),
    ("cfg", 0, ["cfg", "examples/divergence.sass", "--contexts"]),
    ("cfg", 0, ["cfg", "tests/golden/data/sass/mangled.sass"]),
    ("cfg", 0, ["cfg", "examples/mandelbrot.sass"]),
    ("cfg", 0, ["cfg", "examples/mandelbrot.sass", "--reconvergence", "never", "--masks",
                "together"]),
    ("cfg", 3, ["cfg", "tests/golden/data/sass/kepler.sass"]),
    ("hybrid", 0, ["hybrid", *TIMES]),
    ("hybrid", 0, ["hybrid", *TIMES, "--counts", "observed"]),
    ("hybrid", 0, ["hybrid", "examples/divergence.sass", "--times", "tests/golden/data/times/gaps.csv",
                   "--unmeasured", "static"]),
    ("wcet", 0, ["wcet", "examples/matrix_multiply.sass", "--default-loop-bound", "10"]),
    ("wcet", 0, ["wcet", "examples/divergence.sass", "--default-loop-bound", "3"]),
    ("wcet", 0, ["wcet", "tests/golden/data/sass/mangled.sass"]),
    ("wcet", 0, ["wcet", "examples/mandelbrot.sass", "--reconvergence", "always", "--masks",
                 "together"]),
    ("string", 0, ["string", "examples/mandelbrot.sass", "--reconvergence", "never",
                   "--default-loop-bound", "255"]),
    ("run", 0, ["run", "examples/divergence.sass", "--seed", "7", "--lanes", "4"]),
    ("run", 0, ["run", SASS + "sm_75/O3/branches/break_continue.cuobjdump.sass", "-k", "break_inner",
                "--seed", "3", "--groups", "starve"]),
    ("run", 0, ["run", "tests/golden/data/sass/deadlock.sass", "--seed", "1", "--lanes", "4"]),
    ("verify", 0, ["verify", "tests/golden/data/schedules/valid.json"]),
    ("verify", 0, ["verify", "tests/golden/data/potentials/potential.json"]),
    ("verify", 0, ["verify", "tests/golden/data/runs/runs_finer.json"]),
    ("verify", 1, ["verify", "tests/golden/data/runs/runs_cycles.json"]),
    ("verify", 0, ["verify", "examples/two-blocks-schedule.json"]),
    ("verify", 0, ["verify", "{0}/phases.json"]),
    ("verify", 0, ["verify", "{0}/paths.json"]),
    ("verify", 0, ["verify", "{0}/same_barriers.json"]),
    ("verify", 0, ["verify", "{0}/launch.json"]),
    ("devices", 0, ["devices"]),
    ("devices", 0, ["devices", "sm_52"]),
    ("device", 0, ["devices", "orin-agx"]),
    ("points", 0, ["devices", "rtx-3090", "--check", "doc/measured/hardware.csv"]),
]

# Schema and a file that is valid by it.
FILES = [
    ("schedule", "tests/golden/data/schedules/valid.json"),
    ("schedule", "examples/two-blocks-schedule.json"),
    ("schedule", "{0}/schedule.json"),
    ("schedule", "{0}/fair_blocks.json"),
    ("schedule", "{0}/blocks.json"),
    ("schedule", "{0}/shared.json"),
    ("schedule", "{0}/strings.json"),
    ("potential", "tests/golden/data/potentials/potential.json"),
    ("potential", "{0}/potential.json"),
    ("runs", "tests/golden/data/runs/runs_finer.json"),
    ("runs", "{0}/runs.json"),
    ("phases", "{0}/phases.json"),
    ("phases", "{0}/potential_phases.json"),
    ("paths", "{0}/paths.json"),
    ("paths", "{0}/same_barriers.json"),
    ("paths", "{0}/shared_paths.json"),
    ("instance", "examples/voronoi.json"),
    ("instance", "tests/golden/data/instances/instance_string.json"),
    ("instance", "tests/golden/data/instances/instance_options.json"),
    ("device", "data/devices/gtx-1080.json"),
    ("device", "data/devices/h100-sxm.json"),
    ("device", "data/devices/orin-nx.json"),
    ("sm", "examples/fermi-like.json"),
    ("sm", "tests/golden/data/instances/sm.json"),
]
# Words of commands that write files.
WRITERS = [
    ["makespan", "LC", "-W", "2", "-u", "L=1,C=1", "--schedule", "{0}/schedule.json"],
    ["makespan", "LCCLCC", "-W", "4", "-u", "L=1,C=2", "--fair-blocks", "1,3,2",
     "--schedule", "{0}/fair_blocks.json"],
    ["makespan", "2LBCB2LBCB", "-W", "6", "-u", "L=2,C=1", "--blocks", "2",
     "--schedule", "{0}/blocks.json"],
    ["makespan", "LCBL", "-W", "8", "--sm", "orin", "--method", "bounds",
     "--schedule", "{0}/shared.json"],
    ["makespan", "2LBCB2LBCB", "-W", "5", "-u", "L=2,C=1", "--certificate", "{0}/phases.json"],
    ["makespan", "LBLLCLL", "-W", "600", "-u", "L=1,C=1", "--method", "bounds",
     "--certificate", "{0}/potential_phases.json"],
    ["makespan", *PATHS, "-W", "4", "-u", "L=1,C=4", "--certificate", "{0}/paths.json"],
    ["makespan", "tests/golden/data/sass/mixed.sass", "-W", "2", "-u", "C=8",
     "--schedule", "{0}/strings.json"],
    ["makespan", *TILED, "-W", "8", "--sm", "sm_61", "--certificate", "{0}/same_barriers.json"],
    ["makespan", *PATHS, "--allow-other-sm", "-W", "4", "--sm", "orin", "--method", "bounds",
     "--certificate", "{0}/shared_paths.json"],
    ["analyze", "examples/matrix_multiply.fatbin", "-k", "matrix_tiled", "--grid", "4,4", "--block", "8,8",
     "--sm", "orin-agx", "--param", "param_3=32", "--simulate", "0", "--certificate", "{0}/launch.json"],
    ["makespan", "LLCLL", "-W", "600", "-u", "L=1,C=1", "--certificate", "{0}/potential.json"],
    ["makespan", "5L9C2L9C", "-W", "4", "-u", "L=1,C=4", "--certificate", "{0}/runs.json"],
]

# Files that the program refuses, and the schema has to refuse too.
WRONG = [
    ("schedule", {"format": "warpbound-schedule-2"}),
    ("sm", {"units": {"L": {"capacity": 1, "lanes": 4}}}),
    ("device", {"format": "warpbound-device-2"}),
    ("sm", {"units": {"l": 1}}),
    ("sm", {"partitions": 0}),
    ("instance", {"string": "LC", "file": "a.ptx"}),
    ("instance", {"warps": 4}),
    ("instance", {"string": "LC", "Warps": 4}),
]

# Schema, a valid file, a member and the value with which the program and the schema refuse it;
# None: without the member.
SPOILT = [
    ("schedule", "examples/two-blocks-schedule.json", "string", "LBC"),
    ("schedule", "examples/two-blocks-schedule.json", "string_of_warp", None),
    ("schedule", "examples/two-blocks-schedule.json", "shared", "LL"),
    ("schedule", "examples/two-blocks-schedule.json", "shared", "N"),
    ("schedule", "examples/two-blocks-schedule.json", "partitions", 65),
    ("schedule", "examples/two-blocks-schedule.json", "blocks", 0),
    ("schedule", "tests/golden/data/schedules/valid.json", "string_of_warp", [1, 1]),
    ("phases", "{0}/phases.json", "proofs", []),
    ("phases", "{0}/phases.json", "proofs", [{"format": "warpbound-schedule-1"}]),
    ("phases", "{0}/phases.json", "warps", 0),
    ("phases", "{0}/phases.json", "blocks", 2),
    ("paths", "{0}/paths.json", "bound", "all"),
    ("paths", "{0}/paths.json", "denominator", 0),
    ("paths", "{0}/paths.json", "shared", ["N"]),
    ("paths", "{0}/paths.json", "nodes", [[1, 1, 1, 1, 1]]),
    ("paths", "{0}/paths.json", "limits", [{"most": 1, "edges": [], "least": 0}]),
    ("paths", "{0}/paths.json", "issue_slots", None),
]

OTHER_TYPE = {dict: True, list: True, str: {}, int: {}, float: {}, bool: {}, type(None): {}}


def closed(schema, top=True):
    """The schema with no member allowed but those that it names."""
    if isinstance(schema, list):
        return [closed(part, False) for part in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(value, False) for key, value in schema.items()}
    if "properties" in schema and isinstance(schema["properties"], dict) and "type" in schema:
        result.setdefault("additionalProperties", False)
    return result


def places(value, path=()):
    """Every place in a value, as a path of keys; of a list only its first three items."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value[:3]) \
        if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def valid_if_spoilt(validator, value, path):
    """Whether a value is valid with one of another type at a place; it is put back."""
    holder = value
    for key in path[:-1]:
        holder = holder[key]
    before = holder[path[-1]]
    holder[path[-1]] = OTHER_TYPE[type(before)]
    valid = validator.is_valid(value)
    holder[path[-1]] = before
    return valid


def shortened(value):
    """A copy with the first three items of each list, which are those that are spoilt."""
    if isinstance(value, list):
        return [shortened(item) for item in value[:3]]
    return {key: shortened(item) for key, item in value.items()} if isinstance(value, dict) else value


def free(path):
    """What the user may fill with anything."""
    return any(isinstance(key, str) and key.startswith("x-") for key in path)


def place_of_schema(name, value, path):
    """What places that a schema describes alike have in common: the path without the numbers of list items,
    the type, and the members beside it, by which schemas choose."""
    holder = value
    for key in path[:-1]:
        holder = holder[key]
    beside = frozenset(holder) if isinstance(holder, dict) else None
    return name, tuple("" if isinstance(key, int) else key for key in path), type(holder[path[-1]]), beside


def judge(name, schema, value, strict, spoilt):
    """What is wrong, or None. Places of the set `spoilt` have been spoilt before; those of this value join it."""
    validator = Draft202012Validator(closed(schema) if strict else schema)
    for error in validator.iter_errors(value):
        return f"{'/'.join(map(str, error.path))}: {error.message[:200]}"
    plain = Draft202012Validator(schema)
    for key in schema.get("required", []):
        less = {other: inner for other, inner in value.items() if other != key}
        if plain.is_valid(less):
            return f"valid without '{key}'"
    short = shortened(value)
    if not plain.is_valid(short):
        short = copy.deepcopy(value)
    for path in places(short):
        if not path or free(path):
            continue
        place = place_of_schema(name, short, path)
        if place not in spoilt and valid_if_spoilt(plain, short, path):
            return f"valid with another type at {'/'.join(map(str, path))}"
        spoilt.add(place)
    return None


def accepted(name, schemas, file, member, value, scratch, run):
    """What is wrong where a spoilt file is not refused by both the program and its schema."""
    with open(os.path.join(ROOT, file.replace("{0}", scratch)), encoding="utf-8") as stream:
        spoilt_file = json.load(stream)
    if value is None:
        del spoilt_file[member]
    else:
        spoilt_file[member] = value
    place = os.path.join(scratch, "spoilt.json")
    with open(place, "w", encoding="utf-8") as stream:
        json.dump(spoilt_file, stream)
    done = run(["verify", place])
    if done.returncode != 3:
        return f"verify: status {done.returncode}: {done.stdout}{done.stderr}"
    return "it is valid" if Draft202012Validator(schemas[name]).is_valid(spoilt_file) else None


def main():
    schemas = {}
    results = []
    spoilt = set()
    for file in sorted(os.listdir(SCHEMAS)):
        with open(os.path.join(SCHEMAS, file), encoding="utf-8") as stream:
            schemas[file[:-len(".json")]] = json.load(stream)
    used = {row[0] for row in COMMANDS} | {row[0] for row in FILES}
    for name, schema in schemas.items():
        Draft202012Validator.check_schema(schema)
        results.append((f"{name} is a schema that the test uses",
                        None if name in used else "not used"))
    with tempfile.TemporaryDirectory() as scratch:
        def run(words):
            words = [word.replace("{0}", scratch) for word in words]
            return subprocess.run([PROGRAM, *words], cwd=ROOT, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=300, check=False)
        for words in WRITERS:
            done = run(words)
            results.append((f"writes: {' '.join(words)}",
                            done.stderr if done.returncode != 0 else None))
        for name, status, words in COMMANDS:
            done = run([*words, "--json"])
            wrong = f"status {done.returncode}: {done.stderr}" if done.returncode != status \
                else judge(name, schemas[name], json.loads(done.stdout), True, spoilt) \
                or estimates.wrong(json.loads(done.stdout))
            results.append((f"{name}: {' '.join(words)}", wrong))
        for name, file in FILES:
            with open(os.path.join(ROOT, file.replace("{0}", scratch)), encoding="utf-8") as stream:
                results.append((f"{name}: {file}",
                                judge(name, schemas[name], json.load(stream), False, spoilt)))
        for name, file, member, value in SPOILT:
            results.append((f"{name} refuses {file} with {member} {json.dumps(value)}",
                            accepted(name, schemas, file, member, value, scratch, run)))
    for file, command, value in estimates.printed(ROOT):
        results.append((f"estimates: {os.path.relpath(file, ROOT)}: {command[:80]}", estimates.wrong(value)))
    for name, value in WRONG:
        valid = Draft202012Validator(schemas[name]).is_valid(value)
        results.append((f"{name} refuses {json.dumps(value)}", "it is valid" if valid else None))
    print(f"1..{len(results)}")
    for number, (name, wrong) in enumerate(results, 1):
        print(f"{'not ok' if wrong else 'ok'} {number} - {name}")
        if wrong:
            print(f"# {wrong}")
    return any(wrong for _, wrong in results)


sys.exit(main())
