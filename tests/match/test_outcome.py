"""What a game came to is asked of the rules once, and told alike everywhere."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bartizan.engine.game import Game
from bartizan.engine.outcome import Outcome
from bartizan.lab.simulate import simulate
from bartizan.match import GameRecord, Match
from bartizan.match.trace import lines
from tests.card_barrage.tables import table as barrage


def beaten() -> Match:
    """Return a game of Castle Danger that Blue has lost."""
    board = ["...k...", *["......."] * 3, "~~~~~~~", *["......."] * 4]
    return Match("castle-danger", seed="1", position={"board": board, "winner": "red"})


def test_an_outcome_tells_winners_returns_and_clause() -> None:
    assert beaten().outcome == Outcome(winners=(2,), returns=(-1.0, 1.0), clause="CD-42")
    drawn = Match("castle-danger", {"turn_limit": 1}, seed="1")
    assert drawn.outcome is None
    while not drawn.is_over:
        drawn.play("end")
    assert drawn.outcome == Outcome(winners=(), returns=(0.0, 0.0), clause="CD-42")


def test_points_are_told_where_the_game_has_points() -> None:
    four = barrage(4, {"points": 10}, {"points": 3}, first=2)
    four.play("end")
    wanted = Outcome(winners=(1, 3), returns=(1.0, -1.0, 1.0, -1.0), points=(10, 3, 10, 3), clause="CB-24")
    assert four.outcome == wanted
    assert four.scores() == [10, 3, 10, 3]
    assert beaten().scores() == [-1.0, 1.0]


def test_a_shared_victory_is_won_by_all_who_share_it() -> None:
    even = barrage(1, {"points": 10}, {"points": 10}, first=2, options={"tiebreak": "shared"})
    even.play("end")
    assert even.outcome == Outcome(winners=(1,), returns=(0.0,), points=(10,), clause="CB-24")
    assert even.winner() == even.result() == "draw"  # as a position writes it


def test_who_has_won_is_read_without_writing_the_position(monkeypatch: pytest.MonkeyPatch) -> None:
    for match, word in ((beaten(), "red"), (Match("card-cassonne", seed="1"), "none")):
        positions = match.game.positions

        def refuse(view: Any) -> dict[str, Any]:
            raise AssertionError("the whole position was written")

        monkeypatch.setattr(positions, "write", refuse)
        assert match.result() == word
        monkeypatch.undo()


def test_records_keep_scores_and_returns() -> None:
    match = barrage(2, {"points": 10}, {"points": 3}, first=2)
    assert "scores" not in match.record().text()
    match.play("end")
    text = match.record().text()
    assert 'result = "1"\nscores = [10, 3]\nreturns = [1.0, -1.0]\n' in text
    assert GameRecord.parse(text) == match.record()
    # A record as it was written before has neither.
    old = "".join(line for line in text.splitlines(True) if not line.startswith(("scores", "returns")))
    assert GameRecord.parse(old).returns == ()
    assert Match.of(GameRecord.parse(old)).outcome == match.outcome


def test_traces_end_with_points_and_returns() -> None:
    *_, last = lines("card-cassonne", 1, "5", 2)
    result = json.loads(last)["result"]
    players = json.loads(last)["position"]["players"]
    assert result["scores"] == [player["score"] for player in players]
    assert sorted(result["returns"]) in ([-1.0, 1.0], [0.0, 0.0])


def test_partners_win_together_in_a_batch() -> None:
    """Two that won together were counted as a draw as well."""
    report = simulate("card-barrage", 12, ["random:child"] * 4, "7", options={"turn_cap": 2})
    assert report.wins["1"] == report.wins["3"]
    assert report.wins["2"] == report.wins["4"]
    assert report.wins["1"] + report.wins["2"] >= report.games
    assert report.draws == report.unfinished == 0


def test_every_game_says_whether_it_counts_points() -> None:
    counting = {game.name for game in _games() if game.counts_points}
    assert counting == {"card-barrage", "card-cassonne"}


def _games() -> list[Game]:
    from bartizan.engine import registry

    return [registry.get(name) for name in registry.names()]


def test_a_win_alone_says_how_rare_it_is() -> None:
    def told(
        seed: str, options: dict[str, object] | None = None, position: dict[str, Any] | None = None
    ) -> str:
        match = Match("alcazar", options, seed=seed, position=position)
        while not match.is_over:
            match.play(match.views.hints(1, player="greedy")[0].action)
        result = match.views.scene(1).result
        assert result is not None
        assert result.headline == ("The tower has fallen." if seed == "3" else "The tower stands.")
        return result.text

    worth = Match("alcazar").game.clauses.worth
    assert told("1").endswith(f" left. {worth}")
    won = told("1", position=Match("alcazar", seed="1").position())
    for other in (told("3"), told("1", {"endless_night": True}), won):
        assert worth not in other
