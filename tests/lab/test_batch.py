"""Batches: their games are those that a match with the same seed plays, and their counts are its counts."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bartizan.engine import registry
from bartizan.engine.errors import UnknownPlayer
from bartizan.engine.rng import stream
from bartizan.engine.rule import interpreted
from bartizan.lab.batch import GameBatch, deal_seed
from bartizan.match import Match
from bartizan.search import batch as columns
from bartizan.search import streams
from bartizan.search.batches import Games, Wanted
from bartizan.search.streams import WORDS, seed_words
from bartizan.search.workspace import integer_array
from tests.corpus import sample

NAMES = registry.names()
ALL = Wanted(lengths=True, verbs=True, pieces=True)
GAMES = sample(2, 20)


@cache
def played(name: str) -> tuple[GameBatch, list[str], Games]:
    game = registry.get(name)
    batch = GameBatch(game, {}, ["greedy", "random", "greedy"][: max(game.min_seats, 1)])
    seeds = [deal_seed("5", deal) for deal in range(GAMES)]
    return batch, seeds, batch.play(seeds, 0, ALL)


@given(seed=st.integers(0, 2**64 - 1), ply=st.integers(0, 10**7))
def test_the_stream_of_a_ply_is_that_of_the_library(seed: int, ply: int) -> None:
    text = f"{seed:016x}"
    low, high = seed_words(text)
    plain = interpreted(streams)  # the same source, without the compiler
    assert plain.ply_stream(low, high, ply, [0] * WORDS) == stream(text, "ply", ply)


@pytest.mark.parametrize("name", NAMES)
def test_a_batch_plays_what_a_match_with_its_seed_plays(name: str) -> None:
    """Every action is legal there, and the end is the same: so a record of it replays."""
    batch, seeds, games = played(name)
    for number, seed in enumerate(seeds):
        match = batch.match(seed, batch.actions(seed))
        assert match.ply == games.counts[number, columns.PLIES]
        assert match.is_over == bool(games.counts[number, columns.FINISHED])
        assert match.returns() == list(games.returns[number])
        assert Match.of(match.record()).digest() == match.digest()


@pytest.mark.parametrize("name", NAMES)
def test_counts_are_those_of_the_match(name: str) -> None:
    """Counted anew, decision by decision, from what a match tells."""
    batch, seeds, games = played(name)
    for number, seed in enumerate(seeds):
        match = Match(batch.game, {}, batch.seats, seed)
        legals: list[int] = []
        movers: list[tuple[int, int]] = []
        chosen: Counter[tuple[int, str]] = Counter()
        offered: Counter[tuple[int, str]] = Counter()
        held: set[tuple[int, str]] = set()
        for action in batch.actions(seed):
            seat, legal = match.seat_to_move, match.legal()
            legals.append(len(legal))
            movers.append((seat, match.round))
            chosen[seat, batch.game.actions.block_of(action).name] += 1
            offered.update({(seat, batch.game.actions.block_of(each).name) for each in legal})
            marks = np.zeros(len(batch.game.playtest.PIECES), np.uint8)
            plain_held(batch, match, seat, marks)
            held |= {(seat, batch.game.playtest.PIECES[piece]) for piece in np.flatnonzero(marks)}
            match.play(action)
        row = games.counts[number]
        turns = [place for place, each in enumerate(movers) if place == 0 or each != movers[place - 1]]
        ends = [*turns[1:], len(movers)]
        assert row[columns.TURNS] == len(turns)
        assert row[columns.DEAD_TURNS] == sum(
            all(legals[ply] == 1 for ply in range(first, end)) for first, end in zip(turns, ends, strict=True)
        )
        assert row[columns.FORCED] == legals.count(1)
        assert row[columns.ROUNDS] == match.round
        assert row[columns.MEDIAN] == np.quantile(legals, 0.5, method="inverted_cdf")
        assert row[columns.NINETIETH] == np.quantile(legals, 0.9, method="inverted_cdf")
        outcome = match.outcome
        assert outcome is not None
        assert batch.game.clauses.id_of(int(row[columns.CLAUSE])) == outcome.clause
        for seat in range(1, batch.seats + 1):
            own = row[columns.FIXED + columns.PER_SEAT * (seat - 1) :]
            plies = [ply for ply, (mover, _) in enumerate(movers) if mover == seat]
            assert own[columns.DECISIONS] == len(plies)
            gaps = [after - before - 1 for before, after in pairwise(plies)]
            assert own[columns.WAIT] == max(gaps, default=0)
            assert own[columns.WON] == (seat in outcome.winners)
            for place, block in enumerate(batch.game.actions.blocks):
                verbs = games.verbs[number, seat - 1]
                assert verbs[columns.CHOSEN, place] == chosen[seat, block.name]
                assert verbs[columns.OFFERED, place] == offered[seat, block.name]
            marked = np.flatnonzero(games.pieces[number, seat - 1, columns.HELD])
            assert {batch.game.playtest.PIECES[piece] for piece in marked} == {
                piece for whose, piece in held if whose == seat
            }


def plain_held(batch: GameBatch, match: Match, seat: int, marks: np.ndarray) -> None:
    interpreted(batch.game.playtest).mark_held(match.view(), seat, marks)


@pytest.mark.parametrize("name", NAMES)
def test_following_the_actions_of_a_game_measures_the_same(name: str) -> None:
    batch, seeds, games = played(name)
    again = batch.follow(seeds[0], batch.actions(seeds[0]), ALL)
    for part in ("counts", "returns", "verbs", "gains", "pieces"):
        if len(getattr(games, part)) == 0:
            continue
        assert (getattr(again, part)[0] == getattr(games, part)[0]).all()


@given(
    seed=st.text("0123456789abcdef", min_size=1, max_size=32),
    first=st.integers(0, 10**12),
    number=st.integers(0, 10**6),
)
def test_compiled_code_hashes_seeds_as_tables_do(seed: str, first: int, number: int) -> None:
    game = registry.get("castle-danger")
    rows, words = np.zeros((3, 4), np.uint64), integer_array(WORDS, np.uint64)
    text = np.frombuffer(f"{seed}/deals/".encode(), np.uint8)
    game.bind("bartizan.search.batch").write_streams(text, first, number, words, rows)
    for deal, row in enumerate(rows.tolist(), first):
        own = deal_seed(seed, deal)
        assert row == [*seed_words(own), stream(own, "deal"), stream(own, "dice", number)]


@pytest.mark.parametrize("name", NAMES)
def test_consecutive_deals_are_those_of_their_seeds(name: str) -> None:
    batch, seeds, games = played(name)
    again = batch.play_deals("5", range(len(seeds)), 0, ALL)
    bare = batch.play_deals("5", range(len(seeds)))
    assert (again.counts == games.counts).all()
    for column in (columns.PLIES, columns.ROUNDS, columns.FINISHED, columns.CLAUSE):
        assert (bare.counts[:, column] == games.counts[:, column]).all()
    assert (bare.returns == games.returns).all()


def test_games_of_one_deal_differ_in_the_dice_of_players_alone() -> None:
    batch = GameBatch(registry.get("alcazar"), {}, ["random"])
    seed = deal_seed("1", 0)
    one, other = batch.actions(seed, 0), batch.actions(seed, 1)
    assert one != other
    assert batch.match(seed, []).digest() == batch.match(seed, []).digest()


def test_a_player_that_looks_ahead_plays_the_same_deals() -> None:
    game = registry.get("castle-danger")
    batch = GameBatch(game, {}, ["page", "random"])
    seed = deal_seed("1", 3)
    actions = batch.actions(seed)
    assert actions == batch.actions(seed)
    match = batch.match(seed, actions)
    assert match.is_over
    assert batch.play([seed]).counts[0, columns.PLIES] == match.ply


def test_a_search_with_so_many_iterations_is_a_player_that_plays_the_same_again() -> None:
    game = registry.get("castle-danger")
    seed = deal_seed("5", 1)
    batch, again = (GameBatch(game, {}, [" search@004 ", "greedy"]) for _ in range(2))
    assert batch.players == ("search@4", "greedy")
    assert batch.looks_ahead
    actions = batch.actions(seed)
    assert actions == again.actions(seed)
    assert batch.match(seed, actions).is_over
    more = GameBatch(game, {}, ["search@40", "greedy"])
    assert more.actions(seed) != actions


@pytest.mark.parametrize(
    "name", ["search@0", "search@1000001", "search@999999999999", "search@", "search@4x"]
)
def test_other_searches_are_no_players(name: str) -> None:
    with pytest.raises(UnknownPlayer):
        GameBatch(registry.get("castle-danger"), {}, [name, "greedy"])
