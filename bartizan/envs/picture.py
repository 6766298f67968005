"""Draw a state as people see it, to look at what an agent does: as coloured text, or as SVG."""

from __future__ import annotations

import io
from typing import Any

import msgspec
from rich.console import Console

from bartizan.engine.game import Game, GameState
from bartizan.engine.options import OptionSet
from bartizan.terminal.draw import print_scene

WIDTH = 100  # columns


def _console(**more: Any) -> Console:
    return Console(width=WIDTH, force_terminal=True, color_system="truecolor", file=io.StringIO(), **more)


def _draw(
    console: Console, game: Game, options: OptionSet, game_state: GameState, seat: int, ply: int
) -> None:
    observation = game.observe(game_state.view(), seat)
    asked = seat != 0 and seat == int(game.array_rules.turn_of(game_state.cells))
    status = game.scenes.status(observation, seat, ply)
    scene = game.scenes.scene(observation, seat, game_state.legal() if asked else (), status)
    outcome = game.outcome(game_state)
    if outcome is not None:
        scene = msgspec.structs.replace(scene, result=game.scenes.result(observation, outcome))
    print_scene(console, scene, game.setting(options, game_state.seats), choices=False)


def ansi(game: Game, options: OptionSet, game_state: GameState, seat: int, ply: int = 0) -> str:
    """Return what a seat, from 1, or a spectator (0) sees, as text with the terminal's colours."""
    console = _console()
    _draw(console, game, options, game_state, seat, ply)
    return console.file.getvalue()  # type: ignore[attr-defined]


def svg(game: Game, options: OptionSet, game_state: GameState, seat: int, ply: int = 0) -> str:
    """Return the same as an SVG picture."""
    console = _console(record=True)
    _draw(console, game, options, game_state, seat, ply)
    return console.export_svg(title=game.title)
