"""Devices: GPUs for whole launches, and streaming multiprocessors (SM) for makespans."""
from __future__ import annotations

import dataclasses
import json as json_format
from typing import Any, List, Optional, Union

from warpbound import calls, tables
from warpbound._native import ffi, lib
from warpbound.bounds import Json


def device_names() -> List[str]:
    """The bundled devices of launches."""
    return calls.list_of(lib.warpbound_gpu_count(), lib.warpbound_gpu_bundled_name)


class Gpu:
    """A device for whole launches: resources, latencies, residency (doc/devices.md)."""

    _handle: Any
    _lent = False  # a result borrows the handle

    def __init__(self, name: str, *, mode: Optional[str] = None) -> None:
        """A bundled device by name ("orin-agx"), architecture ("sm_87") or a word of its product.

        mode  a mode of the device by its name, as a power mode ("15W")
        """
        kept = calls.Borrowed()
        self._handle = calls.make("warpbound_gpu", lib.warpbound_gpu_free, (),
                                  lambda out, error: lib.warpbound_gpu_bundled(kept.text(name), out, error))
        if mode is not None:
            self.set_mode(mode)

    @classmethod
    def read(cls, source: calls.Source, *, mode: Optional[str] = None) -> "Gpu":
        """The device of a device file."""
        content, name = calls.read_source(source)
        gpu = cls.__new__(cls)
        kept = calls.Borrowed()
        gpu._handle = calls.make(
            "warpbound_gpu", lib.warpbound_gpu_free, (),
            lambda out, error: lib.warpbound_gpu_from_json(kept.text(name), content, len(content), out, error))
        if mode is not None:
            gpu.set_mode(mode)
        return gpu

    def _change(self, function: Any, *values: Any) -> None:
        if self._lent:
            # Results borrow the device: they keep it as it was.
            text = calls.utf8(calls.text_from(lambda out, error: lib.warpbound_gpu_json(self._handle, out, error)))
            self._handle = calls.make(
                "warpbound_gpu", lib.warpbound_gpu_free, (),
                lambda out, error: lib.warpbound_gpu_from_json(ffi.NULL, text, len(text), out, error))
            self._lent = False
        error = ffi.new("warpbound_error *")
        calls.check(function(self._handle, *values, error), error)

    def set_mode(self, name: str) -> None:
        """Sets a mode, as a power mode: before single values, as it changes some."""
        self._change(lib.warpbound_gpu_set_mode, calls.utf8(name))

    def set(self, name: str, value: Union[int, str]) -> None:
        """Changes a value, in cycles or as "300ns": it is then declared by the user."""
        self._change(lib.warpbound_gpu_set, calls.utf8(f"{name}={value}"))

    def slow_memory(self, factor: float) -> None:
        """Other clients of the memory: each access takes at most `factor` times its time on an idle device."""
        thousandths = -int(-factor * 1000 // 1)  # the next above
        self._change(lib.warpbound_gpu_slow_memory, min(max(thousandths, 0), 2**32 - 1))

    def _lend(self) -> Any:
        """The handle, for a result that borrows it."""
        self._lent = True
        return self._handle

    @property
    def name(self) -> str:
        return calls.string_of(lib.warpbound_gpu_name(self._handle))

    @property
    def architecture(self) -> int:
        """87 for sm_87."""
        return int(lib.warpbound_gpu_architecture(self._handle))

    @property
    def sms(self) -> int:
        return int(lib.warpbound_gpu_sms(self._handle))

    @property
    def clock(self) -> int:
        """In Hz."""
        return int(lib.warpbound_gpu_clock(self._handle))

    def json(self) -> Json:
        """The device as a device file has it."""
        text = calls.text_from(lambda out, error: lib.warpbound_gpu_json(self._handle, out, error))
        made: Json = json_format.loads(text)
        return made

    def _repr_html_(self) -> str:
        rows = [("architecture", f"sm_{self.architecture}"), ("SMs", self.sms), ("clock in MHz", self.clock / 1e6)]
        return tables.html_table(["", ""], rows, self.name)

    def __repr__(self) -> str:
        return f"<warpbound.Gpu {self.name}: sm_{self.architecture}, {self.sms} SMs, {self.clock / 1e6:g} MHz>"


@dataclasses.dataclass(frozen=True)
class Capacity:
    """Units of one type: numerator / denominator warp instructions start in a cycle, each holds its unit for
    `hold` cycles; `shared`: by all partitions."""

    numerator: int
    denominator: int
    hold: int
    shared: bool


class Sm:
    """The configuration of an SM: its partitions, each with its units and issue slots."""

    _handle: Any

    def __init__(self, units: str, *, issue_slots: int = 0, partitions: int = 1) -> None:
        """units: of one partition, as "L=1,C=4,S=1/8"; issue_slots: most instructions that a partition issues
        in a cycle, 0 for no cap."""
        kept = calls.Borrowed()
        self._handle = calls.make(
            "warpbound_sm", lib.warpbound_sm_free, (),
            lambda out, error: lib.warpbound_sm_create(kept.text(units), issue_slots, partitions, out, error))

    @classmethod
    def _of(cls, call: Any) -> "Sm":
        sm = cls.__new__(cls)
        sm._handle = calls.make("warpbound_sm", lib.warpbound_sm_free, (), call)
        return sm

    @classmethod
    def of_device(cls, device: Union[str, Gpu]) -> "Sm":
        """That of a row of the device table ("sm_52", "maxwell") or of a GPU."""
        if isinstance(device, Gpu):
            gpu = device._handle
            return cls._of(lambda out, error: lib.warpbound_sm_for_gpu(gpu, out, error))
        name = calls.utf8(device)
        return cls._of(lambda out, error: lib.warpbound_sm_for_device(name, out, error))

    @classmethod
    def read(cls, source: calls.Source) -> "Sm":
        """That of an SM file (doc/formats.md)."""
        content, name = calls.read_source(source)
        title = calls.utf8(name)
        return cls._of(lambda out, error: lib.warpbound_sm_from_json(title, content, len(content), out, error))

    @property
    def name(self) -> str:
        return calls.string_of(lib.warpbound_sm_name(self._handle))

    @property
    def issue_slots(self) -> int:
        return int(lib.warpbound_sm_issue_slots(self._handle))

    @property
    def partitions(self) -> int:
        return int(lib.warpbound_sm_partitions(self._handle))

    @property
    def max_warps(self) -> int:
        """Warps that the SM holds at once; 0: not known."""
        return int(lib.warpbound_sm_max_warps(self._handle))

    def units(self, unit: str) -> Capacity:
        """Of a type of units: "load-store", "core", "special", "double" or "tensor"."""
        found = lib.warpbound_sm_units(self._handle, calls.enumerator("warpbound_unit", unit, "unit"))
        return Capacity(found.numerator, found.denominator, found.hold, found.shared)

    def __repr__(self) -> str:
        return f"<warpbound.Sm {self.name}: {self.partitions} partitions>"
