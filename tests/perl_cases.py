"""Random command lines and files that go for every quirk of ROUGE-1.5.5.pl."""

import contextlib
import io
import os
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from random import Random

from topline.errors import ToplineError
from topline.rouge.perl.run import run

PLAIN_WORDS = b"""cat cats dog dogs ran running runner happily agreement departmental generation sensational
relational operator hopping hoped falling fizzed mice mouse better best is was geese testes children sky
yellow yes by 2004 1990s a an on of to storms river rivers bridge bridges council councils flooded""".split()
STOPS = b"the and reuters jan may would don't it's i'm other not".split()
ODD = [
    b"well-known", b"-", b"--", b"x-ray-", b"1,000", b"$5", b"U.S.", b"The", b"CATS", b"e-mail", b"...", b"!",
    "café".encode(), b"caf\xe9", "中文".encode(), "näıve".encode(), "dog\u00a0cat".encode(), b"\x85", b"\xa0",
    b"&lt;", b"&amp;cat", b"_cn_", b"cat\x00dog", b"a_b", b"'s", b"y", b"'", b"a" * 70,
]  # fmt: skip
SPACES = [b" "] * 12 + [b"  ", b"\t", b" \x0b ", b"\x0c", b"\r"]
IDS = [
    "1",
    "2",
    "10",
    "9",
    "03",
    "100",
    "D30001",
    "D061.M",
    "a",
    "B",
    "-1",
    "é",
    "中",
    "x y",
    "A&amp;B",
    "_",
    "7up",
]
SYSTEMS = ["1", "X", "sys", "A", "10", "2", "é", "中文", "my sys"]


@dataclass
class Case:
    """Arguments to run in a folder, without `-e`."""

    arguments: list[str]
    verbose: bool
    tied: bool
    """Evaluation ids with equal leading numbers: their order under `-d` is the script's hash's."""


def sentence(rng: Random) -> bytes:
    size = rng.choice([1, 1, 2, 3, 5, 8, 13, 20])
    pools = [PLAIN_WORDS] * 8 + [STOPS, STOPS, ODD]
    kinds = pools if rng.random() < 0.8 else [PLAIN_WORDS[:6]]
    words = b"".join(rng.choice(rng.choice(kinds)) + rng.choice(SPACES) for _ in range(size))
    if rng.random() < 0.15:
        words = rng.choice(SPACES) + words
    return words if rng.random() < 0.2 else words.rstrip()


def sentences(rng: Random) -> list[bytes]:
    fate = rng.random()
    if fate < 0.03:
        return []
    if fate < 0.08:
        return [rng.choice(PLAIN_WORDS + ODD)]
    return [
        rng.choice([b"", b"  ", b"\t"]) if rng.random() < 0.06 else sentence(rng)
        for _ in range(rng.randint(1, 5))
    ]


def as_spl(rng: Random, lines: list[bytes]) -> bytes:
    end = b"\r\n" if rng.random() < 0.15 else b"\n"
    return end.join(lines) + rng.choice([end, b"", end + end])


def as_see(rng: Random, lines: list[bytes]) -> bytes:
    out = [b'<html>\n<head><title>x</title></head>\n<body bgcolor="white">']
    for i, line in enumerate(lines, 1):
        n = str(i).encode()
        size = rng.choice([b"", b"", b'size="12" ', b"size=12 "])
        open_tag = rng.choice([b"<a ", b"<a ", b"<a ", b"<A ", b" <a "])
        gap = rng.choice([b" ", b" ", b"\t", b"   ", b"", b"\n"]) if rng.random() < 0.3 else b" "
        id_end = rng.choice([b">", b">", b">", b">", b" >", b'"2">'])
        text = line + rng.choice([b"", b"</a>", b"</a>", b"</a> tail", b"<b>bold</b></a>"])
        out.append(
            open_tag
            + size
            + b'name="'
            + n
            + b'">['
            + n
            + b"]</a>"
            + gap
            + b'<a href="#'
            + n
            + b'" id='
            + n
            + id_end
            + text
        )
    out.append(b"</body>\n</html>")
    return (b"\r\n" if rng.random() < 0.1 else b"\n").join(out) + rng.choice([b"", b"\n"])


