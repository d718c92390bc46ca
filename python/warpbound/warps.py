"""One warp: WCET, measured times on paths, control flow, strings of paths, random executions."""
from __future__ import annotations

import dataclasses
import json as json_format
from typing import TYPE_CHECKING, Any, Callable, List

from warpbound import calls, tables
from warpbound._native import ffi, lib
from warpbound.bounds import Bound, Json, Kind, Loop

if TYPE_CHECKING:
    import pandas

UNKNOWN_CYCLES = 2**64 - 1


def json_of(function: Callable[[Any, Any, Any], Any], handle: Any) -> Json:
    """The JSON object that a function of the library makes of a handle."""
    made: Json = json_format.loads(calls.text_from(lambda out, error: function(handle, out, error)))
    return made


def bound_of_struct(bound: Any) -> Bound:
    """A bound from the library's struct."""
    kind = Kind(calls.string_of(lib.warpbound_kind_name(bound.kind)))
    return Bound(bound.cycles, kind, calls.string_of(bound.name), calls.string_of(bound.source))


def _loop_of_struct(loop: Any) -> Loop:
    return Loop(
        address=loop.address,
        bound=loop.bound if loop.bounded else None,
        warp_bound=loop.warp_bound if loop.bounded else None,
        per="warp" if loop.per_warp else "thread",
        source=calls.string_of(loop.source),
        file=calls.string_of(loop.file) or None,
        line=loop.line or None,
        reason=calls.string_of(loop.reason) or None,
    )


@dataclasses.dataclass(frozen=True)
class Wcet:
    """The WCET of one warp that runs a kernel alone.

    bound        where facts are missing there is none: cycles are 2^64 - 1
    path_cycles  of the worst path that was found; 0: none was
    limit        why the search for a path ended early; "" where it did not
    json         the object of `warpbound wcet --json` of this kernel; {} where there is no bound
    """

    bound: Bound
    path_cycles: int
    loops: List[Loop] = dataclasses.field(repr=False)
    assumptions: List[str] = dataclasses.field(repr=False)
    limit: str
    json: Json = dataclasses.field(repr=False, compare=False)
    _handle: Any = dataclasses.field(repr=False, compare=False)

    def runs(self, instruction: int) -> int:
        """How often the worst path runs an instruction, from 0 in the function; 0 beyond the last."""
        return int(lib.warpbound_wcet_runs(self._handle, instruction))

    def text(self) -> str:
        """The result for people, as `warpbound wcet` prints it."""
        return calls.text_from(lambda out, error: lib.warpbound_wcet_text(self._handle, out, error))

    def template(self) -> str:
        """A file of flow facts, with a '?' for each loop without a bound."""
        return calls.text_from(lambda out, error: lib.warpbound_wcet_template(self._handle, out, error))

    def loops_frame(self) -> "pandas.DataFrame":
        rows = [dataclasses.asdict(loop) for loop in self.loops]
        return tables.frame(rows, [field.name for field in dataclasses.fields(Loop)])

    def _repr_html_(self) -> str:
        rows = [(f"{loop.file}:{loop.line}" if loop.line else f"0x{loop.address:04x}", loop.bound, loop.per,
                 loop.source) for loop in self.loops]
        return (tables.html_table(["loop", "back edges", "of", "known by"], rows, f"at most {self.bound}")
                + tables.html_details(f"{len(self.assumptions)} assumptions",
                                      tables.html_list(self.assumptions)))


def wcet_of(handle: Any, limit: str) -> Wcet:
    """The result of a handle, also of one without a bound."""
    bound = bound_of_struct(lib.warpbound_wcet_bound(handle))
    count = lib.warpbound_wcet_loop_count(handle)
    return Wcet(
        bound=bound,
        path_cycles=lib.warpbound_wcet_path_cycles(handle),
        loops=[_loop_of_struct(lib.warpbound_wcet_loop(handle, index)) for index in range(count)],
        assumptions=calls.list_of(lib.warpbound_wcet_assumption_count(handle),
                                  lambda index: lib.warpbound_wcet_assumption(handle, index)),
        limit=limit,
        json={} if bound.cycles == UNKNOWN_CYCLES else json_of(lib.warpbound_wcet_json, handle),
        _handle=handle,
    )


class Times:
    """Measured times between places of code (doc/measured/hybrid.md, "TIMES")."""

    def __init__(self, source: calls.Source) -> None:
        kept = calls.Borrowed()
        given = ffi.new("warpbound_input *")
        kept.source(source, given)
        self._handle = calls.make("warpbound_times", lib.warpbound_times_free, (),
                                  lambda out, error: lib.warpbound_times_create(given, out, error))

    def __len__(self) -> int:
        return int(lib.warpbound_times_row_count(self._handle))

    @property
    def name_kernels(self) -> bool:
        """Whether every row names its kernel."""
        return bool(lib.warpbound_times_name_kernels(self._handle))


@dataclasses.dataclass(frozen=True)
class Hybrid:
    """The WCET of one warp from measured times and the code's own paths: an estimate.

    static    the purely static number; cycles are 2^64 - 1 where it is not known
    observed  the longest whole run among the rows; 0: there is none
    """

    bound: Bound
    static: Bound
    observed: int
    assumptions: List[str] = dataclasses.field(repr=False)
    json: Json = dataclasses.field(repr=False, compare=False)
    _handle: Any = dataclasses.field(repr=False, compare=False)

    def text(self) -> str:
        return calls.text_from(lambda out, error: lib.warpbound_hybrid_text(self._handle, out, error))


