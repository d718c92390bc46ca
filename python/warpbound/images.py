"""GPU code in files: images, their kernels and parameters, listings, probes."""
from __future__ import annotations

import dataclasses
from typing import Any, List, Optional, Sequence

from warpbound import calls
from warpbound._native import ffi, lib


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel; name: "" of machine code; offset and size in bytes."""

    name: str
    ordinal: int
    offset: int
    size: int


@dataclasses.dataclass(frozen=True)
class ImageFunction:
    """A kernel or a device function of an image; None is what the image does not say."""

    name: str
    demangled: str
    kernel: bool
    registers: Optional[int]
    shared_bytes: Optional[int]
    barriers: Optional[int]
    code_bytes: Optional[int]
    parameters: List[Parameter]


@dataclasses.dataclass(frozen=True)
class Image:
    """A piece of PTX or machine code of a file.

    kind    "ptx", "cubin", "listing", "other" or "damaged"
    place   in the file; "" for all of it
    damage  why it cannot be read; "": it can
    """

    kind: str
    place: str
    architecture: str
    toolkit: str
    identifier: str
    damage: str
    functions: List[ImageFunction]


def _known(value: int) -> Optional[int]:
    return None if value == lib.WARPBOUND_UNKNOWN else value


def _parameter(handle: Any, image: int, function: int, index: int) -> Parameter:
    row = lib.warpbound_images_parameter(handle, image, function, index)
    return Parameter(calls.string_of(row.name), row.ordinal, row.offset, row.size)


def _function(handle: Any, image: int, index: int) -> ImageFunction:
    row = lib.warpbound_images_function(handle, image, index)
    return ImageFunction(
        name=calls.string_of(row.name),
        demangled=calls.string_of(row.demangled),
        kernel=row.kernel,
        registers=_known(row.registers),
        shared_bytes=_known(row.shared_bytes),
        barriers=_known(row.barriers),
        code_bytes=_known(row.code_bytes),
        parameters=[_parameter(handle, image, index, place) for place in range(row.parameter_count)],
    )


def _image(handle: Any, index: int) -> Image:
    row = lib.warpbound_images_image(handle, index)
    return Image(
        kind=calls.enum_word("warpbound_image_kind", row.kind),
        place=calls.string_of(row.place),
        architecture=calls.string_of(row.architecture),
        toolkit=calls.string_of(row.toolkit),
        identifier=calls.string_of(row.identifier),
        damage=calls.string_of(row.damage),
        functions=[_function(handle, index, place)
                   for place in range(lib.warpbound_images_function_count(handle, index))],
    )


def images(source: calls.Source) -> List[Image]:
    """The images of a file of any content: PTX, a listing, a cubin, a fat binary, a program, a library."""
    content, name = calls.read_source(source)
    title = calls.utf8(name)
    data = ffi.from_buffer(content)
    handle = calls.make("warpbound_images", lib.warpbound_images_free, (data,),
                        lambda out, error: lib.warpbound_images_read(title, data, len(content), out, error))
    return [_image(handle, index) for index in range(lib.warpbound_images_count(handle))]


def disassemble(source: calls.Source, *, architecture: Optional[str] = None, module: Optional[str] = None,
                kernel: Optional[str] = None, code_only: bool = False, control: bool = False) -> str:
    """The listing of a file's machine code, in the form of nvdisasm."""
    content, name = calls.read_source(source)
    kept = calls.Borrowed()
    options = kept.array("warpbound_disassembly_options *", None)
    options.architecture, options.module = kept.text(architecture), kept.text(module)
    options.kernel, options.code_only, options.control = kept.text(kernel), code_only, control
    return calls.text_from(lambda out, error: lib.warpbound_disassemble(kept.text(name), content, len(content),
                                                                        options, out, error))


def instrument(source: calls.Source, *, kernel: Optional[str] = None, at: str = "blocks",
               points: Sequence[str] = ()) -> str:
    """PTX with probes that keep times between points (doc/measured/instrument.md)."""
    content, name = calls.read_source(source)
    kept = calls.Borrowed()
    options = kept.array("warpbound_instrument_options *", None)
    options.kernel, options.at = kept.text(kernel), calls.enumerator("warpbound_instrument_at", at, "at")
    options.points, options.point_count = kept.texts(points, "points"), len(points)
    return calls.text_from(lambda out, error: lib.warpbound_instrument(kept.text(name), content, len(content),
                                                                       options, out, error))