def as_isi(rng: Random, lines: list[bytes]) -> bytes:
    out = [
        b'<S SNTNO="%s">%s%s'
        % (
            rng.choice([b"1", b"2a", b"1,2", b"A"]),
            line,
            rng.choice([b"</S>", b"</S>", b"</S> x", b"", b"<i></S>"]),
        )
        for line in lines
    ]
    return b"\n".join([b"<DOC>", *out, b"</DOC>"]) + rng.choice([b"", b"\n"])


def as_be(rng: Random, lines: list[bytes]) -> bytes:
    heads = [
        b"cat",
        b"cats",
        b"running dogs",
        b"_cn_",
        b"-LRB- mice",
        b"is",
        b"was be",
        b"Bridges",
        b"ca\xe9fes",
        b" mice",
        b"    ",
        b"don't",
    ]
    modifiers = [b"nil", b"NIL", b"yellow", b"agreements", b"better best", b"", b"rivers "]
    relations = [b"nil", b"NIL", b"subj", b"obj", b"mod\r", b"gen|", b"gen||"]
    out = [
        b"|".join([rng.choice(heads), rng.choice(modifiers), rng.choice(relations)])
        for _ in lines
        for _ in range(2)
    ]
    if rng.random() < 0.04:
        out.append(rng.choice([b"", b"a|b", b"a|b|c|d", b"a||"]))
    return b"\n".join(out) + (b"\n" if out and rng.random() < 0.8 else b"")


WRITERS = {"SPL": as_spl, "SEE": as_see, "ISI": as_isi, "SIMPLE": as_be}


def write(rng: Random, path: Path, format: str) -> None:
    writer = WRITERS.get(format.upper(), as_spl)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(writer(rng, sentences(rng)))


def any_case(rng: Random, name: str) -> str:
    return rng.choice([name, name, name.lower(), name.title()])


def file_element(rng: Random, name: str, id: str, file: str) -> str:
    tag = any_case(rng, name)
    fate = rng.random()
    body = rng.choice([file, f" {file} ", f"\n\t{file}\n", f"\u00a0{file}"])
    if fate < 0.02:
        body = f"{file}<!-- c --> "
    elif fate < 0.04:
        body = f"elsewhere<!-- c -->{file}"
    elif fate < 0.06:
        body = f"<![CDATA[{file}]]>"
    elif fate < 0.08:
        body = f"wrong<?pi x?>{file}"
    elif fate < 0.085:
        body = ""
    return f'<{tag} ID="{id}">{body}</{tag}>'


def evaluation(rng: Random, folder: Path, id: str, place: int, systems: list[str], format: str) -> str:
    models = []
    for m in range(rng.choice([1, 1, 2, 3, 4])):
        name = f"m{place}.{m}"
        write(rng, folder / "models" / name, format)
        models.append(file_element(rng, "M", rng.choice("ABCD") if rng.random() < 0.05 else f"M{m}", name))
    if rng.random() < 0.01:
        models = []
    peers = []
    for p, system in enumerate(systems):
        if rng.random() < 0.1:
            continue
        name = f"p{place}.{p}"
        write(rng, folder / "peers" / name, format)
        peers.append(file_element(rng, "P", system, name))
    shown = any_case(rng, format)
    format_line = f'<{any_case(rng, "INPUT-FORMAT")} TYPE="{shown}">'
    parts = [
        f"<PEER-ROOT>{rng.choice(['peers', ' peers ', './peers'])}</PEER-ROOT>",
        "<MODEL-ROOT>models</MODEL-ROOT>",
        format_line + rng.choice(["", "\n"]) + "</" + format_line[1:].split(" ", maxsplit=1)[0] + ">",
        "<PEERS>\n" + "\n".join(peers) + "\n</PEERS>",
        "<MODELS>" + "".join(models) + "</MODELS>",
    ]
    if rng.random() < 0.3:
        rng.shuffle(parts)
    if rng.random() < 0.005:
        parts.pop()
    attribute = "id" if rng.random() < 0.003 else "ID"
    tag = any_case(rng, "EVAL")
    return f'<{tag} {attribute}="{id}">\n' + "\n".join(parts) + f"\n</{tag}>"


