"""Throw cards on screen: a physics simulation decides the result, and its report is played.

The recorded move is the *report*, together with the visible flight.  So a game can be replayed and continued
on any machine, without the physics.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import msgspec

from bartizan.engine.errors import IllegalMove, UnknownMove
from bartizan.engine.layout import Flown, Landing, Spot, TableLayout, ThrowingGame, Wish, is_throw
from bartizan.engine.scene import HintedAim
from bartizan.match.aim import (
    EXAMPLE,
    Aim,
    aim_for,
    check_figures,
    read_words,
    report_of,
    require_physics,
    thrown,
)
from bartizan.match.history import CheckedMove
from bartizan.match.progress import GameInProgress

if TYPE_CHECKING:
    from bartizan.search.players import Player


class Throws:
    """The throws of one game in progress."""

    def __init__(self, match: GameInProgress) -> None:
        self._match = match

    @property
    def game(self) -> ThrowingGame | None:
        """The module for on-screen throws; None if throws are reported from a real table instead."""
        game = self._match.game.throwing
        return game if game is not None and game.is_thrown(self._match.option_set) else None

    @property
    def flown(self) -> Flown | None:
        """The throw that led to the present position, if one did."""
        return self._match.history.moves[ply - 1].flown if (ply := self._match.ply) else None

    def layout(self, observation: Any = None) -> TableLayout | None:
        """Return where things stand, moved ones where they were pushed; None where nothing is thrown here."""
        if self.game is None:
            return None
        spots: dict[str, Spot] = {}
        for move in self._match.history.moves[: self._match.ply]:
            if move.flown is not None:
                spots.update(move.flown.moved)
        return self.game.table_layout(self._match.view() if observation is None else observation, spots)

    def texts(self) -> list[str]:
        """Return the moves that a person makes: where cards are thrown here, throws in place of reports."""
        here, match = self.game, self._match
        if here is None:
            return match.legal_texts()
        texts = [match.text(action) for action in match.legal() if not here.is_report(action)]
        may_throw = len(texts) < len(match.legal())
        return [*texts, *(here.throws(match.view()) if may_throw else ())]

    def read(self, text: str, seat: int | None = None) -> Aim:
        """Read a throw of the present position and find it possible.

        Raises `UnknownMove` for a text of another form, `UnknownCard`, `IllegalMove`, `NotYourTurn`,
        `GameOver` as any move does, and `BadRelease` for figures that no hand could give.
        """
        from bartizan.throwing.release import read_release

        throwing = self._throwing_game(text)
        require_physics(self._match.game, self._match.option_set)
        card, method, target, pulled, figures = read_words(text)
        if target and not throwing.aids(self._match.option_set).path:
            raise IllegalMove(
                f"At this table nobody sees where a card would fly, so none is aimed 'at {target}': "
                "say its speed and its azimuth.",
                throwing.CLAUSE,
                text,
            )
        faces = throwing.cards(self._match.view())
        face = card or (faces[0] if faces else "?")
        piece = throwing.piece_name(target) if target else ""
        hit = (Landing(target=piece, overlap=0.0, corners=()),) if piece else ()
        checked = self._match.check(throwing.report_text(face, hit, ()), seat)  # says what stands in the way
        read_release(method, figures)
        layout = self.layout()
        assert layout is not None
        return Aim(
            layout=layout,
            chair=throwing.thrower_seat(self._match.view()),
            card=checked.text.split()[1],
            method=method,
            figures=figures,
            target=piece,
            pulled=pulled and throwing.aids(self._match.option_set).honest,
            noise=throwing.noise(self._match.option_set, pulled),
            dice=self._match.dice("hand"),
            grace=throwing.grace(self._match.option_set),
        )

    def _throwing_game(self, text: str) -> ThrowingGame:
        if self.game is None:
            self._match.check(text)  # the game says what a move is here
            raise UnknownMove("Nothing is thrown at this table.", text)
        return self.game

    def made(self, move: str | int, seat: int | None) -> CheckedMove | None:
        """Make a throw that a move asks for, and return the move that reports it; None for other moves."""
        if not is_throw(move):
            return None
        return self.check(self.read(str(move), seat).fly())

    def check(self, flown: Flown) -> CheckedMove:
        """Return the move that reports a throw; `push` plays it."""
        assert self.game is not None
        return msgspec.structs.replace(self._match.check(report_of(self.game, flown)), flown=flown)

    def check_flown(self, move: CheckedMove, flown: Flown) -> CheckedMove:
        """Put a kept flight beside the report that it came with.

        Raises `UnknownMove` where it does not belong to it, or is none.
        """
        if self.game is None:
            raise UnknownMove("nothing is thrown at this table, so there is no flight to keep", move.text)
        try:
            text = report_of(self.game, flown)
        except KeyError as error:
            raise UnknownMove(f"the flight names a place {error} that there is not", move.text) from error
        if self._match.check(text).action != move.action:
            raise UnknownMove(f"the flight says {text!r}", move.text)
        check_figures(flown)
        return msgspec.structs.replace(move, flown=flown)

    def check_by_hand(self, move: str | int, seat: int | None = None) -> CheckedMove:
        """Check a move that a person makes, who throws a card where cards are thrown here, and reports none.

        What comes of a throw is in the move that this returns, so it takes some milliseconds.
        """
        made = self.made(move, seat)
        if made is not None:
            return made
        checked = self._match.check(move, seat)
        self._refuse_report(checked)
        return checked

    def _refuse_report(self, move: CheckedMove) -> None:
        """Raise `IllegalMove` for a report that a person makes up where cards are thrown."""
        throwing = self.game
        if throwing is not None and throwing.is_report(move.action):
            raise IllegalMove(
                "Cards are thrown at this table, so what they do is not reported: "
                f"write it like '{EXAMPLE}'.",
                throwing.CLAUSE,  # what a report is of
                move.text,
            )

    def choose(self, player: Player) -> CheckedMove:
        """Return the move of a program; where it throws at this table, with the flight of its card."""
        throwing = self.game
        if throwing is None:
            return self._match.check(
                player.choose(self._match.game_state(), self._match.legal(), self._match)
            )
        action = player.wish(self._match.game_state(), self._match.legal(), self._match)
        if not throwing.is_report(action):
            return self._match.check(action)
        require_physics(self._match.game, self._match.option_set)
        from bartizan.throwing.hand import tremble

        wish = throwing.wish(self._match.view(), action, player.skill, player.hand)
        layout = self.layout()
        assert layout is not None
        chair = throwing.thrower_seat(self._match.view())
        release = tremble(aim_for(layout, chair, wish), wish.noise, player.hand.getrandbits(64))
        return self.check(thrown(layout, chair, release, throwing.grace(self._match.option_set), wish.card))

    def hinted(self, action: int) -> tuple[int, str]:
        """Return what a hint shows of an action: its choice and its text; of a report the throw for it."""
        game, wish = self.game, self._hinted_wish(action)
        if game is None or wish is None:
            return action, self._match.text(action)
        shown = self._match.parse(game.report_text(wish.card, (), ()))
        at = f" at {game.piece_text(wish.target)}" if game.aids(self._match.option_set).path else ""
        return shown, f"throw {wish.card} {wish.method}{at}"

    def hinted_aim(self, action: int) -> HintedAim | None:
        """Return how a card is aimed for a hint to report something; None if its path may not be seen."""
        game, wish = self.game, self._hinted_wish(action)
        if game is None or wish is None or not game.aids(self._match.option_set).path:
            return None
        layout = self.layout()
        assert layout is not None
        release = aim_for(layout, game.thrower_seat(self._match.view()), wish)
        piece = next(each for each in layout.pieces if each.name == wish.target)
        return HintedAim(
            method=release.method, release=release.figures(), target=piece.label, item=piece.item
        )

    def _hinted_wish(self, action: int) -> Wish | None:
        """Return what a hint to report something aims at; None where the action is no report of a throw."""
        game = self.game
        if game is None or not game.is_report(action):
            return None
        return game.wish(self._match.view(), action, 0, random.Random(0))
