"""The public surface is a test: adding or losing a name is a decision."""

import topline

NAMES = {
    "__version__", "Budget", "Document", "Metric", "Preprocessing", "Reference", "Score", "Scored", "Scorer",
    "Section", "Sentence", "Summary", "Topic", "ToplineError", "read_corpus", "read_summaries", "score",
    "Every", "Label", "Oracle", "all_oracles", "compressive_oracle", "label", "oracle", "summarize",
    "Spread", "spread_of",
}  # fmt: skip


def test_the_public_names_are_these() -> None:
    assert set(topline.__all__) == NAMES


def test_every_public_name_can_be_had() -> None:
    for name in topline.__all__:
        assert getattr(topline, name) is not None


def test_dir_lists_them_and_others_are_refused() -> None:
    assert set(dir(topline)) == set(topline.__all__)
    assert not hasattr(topline, "no_such_name")