def write_xml(rng: Random, folder: Path, format: str) -> tuple[list[str], bool]:
    systems = rng.sample(SYSTEMS, rng.choice([1, 1, 2, 3]))
    ids = rng.sample(IDS, rng.choice([1, 2, 3, 5]))
    if rng.random() < 0.05:
        ids += ids[:1]
    tied = rng.random() < 0.05
    if tied:
        ids += ["1a", "1b", "01"]
    formats = [format] * len(ids)
    if rng.random() < 0.05:
        formats = [rng.choice(list(WRITERS)) for _ in ids]
    blocks = [
        evaluation(rng, folder, id, place, systems, one)
        for place, (id, one) in enumerate(zip(ids, formats, strict=True))
    ]
    text = '<ROUGE-EVAL version="1.5.5">\n' + "\n".join(blocks) + "\n</ROUGE-EVAL>\n"
    if rng.random() < 0.01:
        text = text[:-5]
    encoding = "utf-8"
    if rng.random() < 0.1 and text.isascii():
        text = '<?xml version="1.0" encoding="ISO-8859-1"?>\n' + text
    (folder / "config.xml").write_bytes(text.encode(encoding))
    system = rng.choice([*systems, systems[0], "absent"]) if rng.random() < 0.9 else "absent"
    return (["config.xml"] if rng.random() < 0.4 else ["config.xml", system]), tied


def write_list(rng: Random, folder: Path, format: str) -> list[str]:
    lines = ["# summary references"]
    for i in range(rng.choice([1, 2, 3, 12])):
        files = [f"peers/p{i}", *(f"models/m{i}.{m}" for m in range(rng.choice([1, 1, 2, 4])))]
        for file in files:
            write(rng, folder / file, format)
        lines.append(
            rng.choice(["", " ", "\t"])
            + rng.choice([" ", "\t", "   "]).join(files)
            + rng.choice(["", "  ", "\r"])
        )
        if rng.random() < 0.1:
            lines.append(rng.choice(["", "   ", "# x"]))
    if rng.random() < 0.01:
        lines.append("alone")
    if rng.random() < 0.01:
        lines.append("absent absent")
    (folder / "config.lst").write_text("\n".join(lines) + rng.choice(["", "\n"]))
    return ["config.lst", *rng.choice([[], [], ["sys"], ["sys"], ["a", "b"], [""]])]


def options(rng: Random, format: str) -> list[str]:
    """Flags in any order, now and then stuck together."""
    be = format == "SIMPLE"
    out: list[list[str]] = []

    def maybe(chance: float, *flags: str) -> None:
        if rng.random() < chance:
            out.append(list(flags))

    maybe(0.05 if be else 0.7, "-n", rng.choice(["1", "2", "3", "4", "2.5", "0", "1e0", "x"]))
    maybe(0.35, "-x")
    maybe(
        0.05 if be else 0.3,
        "-w",
        rng.choice(["1.2", "1.2", "2", "0.5", "1", "3", "1.20", "5", "4", "7", "2.0"]),
    )
    maybe(
        0.05 if be else 0.45,
        "-2",
        rng.choice(["-1", "4", "0", "1", "2", "9", "04", "1.5", "-0.5", "", "1e1"]),
    )
    maybe(0.3, "-u")
    maybe(0.3, "-U")
    maybe(0.98 if be else 0.01, "-3", rng.choice(["H", "HM", "HMR", "HM1", "HMR1", "HMR2", "X"]))
    maybe(0.4, "-m")
    maybe(0.15, "-M")
    maybe(0.25, "-s")
    cut = rng.random()
    if cut < 0.2:
        out.append(["-l", rng.choice(["1", "2", "3", "5", "10", "20", "100", "2.5", "-1", "0", "7x"])])
    elif cut < 0.4:
        out.append(["-b", rng.choice(["1", "5", "20", "75", "100", "665", "-5", "0", "33.3"])])
    elif cut < 0.41:
        out.append(["-l", "5", "-b", "5"])
    maybe(0.4, "-f", rng.choice(["A", "B", "B", "B", "b", "C"]))
    maybe(0.3, "-p", rng.choice(["0", "1", "0.5", "0.3", ".8", "1.0"]))
    maybe(0.01, "-p", "1.5")
    maybe(0.35, "-t", rng.choice(["0", "1", "1", "2", "2", "3", "1.0", "x"]))
    maybe(0.9, "-r", rng.choice(["1", "2", "3", "5", "10", "20", "50", "100", "10.5", "7x"]))
    maybe(0.01, "-r", "0")
    maybe(0.4, "-c", rng.choice(["95", "90", "99", "99.9", "0", "100", "50", "95.0", "x", ""]))
    maybe(0.01, "-c", rng.choice(["101", "-1"]))
    maybe(0.5, "-d")
    maybe(0.08, "-v")
    rng.shuffle(out)
    return [flag for flags in out for flag in _stuck(rng, flags)]


