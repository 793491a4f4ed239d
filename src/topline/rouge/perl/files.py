"""Summaries and references as the script reads them: bytes in, sentences (or basic elements) out."""

from __future__ import annotations

import os
import re

from topline.errors import CorpusError, Where

_ANCHOR = re.compile(
    rb'^<a (?:size="[0-9]+" )?name="[0-9]+">\[[0-9]+\]</a>[^\S\n]+<a href="\#[0-9]+" id=[0-9]+>'
    rb"([^<\n]+\n?|\n)",
    re.MULTILINE,
)
"""SEE: a sentence runs from its anchor to the next tag or the end of its line, which belongs to it."""
_ISI = re.compile(rb'^<S SNTNO="[0-9a-z,]+">([^<\n]+)</S>', re.MULTILINE)

_BLOCK = 1 << 18


def content(path: bytes) -> bytes:
    """A file's bytes; a folder reads as empty, as it does in Perl."""
    try:
        # a buffered reader costs more than reading these small files
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            parts = [os.read(handle, _BLOCK)]
            while parts[-1]:
                parts.append(os.read(handle, _BLOCK))
            return b"".join(parts)
        finally:
            os.close(handle)
    except IsADirectoryError:
        return b""
    except (OSError, ValueError) as error:
        what = f"cannot be read: {getattr(error, 'strerror', None) or error}"
        raise CorpusError(
            what, where=Where(os.fsdecode(path)), hint="check the configuration's paths"
        ) from error


def sentences(path: bytes, format: str) -> list[bytes]:
    """The sentences of a SEE, ISI or SPL file; what does not fit the format is silently left out."""
    data = content(path)
    kind = _kind(format)
    if kind == "spl":
        return [line for line in data.split(b"\n") if line]
    if kind in ("see", "isi"):
        return (_ANCHOR if kind == "see" else _ISI).findall(data)
    raise _unknown(path, format, "texts are SEE, SPL or ISI files")


def be_lines(path: bytes, format: str) -> list[bytes]:
    """The lines of a file of basic elements; ISI files have none that the script can read."""
    data = content(path)
    kind = _kind(format)
    if kind == "simple":
        lines = data.split(b"\n")
        return lines[:-1] if lines[-1] == b"" else lines
    if kind == "isi":
        return []
    raise _unknown(path, format, "basic elements come in SIMPLE files")


def _kind(format: str) -> str:
    return format.removesuffix("\n").lower()


def _unknown(path: bytes, format: str, hint: str) -> CorpusError:
    return CorpusError(f"unknown format {format!r}", where=Where(os.fsdecode(path)), hint=hint)
