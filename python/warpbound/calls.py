"""Calls of the C library: handles that free themselves, texts, errors, limits and interruption.

A handle is a pointer with a destructor; the destructor holds the handles that it borrows from, so these are
freed later whatever the order in which Python drops its objects.
"""
from __future__ import annotations

import dataclasses
import os
import threading
from typing import Any, Callable, Dict, Iterable, Optional, Sequence, Tuple, TypeVar, Union

from warpbound import errors
from warpbound._native import ffi, lib

_CLASSES = {
    lib.WARPBOUND_CHECK_FAILED: errors.CheckFailed,
    lib.WARPBOUND_USAGE: errors.UsageError,
    lib.WARPBOUND_INVALID_INPUT: errors.InputError,
    lib.WARPBOUND_FACTS_MISSING: errors.FactsMissing,
    lib.WARPBOUND_LIMIT: errors.LimitReached,
    lib.WARPBOUND_INTERNAL: errors.InternalError,
}
Result = TypeVar("Result")


# ---- texts ----


@dataclasses.dataclass(frozen=True)
class Text:
    """A text in memory where a file is expected; `name` is for messages."""

    text: Union[str, bytes]
    name: str = ""


Source = Union[str, "os.PathLike[str]", Text]
"""The path of a file, or a Text in memory."""


def read_source(source: Source) -> Tuple[bytes, str]:
    """The bytes of a source and the name that messages have for it."""
    if isinstance(source, Text):
        text = source.text
        return (text.encode("utf-8") if isinstance(text, str) else bytes(text)), source.name
    path = os.fspath(source)
    with open(path, "rb") as file:
        return file.read(), path


def utf8(text: str, what: str = "a text") -> bytes:
    """The text as the library reads it, which ends at a zero byte."""
    if "\0" in text:
        raise errors.UsageError(f"{what} holds a zero character: {text!r}")
    return text.encode("utf-8", "surrogateescape")


def string_of(pointer: Any) -> str:
    """A text that a handle owns; "" for NULL."""
    return "" if pointer == ffi.NULL else str(ffi.string(pointer), "utf-8", "replace")


class Borrowed:
    """C values that have to live while a call, or a handle that borrows them, does."""

    def __init__(self) -> None:
        self._kept: list[Any] = []

    def text(self, text: Optional[str], what: str = "a text") -> Any:
        """A char pointer; NULL for None."""
        if text is None:
            return ffi.NULL
        return self.array("char[]", utf8(text, what))

    def array(self, kind: str, initial: Any) -> Any:
        kept = ffi.new(kind, initial)
        self._kept.append(kept)
        return kept

    def texts(self, words: Sequence[str], what: str) -> Any:
        """An array of texts, NULL for none."""
        return self.array("char *[]", [self.text(word, what) for word in words]) if words else ffi.NULL

    def source(self, source: Optional[Source], into: Any) -> None:
        """Fills a warpbound_input, with nothing for None."""
        if source is None:
            return
        content, name = read_source(source)
        into.name = self.text(name, "a name")
        into.text = self.array("char[]", content)
        into.length = len(content)


def fill(struct: Any, **values: Any) -> None:
    """Sets members of a struct; a number that the member does not hold is a UsageError."""
    for name, value in values.items():
        try:
            setattr(struct, name, value)
        except OverflowError as refused:
            raise errors.UsageError(f"{name}: {value!r} is out of range") from refused
        except AttributeError as refused:
            raise errors.UsageError(f"{name}: there is no such member") from refused


def dimensions(value: Union[int, Sequence[int], None], what: str) -> Tuple[int, int, int]:
    """A grid or block of one to three dimensions; zeros where it is not known."""
    if value is None:
        return (0, 0, 0)
    numbers = (value,) if isinstance(value, int) else tuple(value)
    if not 1 <= len(numbers) <= 3 or not all(isinstance(n, int) and 0 < n < 2**32 for n in numbers):
        raise errors.UsageError(f"{what}: expected one to three numbers from 1, found {value!r}")
    padded = numbers + (1, 1)
    return (padded[0], padded[1], padded[2])


def _words_of(kind: str) -> Dict[str, int]:
    """The words of an enum of the header, in its order: "same" for WARPBOUND_BARRIERS_SAME."""
    names = ffi.typeof(kind).relements
    common = os.path.commonprefix(list(names))
    prefix = common[: common.rfind("_") + 1]
    return {name[len(prefix):].lower().replace("_", "-"): value
            for name, value in sorted(names.items(), key=lambda item: int(item[1]))}


def enumerator(kind: str, word: str, what: str) -> int:
    """The value of an enum of the header by its word."""
    words = _words_of(kind)
    if word not in words:
        raise errors.UsageError(f"{what}: expected one of {', '.join(words)}, found {word!r}")
    return words[word]


def enum_word(kind: str, value: int) -> str:
    """The word of a value of an enum of the header."""
    return next((word for word, number in _words_of(kind).items() if number == value), str(value))


# ---- errors and handles ----


def exception_of(status: int, error: Any) -> errors.Error:
    """The exception that a status and its record say."""
    kind = _CLASSES.get(status, errors.InternalError)
    message = string_of(error.message) or f"the library failed with status {status}"
    return kind(message, string_of(error.file), error.line, error.column)


