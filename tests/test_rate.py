"""Rating sheets: blind, shuffled, reproducible; and what filled-in sheets come to."""

import csv
import io
import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topline.cli.common import exit_code_of
from topline.cli.main import cli
from topline.compress.rate import Rating, Scale, entries, html, key_of, order, sheet_csv
from topline.compress.ratings import alpha, means
from topline.errors import OptionError

TOPICS = [
    ("t1", [("lead", ["One."]), ("mead", ["Two <b>."]), ("twin", ["One."])]),
    ("t2", [("lead", ["=1+1"]), ("mead", ["Four."]), ("twin", ["Five."])]),
]


def test_a_sheet_says_nothing_about_systems_and_is_the_same_for_the_same_seed():
    found = entries(TOPICS, 3)
    assert len(found) == 5, "two systems that wrote the same share an item"
    page, table = html(found, Scale(), 3, 1), sheet_csv(found, 3, 1)
    for text in (page, table):
        assert "lead" not in text
        assert "mead" not in text
        assert "twin" not in text
    assert page == html(entries(TOPICS, 3), Scale(), 3, 1)
    assert table == sheet_csv(entries(TOPICS, 3), 3, 1)
    assert "Two &lt;b&gt;." in page
    assert not any(word in page for word in ("http:", "https:", "src=")), "self-contained"
    assert {e.item.item for e in entries(TOPICS, 4)} != {e.item.item for e in found}


def test_sheets_are_shuffled_each_in_its_own_way():
    found = entries([(f"t{n}", [("a", [f"A{n}"]), ("b", [f"B{n}"])]) for n in range(8)], 0)
    orders = [[e.item.item for _, items in order(found, 0, sheet) for e in items] for sheet in (1, 2, 3)]
    assert len({tuple(one) for one in orders}) == 3
    assert len({tuple(sorted(one)) for one in orders}) == 1


def test_the_table_is_harmless_in_a_spreadsheet():
    rows = list(csv.DictReader(io.StringIO(sheet_csv(entries(TOPICS), 0, 1))))
    assert all(not row["summary"].startswith("=") for row in rows)
    assert [row["rating"] for row in rows] == [""] * 5


KRIPPENDORFF = (
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)
"""The example of Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability"."""


@pytest.mark.parametrize(("level", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_is_krippendorffs(level, value):
    ratings = [
        Rating(str(r), str(u), int(given))
        for r, row in enumerate(KRIPPENDORFF)
        for u, given in enumerate(row.split())
        if given != "."
    ]
    found = alpha(ratings, level)
    assert found is not None
    assert round(found, 3) == value


def test_alpha_of_one_rater_or_one_value_is_undefined():
    assert alpha([Rating("a", "x", 1), Rating("a", "y", 2)]) is None
    assert alpha([Rating("a", "x", 1), Rating("b", "x", 1)]) is None


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(1, 5)), max_size=20))
def test_interval_alpha_agrees_with_variances(rows):
    """For interval data alpha is 1 - (mean difference within items) / (mean difference of all)."""
    given_ = {(r, u): v for r, u, v in rows}
    ratings = [Rating(str(r), str(u), v) for (r, u), v in given_.items()]
    units = {}
    for rating in ratings:
        units.setdefault(rating.item, []).append(rating.value)
    paired = [values for values in units.values() if len(values) > 1]
    everything = [v for values in paired for v in values]
    n = len(everything)
    wide = sum((a - b) ** 2 for a in everything for b in everything)
    found = alpha(ratings, "interval")
    if not wide:
        assert found is None
        return
    within = sum(sum((a - b) ** 2 for a in values for b in values) / (len(values) - 1) for values in paired)
    assert found == pytest.approx(1 - (within / n) / (wide / (n * (n - 1))))


def test_means_count_a_shared_summary_for_every_system_that_wrote_it():
    found = entries(TOPICS, 1)
    key = key_of(found, Scale(), 1)
    value = {"lead": 4, "mead": 2, "twin": 4}
    ratings = [
        Rating(rater, e.item.item, value[e.item.systems[0]]) for e in found for rater in ("ann", "bob")
    ]
    got = {mean.system: mean for mean in means(key, ratings)}
    assert {name: (mean.mean, mean.ratings, mean.raters) for name, mean in got.items()} == {
        "lead": (4, 4, 2), "mead": (2, 4, 2), "twin": (4, 4, 2),
    }  # fmt: skip
    assert got["lead"].counts == (0, 0, 0, 4, 0)
    assert (got["lead"].low, got["lead"].high) == (4, 4)


