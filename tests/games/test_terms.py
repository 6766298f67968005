"""A game's own words are explained by clauses that there are, and stand somewhere to be asked about."""

from __future__ import annotations

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
