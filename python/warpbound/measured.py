"""Measured times: whether extreme value statistics apply to them, and estimates of rare times."""
from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any, List, Optional, Sequence, Tuple

from warpbound import calls, tables
from warpbound._native import ffi, lib
from warpbound.bounds import Json
from warpbound.calls import Limits
from warpbound.warps import json_of

if TYPE_CHECKING:
    import pandas


class Samples:
    """Series of measured times."""

    _handle: Any

    def __init__(self, values: Sequence[float], unit: Optional[str] = None) -> None:
        """One series in the order in which it was measured. unit: "cycles", "ns", "us", "ms" or "s"."""
        kept = calls.Borrowed()
        numbers = ffi.new("double[]", [float(value) for value in values])
        self._handle = calls.make(
            "warpbound_samples", lib.warpbound_samples_free, (),
            lambda out, error: lib.warpbound_samples_create(numbers, len(numbers), kept.text(unit), out, error))

    @classmethod
    def read(cls, source: calls.Source, *, column: Optional[str] = None, group: Optional[str] = None,
             unit: Optional[str] = None, skip: int = 0) -> "Samples":
        """The times of a file, CSV or JSON (doc/input.md).

        column  the times': name or number from 1
        group   the column whose values tell series apart
        skip    runs at the begin of each series that are left out
        """
        content, name = calls.read_source(source)
        kept = calls.Borrowed()
        options = kept.array("warpbound_samples_options *", None)
        options.column, options.group, options.unit = kept.text(column), kept.text(group), kept.text(unit)
        calls.fill(options, skip=skip)
        samples = cls.__new__(cls)
        samples._handle = calls.make(
            "warpbound_samples", lib.warpbound_samples_free, (),
            lambda out, error: lib.warpbound_samples_parse(kept.text(name), content, len(content), options, out,
                                                           error))
        return samples

    @property
    def unit(self) -> str:
        """"" where it is not said."""
        return calls.string_of(lib.warpbound_samples_unit(self._handle))

    @property
    def names(self) -> List[str]:
        """Of the series; "" of the only one."""
        return calls.list_of(lib.warpbound_samples_series_count(self._handle),
                             lambda index: lib.warpbound_samples_series_name(self._handle, index))

    def values(self, series: int = 0) -> List[float]:
        count = lib.warpbound_samples_count(self._handle, series)
        return list(ffi.unpack(lib.warpbound_samples_values(self._handle, series), count)) if count else []


@dataclasses.dataclass(frozen=True)
class Level:
    """The time that one run exceeds with a probability, in the samples' unit: an estimate.

    level, low, high  with its interval; None: none is recommended
    observed          a quantile of the times with the interval of its rank: no fit
    """

    probability: float
    level: Optional[float]
    low: Optional[float]
    high: Optional[float]
    observed: bool


@dataclasses.dataclass(frozen=True)
class MeasuredSeries:
    """The analysis of one series.

    applicability  "applicable", "applicable with care" or "not applicable"
    recommended    the one answer, by probability
    reason         why this one, or why none
    """

    name: str
    applicability: str
    verdict: str
    recommended: List[Level]
    reason: str


@dataclasses.dataclass(frozen=True)
class Measured:
    """The analysis of measured times; json: the object of `warpbound evt --json`."""

    series: List[MeasuredSeries]
    limit: str
    json: Json = dataclasses.field(repr=False, compare=False)
    _handle: Any = dataclasses.field(repr=False, compare=False)

    def text(self) -> str:
        return calls.text_from(lambda out, error: lib.warpbound_measured_text(self._handle, out, error))

    def page(self) -> str:
        """An HTML page with all plots, which needs no network."""
        return calls.text_from(lambda out, error: lib.warpbound_measured_page(self._handle, out, error))

    def levels_frame(self) -> "pandas.DataFrame":
        rows = [{"series": series.name, **dataclasses.asdict(level)}
                for series in self.series for level in series.recommended]
        return tables.frame(rows, ["series", "probability", "level", "low", "high", "observed"])

    def _repr_html_(self) -> str:
        rows = [(series.name, f"{level.probability:g}", level.level, level.low, level.high)
                for series in self.series for level in series.recommended]
        verdicts = [f"{series.name + ': ' if series.name else ''}{series.verdict}" for series in self.series]
        return tables.html_list(verdicts) + tables.html_table(["series", "exceeded in", "level", "from", "to"], rows)


def _number(value: float) -> Optional[float]:
    return None if math.isnan(value) else value


def _series(handle: Any, name: str, index: int) -> MeasuredSeries:
    levels = []
    for place in range(lib.warpbound_measured_level_count(handle)):
        row = lib.warpbound_measured_recommended_at(handle, index, place)
        levels.append(Level(row.probability, _number(row.level), _number(row.low), _number(row.high), row.observed))
    applicability = lib.warpbound_measured_applicability(handle, index)
    return MeasuredSeries(
        name=name,
        applicability=calls.string_of(lib.warpbound_applicability_name(applicability)),
        verdict=calls.string_of(lib.warpbound_measured_verdict(handle, index)),
        recommended=levels,
        reason=calls.string_of(lib.warpbound_measured_reason(handle, index)),
    )


def evt(samples: Samples, *, method: str = "both", block_size: int = 0, threshold: Optional[float] = None,
        threshold_rule: str = "anderson-darling", probabilities: Sequence[float] = (), confidence: float = 0.0,
        significance: float = 0.0, bootstrap: int = 0, seed: int = 0, fit_anyway: bool = False,
        bound: Optional[float] = None, limits: Optional[Limits] = None) -> Measured:
    """Extreme value statistics of measured times (doc/measured/evt.md): estimates, never bounds.

    method         "both", "block-maxima" or "peaks"
    probabilities  that one run takes longer; none: 1e-3, 1e-6, 1e-9, 1e-12
    confidence     of intervals; 0: 0.95
    bound          a proven bound, in the samples' unit, that stands beside the fits
    """
    kept = calls.Borrowed()
    options = kept.array("warpbound_measured_options *", None)
    options.method = calls.enumerator("warpbound_tail_method", method, "method")
    options.rule = calls.enumerator("warpbound_threshold_rule", threshold_rule, "threshold_rule")
    options.probabilities = kept.array("double[]", [float(p) for p in probabilities])
    calls.fill(options, block_size=block_size, has_threshold=threshold is not None, threshold=threshold or 0.0,
               probability_count=len(probabilities), confidence=confidence, significance=significance,
               bootstrap=bootstrap, seed=seed, fit_anyway=fit_anyway, has_bound=bound is not None,
               bound=bound or 0.0)

    def work(limit: Any) -> Tuple[int, Any, Any]:
        return calls.attempt(
            "warpbound_measured", lib.warpbound_measured_free, (samples._handle,),
            lambda out, error: lib.warpbound_measured_analyse(samples._handle, options, limit, out, error))

    status, handle, error = calls.under_limits(limits, work)
    if status != lib.WARPBOUND_LIMIT or handle is None:
        calls.check(status, error)
    count = lib.warpbound_measured_series_count(handle)
    return Measured(
        series=[_series(handle, name, index) for index, name in enumerate(samples.names[:count])],
        limit=calls.limit_of(status, error),
        json=json_of(lib.warpbound_measured_json, handle),
        _handle=handle,
    )
