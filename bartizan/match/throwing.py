"""Throw cards at the table itself: read how, let physics decide, and play the report of what they did.

A throw is written ``throw 6v lob at 2.3 speed 2.4 azimuth 1.5``: the card, the way, and the figures of the
release.  What is left out is as the target asks for it, where one is named, else as that way has it.
``by pull`` says that the figures are those of a pull on the table, which a client alone can know.  The
move that is played and kept is the *report*, with what was seen of the flight beside it: a game can be shown
again, and go on, on any machine, without any physics.
"""

from __future__ import annotations

import base64
import binascii
import random
from typing import TYPE_CHECKING, Any

import msgspec

from bartizan.engine.errors import IllegalMove, UnknownMove
from bartizan.engine.extras import require
from bartizan.engine.layout import Flown, Landing, TableLayout, Wish
from bartizan.match.history import CheckedMove

if TYPE_CHECKING:
    from bartizan.engine.game import Game
    from bartizan.engine.layout import ThrowingGame
    from bartizan.match.match import Match
    from bartizan.search.players import Player
    from bartizan.throwing.release import Release

EXAMPLE = "throw 6v lob at 2.3 speed 2.4"
MOST_WORDS = 40
PULL, PULLED = "pull", {"speed", "azimuth"}  # what every pull says
FRAME_BYTES, MOST_FRAMES = 16, 1_300  # 120 a second for ten seconds
FARTHEST = 10.0  # metres, and radians


class Aim(msgspec.Struct, frozen=True, kw_only=True):
    """A throw that may be made, and everything that physics needs for it."""

    layout: TableLayout
    chair: int  # from where the card is thrown
    card: str
    method: str
    figures: dict[str, object]  # of the release, as far as they are told
    target: str  # the piece that is aimed at for the rest, or ""
    pulled: bool  # on the table by an honest hand
    noise: float  # how far the hand trembles
    dice: int
    grace: float

    @property
    def release(self) -> Release:
        """How the card leaves the hand; an aim takes some milliseconds.  Raises `BadRelease`."""
        from bartizan.throwing.hand import aim, tremble
        from bartizan.throwing.release import read_release

        figures = self.figures
        if self.target:
            figures = aim(self.layout, self.chair, self.target, self.method).figures() | figures
        return tremble(read_release(self.method, figures), self.noise, self.dice)

    def fly(self) -> Flown:
        """Throw the card; takes some milliseconds, and touches nothing but what it is given."""
        flown = _thrown(self.layout, self.chair, self.release, self.grace, self.card)
        return msgspec.structs.replace(flown, pulled=self.pulled)


def _thrown(layout: TableLayout, chair: int, release: Release, grace: float, card: str) -> Flown:
    from bartizan.throwing.throw import throw

    return throw(layout, chair, release, grace).to_flown(card)


def require_physics(game: Game, options: Any) -> None:
    """Raise `MissingExtra` where these options want cards thrown at the table, and nothing here can."""
    if game.throwing is not None and game.throwing.is_thrown(options):
        require("throwing", "A table at which cards are thrown")


def refuse_report(match: Match, move: CheckedMove) -> None:
    """Raise `IllegalMove` for a report that a person makes up where cards are thrown."""
    throwing = match.throwing
    if throwing is not None and throwing.is_report(move.action):
        raise IllegalMove(
            f"Cards are thrown at this table, so what they do is not reported: write it like '{EXAMPLE}'.",
            throwing.CLAUSE,  # what a report is of
            move.text,
        )


def read_throw(match: Match, text: str, seat: int | None = None) -> Aim:
    """Read a throw of the present position and find it possible.

    Raises `UnknownMove` for a text of another form, `UnknownCard`, `IllegalMove`, `NotYourTurn`, `GameOver`
    as any move does, and `BadRelease` for figures that no hand could give.
    """
    from bartizan.throwing.release import read_release

    throwing = _throwing_game(match, text)
    require_physics(match.game, match.option_set)
    card, method, target, pulled, figures = _words(text)
    if target and not throwing.aids(match.option_set).path:
        raise IllegalMove(
            f"At this table nobody sees where a card would fly, so none is aimed 'at {target}': "
            "say its speed and its azimuth.",
            throwing.CLAUSE,
            text,
        )
    faces = throwing.cards(match.view())
    face = card or (faces[0] if faces else "?")
    piece = throwing.piece_name(target) if target else ""
    hit = (Landing(target=piece, overlap=0.0, corners=()),) if piece else ()
    checked = match.check(throwing.report_text(face, hit, ()), seat)  # says what stands in the way
    read_release(method, figures)
    layout = match.layout()
    assert layout is not None
    return Aim(
        layout=layout,
        chair=throwing.thrower_seat(match.view()),
        card=checked.text.split()[1],
        method=method,
        figures=figures,
        target=piece,
        pulled=pulled and throwing.aids(match.option_set).honest,
        noise=throwing.noise(match.option_set, pulled),
        dice=match.dice("hand"),
        grace=throwing.grace(match.option_set),
    )


def _throwing_game(match: Match, text: str) -> ThrowingGame:
    if match.throwing is None:
        match.check(text)  # the game says what a move is here
        raise UnknownMove("Nothing is thrown at this table.", text)
    return match.throwing


