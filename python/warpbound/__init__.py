"""Bounds on the worst-case execution time of GPU kernels: Warpbound's C library for Python.

    import warpbound
    module = warpbound.Module("kernels.fatbin", architecture="sm_87")
    result = module["matrix_tiled"].analyze(grid=(4, 4), block=(8, 8), device="orin-agx",
                                            parameters={"param_3": 32})
    print(result.upper)

A str or a path names a file, a Text is one in memory. Results are dataclasses that are not changed; frames need
pandas. Mistakes are exceptions, all of them an Error, with file, line and column. Limits give an analysis a time,
a size, a number of threads and a callback for progress; Ctrl-C ends it.
"""
from warpbound._native import ffi as _ffi
from warpbound._native import lib as _lib
from warpbound.bounds import Bound, Kind, Loop
from warpbound.calls import Limits, Source, Text
from warpbound.checks import Comparison, Verdict, compare, verify
from warpbound.code import Function, Kernel, Module, Targets
from warpbound.devices import Capacity, Gpu, Sm, device_names
from warpbound.errors import (CheckFailed, Error, FactsMissing, InputError, InternalError, LimitReached, UsageError)
from warpbound.facts import Facts
from warpbound.images import Image, ImageFunction, Parameter, disassemble, images, instrument
from warpbound.launches import Access, Launch, LineCost, Part, Sensitivity
from warpbound.makespans import Makespan, Series, SeriesRow, makespan, makespan_series, policies
from warpbound.measured import Level, Measured, MeasuredSeries, Samples, evt
from warpbound.warps import ControlFlow, Hybrid, KernelParameter, Need, Paths, Step, Times, Trace, Wcet

__version__: str = _ffi.string(_lib.warpbound_version()).decode()

__all__ = [
    "Access", "Bound", "Capacity", "CheckFailed", "Comparison", "ControlFlow", "Error", "Facts", "FactsMissing",
    "Function", "Gpu", "Hybrid", "Image", "ImageFunction", "InputError", "InternalError", "Kernel", "KernelParameter",
    "Kind", "Launch", "Level", "LimitReached", "Limits", "LineCost", "Loop", "Makespan", "Measured", "MeasuredSeries",
    "Module", "Need", "Parameter", "Part", "Paths", "Samples", "Sensitivity", "Series", "SeriesRow", "Sm", "Source", "Step",
    "Targets", "Text", "Times", "Trace", "UsageError", "Verdict", "Wcet", "compare", "device_names", "disassemble", "evt",
    "images", "instrument", "makespan", "makespan_series", "policies", "verify",
]
