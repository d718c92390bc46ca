"""Rows as pandas frames, and as HTML for notebooks."""
from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Optional, Sequence

if TYPE_CHECKING:
    import pandas


def frame(rows: Sequence[Mapping[str, Any]], columns: Sequence[str] = ()) -> "pandas.DataFrame":
    """A frame with a row for each mapping; `columns` stand first, and where there are no rows."""
    try:
        import pandas
    except ImportError as missing:
        raise ImportError("frames need the package pandas (Debian: python3-pandas)") from missing
    if not rows:
        return pandas.DataFrame(columns=list(columns))
    made = pandas.DataFrame(list(rows))
    first = [name for name in columns if name in made.columns]
    return made[first + [name for name in made.columns if name not in first]]


def cell(value: Any) -> str:
    """A value for people: thousands are set apart, what is not known is empty."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"
    return str(value)


def html_table(headings: Sequence[str], rows: Iterable[Sequence[Any]], title: Optional[str] = None) -> str:
    """A table; every text is escaped."""
    parts = ["<table>"]
    if title is not None:
        parts.append(f"<caption>{html.escape(title)}</caption>")
    parts.append("<tr>" + "".join(f"<th>{html.escape(word)}</th>" for word in headings) + "</tr>")
    for row in rows:
        parts.append("<tr>" + "".join(f"<td>{html.escape(cell(value))}</td>" for value in row) + "</tr>")
    parts.append("</table>")
    return "".join(parts)


def html_details(summary: str, inner: str) -> str:
    """A part that is folded until somebody opens it."""
    return f"<details><summary>{html.escape(summary)}</summary>{inner}</details>"


def html_list(sentences: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{html.escape(sentence)}</li>" for sentence in sentences) + "</ul>"