def test_intervals_hold_the_mean_and_shrink_with_topics():
    widths = []
    for topics in (4, 64):
        found = entries([(f"t{n}", [("a", [f"A{n}"])]) for n in range(topics)])
        random = Random(1)
        ratings = [Rating("ann", e.item.item, random.randint(1, 5)) for e in found]
        (mean,) = means(key_of(found, Scale(), 0), ratings)
        assert mean.low is not None
        assert mean.high is not None
        assert mean.low <= mean.mean <= mean.high
        widths.append(mean.high - mean.low)
    assert widths[1] < widths[0]


def run(*arguments: str) -> int:
    return exit_code_of(cli, list(arguments))


def written(folder: Path) -> Path:
    systems = folder / "s.jsonl"
    lines = [
        {"id": topic, "system": name, "sentences": [f"{name} says {topic}."]}
        for topic in ("t01", "t02", "t03")
        for name in ("lead", "mead")
    ]
    systems.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert (
        run("rate", "sample:news", "--systems", str(systems), "--raters", "2", "--folder", str(folder / "x"))
        == 0
    )
    return folder / "x"


def test_from_summaries_to_means_and_back(tmp_path, capsys):
    sheets = written(tmp_path)
    assert sorted(p.name for p in sheets.iterdir()) == [
        "key.json", "sheet-1.csv", "sheet-1.html", "sheet-2.csv", "sheet-2.html",
    ]  # fmt: skip
    key = {one["item"]: one["systems"] for one in json.loads((sheets / "key.json").read_text())["items"]}
    for sheet, delimiter in ((1, ","), (2, ";")):
        rows = list(csv.DictReader(io.StringIO((sheets / f"sheet-{sheet}.csv").read_text("utf-8-sig"))))
        lines = [delimiter.join(("item", "rating"))]
        lines += [
            delimiter.join((row["item"], "5" if key[row["item"]] == ["mead"] else str(sheet))) for row in rows
        ]
        (sheets / f"rater{sheet}.csv").write_text("\n".join(lines) + "\n")
    capsys.readouterr()
    args = ["rate", "--key", str(sheets / "key.json"), "--json"]
    assert run(*args, "--ratings", str(sheets / "rater1.csv"), "--ratings", str(sheets / "rater2.csv")) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["system"], row["mean"], row["ratings"]) for row in rows[:2]] == [
        ("mead", 5, 6),
        ("lead", 1.5, 6),
    ]
    assert rows[2]["agreement"] == "krippendorff-alpha-ordinal"
    assert 0 < rows[2]["value"] < 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item,rating\nzzz,3\n", "no item 'zzz' in the key"),
        ("item,rating\nITEM,6\n", "bad rating '6'"),
        ("item,rating\nITEM,good\n", "bad rating 'good'"),
        ("item,rating\nITEM,²\n", "bad rating '²'"),
        ("item,rating\nITEM,--3\n", "bad rating '--3'"),
        (f"item,rating\nITEM,{'9' * 5000}\n", "bad rating '99999999999999999999'"),
        (f"item,rating\n{'x' * 200_000},3\n", "r.csv:2: no table: field larger"),
        ("item,rating\nITEM,3\nITEM,4\n", "rates 'ITEM' twice"),
        ("code,stars\nITEM,3\n", "columns item and rating"),
        ("item,rating\nITEM,\n", "nothing is rated"),
    ],
)
def test_a_sheet_that_cannot_be_read_says_where_and_why(tmp_path, capsys, text, message):
    sheets = written(tmp_path)
    item = json.loads((sheets / "key.json").read_text())["items"][0]["item"]
    (sheets / "r.csv").write_text(text.replace("ITEM", item))
    capsys.readouterr()
    assert run("rate", "--key", str(sheets / "key.json"), "--ratings", str(sheets / "r.csv")) == 2
    assert message.replace("ITEM", item) in capsys.readouterr().err


def test_wrong_calls_say_what_to_give(tmp_path, capsys):
    assert run("rate", "sample:news") == 2
    assert "--systems and --folder" in capsys.readouterr().err
    bad = tmp_path / "key.json"
    bad.write_text("{}")
    assert run("rate", "--key", str(bad), "--ratings", str(bad)) == 2
    assert "no key" in capsys.readouterr().err
    with pytest.raises(OptionError, match="makes no sense"):
        Scale(low=5, high=1)


def test_fewer_topics_are_drawn_by_the_seed(tmp_path):
    systems = tmp_path / "s.jsonl"
    lines = [{"id": f"t0{n}", "system": "a", "sentences": [f"{n}"]} for n in range(1, 9)]
    systems.write_text("".join(json.dumps(line) + "\n" for line in lines))
    keys = []
    for folder, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        call = ["rate", "sample:news", "--systems", str(systems), "--folder", str(tmp_path / folder)]
        assert run(*call, "--topics", "3", "--seed", seed) == 0
        keys.append(
            {one["topic"] for one in json.loads((tmp_path / folder / "key.json").read_text())["items"]}
        )
    assert len(keys[0]) == 3
    assert keys[0] == keys[1] != keys[2]
