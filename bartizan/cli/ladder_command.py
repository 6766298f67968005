"""``bartizan ladder``: let a game's players meet, and rate them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bartizan.cli.errors import UsageError
from bartizan.cli.main import INTERRUPTED
from bartizan.cli.parser import Parser, add_settings, read_settings, whole
from bartizan.cli.progress import bar

if TYPE_CHECKING:
    from bartizan.engine.game import Game
    from bartizan.lab.ladder import Contest, Pair, Rating

BASE = "greedy"  # has 0 points


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(
        prog=prog,
        description=f"{meaning}: on the same deals, from every seat; Ctrl-C shows what is known by then",
    )
    parsing.add_argument("game", metavar="GAME")
    parsing.add_argument(
        "--pair", metavar="A,B", help="only these two, such as top,greedy; all levels by default"
    )
    parsing.add_argument(
        "--games", type=whole(2, 10**6), default=100, metavar="N", help="how many games each pair plays (100)"
    )
    parsing.add_argument(
        "--players", type=whole(1, 16), metavar="N", help="how many seats; the fewest by default"
    )
    parsing.add_argument("--seed", default="0", metavar="S", help="1 to 32 hexadecimal digits (0)")
    parsing.add_argument(
        "--threads", type=whole(1, 1024), default=1, metavar="T", help="games played at a time (1)"
    )
    parsing.add_argument(
        "--file", type=Path, metavar="FILE", help="keep every round there, and go on with what it holds"
    )
    parsing.add_argument(
        "--table",
        type=Path,
        metavar="FILE",
        help="write the table into this Markdown file, at the game's marks",
    )
    add_settings(parsing)
    parsing.add_argument("--json", action="store_true", help="print JSON")
    return parsing


def run(found: argparse.Namespace) -> int:
    """Play the games and print the table."""
    from bartizan.engine import registry
    from bartizan.lab.journal import Journal
    from bartizan.lab.ladder import Contest, Meeting, meetings, pairs_in, ratings

    game = registry.get(found.game)
    contest = Contest(game, found.players, read_settings(found.settings), found.seed)
    pairs = [_read_pair(found.pair, game)] if found.pair else _all_pairs(game)
    if found.table is not None:
        _check_marks(found.table, contest)
    interrupted = False
    with Journal(found.file, _about(contest), Meeting) as journal:
        played = [meeting for meeting in journal.found if (meeting.first, meeting.second) in pairs]
        try:
            with bar("rounds played") as progress:
                for meeting in meetings(contest, pairs, found.games, found.threads, played, progress):
                    journal.add(meeting)
                    played.append(meeting)
        except KeyboardInterrupt:
            interrupted = True
            if not played:
                raise
    names = [name for name in _by_strength(game) if any(name in pair for pair in pairs)]
    names += sorted({name for pair in pairs for name in pair} - set(names))
    rated = ratings(names, played, BASE if BASE in names else names[0])
    summed = pairs_in(played)
    if found.json:
        print(json.dumps(_as_json(contest, summed, rated, interrupted), ensure_ascii=False))
    else:
        for line in told(contest, summed, rated):
            print(line)
    if found.table is not None:
        _write_table(found.table, contest, summed, rated)
    return INTERRUPTED if interrupted else 0


def _read_pair(text: str, game: Game) -> tuple[str, str]:
    words = text.split(",")
    if len(words) != 2:
        raise UsageError(f"--pair {text!r} is not of the form A,B, such as top,greedy.")
    first, second = (game.check_player(word) for word in words)
    if first == second:
        raise UsageError(f"--pair {text!r}: {first} would play against itself, which comes out even.")
    return first, second


def _by_strength(game: Game) -> list[str]:
    return ["random", BASE, *(level.name for level in game.player_levels)]


def _all_pairs(game: Game) -> list[tuple[str, str]]:
    from bartizan.lab.ladder import pairs_of

    levels = [level.name for level in game.player_levels]
    against = [(level, BASE) for level in levels]
    return [*pairs_of(levels), *against, (levels[0], "random"), (BASE, "random")]


def _about(contest: Contest) -> dict[str, Any]:
    """Return what a file of rounds must be about for these ones to be added to it."""
    game = contest.game
    options = {key: str(value) for key, value in sorted(contest.options.items())}
    return {
        "ladder": game.name,
        "rules": game.rules_version,
        "seats": contest.seats,
        "options": options,
        "seed": contest.seed,
        "levels": [str(level) for level in game.player_levels],
    }


def _as_json(
    contest: Contest, pairs: Sequence[Pair], rated: Sequence[Rating], interrupted: bool
) -> dict[str, Any]:
    import msgspec

    return {
        "game": contest.game.name,
        "seats": contest.seats,
        "options": contest.options,
        "seed": contest.seed,
        "interrupted": interrupted,
        "pairs": msgspec.to_builtins(list(pairs)),
        "ratings": msgspec.to_builtins(list(rated)),
    }


def told(contest: Contest, pairs: Sequence[Pair], rated: Sequence[Rating]) -> list[str]:
    """Return the results as lines for reading."""
    lines = [f"{contest.game.title}, {contest.seats} seat{'s' if contest.seats > 1 else ''}", ""]
    width = max(len(pair.first) + len(pair.second) for pair in pairs) + 9
    for pair in pairs:
        against = f"{pair.first} against {pair.second}".ljust(width)
        wins = f"won {pair.wins[0]} and {pair.wins[1]} of {pair.games}"
        lines.append(
            f"  {against}  {_percent(pair.score)} of the points "
            f"({_percent(pair.low)} to {_percent(pair.high)}), {wins}" + _also(pair)
        )
    lines += ["", *("  " + line for line in _columns(contest, pairs, rated))]
    return lines


def _also(pair: Pair) -> str:
    parts = []
    if pair.draws:
        parts.append(f"drawn {pair.draws}")
    if pair.unfinished:
        parts.append(f"not finished {pair.unfinished}")
    return "".join(f", {part}" for part in parts)


HEADINGS = (
    "player",
    "Elo",
    "95 % interval",
    "games",
    "won",
    "against the level below",
    "thinks, ms a decision",
)


def _rows(contest: Contest, pairs: Sequence[Pair], rated: Sequence[Rating]) -> list[tuple[str, ...]]:
    """Return the table of ratings, the weakest player first."""
    below = _below(contest, pairs)
    return [
        (
            rating.player,
            f"{rating.elo:+.0f}",
            f"{rating.low:+.0f} to {rating.high:+.0f}",
            f"{rating.games}",
            _between(rating.wins / rating.games, rating.win_low, rating.win_high),
            below.get(rating.player, ""),
            f"{rating.milliseconds_a_decision:.1f}",
        )
        for rating in sorted(rated, key=lambda rating: rating.elo)
    ]


def _below(contest: Contest, pairs: Sequence[Pair]) -> dict[str, str]:
    """Return what each level won and lost against the one below; alone, what both won of the same deals."""
    from bartizan.lab.ladder import neighbours

    steps = neighbours([level.name for level in contest.game.player_levels])
    return {
        pair.first: f"{pair.wins[0]} : {pair.wins[1]} of {pair.games}"
        for pair in pairs
        if (pair.first, pair.second) in steps
    }


def _columns(contest: Contest, pairs: Sequence[Pair], rated: Sequence[Rating]) -> list[str]:
    rows = [HEADINGS, *_rows(contest, pairs, rated)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    return [
        "  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]


def _between(share: float, low: float, high: float) -> str:
    return f"{_percent(share)} ({_percent(low)} to {_percent(high)})"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _marks(contest: Contest) -> tuple[str, str]:
    """Return the lines between which a table lies; more seats than the fewest are named in them."""
    game = contest.game
    name = game.name if contest.seats == game.min_seats else f"{game.name} {contest.seats}"
    return f"<!-- ladder {name} -->", f"<!-- end of ladder {name} -->"


def _check_marks(path: Path, contest: Contest) -> None:
    from bartizan.engine.files import read_text

    text = read_text(path)
    begin, end = _marks(contest)
    if begin not in text or end not in text:
        raise UsageError(f"{path} has no place for this table: it lies between the lines {begin} and {end}.")


def _write_table(path: Path, contest: Contest, pairs: Sequence[Pair], rated: Sequence[Rating]) -> None:
    """Replace what stands between the game's marks."""
    from bartizan.engine.files import read_text, write_atomically

    begin, end = _marks(contest)
    before, _, rest = read_text(path).partition(begin)
    _, _, after = rest.partition(end)
    rows = ["| " + " | ".join(row) + " |" for row in (HEADINGS, *_rows(contest, pairs, rated))]
    rows.insert(1, "|" + " --- |" * len(HEADINGS))
    write_atomically(path, before + "\n".join([begin, "", *rows, "", end]) + after)
