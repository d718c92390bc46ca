"""Exceptions: one class for each status of the library, with the place of the mistake."""
from __future__ import annotations

from typing import Any


class Error(Exception):
    """A call of the library that failed.

    message  what is wrong, and what was expected
    file     the name of the input; "" where there is none
    line     from 1; 0 where there is none
    column   from 1; 0 where there is none
    """

    def __init__(self, message: str, file: str = "", line: int = 0, column: int = 0) -> None:
        super().__init__(message, file, line, column)
        self.message = message
        self.file = file
        self.line = line
        self.column = column

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        return f"{place}: {self.message}" if place else self.message


class CheckFailed(Error):
    """A schedule, a certificate or a solver's answer was refused."""


class UsageError(Error, ValueError):
    """An argument is wrong."""


class InputError(Error, ValueError):
    """An input was not understood or is not valid."""


class FactsMissing(Error):
    """The input needs facts that only a person can give.

    template  a file of flow facts with a '?' for each fact that is missing; "" where there is none
    result    what is known all the same, as the loops of a WCET; None where there is nothing
    """

    template: str = ""
    result: Any = None


class LimitReached(Error):
    """A limit of time or memory was reached before there was any result."""


class InternalError(Error):
    """Out of memory, or a mistake of Warpbound's own."""
