"""Check a game: its files, random games of it, and its scenarios."""

from __future__ import annotations

import tomllib
from collections.abc import Container, Iterator
from typing import NamedTuple

from bartizan.engine.errors import BartizanError, nearest
from bartizan.engine.game import Game
from bartizan.match import scenario
from bartizan.match.limits import limited
from bartizan.match.local import shown, told
from bartizan.match.random_games import MOST_STEP, RandomGames
from bartizan.match.sources import (
    citable,
    faults_in_book,
    faults_in_parts,
    faults_in_project,
    faults_in_sources,
)

GAMES = 200
TRIAL_GAMES = 500


class Checked(NamedTuple):
    """What came of checking a game."""

    faults: tuple[str, ...]  # a sentence each, with the file and line where they are known
    games: int
    plies: int
    positions: int
    scenarios: int


def check_sources(game: Game, *, loaded_only: bool = False) -> list[str]:
    """Return what is wrong with a game's files, without playing it; perhaps only with those that play it."""
    if faults := list(faults_in_book(game.folder)):
        return faults
    project = [] if loaded_only else [*faults_in_project(game)]
    found = [*project, *faults_in_sources(game, loaded_only=loaded_only)] or faults_in_parts(game)
    return list(dict.fromkeys(found))  # each file that imports a broken one meets its error


def check_game(
    game: Game,
    games: int = GAMES,
    *,
    rules_only: bool = False,
) -> Checked:
    """Check a game's files, play some games of it with every number of seats, and run its scenarios.

    The process must run rules interpreted.  With `rules_only` it looks for what makes compiled rules fail:
    arrays that are overrun, numbers out of range, too many legal actions or none; for a few seconds at most.
    """
    faults = check_sources(game, loaded_only=rules_only)
    if faults:
        return Checked(tuple(faults), 0, 0, 0, 0)
    played = RandomGames(game, rules_only)
    played.run(games)
    found, skipped = played.faults, rules_only or played.is_endless
    scenarios, failures = (0, []) if skipped else _scenarios(game, found)
    return Checked((*found.values(), *failures), played.games, played.plies, played.positions, scenarios)


def _scenarios(game: Game, known: Container[str]) -> tuple[int, list[str]]:
    """Run the scenarios that lie beside a package, or in it; errors that are `known` aren't told again."""
    number, failures, folder = 0, [], game.folder
    ids = citable(game.clauses)
    for place in (folder, folder.parent):
        for path in sorted((place / "scenarios").rglob("*.toml")):
            try:
                with limited(MOST_STEP, folder):
                    report = scenario.run_file(path)
            except BartizanError as error:
                failures.append(f"{shown(path)}: {str(error).removeprefix(f'{path}: ')}")
                continue
            except Exception as error:  # noqa: BLE001 - whatever its author wrote
                sentence = told(error, folder)
                if sentence not in known:
                    failures.append(f"{sentence.removesuffix('.')} (in {shown(path)}).")
                continue
            number += report.scenarios
            failures += [f"{shown(path)}: {line.removeprefix(f'{path}: ')}" for line in report.failures]
            cited = tomllib.loads(path.read_text(encoding="utf-8")).get("clauses", [])
            unknown = [clause for clause in cited if clause not in ids]
            failures += [
                f"{shown(path)}: clauses.toml has no {clause}.{nearest(clause, ids)}" for clause in unknown
            ]
    return number, failures


def lines_of(checked: Checked) -> Iterator[str]:
    """Yield what was found, a line each, and what was done."""
    yield from checked.faults
    counts = [(checked.games, "game"), (checked.plies, "move"), (checked.positions, "position")]
    counts += [(checked.scenarios, "scenario"), (len(checked.faults), "fault")]
    yield ", ".join(f"{number:,} {word}{'' if number == 1 else 's'}" for number, word in counts) + "."