def _words(text: str) -> tuple[str, str, str, bool, dict[str, object]]:
    """Take a throw apart: the card, or ``""``, the way, the target, or ``""``, whether it was pulled, and the
    figures by field.
    """
    from bartizan.throwing.release import METHODS

    words = text.split()[1:]
    if len(words) > MOST_WORDS:
        raise UnknownMove(f"That is too long for a throw; write it like '{EXAMPLE}'.", text)
    card = words.pop(0) if words and words[0].lower() not in METHODS else ""
    if not words or words[0].lower() not in METHODS:
        ways = ", ".join(METHODS)
        raise UnknownMove(f"A throw says how: {ways}. Write it like '{EXAMPLE}'.", text)
    method = words.pop(0).lower()
    target, pulled = "", False
    figures: dict[str, object] = {}
    while words:
        field = words.pop(0).lower()
        if not words:
            raise UnknownMove(f"{field!r} stands alone at the end; write a throw like '{EXAMPLE}'.", text)
        value = words.pop(0)
        if field == "at":
            target = value
        elif field == "by":
            if value.lower() != PULL:
                raise UnknownMove(f"A throw is made by figures, or 'by {PULL}', not by {value!r}.", text)
            pulled = True
        elif field in figures:
            raise UnknownMove(f"{field} is given twice.", text)
        else:
            figures[field] = _number(value)
    if pulled and (target or not figures.keys() >= PULLED):
        raise UnknownMove(
            f"A throw 'by {PULL}' says the speed and the azimuth that were pulled, and names no target.", text
        )
    return card, method, target, pulled, figures


def _number(text: str) -> float | str:
    """Return a number; the text where it is none, for the release to refuse it by its field."""
    try:
        return float(text)
    except ValueError:
        return text


def told(throwing: ThrowingGame, flown: Flown) -> str:
    """Return what a log says of a throw: ``throws 6v, lob: hits 2.3, moves 2.2``."""
    hits = [
        throwing.piece_text(each.target) + (" perfectly" if each.perfect else "") for each in flown.landings
    ]
    moved = [throwing.piece_text(name) for name, _ in flown.moved]
    came = [
        f"hits {' and '.join(hits)}" if hits else "misses",
        *([f"moves {' '.join(moved)}"] if moved else []),
    ]
    how = f"{flown.method} by {PULL}" if flown.pulled else flown.method
    return f"throws {flown.card}, {how}: {', '.join(came)}"


def _report_of(throwing: ThrowingGame, flown: Flown) -> str:
    """Return the move that reports a throw."""
    return throwing.report_text(flown.card, flown.landings, tuple(name for name, _ in flown.moved))


def checked(match: Match, flown: Flown) -> CheckedMove:
    """Return the move that reports a throw; `push` plays it."""
    assert match.throwing is not None
    return msgspec.structs.replace(match.check(_report_of(match.throwing, flown)), flown=flown)


def choose(match: Match, player: Player) -> CheckedMove:
    """Return the move of a program; where it throws at this table, with the flight of its card."""
    throwing = match.throwing
    if throwing is None:
        return match.check(player.choose(match.live(), match.legal(), match))
    action = player.wish(match.live(), match.legal(), match)
    if not throwing.is_report(action):
        return match.check(action)
    require_physics(match.game, match.option_set)
    from bartizan.throwing.hand import tremble

    wish = throwing.wish(match.view(), action, player.skill, player.hand)
    layout = match.layout()
    assert layout is not None
    chair = throwing.thrower_seat(match.view())
    release = tremble(_aim(layout, chair, wish), wish.noise, player.hand.getrandbits(64))
    return checked(match, _thrown(layout, chair, release, throwing.grace(match.option_set), wish.card))


def hinted(match: Match, action: int) -> tuple[int, str]:
    """Return what a hint shows of an action: its choice and its text; of a report the throw for it."""
    game = match.throwing
    if game is None or not game.is_report(action):
        return action, match.text(action)
    wish = game.wish(match.view(), action, 0, random.Random(0))
    shown = match.parse(game.report_text(wish.card, (), ()))
    at = f" at {game.piece_text(wish.target)}" if game.aids(match.option_set).path else ""
    return shown, f"throw {wish.card} {wish.method}{at}"


def _aim(layout: TableLayout, chair: int, wish: Wish) -> Release:
    """Return a release that does what a program wants, or comes near it where no way reaches so far."""
    from bartizan.throwing.hand import aim
    from bartizan.throwing.release import METHODS, RANGES, BadRelease, read_release

    for method in (wish.method, *METHODS):
        try:
            return aim(layout, chair, wish.target, method)
        except BadRelease:
            continue
    return read_release(wish.method, {"speed": RANGES[wish.method]["speed"].high})


def check_flown(match: Match, move: CheckedMove, flown: Flown) -> CheckedMove:
    """Put a kept flight beside the report that it came with.

    Raises `UnknownMove` where it does not belong to it, or is none.
    """
    if match.throwing is None:
        raise UnknownMove("nothing is thrown at this table, so there is no flight to keep", move.text)
    try:
        text = _report_of(match.throwing, flown)
    except KeyError as error:
        raise UnknownMove(f"the flight names a place {error} that there is not", move.text) from error
    if match.check(text).action != move.action:
        raise UnknownMove(f"the flight says {text!r}", move.text)
    _check_figures(flown)
    return msgspec.structs.replace(move, flown=flown)


def _check_figures(flown: Flown) -> None:
    """Raise `UnknownMove` where a flight cannot be shown, or left things where no table is."""
    places = [number for _, spot in flown.moved for number in (spot.x, spot.y, spot.yaw)]
    if not all(-FARTHEST <= number <= FARTHEST for number in places):  # NaN is not
        raise UnknownMove("the flight pushed something off every table", flown.card)
    try:
        data = base64.b64decode(flown.frames, validate=True)
    except binascii.Error as error:
        raise UnknownMove("the key frames of the flight are not base64", flown.card) from error
    if not data or len(data) % FRAME_BYTES or len(data) > MOST_FRAMES * FRAME_BYTES:
        raise UnknownMove(
            f"the flight has {len(data)} bytes of key frames, each of {FRAME_BYTES}", flown.card
        )
