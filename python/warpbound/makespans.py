"""Makespans: how long W warps take at most on an SM, whatever a work-conserving scheduler does."""
from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, List, Optional, Tuple, Union

from warpbound import calls, errors, tables
from warpbound._native import ffi, lib
from warpbound.bounds import Bound, Json, bound_of
from warpbound.calls import Limits
from warpbound.devices import Sm
from warpbound.warps import Paths, bound_of_struct, json_of

if TYPE_CHECKING:
    import pandas


@dataclasses.dataclass(frozen=True)
class Makespan:
    """The bracket of a makespan.

    bounds   every bound that was computed
    witness  cycles of the longest schedule that was found; 0: there is none
    limit    why the search ended early; "" where it did not
    json     the object of `warpbound makespan --json`
    """

    warps: int
    lower: Bound
    upper: Bound
    bounds: List[Bound] = dataclasses.field(repr=False)
    witness: int
    notes: List[str] = dataclasses.field(repr=False)
    assumptions: List[str] = dataclasses.field(repr=False)
    limit: str
    json: Json = dataclasses.field(repr=False, compare=False)
    _handle: Any = dataclasses.field(repr=False, compare=False)

    def schedule(self) -> str:
        """The longest schedule: the text of a file for verify()."""
        return calls.text_from(lambda out, error: lib.warpbound_result_schedule(self._handle, out, error))

    def certificate(self) -> str:
        """What proves an upper bound: the text of a file for verify()."""
        return calls.text_from(
            lambda out, error: lib.warpbound_result_certificate(self._handle, out, ffi.NULL, error))

    def gantt(self) -> str:
        """The longest schedule as a picture: an SVG page."""
        return calls.text_from(lambda out, error: lib.warpbound_result_gantt(self._handle, out, error))

    def bounds_frame(self) -> "pandas.DataFrame":
        rows = [{"name": bound.method, "cycles": bound.cycles, "kind": str(bound.kind), "source": bound.source}
                for bound in self.bounds]
        return tables.frame(rows, ["name", "cycles", "kind", "source"])

    def _repr_html_(self) -> str:
        rows = [("at least", self.lower.cycles, self.lower.kind, self.lower.method),
                ("at most", self.upper.cycles, self.upper.kind, self.upper.method)]
        return (tables.html_table(["", "cycles", "kind", "by"], rows, f"{self.warps} warps")
                + tables.html_details(f"{len(self.assumptions)} assumptions",
                                      tables.html_list(self.assumptions)))


def _result_of(handle: Any, limit: str) -> Makespan:
    json = json_of(lib.warpbound_result_json, handle)
    count = lib.warpbound_result_bound_count(handle)
    return Makespan(
        warps=lib.warpbound_result_warps(handle),
        lower=bound_of(json["lower"]),
        upper=bound_of(json["upper"]),
        bounds=[bound_of_struct(lib.warpbound_result_bound(handle, index)) for index in range(count)],
        witness=lib.warpbound_result_witness(handle),
        notes=calls.list_of(lib.warpbound_result_note_count(handle),
                            lambda index: lib.warpbound_result_note(handle, index)),
        assumptions=calls.list_of(lib.warpbound_result_assumption_count(handle),
                                  lambda index: lib.warpbound_result_assumption(handle, index)),
        limit=limit,
        json=json,
        _handle=handle,
    )


def _instance(question: Union[str, Paths], sm: Union[str, Sm], warps: int, blocks: int) -> Any:
    """The instance of a kernel instruction string, or of all paths of a kernel."""
    place = sm if isinstance(sm, Sm) else Sm(sm)
    borrowed = calls.Borrowed()
    if not 0 <= warps < 2**32 or not 0 <= blocks < 2**32:
        raise errors.UsageError(f"expected numbers of warps and blocks, found {warps} and {blocks}")
    if isinstance(question, Paths):
        paths = question._handle
        return calls.make(
            "warpbound_instance", lib.warpbound_instance_free, (paths,),
            lambda out, error: lib.warpbound_instance_of_paths(paths, place._handle, warps, blocks, out, error))
    string = borrowed.text(question, "a string")
    return calls.make(
        "warpbound_instance", lib.warpbound_instance_free, (),
        lambda out, error: lib.warpbound_instance_on(string, place._handle, warps, blocks, out, error))


