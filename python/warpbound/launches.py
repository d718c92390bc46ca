"""Whole launches: the bracket of a launch's time and what it consists of."""
from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, List, Optional, Tuple

from warpbound import calls, tables
from warpbound._native import lib
from warpbound.bounds import Bound, Json, Loop, bound_of, rows_of

if TYPE_CHECKING:
    import pandas


@dataclasses.dataclass(frozen=True)
class Part:
    """A part of the upper end; all of them add up to it."""

    name: str
    cycles: float
    words: str = ""


@dataclasses.dataclass(frozen=True)
class Access:
    """An instruction that accesses memory, and what it needs at most.

    address           in bytes from the function's start
    pattern           of the lanes' addresses: "uniform", "strided" or "unknown"
    stride            in bytes from lane to lane; None: not known
    sectors, wavefronts  of one warp instruction, at most
    ideal             sectors that would do
    runs              of one warp, at most
    wasteful          it takes more sectors than the same bytes side by side
    """

    address: int
    opcode: str
    space: str
    load: bool
    store: bool
    atomic: bool
    bytes: int
    pattern: str
    stride: Optional[int]
    sectors: int
    wavefronts: int
    ideal: int
    wasteful: bool
    runs: int
    file: Optional[str] = None
    line: Optional[int] = None
    reason: Optional[str] = None


@dataclasses.dataclass(frozen=True)
class LineCost:
    """Cycles of the upper end by source line."""

    file: Optional[str]
    line: Optional[int]
    cycles: float


@dataclasses.dataclass(frozen=True)
class Sensitivity:
    """What one unit less of a loop's bound, or of a value of the device, takes from the upper end; `tenth`
    is what a tenth of the number takes."""

    kind: str
    now: int
    per_unit: float
    tenth: float
    address: Optional[int] = None
    file: Optional[str] = None
    line: Optional[int] = None
    name: Optional[str] = None


@dataclasses.dataclass(frozen=True)
class Launch:
    """The time of a launch, as a bracket in cycles of the SM's clock.

    seconds          both ends at the device's clock
    resident_blocks  on an SM, and what limits them
    waves            ceil(blocks / (SMs * resident blocks))
    limit            why the analysis ended early; "" where it did not
    json             the object of `warpbound analyze --json`, with everything
    """

    kernel: str
    device: str
    grid: Tuple[int, int, int]
    block: Tuple[int, int, int]
    lower: Bound
    upper: Bound
    seconds: Tuple[float, float]
    resident_blocks: int
    limited_by: str
    waves: int
    breakdown: List[Part] = dataclasses.field(repr=False)
    accesses: List[Access] = dataclasses.field(repr=False)
    loops: List[Loop] = dataclasses.field(repr=False)
    lines: List[LineCost] = dataclasses.field(repr=False)
    sensitivity: List[Sensitivity] = dataclasses.field(repr=False)
    assumptions: List[str] = dataclasses.field(repr=False)
    limit: str
    json: Json = dataclasses.field(repr=False, compare=False)
    _handle: Any = dataclasses.field(repr=False, compare=False)

    def certificate(self) -> str:
        """What proves the upper end: the text of a file for verify()."""
        return calls.text_from(lambda out, error: lib.warpbound_launch_certificate(self._handle, out, error))

    def run(self) -> str:
        """The longest simulated run: the text of a file for verify()."""
        return calls.text_from(lambda out, error: lib.warpbound_launch_run(self._handle, out, error))

    def text(self) -> str:
        """The result for people, as `warpbound analyze` prints it."""
        return calls.text_from(lambda out, error: lib.warpbound_launch_text(self._handle, out, error))

    def template(self) -> str:
        """A file of flow facts with those that are known."""
        return calls.text_from(lambda out, error: lib.warpbound_launch_template(self._handle, out, error))

    def accesses_frame(self) -> "pandas.DataFrame":
        """A row for each instruction that accesses memory, with all members of the JSON object."""
        return tables.frame(self.json["accesses"], [field.name for field in dataclasses.fields(Access)])

    def loops_frame(self) -> "pandas.DataFrame":
        return tables.frame(self.json["loops"], [field.name for field in dataclasses.fields(Loop)])

    def breakdown_frame(self) -> "pandas.DataFrame":
        """A row for each part of the upper end, with its share."""
        rows = [{"name": part.name, "cycles": part.cycles, "share": part.cycles / self.upper.cycles,
                 "words": part.words} for part in self.breakdown]
        return tables.frame(rows, ["name", "cycles", "share", "words"])

    def lines_frame(self) -> "pandas.DataFrame":
        return tables.frame(self.json.get("lines", []), ["file", "line", "cycles"])

    def sensitivity_frame(self) -> "pandas.DataFrame":
        return tables.frame(self.json["sensitivity"], [field.name for field in dataclasses.fields(Sensitivity)])

    def _repr_html_(self) -> str:
        ends = [("at least", self.lower.cycles, self.lower.kind, self.seconds[0] * 1e6),
                ("at most", self.upper.cycles, self.upper.kind, self.seconds[1] * 1e6)]
        parts = [(part.name, part.cycles, f"{100 * part.cycles / self.upper.cycles:.1f} %")
                 for part in sorted(self.breakdown, key=lambda part: -part.cycles) if part.cycles]
        return (
            tables.html_table(["", "cycles", "kind", "us"], ends, f"{self.kernel} on {self.device}")
            + tables.html_table(["part of the upper end", "cycles", "share"], parts)
            + tables.html_details(f"{len(self.assumptions)} assumptions", tables.html_list(self.assumptions))
        )


def launch_of(handle: Any, limit: str) -> Launch:
    """The result of a handle."""
    import json as json_format

    text = calls.text_from(lambda out, error: lib.warpbound_launch_json(handle, out, error))
    json: Json = json_format.loads(text)
    grid, block = json["launch"]["grid"], json["launch"]["block"]
    return Launch(
        kernel=json["kernel"],
        device=json["device"]["name"],
        grid=(grid[0], grid[1], grid[2]),
        block=(block[0], block[1], block[2]),
        lower=bound_of(json["lower"]),
        upper=bound_of(json["upper"]),
        seconds=(json["seconds"]["lower"], json["seconds"]["upper"]),
        resident_blocks=lib.warpbound_launch_resident_blocks(handle),
        limited_by=calls.string_of(lib.warpbound_launch_residency_limit(handle)),
        waves=lib.warpbound_launch_waves(handle),
        breakdown=rows_of(Part, json["breakdown"]),
        accesses=rows_of(Access, json["accesses"]),
        loops=rows_of(Loop, json["loops"]),
        lines=rows_of(LineCost, json.get("lines")),
        sensitivity=rows_of(Sensitivity, json["sensitivity"]),
        assumptions=list(json["assumptions"]),
        limit=limit,
        json=json,
        _handle=handle,
    )
