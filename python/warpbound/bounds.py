"""Bounds and loops: what results of several analyses have in common."""
from __future__ import annotations

import dataclasses
import enum
from typing import Any, Dict, Iterable, List, Mapping, Optional, Type, TypeVar

Row = TypeVar("Row")
Json = Dict[str, Any]


class Kind(str, enum.Enum):
    """How a number is known."""

    EXACT = "exact"  # proven equal to the worst case of the model
    UPPER = "upper"  # proven: the worst case is at most this
    LOWER = "lower"  # a schedule reaches it: the worst case is at least this
    ESTIMATE = "estimate"  # neither
    PUBLISHED = "published"  # a formula of the literature, not proven safe

    def __str__(self) -> str:
        return self.value


@dataclasses.dataclass(frozen=True)
class Bound:
    """A number of cycles and how it is known.

    method            what found it
    source            paper and equation, or where the proof stands; "" where the result does not say
    estimate_reasons  of an estimate: what makes it one, with place and remedy
    """

    cycles: int
    kind: Kind
    method: str = ""
    source: str = ""
    estimate_reasons: List[Json] = dataclasses.field(default_factory=list, compare=False)

    @property
    def proven(self) -> bool:
        return self.kind not in (Kind.ESTIMATE, Kind.PUBLISHED)

    def __str__(self) -> str:
        return f"{self.cycles:,} cycles ({self.kind})"


@dataclasses.dataclass(frozen=True)
class Loop:
    """A loop and its bound.

    address     of its header, in bytes from the function's start
    bound       back edges for each entry, of each thread or of the warp (`per`); None: not known
    warp_bound  the same of the warp
    source      of the bound: "found", "fact", "comment", "spin", "default" or "unknown"
    """

    address: int
    bound: Optional[int]
    warp_bound: Optional[int]
    per: str
    source: str
    file: Optional[str] = None
    line: Optional[int] = None
    reason: Optional[str] = None


def row_of(kind: Type[Row], json: Mapping[str, Any]) -> Row:
    """A dataclass from a JSON object: the members that it has fields for."""
    fields = [field.name for field in dataclasses.fields(kind)]
    return kind(**{name: json[name] for name in fields if name in json})


def rows_of(kind: Type[Row], json: Optional[Iterable[Mapping[str, Any]]]) -> List[Row]:
    return [row_of(kind, item) for item in json or []]


def bound_of(json: Mapping[str, Any]) -> Bound:
    """A bound from its JSON object."""
    return Bound(
        cycles=json["cycles"],
        kind=Kind(json["kind"]),
        method=json.get("method", json.get("name", "")),
        source=json.get("source", ""),
        estimate_reasons=list(json.get("estimate_reasons", [])),
    )
