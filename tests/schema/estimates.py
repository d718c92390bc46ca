"""Whether each end of kind estimate says why it is one, in JSON that the program printed."""
import json
import os

REASON = {"name", "reason", "place", "remedy"}


def ends(value, path=()):
    """The ends of brackets in a value, with their places: objects with cycles, kind and method; of
    `string` the whole, which has a kind and runs."""
    if isinstance(value, dict):
        if "kind" in value and ({"cycles", "method"} <= set(value) or "runs" in value):
            yield path, value
        for key, inner in value.items():
            yield from ends(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from ends(inner, (*path, index))


def wrong(value):
    """The first end that is an estimate without reasons, or has some and is none; None: there is none."""
    for path, end in ends(value):
        reasons = end.get("estimate_reasons")
        place = "/".join(map(str, path))
        if (end["kind"] == "estimate") != (reasons is not None):
            return f"{place}: kind {end['kind']}, reasons {reasons}"
        if reasons is not None and not all(REASON == set(row) and all(row.values()) for row in reasons):
            return f"{place}: a reason is not whole: {reasons}"
        if reasons == []:
            return f"{place}: no reasons"
    return None


def printed(root):
    """Every JSON object that a case of the command line expects, with the file and its command."""
    for top in ("golden", "errors"):
        for folder, _, files in os.walk(os.path.join(root, "tests", top)):
            for file in sorted(files):
                if file.endswith(".test"):
                    yield from outputs(os.path.join(folder, file))


def outputs(file):
    with open(file, encoding="utf-8", errors="replace") as stream:
        lines = stream.read().split("\n")
    command, text = "", ""
    for line in lines:
        if line.startswith("1>"):
            text += line[3:] + "\n"
        elif line.startswith("status"):
            if text.startswith("{"):
                try:
                    yield file, command, json.loads(text.replace('": #', '": 0'))
                except ValueError:
                    pass  # a part of an object
            text = ""
        elif line.startswith("$ "):
            command = line[2:]