def _stuck(rng: Random, flags: list[str]) -> list[str]:
    if len(flags) == 2 and flags[1] and rng.random() < 0.3:
        return ["".join(flags)]
    return flags


def make(seed: int, folder: Path) -> Case:
    """The case of a seed, its files written into the folder."""
    rng = Random(seed)
    format = rng.choices(["SPL", "SEE", "ISI", "SIMPLE"], [6, 3, 1, 2])[0]
    flags = options(rng, format)
    if rng.random() < 0.3:
        flags += ["-z", any_case(rng, format)]
        arguments, tied = write_list(rng, folder, format), False
    else:
        arguments, tied = write_xml(rng, folder, format)
        if len(arguments) == 1 and rng.random() < 0.98:
            flags.insert(rng.randint(0, len(flags)) if "--" not in flags else 0, "-a")
            flags = _whole(flags)
    if rng.random() < 0.05:
        flags.append("--")
    return Case([*flags, *arguments], "-v" in flags, tied)


def _whole(flags: list[str]) -> list[str]:
    """`-a` must not stand between a flag and its value: it goes to the front."""
    return ["-a", *(flag for flag in flags if flag != "-a")]


def ours(arguments: list[str], folder: Path) -> tuple[bool, bytes]:
    """Whether our run came to its end, and its standard output."""
    out = io.BytesIO()
    before = Path.cwd()
    os.chdir(folder)
    try:
        with contextlib.suppress(ToplineError):
            run(arguments, out, lambda _: None)
            return True, out.getvalue()
        return False, out.getvalue()
    finally:
        os.chdir(before)


def _without_hash_order(line: bytes) -> bytes:
    """A line of `-v` that dumps one of the script's hashes, its pairs sorted."""
    if b"_cn_" not in line or line.startswith((b"* Match", b"***", b"total ")):
        return line
    between = b"#" if b"#" in line else b"|"
    items = line.split(between)
    return between.join(sorted(b" ".join(pair) for pair in zip(items[::2], items[1::2], strict=True)))


def _matches_sorted(lines: list[bytes]) -> list[bytes]:
    out: list[bytes] = []
    for is_match, run_of in groupby(lines, key=lambda line: line.startswith(b"* Match")):
        together = list(run_of)
        out += sorted(together) if is_match else together
    return out


def canonical(output: bytes, case: Case) -> bytes:
    """What must be equal: everything but the order that the script leaves to its hashes.

    That is the order of evaluations with equal leading numbers, and of n-grams under `-v`.
    """
    lines = output.split(b"\n")
    if case.verbose:
        lines = _matches_sorted([_without_hash_order(line) for line in lines])
    return b"\n".join(sorted(lines) if case.tied else lines)


def agree(case: Case, code: int, printed: bytes, done: bool, mine: bytes) -> bool:
    """Whether we ended and printed as the script did; under `-v` it shows more of a run that dies."""
    if done != (code == 0):
        return False
    return (case.verbose and not done) or canonical(mine, case) == canonical(printed, case)
