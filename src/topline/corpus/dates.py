"""Dates as newswire writes them, as ISO 8601."""

from __future__ import annotations

import re
from datetime import date

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?P<month>[a-z]{3,9})\.?"
_YEAR = r"(?:(?P<year>\d{4})|(?P<short>\d{2}))"
_TIME = r"(?:[T ](?P<time>\d{2}:\d{2}(?::\d{2})?)(?:\.\d{1,9})?(?P<zone>Z|[+-]\d{2}:\d{2})?)?"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE | re.ASCII)
    for form in (
        rf"(?P<year>\d{{4}})-(?P<number>\d{{1,2}})-(?P<day>\d{{1,2}})(?!\d){_TIME}",  # 1998-10-16 12:30
        r"(?P<year>\d{4})/(?P<number>\d{1,2})/(?P<day>\d{1,2})(?!\d)",  # 1998/10/16
        r"(?P<year>\d{4})(?P<number>\d{2})(?P<day>\d{2})(?!\d)",  # 19981016
        r"(?P<short>\d{2})(?P<number>\d{2})(?P<day>\d{2})(?!\d)",  # 900321
        rf"(?P<number>\d{{1,2}})/(?P<day>\d{{1,2}})/{_YEAR}(?!\d){_TIME}",  # 12/09/88, 10/16/1998 13:24:00
        rf"(?:[a-z]+,?\s+)?{_MONTH}\s+(?P<day>\d{{1,2}}),?\s+(?P<year>\d{{4}})(?!\d)",  # March 5, 1992
        rf"(?:FT\s+|[a-z]+,\s+)?(?P<day>\d{{1,2}})\s+{_MONTH},?\s+{_YEAR}(?!\d)",
    )
)
"""The last is `FT 05 MAR 92` and `22 March 1994`."""

_IN_NAMES = tuple(
    re.compile(form)
    for form in (
        r"(?:[A-Z]{3}(?:_[A-Z]{3}_)?)(?P<year>(?:19|20)\d{2})(?P<number>\d{2})(?P<day>\d{2})\b",
        r"(?:AP|WSJ)(?P<short>\d{2})(?P<number>\d{2})(?P<day>\d{2})\b",
        r"LA(?P<number>\d{2})(?P<day>\d{2})(?P<short>\d{2})\b",
    )
)
"""`APW19981016.0240`, `XIN_ENG_20041113.0001`; `AP880911-0016`, `WSJ911031-0012`; `LA030592-0012`."""


def iso_date(text: str) -> str | None:
    """The date a text begins with, `YYYY-MM-DD` with the time if there is one; None if it cannot be read.

    >>> iso_date("March 5, 1992, Thursday, Home Edition"), iso_date("900321"), iso_date("1998-10-16 12:30")
    ('1992-03-05', '1990-03-21', '1998-10-16T12:30')
    """
    return _first(_FORMS, " ".join(text[:100].split()).lstrip("= "))


def name_date(name: str) -> str | None:
    """The date in a newswire document's number.

    >>> name_date("AP880911-0016"), name_date("APW19981016.0240"), name_date("FT923-5089")
    ('1988-09-11', '1998-10-16', None)
    """
    return _first(_IN_NAMES, name)


def _first(forms: tuple[re.Pattern[str], ...], text: str) -> str | None:
    for form in forms:
        if match := form.match(text):
            return _date(match.groupdict())
    return None


def _date(parts: dict[str, str | None]) -> str | None:
    """The parts put together, if they are a day of the calendar."""
    year, short, month = parts.get("year"), parts.get("short"), parts.get("month")
    try:
        day = date(
            int(year) if year else 1900 + int(short or 0) + (100 if int(short or 0) < 50 else 0),
            _MONTHS.index(month[:3].lower()) + 1 if month else int(parts.get("number") or 0),
            int(parts["day"] or 0),
        )
    except ValueError:
        return None
    time = parts.get("time")
    return f"{day.isoformat()}T{time}{parts.get('zone') or ''}" if time else day.isoformat()
