"""What is known of kernels beyond their code, as the analyses take it."""
from __future__ import annotations

import dataclasses
import os
from typing import Any, Mapping, Optional, Sequence, Tuple, Union

from warpbound import calls, errors
from warpbound._native import ffi, lib
from warpbound.calls import Source

Parameters = Mapping[Union[str, int], int]
"""Values of the launch's parameters, by name ("param_2", or as a source calls it) or by offset in bytes."""
Dimensions = Union[int, Sequence[int]]
"""Blocks of a grid, or threads of a block, in one to three dimensions."""


@dataclasses.dataclass(frozen=True)
class Facts:
    """Facts for wcet(), hybrid(), paths() and analyze().

    flow_facts          a file of flow facts (doc/flow-facts.md), or a Text
    sources             sources with loop bounds in comments, by the name that the code has for them or by
                        the last part of that
    constants           values of constant memory by (bank, offset)
    loads               what loads give: "0x100<=64", "kernel.cu:12>=1", "param_2=0..64"
    calls               what calls of code outside take, in cycles: "vprintf=5000", "indirect=5000"
    cost                of an instruction of a warp alone: "unit", "stalls", or "table" with `costs`
    default_loop_bound  back edges of loops of which nothing is known: results are estimates then
    spin_bound          back edges of loops that only wait: an assumption; 0: none
    agreement           registers that are known to agree between lanes: "all", "active" or "none"
    reconvergence       which BSYNC wait for all lanes: "yield", "never" or "always"
    masks_together      lanes that do a WARPSYNC together stay together: an assumption
    values              what other instructions write, as conversions of floats: "0x100<=64", "kernel.cu:12=0..64"
    """

    flow_facts: Optional[Source] = None
    sources: Mapping[str, Source] = dataclasses.field(default_factory=dict)
    constants: Mapping[Tuple[int, int], int] = dataclasses.field(default_factory=dict)
    loads: Sequence[str] = ()
    calls: Sequence[str] = ()
    cost: str = "unit"
    costs: Optional[Source] = None
    default_loop_bound: Optional[int] = None
    spin_bound: int = 0
    agreement: str = "all"
    reconvergence: str = "yield"
    masks_together: bool = False
    values: Sequence[str] = ()


def _is_wide(value: int) -> bool:
    """Whether a value needs eight bytes."""
    return not -(2**31) <= value < 2**32


def _parameter(name: Union[str, int], value: int, borrowed: calls.Borrowed) -> Any:
    made = ffi.new("warpbound_parameter *")
    if not -(2**63) <= value < 2**64:
        raise errors.UsageError(f"parameters: {value!r} of {name!r} does not fit eight bytes")
    if isinstance(name, str):
        made.name = borrowed.text(name, "a parameter's name")
    else:
        calls.fill(made, offset=name)
    calls.fill(made, value=value % 2**64, wide=_is_wide(value))
    return made[0]


def _constant(place: Tuple[int, int], value: int) -> Any:
    made = ffi.new("warpbound_constant *")
    calls.fill(made, bank=place[0], offset=place[1], value=value % 2**64, wide=_is_wide(value))
    return made[0]


def _sources(module: Any, sources: Mapping[str, Source], borrowed: calls.Borrowed) -> Tuple[Any, int]:
    """An input for each source that the code names; nothing where it is not given."""
    count = lib.warpbound_module_source_count(module)
    if not sources or count == 0:
        return ffi.NULL, 0
    inputs = borrowed.array("warpbound_input[]", count)
    for index in range(count):
        name = calls.string_of(lib.warpbound_module_source(module, index))
        borrowed.source(sources.get(name, sources.get(os.path.basename(name))), inputs[index])
    return inputs, count


class Question:
    """The options of an analysis with all that they borrow, and the annotations as a handle."""

    def __init__(self, module: Any, facts: Optional[Facts], *, kernel: Optional[str] = None,
                 parameters: Optional[Parameters] = None, grid: Optional[Dimensions] = None,
                 block: Optional[Dimensions] = None) -> None:
        self.borrowed = calls.Borrowed()
        self.facts = facts or Facts()
        self.annotations = self._annotate(module, kernel, parameters or {}, grid, block)

    def _annotate(self, module: Any, kernel: Optional[str], parameters: Parameters,
                  grid: Optional[Dimensions], block: Optional[Dimensions]) -> Any:
        facts, borrowed = self.facts, self.borrowed
        known = borrowed.array("warpbound_annotation_options *", None)
        borrowed.source(facts.flow_facts, known.flow_facts)
        borrowed.source(facts.costs, known.costs)
        known.sources, known.source_count = _sources(module, facts.sources, borrowed)
        known.grid = calls.dimensions(grid, "grid")
        known.block = calls.dimensions(block, "block")
        rows = [_parameter(name, value, borrowed) for name, value in parameters.items()]
        known.parameters = borrowed.array("warpbound_parameter[]", rows) if rows else ffi.NULL
        known.parameter_count = len(rows)
        known.kernel = borrowed.text(kernel, "a kernel's name")
        rows = [_constant(place, value) for place, value in facts.constants.items()]
        known.constants = borrowed.array("warpbound_constant[]", rows) if rows else ffi.NULL
        known.constant_count = len(rows)
        known.loads, known.load_count = borrowed.texts(facts.loads, "loads"), len(facts.loads)
        known.values, known.value_count = borrowed.texts(facts.values, "values"), len(facts.values)
        known.calls, known.call_count = borrowed.texts(facts.calls, "calls"), len(facts.calls)
        known.cost = calls.enumerator("warpbound_cost_model", facts.cost, "cost")
        return calls.make(
            "warpbound_annotations", lib.warpbound_annotations_free, (module, borrowed),
            lambda out, error: lib.warpbound_annotations_create(module, known, out, error))

    def fill_wcet(self, options: Any) -> None:
        """Sets a warpbound_wcet_options."""
        facts = self.facts
        options.annotations = self.annotations
        options.has_default_loop_bound = facts.default_loop_bound is not None
        calls.fill(options, default_loop_bound=facts.default_loop_bound or 0, spin_bound=facts.spin_bound)
        simt = options.simt
        simt.agreement = calls.enumerator("warpbound_agreement", facts.agreement, "agreement")
        simt.reconvergence = calls.enumerator("warpbound_reconvergence", facts.reconvergence, "reconvergence")
        simt.masks_together = facts.masks_together
