"""Damage valid files at random and read them, for minutes: a typed error or a result, within a time bound.

`python -m bench.fuzz [SECONDS [SEED]]`; a failure is printed with its bytes and ends the run with code 1.
"""

from __future__ import annotations

import gzip
import io
import random
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from bench.common import record
from topline.corpus.read import read, read_summaries
from topline.errors import CorpusError

SECONDS_AN_INPUT = 10
TOPICS = (
    b'{"id": "t1", "title": "T", "domain": "news", "documents": [{"id": "a", "date": "1998-10-16",'
    b' "title": "x", "sentences": ["One two.", "Three \\ud83d\\ude00."],'
    b' "sections": [{"title": "S", "start": 1}]},'
    b' {"id": "b", "text": "Mr. Low paid $3.50. He left.\\n\\nEnd"}],'
    b' "references": [{"id": "A", "sentences": ["One."]}, {"id": "B", "text": "Two."}]}\n'
)
SUMMARIES = b"""{"id": "t1", "system": "s", "sentences": ["One.", "Two."]}
{"id": "t2", "system": "s", "text": "One. Two."}
{"id": "t3", "system": "s", "selected": [0, 7, 12]}
"""
SGML = b"""<DOC>
<DOCNO> AP880911-0016 </DOCNO>
<DATE><P>March 5, 1992, Thursday</P></DATE><HEAD>Storm &amp; Fire</HEAD>
<TEXT>
   A storm neared. <F P=105>x</F> It &UR; went.
<P>``We left,'' he said.</P> &#233; &lt;
</TEXT>
</DOC>
<DOC id="AFP_ENG_20050119.0019" type="story"><DATE_TIME> 1998-10-16 12:30 </DATE_TIME>
<TEXT><s docid="X" num="1" wdcount="2"> One two.</s> <s docid="X" num="2" wdcount="1">Three.</s></TEXT></DOC>
"""
SUM = b"""<SUM DOCSET="d061" TYPE="PERDOC" SIZE="100" DOCREF="AP880911-0016" SUMMARIZER="B">
A storm neared.</SUM>
<SUM DOCSET="d061" SIZE="100" SUMMARIZER='C'> All <s docid="q">of it</s></SUM>
"""
SEE = b"""<html><head><title>t</title></head><body bgcolor="white">
<a name="1">[1]</a> <a href="#1" id=1>One &amp; two.</a>
<a size="5" name="2">[2]</a> <a href="#2" id=2>Three</a>
</body></html>
"""
CONLLU = b"""# newdoc id = d1
# sent_id = s1
# text = Don't go
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\tVBP\tMood=Imp\t3\taux\t3:aux\t_
2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_
2.1\tyou\t_\t_\t_\t_\t_\t_\t_\t_
3\tgo\tgo\tVERB\tVB\t_\t0\troot\t0:root\tSpaceAfter=No

# newdoc
1\tOne\t_\tX\t_\t_\t0\troot\t_\t_

"""
CSV = b'id,article,highlights\n1,"One, ""two"".\nThree.",Short .\n2,Four.,Five\n'
JSON = (
    b'[{"id": "1", "document": "One. Two.", "summary": "S"},\n'
    b' {"id": 2, "document": "x ||||| y", "summary": "[\\"]"}]'
)
CLUSTER = b"""<?xml version='1.0'?>
<!DOCTYPE CLUSTER SYSTEM "/dtd/cluster.dtd">
<CLUSTER LANG="ENG"><D DID="41"/></CLUSTER>
"""
DOCSENT = b"""<?xml version='1.0' encoding='UTF-8'?>
<DOCSENT DID="41" LANG="ENG"><BODY><HEADLINE><S PAR="1" RSNT="1" SNO="1">One &amp; two.</S></HEADLINE>
<TEXT><S PAR="2" RSNT="1" SNO="2">Three &#233;.</S></TEXT></BODY></DOCSENT>
"""


def parquet() -> bytes:
    import polars

    buffer = io.BytesIO()
    rows = [
        {"id": "1", "article": "One. Two.", "highlights": "S"},
        {"id": "2", "article": "x", "highlights": None},
    ]
    polars.DataFrame(rows).write_parquet(buffer)
    return buffer.getvalue()


@dataclass(frozen=True)
class Seed:
    """A valid file, where it must stand, and how it is read."""

    name: str
    path: str
    data: bytes
    records: int
    """How many records it holds undamaged."""
    read: Callable[[Path], Iterable[Any]]
    more: tuple[tuple[str, bytes], ...] = ()
    """Files that must lie beside it."""

    def write(self, folder: Path, data: bytes) -> Path:
        """Put the bytes in the valid file's place; the path to read."""
        for name, content in ((self.path, data), *self.more):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return folder if "/" in self.path else folder / self.path


