"""The score table of a run, as Table 3 of Radev et al. (2004) prints it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from topline.corpus.records import Topic
from topline.systems.mead.features import length
from topline.systems.summarize import Run
from topline.systems.system import System


def score_rows(topic: Topic, run: Run, system: System) -> Iterator[dict[str, Any]]:
    """A row a sentence, in corpus order: DID, SNO (from 1), Length, the system's columns, Chosen.

    `Chosen` says as which sentence it was taken, None if it was not. A system that weighs sets of
    sentences rather than sentences has no columns of its own. Section by section, a score is that
    within the section.
    """
    places = [
        (document.id, number)
        for document in topic.documents
        for number in range(1, len(document.sentences) + 1)
    ]
    rank = {row: place for place, row in enumerate(run.chosen, 1)}
    for part, rows in zip(run.prepared, run.rows, strict=True):
        lengths, columns = length(part), system.columns(part)
        for inside, row in enumerate(rows):
            did, sno = places[row]
            yield {
                "id": topic.id,
                "DID": did,
                "SNO": sno,
                "Length": int(lengths[inside]),
                **{name: float(values[inside]) for name, values in columns.items()},
                "Chosen": rank.get(row),
            }
