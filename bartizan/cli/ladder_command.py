"""``bartizan ladder``: let a game's players meet, and rate them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bartizan.cli.errors import UsageError
from bartizan.cli.main import INTERRUPTED
from bartizan.cli.parser import (
    Parser,
    add_resume,
    add_seats,
    add_seed,
    add_settings,
    add_threads,
    is_number,
    read_settings,
    whole,
)
from bartizan.cli.progress import bar
from bartizan.cli.seats import check_name
from bartizan.engine.extras import require

if TYPE_CHECKING:
    from bartizan.engine.game import Game
    from bartizan.lab.ladder import LadderGame, Pair, Rating

BASE = "greedy"  # has 0 points


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(
        prog=prog,
        description=f"{meaning}, on the same deals from every seat; Ctrl-C shows the ratings so far",
    )
    parsing.add_argument("game", metavar="GAME")
    parsing.add_argument(
        "--players",
        metavar="A,B,…",
        help="the players, such as top,greedy (default: all levels)",
    )
    parsing.add_argument("--pair", help=argparse.SUPPRESS)
    parsing.add_argument(
        "--games",
        type=whole(2, 10**6),
        default=100,
        metavar="N",
        help="games per pair, rounded up to whole deals (default: 100)",
    )
    add_seats(parsing)
    add_seed(parsing, "seed of the deals (default: 0)", "0")
    add_threads(parsing, "games played at the same time (default: 1)")
    add_resume(parsing, "every round", older=True)
    parsing.add_argument(
        "--table",
        type=Path,
        metavar="FILE",
        help="write the table into this Markdown file, between the game's markers",
    )
    add_settings(parsing)
    parsing.add_argument("--json", action="store_true", help="print JSON")
    return parsing


def run(args: argparse.Namespace) -> int:
    """Play the games and print the table."""
    require("lab", "The ladder")
    from bartizan.engine import registry
    from bartizan.lab.journal import Journal
    from bartizan.lab.ladder import LadderGame, Meeting, meetings, pairs_in, ratings

    game = registry.get(args.game)
    players, seats = _split(args)
    contest = LadderGame(game, seats, read_settings(args.settings), args.seed)
    pairs = _all_pairs(game) if players is None else _read_pairs(players, game)
    if args.table is not None:
        _check_marks(args.table, contest)
    interrupted = False
    with Journal(args.resume, _about(contest), Meeting) as journal:
        played = [meeting for meeting in journal.findings if (meeting.first, meeting.second) in pairs]
        try:
            with bar("rounds played") as progress:
                for meeting in meetings(contest, pairs, args.games, args.threads, played, progress):
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
    if args.json:
        print(json.dumps(_as_json(contest, summed, rated, interrupted), ensure_ascii=False))
    else:
        for line in report_lines(contest, summed, rated):
            print(line)
    if args.table is not None:
        _write_table(args.table, contest, summed, rated)
    return INTERRUPTED if interrupted else 0


def _split(args: argparse.Namespace) -> tuple[str | None, int | None]:
    """Return who meet each other and how many seats there are, in whichever spelling."""
    players, seats = args.players, args.seats
    if players is not None and is_number(players):  # the older spelling of --seats
        if seats is not None:
            raise UsageError(f"--players {players} is an old spelling of --seats. Give only one of them.")
        return args.pair, int(players)
    if args.pair is not None and players is not None:
        raise UsageError("--pair is an old spelling of --players. Give only one of them.")
    return args.pair if players is None else players, seats


def _read_pairs(text: str, game: Game) -> list[tuple[str, str]]:
    """Return everybody named with each of those named after them."""
    names = [check_name(game, word.strip()) for word in text.split(",")]
    if len(names) < 2:
        raise UsageError(f"--players {text!r}: name at least two players, such as top,greedy.")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"--players {text!r}: {twice} can't play against itself.")
    return list(combinations(names, 2))


def _by_strength(game: Game) -> list[str]:
    return ["random", BASE, *(level.name for level in game.player_levels)]


def _all_pairs(game: Game) -> list[tuple[str, str]]:
    from bartizan.lab.ladder import pairs_of

    levels = [level.name for level in game.player_levels]
    against = [(level, BASE) for level in levels]
    return [*pairs_of(levels), *against, (levels[0], "random"), (BASE, "random")]


def _about(contest: LadderGame) -> dict[str, Any]:
    """Return what a file of rounds must be about for these ones to be added to it."""
    game = contest.game
    options = {key: str(value) for key, value in sorted(contest.options.items())}
    guests = {name: guest.digest for name, guest in sorted(game.guests.items())}
    return {
        "ladder": game.name,
        "rules": game.rules_version,
        "seats": contest.seats,
        "options": options,
        "seed": contest.seed,
        "levels": [str(level) for level in game.player_levels],
        **({"guests": guests} if guests else {}),
    }


def _as_json(
    contest: LadderGame, pairs: Sequence[Pair], rated: Sequence[Rating], interrupted: bool
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


def report_lines(contest: LadderGame, pairs: Sequence[Pair], rated: Sequence[Rating]) -> list[str]:
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
    "95% interval",
    "games",
    "won",
    "against the level below",
    "thinks, ms a decision",
)


def _interval(rating: Rating) -> str:
    """Return a rating's interval, or a dash where all rounds ended alike, which tells nothing of it."""
    alike = rating.low == rating.high != 0
    return "–" if alike else f"{rating.low:+.0f} to {rating.high:+.0f}"


