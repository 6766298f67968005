"""A game's own words and options are explained by clauses that there are."""

from __future__ import annotations

import re

import pytest

from bartizan.engine import registry


@pytest.mark.parametrize("name", registry.names())
def test_terms_name_clauses_and_are_used(name: str) -> None:
    book = registry.get(name).clauses
    words = [term.word for term in book.term]
    assert len(words) == len(set(words))
    texts = " ".join(f"{clause.title} {clause.text} {clause.ruling}" for clause in book).lower()
    for term in book.term:
        assert book.get(term.clause).id == term.clause
        assert 20 <= len(term.says) <= 140
        assert term.word.lower() in texts, term.word


@pytest.mark.parametrize("name", registry.names())
def test_every_option_is_named_by_a_clause(name: str) -> None:
    game = registry.get(name)
    texts = " ".join(f"{clause.text} {clause.ruling}" for clause in game.clauses)
    for spec in game.option_set.specs():
        names = "|".join({re.escape(spec.key), spec.key.partition(".")[0]})  # its group is enough
        assert re.search(rf"`(?:{names})\b", texts), f"no clause in clauses.toml names `{spec.key}`"
