"""Records in a notebook: a table of their fields, escaped, short."""

import pickle

from topline.corpus.records import Document, Sentence, Summary, Topic
from topline.rouge.score import Score


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