def makespan(question: Union[str, Paths], sm: Union[str, Sm], warps: int, *, blocks: int = 1,
             method: str = "auto", policy: Optional[str] = None, certify: bool = False,
             limits: Optional[Limits] = None) -> Makespan:
    """Bounds the worst-case makespan over all work-conserving schedules.

    question  a kernel instruction string "5L9C2L9C", or the paths of a kernel
    sm        an Sm, or the units of one partition "L=1,C=4"
    blocks    that the warps are divided into
    method    "auto", "bounds", "exact", "anneal" or "ilp"
    policy    the lower end is by this scheduling policy alone; "" for the longest of all policies
    certify   look for a certificate of the upper end where no search leaves one
    """
    instance = _instance(question, sm, warps, blocks)
    kept = calls.Borrowed()

    def prepare(options: Any) -> None:
        options.method = calls.enumerator("warpbound_method", method, "method")
        options.policies_only = policy is not None
        options.policy = kept.text(policy or None, "a policy")
        options.certify = certify

    def work(options: Any) -> Tuple[int, Any, Any]:
        return calls.attempt("warpbound_result", lib.warpbound_result_free, (instance,),
                             lambda out, error: lib.warpbound_makespan(instance, options, out, error))

    status, handle, error = calls.under_limits(limits, work, prepare)
    if handle is None:
        calls.check(status, error)
    return _result_of(handle, calls.limit_of(status, error))


@dataclasses.dataclass(frozen=True)
class SeriesRow:
    """The bracket for one number of warps."""

    warps: int
    lower: Bound
    upper: Bound


@dataclasses.dataclass(frozen=True)
class Series:
    """Brackets by ascending number of warps; limit: why some are not closed, "" where none was ended."""

    rows: List[SeriesRow]
    limit: str

    def frame(self) -> "pandas.DataFrame":
        rows = [{"warps": row.warps, "lower": row.lower.cycles, "lower_kind": str(row.lower.kind),
                 "upper": row.upper.cycles, "upper_kind": str(row.upper.kind)} for row in self.rows]
        return tables.frame(rows, ["warps", "lower", "lower_kind", "upper", "upper_kind"])

    def _repr_html_(self) -> str:
        rows = [(row.warps, row.lower.cycles, row.upper.cycles, row.upper.kind) for row in self.rows]
        return tables.html_table(["warps", "at least", "at most", "kind"], rows)


def makespan_series(question: Union[str, Paths], sm: Union[str, Sm], first: int, last: int, *, blocks: int = 1,
                    method: str = "auto", limits: Optional[Limits] = None) -> Series:
    """makespan() for each number of warps from `first` to `last`; far faster than one by one."""
    instance = _instance(question, sm, last, blocks)

    def prepare(options: Any) -> None:
        options.method = calls.enumerator("warpbound_method", method, "method")

    def work(options: Any) -> Tuple[int, Any, Any]:
        return calls.attempt(
            "warpbound_series", lib.warpbound_series_free, (instance,),
            lambda out, error: lib.warpbound_makespan_series(instance, first, last, options, ffi.NULL, ffi.NULL, out,
                                                             error))

    status, handle, error = calls.under_limits(limits, work, prepare)
    if status != lib.WARPBOUND_LIMIT or handle is None:
        calls.check(status, error)
    rows = []
    for index in range(lib.warpbound_series_count(handle)):
        row = lib.warpbound_series_at(handle, index)
        rows.append(SeriesRow(row.warps, bound_of_struct(row.lower), bound_of_struct(row.upper)))
    return Series(rows, calls.limit_of(status, error))


def policies() -> List[str]:
    """The scheduling policies."""
    return calls.list_of(lib.warpbound_policy_count(), lib.warpbound_policy_name)
