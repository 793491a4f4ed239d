"""Records in a notebook: a table of their fields, escaped, short."""

import pickle

from topline.corpus.records import Document, Sentence, Summary, Topic
from topline.rouge.score import Score, score
from topline.spread.distribution import exactly
from topline.spread.document import Spread


def test_a_record_shows_its_fields_escaped_and_short() -> None:
    shown = Summary("<b>t</b>", "s" * 500, ("One.",))._repr_html_()
    assert "&lt;b&gt;t&lt;/b&gt;" in shown
    assert "<b>" not in shown
    assert "s" * 201 not in shown
    assert "…" in shown


def test_numbers_have_five_digits() -> None:
    assert (
        "<td style='text-align:left'>0.33333</td>"
        in Score("t", "s", "rouge-1", 1 / 3, 0.5, 0.4)._repr_html_()
    )


def test_records_are_still_frozen_slotted_and_sent_to_workers() -> None:
    topic = Topic("t", (Document("d", (Sentence("One."),)),))
    assert pickle.loads(pickle.dumps(topic)) == topic
    assert not hasattr(topic, "__dict__")
    assert "Topic" in topic._repr_html_()


def test_a_distribution_shows_what_the_verb_prints() -> None:
    spread = Spread("t<1>", "rouge-1", "pooled", exactly({1: 1, 3: 1}, 4), "enumerated", 9)
    shown = spread._repr_html_()
    for name, value in (("extracts", "2"), ("mean", "0.50000"), ("max", "0.75000"), ("id", "t&lt;1&gt;")):
        assert f">{name}</th><td style='text-align:left'>{value}</td>" in shown


def test_scores_show_their_means() -> None:
    shown = score(["The cat sat.", "A dog."], ["The cat sat down.", "A dog."], "rouge-1")._repr_html_()
    assert "rouge-1 R, P, F</th><td style='text-align:left'>0.87500, 1.00000, 0.92857</td>" in shown
    assert "tok:rouge155" in shown
    assert "rouge-1 R" not in score([], [], "rouge-1")._repr_html_()
