"""The structure of src/ as its includes have it: rooms, floors, folders, units.

A room is a folder of src/; a unit is X.h with X.c.
"""
import os
import re

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

# The rooms by floor, lowest first. A room includes only rooms of lower floors.
FLOORS = [
    ["base"],
    ["linear", "model", "evt"],
    ["isa", "cfg", "makespan", "certificate"],
    ["binary", "values"],
    ["frontend", "flow", "sm"],
    ["formats", "ipet", "launch", "instrument"],
    ["analysis"],
    ["report"],
    ["api", "cli"],
]
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}


def read_includes():
    """(file, included file) for each quoted include of src/ but the public header's."""
    source = os.path.join(ROOT, "src")
    includes = []
    for folder, _, names in sorted(os.walk(source)):
        for name in sorted(names):
            if not name.endswith((".c", ".h")):
                continue
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as text:
                for included in re.findall(r'^#include "([^"]*)"', text.read(), re.MULTILINE):
                    if included != "warpbound.h":
                        includes.append((os.path.relpath(path, source), included))
    return includes


def room_of(file):
    return file.split("/")[0]


def unit_of(file):
    return file[:-2]


def graph_of(includes, name_of):
    """By name of an including file, the other names that it includes."""
    graph = {}
    for file, included in includes:
        if name_of(file) != name_of(included):
            graph.setdefault(name_of(file), set()).add(name_of(included))
    return graph


def circles(graph):
    """The strongly connected components of more than one node (Tarjan's algorithm)."""
    number, low, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            component = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(component) > 1:
                found.append(sorted(component))

    for node in sorted(graph):
        if node not in number:
            visit(node)
    return found


def reachable(graph, start):
    found, waiting = set(), list(graph.get(start, ()))
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting.extend(graph.get(node, ()))
    return found


def transitive_reduction(graph):
    """The edges of an acyclic graph that no longer path stands for."""
    return {
        node: {
            other
            for other in others
            if not any(other in reachable(graph, between) for between in others - {other})
        }
        for node, others in graph.items()
    }