def hybrid_of(handle: Any) -> Hybrid:
    bound = bound_of_struct(lib.warpbound_hybrid_bound(handle))
    return Hybrid(
        bound=bound,
        static=bound_of_struct(lib.warpbound_hybrid_static(handle)),
        observed=lib.warpbound_hybrid_high_water(handle).cycles,
        assumptions=calls.list_of(lib.warpbound_hybrid_assumption_count(handle),
                                  lambda index: lib.warpbound_hybrid_assumption(handle, index)),
        json={} if bound.cycles == UNKNOWN_CYCLES else json_of(lib.warpbound_hybrid_json, handle),
        _handle=handle,
    )


@dataclasses.dataclass(frozen=True)
class ControlFlow:
    """The warp-level control-flow graph of a kernel; counts of its parts, all in `json`."""

    blocks: int
    edges: int
    loops: int
    divergence_points: int
    uniform_branches: int
    assumptions: List[str] = dataclasses.field(repr=False)
    json: Json = dataclasses.field(repr=False, compare=False)
    _handle: Any = dataclasses.field(repr=False, compare=False)

    def dot(self) -> str:
        """The graph for Graphviz."""
        return calls.text_from(lambda out, error: lib.warpbound_control_flow_dot(self._handle, out, error))

    def text(self) -> str:
        return calls.text_from(lambda out, error: lib.warpbound_control_flow_text(self._handle, out, error))


def control_flow_of(handle: Any) -> ControlFlow:
    size = lib.warpbound_control_flow_size_of(handle)
    return ControlFlow(
        blocks=size.blocks,
        edges=size.edges,
        loops=size.loops,
        divergence_points=size.divergence_points,
        uniform_branches=size.uniform_branches,
        assumptions=calls.list_of(lib.warpbound_control_flow_assumption_count(handle),
                                  lambda index: lib.warpbound_control_flow_assumption(handle, index)),
        json=json_of(lib.warpbound_control_flow_json, handle),
        _handle=handle,
    )


@dataclasses.dataclass(frozen=True)
class Paths:
    """The paths that a warp can take: the kernel instruction string, with counts, of one, and all of them for
    makespan().

    estimate  nothing that rests on the string is proven of the kernel
    one       all paths have the one string
    """

    string: str
    length: int
    estimate: bool
    one: bool
    assumptions: List[str] = dataclasses.field(repr=False)
    json: Json = dataclasses.field(repr=False, compare=False)
    _handle: Any = dataclasses.field(repr=False, compare=False)


def paths_of(handle: Any) -> Paths:
    return Paths(
        string=calls.string_of(lib.warpbound_paths_string(handle)),
        length=lib.warpbound_paths_length(handle),
        estimate=lib.warpbound_paths_is_estimate(handle),
        one=lib.warpbound_paths_are_one(handle),
        assumptions=calls.list_of(lib.warpbound_paths_assumption_count(handle),
                                  lambda index: lib.warpbound_paths_assumption(handle, index)),
        json=json_of(lib.warpbound_paths_json, handle),
        _handle=handle,
    )


@dataclasses.dataclass(frozen=True)
class Step:
    """A step of an execution: the instruction's index in the function and the mask of lanes that do it."""

    instruction: int
    lanes: int
    group: int


@dataclasses.dataclass(frozen=True)
class Trace:
    """A random execution of one warp.

    ended     all lanes came to their end
    deadlock  all groups of lanes wait for others
    """

    steps: int
    ended: bool
    deadlock: bool
    json: Json = dataclasses.field(repr=False, compare=False)
    _handle: Any = dataclasses.field(repr=False, compare=False)

    def step(self, index: int) -> Step:
        """Step `index`, from 0; IndexError beyond the last."""
        if not 0 <= index < self.steps:
            raise IndexError(index)
        return Step(lib.warpbound_trace_instruction(self._handle, index),
                    lib.warpbound_trace_lanes(self._handle, index),
                    lib.warpbound_trace_group(self._handle, index))

    def text(self) -> str:
        return calls.text_from(lambda out, error: lib.warpbound_trace_text(self._handle, out, error))


def trace_of(handle: Any) -> Trace:
    return Trace(
        steps=lib.warpbound_trace_steps(handle),
        ended=lib.warpbound_trace_ended(handle),
        deadlock=lib.warpbound_trace_is_deadlock(handle),
        json=json_of(lib.warpbound_trace_json, handle),
        _handle=handle,
    )


@dataclasses.dataclass(frozen=True)
class Need:
    """That a loop has no bound until a number of a parameter is given; option: of the command line, N for it."""

    option: str
    offset: int
    address: int
    file: str
    line: int


@dataclasses.dataclass(frozen=True)
class KernelParameter:
    """A parameter of a kernel, as its source calls it ("" where none was given), and the loops that need it."""

    name: str
    ordinal: int
    offset: int
    size: int
    needs: List[Need]


def parameters_of(handle: Any) -> List[KernelParameter]:
    count = lib.warpbound_parameters_need_count(handle)
    rows = [lib.warpbound_parameters_need(handle, index) for index in range(count)]
    found = []
    for index in range(lib.warpbound_parameters_count(handle)):
        row = lib.warpbound_parameters_parameter(handle, index)
        needs = [Need(calls.string_of(need.option), need.offset, need.address, calls.string_of(need.file), need.line)
                 for need in rows if need.parameter == index]
        found.append(KernelParameter(calls.string_of(row.name), row.ordinal, row.offset, row.size, needs))
    return found
