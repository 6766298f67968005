"""Print random games in full, so that anyone can check the rules with another program."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from bartizan.engine.game import ANY_OUTCOME, Game
from bartizan.engine.rng import stream
from bartizan.match.match import Match
from bartizan.match.progress import check_seed
from bartizan.search.players import Player


def _plain(game: Game, name: str) -> str:
    """Return a player's name; `random` plays every legal move alike here, reports of throws among them."""
    return f"random:{ANY_OUTCOME}" if name == "random" and game.throw_skills else name


def lines(
    game: str,
    games: int,
    seed: str,
    seats: int | None = None,
    options: Mapping[str, object] | None = None,
    players: Sequence[str] | None = None,
) -> Iterator[str]:
    """Yield the JSON lines of `games` games, as the notation of traces says.

    Raises what `Match` raises, and `UnknownPlayer`.
    """
    start = check_seed(seed)
    for number in range(games):
        match = Match(game, options, seats, f"{stream(start, 'trace', number):016x}")
        dice = stream(start, "players", number)
        names = [_plain(match.game, name) for name in players or ["random"] * match.seats]
        table = [Player.named(match.game, name, dice + seat) for seat, name in enumerate(names)]
        while not match.is_over:
            legal = match.legal()
            move = table[match.seat_to_move - 1].choose(match.game_state(), legal)
            line = {
                "game_no": number,
                "ply": match.ply,
                "position": match.position(),
                "legal": sorted(match.legal_texts()),
                "move": match.text(move),
            }
            if match.ply == 0:
                line = {"game_no": number, "options": match.options, "seats": match.seats, **line}
            yield json.dumps(line, separators=(",", ":"))
            match.play(move)
        result = {"winner": match.winner(), "scores": match.scores(), "returns": match.returns()}
        line = {"game_no": number, "position": match.position(), "result": result}
        yield json.dumps(line, separators=(",", ":"))