def _rows(contest: LadderGame, pairs: Sequence[Pair], rated: Sequence[Rating]) -> list[tuple[str, ...]]:
    """Return the table of ratings, the weakest player first."""
    below = _below(contest, pairs)
    return [
        (
            rating.player,
            f"{rating.elo:+.0f}",
            _interval(rating),
            f"{rating.games}",
            _between(rating.wins / rating.games, rating.win_low, rating.win_high),
            below.get(rating.player, ""),
            f"{rating.milliseconds_a_decision:.1f}",
        )
        for rating in sorted(rated, key=lambda rating: rating.elo)
    ]


def _below(contest: LadderGame, pairs: Sequence[Pair]) -> dict[str, str]:
    """Return what each level won and lost against the one below; alone, what both won of the same deals."""
    from bartizan.lab.ladder import neighbours

    steps = neighbours([level.name for level in contest.game.player_levels])
    below = {}
    for pair in pairs:
        won, lost = pair.wins
        if (pair.first, pair.second) in steps:
            below[pair.first] = f"{won} : {lost} of {pair.games}"
        elif (pair.second, pair.first) in steps:
            below[pair.second] = f"{lost} : {won} of {pair.games}"
    return below


def _columns(contest: LadderGame, pairs: Sequence[Pair], rated: Sequence[Rating]) -> list[str]:
    rows = [HEADINGS, *_rows(contest, pairs, rated)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    return [
        "  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]


def _between(share: float, low: float, high: float) -> str:
    return f"{_percent(share)} ({_percent(low)} to {_percent(high)})"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def _marks(contest: LadderGame) -> tuple[str, str]:
    """Return the lines between which a table lies; more seats than the fewest are named in them."""
    game = contest.game
    name = game.name if contest.seats == game.min_seats else f"{game.name} {contest.seats}"
    return f"<!-- ladder {name} -->", f"<!-- end of ladder {name} -->"


def _check_marks(path: Path, contest: LadderGame) -> None:
    from bartizan.engine.files import read_text

    text = read_text(path)
    begin, end = _marks(contest)
    if begin not in text or end not in text:
        raise UsageError(f"{path} has no place for this table. Add the lines {begin} and {end}.")


def _write_table(path: Path, contest: LadderGame, pairs: Sequence[Pair], rated: Sequence[Rating]) -> None:
    """Replace what stands between the game's marks."""
    from bartizan.engine.files import read_text, write_atomically

    begin, end = _marks(contest)
    before, _, rest = read_text(path).partition(begin)
    _, _, after = rest.partition(end)
    rows = ["| " + " | ".join(row) + " |" for row in (HEADINGS, *_rows(contest, pairs, rated))]
    rows.insert(1, "|" + " --- |" * len(HEADINGS))
    write_atomically(path, before + "\n".join([begin, "", *rows, "", end]) + after)
