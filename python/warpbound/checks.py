"""Checks of schedules and certificates, and comparisons of results."""
from __future__ import annotations

import dataclasses
import json as json_format
from typing import TYPE_CHECKING, Any, Optional, Tuple, Union

from warpbound import calls, tables
from warpbound._native import ffi, lib
from warpbound.bounds import Json
from warpbound.calls import Limits
from warpbound.launches import Launch
from warpbound.warps import json_of

if TYPE_CHECKING:
    import pandas

# Changes of a launch that a notebook shows, the greatest first.
SHOWN_CHANGES = 10


@dataclasses.dataclass(frozen=True)
class Verdict:
    """The verdict of a check.

    claim      "schedule" (a lower bound), or a proof of an upper one: "potential", "runs", "phases", "paths",
               "launch"
    violation  the first, in words; "" where the claim holds
    claimed    cycles that the file claims; 0 for a schedule
    cycles     that were found; 0 where the claim does not hold
    """

    valid: bool
    claim: str
    violation: str
    warps: int
    claimed: int
    cycles: int
    json: Json = dataclasses.field(repr=False, compare=False)


def verify(source: calls.Source, *, limits: Optional[Limits] = None) -> Verdict:
    """Checks a schedule file or a certificate with code that shares nothing with what makes them. A claim that
    does not hold is a Verdict, no exception."""
    content, name = calls.read_source(source)
    title = calls.utf8(name)

    def work(options: Any) -> Tuple[int, Any, Any]:
        return calls.attempt(
            "warpbound_verdict", lib.warpbound_verdict_free, (),
            lambda out, error: lib.warpbound_verify(title, content, len(content), options, out, error))

    status, handle, error = calls.under_limits(limits, work)
    if status != lib.WARPBOUND_CHECK_FAILED or handle is None:
        calls.check(status, error)
    return Verdict(
        valid=lib.warpbound_verdict_valid(handle),
        claim=calls.enum_word("warpbound_claim", lib.warpbound_verdict_claim(handle)),
        violation=calls.string_of(lib.warpbound_verdict_violation(handle)),
        warps=lib.warpbound_verdict_warps(handle),
        claimed=lib.warpbound_verdict_claimed(handle),
        cycles=lib.warpbound_verdict_cycles(handle),
        json=json_of(lib.warpbound_verdict_json, handle),
    )


@dataclasses.dataclass(frozen=True)
class Comparison:
    """Two results of launches; failures: how many launches fail, failure: the first of them in words."""

    failures: int
    failure: str
    json: Json = dataclasses.field(repr=False, compare=False)
    _handle: Any = dataclasses.field(repr=False, compare=False)

    def text(self) -> str:
        return calls.text_from(lambda out, error: lib.warpbound_comparison_text(self._handle, out, error))

    def changes_frame(self) -> "pandas.DataFrame":
        """A row for each change of a launch: what of its needs, parts, lines, loops, accesses or values."""
        rows = [{"launch": launch["name"], **change} for launch in self.json["launches"] for change in launch["changes"]]
        return tables.frame(rows, ["launch", "group", "name", "old", "new"])

    def _repr_html_(self) -> str:
        ends = []
        changes = ""
        for launch in self.json["launches"]:
            old, new = ((launch[side] or {}).get("upper", {}).get("cycles") for side in ("old", "new"))
            growth = f"{100 * (new - old) / old:+.2f} %" if old and new is not None else ""
            ends.append((launch["name"], old, new, growth, launch["verdict"]))
            rows = [(change["name"], change["old"], change["new"]) for change in launch["changes"][:SHOWN_CHANGES]]
            if rows:
                changes += tables.html_details(f"{launch['name']}: what changed", tables.html_table(
                    ["", "old", "new"], rows))
        return tables.html_table(["at most", "old", "new", "growth", "verdict"], ends) + changes


def _result(result: Union[Launch, calls.Source], name: str) -> calls.Source:
    return calls.Text(json_format.dumps(result.json), name) if isinstance(result, Launch) else result


def compare(before: Union[Launch, calls.Source], after: Union[Launch, calls.Source], *,
            fail_above: Optional[float] = None) -> Comparison:
    """What a change made of bounds. Each side is a Launch, or what `warpbound analyze --json` wrote.

    fail_above  percent: a launch fails whose upper end grew by more; None: none fails
    """
    kept = calls.Borrowed()
    old, new = kept.array("warpbound_input *", None), kept.array("warpbound_input *", None)
    kept.source(_result(before, "before"), old)
    kept.source(_result(after, "after"), new)
    growth = 2**64 - 1 if fail_above is None else int(fail_above * 100)
    if not 0 <= growth < 2**64:
        raise OverflowError(f"fail_above: {fail_above!r} is out of range")
    handle = calls.make("warpbound_comparison", lib.warpbound_comparison_free, (),
                        lambda out, error: lib.warpbound_compare(old, new, growth, out, error))
    return Comparison(
        failures=lib.warpbound_comparison_failures(handle),
        failure=calls.string_of(lib.warpbound_comparison_failure(handle)),
        json=json_of(lib.warpbound_comparison_json, handle),
        _handle=handle,
    )