def corpus(path: Path) -> Iterable[Any]:
    return read(path, skip_bad=True, line_limit=2**20)


def single(path: Path) -> Iterable[Any]:
    return read(path, format="duc-single", skip_bad=True, line_limit=2**20)


def systems(path: Path) -> Iterable[Any]:
    return read_summaries(path, skip_bad=True, line_limit=2**20)


SEEDS = (
    Seed("topics", "c.jsonl", TOPICS, 1, corpus),
    Seed("gzip", "c.jsonl.gz", gzip.compress(TOPICS, mtime=0), 1, corpus),
    Seed("summaries", "s.jsonl", SUMMARIES, 3, systems),
    Seed("newswire", "d061j/file", SGML, 1, corpus, (("models/D061.M.100.J.A", b"One.\nTwo."),)),
    Seed("sum", "d061j/perdocs", SUM, 2, single, (("d061j/docs", SGML),)),
    Seed("models", "D061.M.100.J.A.html", SEE, 1, systems),
    Seed("folder", "documents/t1.txt", b"Mr. Low left. It rained.\n\nEnd", 1, corpus),
    Seed("conllu", "c.conllu", CONLLU, 1, corpus),
    Seed("csv", "t.csv", CSV, 2, corpus),
    Seed("json", "t.json", JSON, 2, corpus),
    Seed("parquet", "t.parquet", parquet(), 2, corpus),
    Seed("cluster", "GA3/GA3.cluster", CLUSTER, 1, corpus, (("GA3/docsent/41.docsent", DOCSENT),)),
    Seed("docsent", "41.docsent", DOCSENT, 1, corpus),
)
ODD = (
    *(bytes([byte]) for byte in b"\0\xff\xc3\n\"\\<>{}[],\t-1="),
    b"\r\n", b"\xef\xbb\xbf", b"\xff\xfe", b"\\ud800", b"\\u0000", b"NaN", b"1e999", b"null", b"&#xd800;",
    b"&a;", b"<DOC>", b"</TEXT>", b"<s docid=", b"|||||",
    b"[" * 3000, b"9" * 6000, b"( " * 3000, b"1. " * 3000, b"<" * 9000, b"&" * 9000, b"\n" * 9000,
    b"a=" * 4000,
)  # fmt: skip
"""What goes wrong in files, and what has brought parsers down: depth, length, runs of one sign."""


def damage(data: bytes, rng: random.Random) -> bytes:
    result = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        start = rng.randint(0, len(result))
        end = min(len(result), start + rng.choice((0, 1, 2, 8, 64)))
        change = rng.randrange(6)
        if change == 0:
            del result[start:end]
        elif change in (1, 2):
            result[start:end] = rng.choice(ODD)
        elif change == 3:
            result[start:end] = rng.randbytes(rng.randint(0, 6))
        elif change == 4:
            result[start:start] = result[start:end] * rng.randint(1, 50)
        else:
            other = rng.choice(SEEDS).data
            result[start:end] = other[rng.randint(0, len(other)) :]
    return bytes(result)


class Hang(BaseException):
    """Not an Exception: no reader may swallow it."""


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)

    def stop(*_: object) -> None:
        raise Hang

    signal.signal(signal.SIGALRM, stop)
    counts: dict[str, Counter[str]] = {seed.name: Counter() for seed in SEEDS}
    slowest = dict.fromkeys(counts, 0.0)
    end = perf_counter() + seconds
    with tempfile.TemporaryDirectory() as folder:
        while perf_counter() < end:
            for seed in SEEDS:
                data = damage(seed.data, rng)
                start = perf_counter()
                try:
                    signal.alarm(SECONDS_AN_INPUT)
                    given = sum(1 for _ in seed.read(seed.write(Path(folder) / seed.name, data)))
                    counts[seed.name]["read" if given else "skipped"] += 1
                except CorpusError:
                    counts[seed.name]["refused"] += 1
                except (Exception, Hang) as error:
                    print(f"{seed.name}: {error!r} on {data!r}")
                    raise SystemExit(1) from error
                finally:
                    signal.alarm(0)
                slowest[seed.name] = max(slowest[seed.name], perf_counter() - start)
    rows = [
        {
            "reader": name,
            "inputs": found.total(),
            "read": found["read"],
            "all skipped": found["skipped"],
            "refused": found["refused"],
            "failures": 0,
            "slowest seconds": round(slowest[name], 3),
        }
        for name, found in counts.items()
    ]
    record("fuzz", rows, seconds=seconds)


if __name__ == "__main__":
    main()