def check(status: int, error: Any) -> None:
    if status != lib.WARPBOUND_OK:
        raise exception_of(status, error)


def limit_of(status: int, error: Any) -> str:
    """Why a result was ended early; "" where it was not."""
    if status == lib.WARPBOUND_OK:
        return ""
    return string_of(error.message) or "a limit of time or memory was reached"


def owned(pointer: Any, free: Callable[[Any], None], parents: Iterable[Any] = ()) -> Any:
    """The handle of a pointer; None for NULL."""
    if pointer == ffi.NULL:
        return None
    kept = tuple(parents)

    def destroy(handle: Any, kept: Tuple[Any, ...] = kept) -> None:
        free(handle)

    return ffi.gc(pointer, destroy)


def attempt(kind: str, free: Callable[[Any], None], parents: Iterable[Any],
            call: Callable[[Any, Any], Any]) -> Tuple[int, Any, Any]:
    """Calls call(out, error), which makes a handle: its status, the handle or None, and the record."""
    out = ffi.new(f"{kind} **")
    error = ffi.new("warpbound_error *")
    status = call(out, error)
    return status, owned(out[0], free, parents), error


def make(kind: str, free: Callable[[Any], None], parents: Iterable[Any],
         call: Callable[[Any, Any], Any]) -> Any:
    """The handle that call(out, error) makes; an exception where it fails."""
    status, handle, error = attempt(kind, free, parents, call)
    check(status, error)
    return handle


def text_from(call: Callable[[Any, Any], Any]) -> str:
    """The text that call(out, error) hands out."""
    out = ffi.new("char **")
    error = ffi.new("warpbound_error *")
    status = call(out, error)
    text = string_of(out[0])
    lib.warpbound_text_free(out[0])
    check(status, error)
    return text


def list_of(count: int, item: Callable[[int], Any]) -> list[str]:
    """Texts by index."""
    return [string_of(item(index)) for index in range(count)]


# ---- limits and interruption ----


@dataclasses.dataclass(frozen=True)
class Limits:
    """What an analysis may take.

    seconds   of time; 0: no limit. Results then depend on the machine.
    memory    bytes of tables; 0: 1 GiB
    threads   at most 64; 0: one a processor. Results do not depend on it.
    progress  called now and then with the phase and how far that is, 0 to 1, from another thread;
              an exception that it raises ends the analysis
    """

    seconds: float = 0.0
    memory: int = 0
    threads: int = 0
    progress: Optional[Callable[[str, float], None]] = None


class _Call:
    """One analysis under limits: the struct that the library reads, and what progress raised."""

    def __init__(self, limits: Optional[Limits]) -> None:
        limits = limits or Limits()
        self.progress = limits.progress
        self.raised: Optional[BaseException] = None
        self._handle = ffi.new_handle(self)
        self._context = ffi.gc(lib.warpbound_python_call_create(self._handle),
                               lib.warpbound_python_call_free)
        self.options = ffi.new("warpbound_options *")
        fill(self.options, time_limit=limits.seconds, memory_limit=limits.memory, threads=limits.threads,
             interrupted=ffi.addressof(lib, "warpbound_python_call_stopped"), context=self._context)
        if limits.progress is not None:
            self.options.progress = lib.warpbound_python_progress

    def stop(self) -> None:
        lib.warpbound_python_call_stop(self._context)


@ffi.def_extern()  # type: ignore[misc]
def warpbound_python_progress(context: Any, phase: Any, fraction: float) -> None:
    call: _Call = ffi.from_handle(lib.warpbound_python_call_receiver(context))
    if call.raised is not None or call.progress is None:
        return
    try:
        call.progress(string_of(phase), fraction)
    except BaseException as raised:  # raised again where the analysis was called
        call.raised = raised
        call.stop()


def _on_another_thread(work: Callable[[], Result], call: _Call) -> Result:
    """work() on a thread of its own, so that this one can be interrupted: signals reach the main thread
    between two steps of Python, and there are none while the library runs."""
    results: list[Result] = []
    failures: list[BaseException] = []
    ended = threading.Semaphore(0)

    def run() -> None:
        try:
            results.append(work())
        except BaseException as failure:
            failures.append(failure)
        finally:
            ended.release()

    try:
        threading.Thread(target=run, name="warpbound", daemon=True).start()
    except BaseException:
        call.stop()
        raise
    interruption: Optional[BaseException] = None
    while True:
        try:
            if ended.acquire(timeout=1.0):
                break
        except BaseException as raised:  # KeyboardInterrupt, or what a handler of a signal raises
            interruption = interruption or raised
            call.stop()
    if interruption is not None:
        raise interruption
    if failures:
        raise failures[0]
    return results[0]


def under_limits(limits: Optional[Limits], work: Callable[[Any], Result],
                 prepare: Optional[Callable[[Any], None]] = None) -> Result:
    """work(options) with the limits; ends early where Ctrl-C or an exception of progress asks for it."""
    call = _Call(limits)
    if prepare is not None:
        prepare(call.options)
    if threading.current_thread() is threading.main_thread():
        result = _on_another_thread(lambda: work(call.options), call)
    else:
        result = work(call.options)
    if call.raised is not None:
        raise call.raised
    return result
