"""Look closely at a position: at its moves, refusals, scenes and secrets, and at what lies on the table."""

from __future__ import annotations

import json
import random
import sys
from collections import Counter as Tally
from collections.abc import Iterable
from typing import Any

import msgspec

from bartizan.engine.clauses import OK
from bartizan.engine.errors import BartizanError, UnknownClause, first_difference, quoted
from bartizan.engine.game import Game, GameState
from bartizan.engine.rng import stream
from bartizan.engine.scene import Scene
from bartizan.engine.table import CardDeck, CardZone, Grid, Table, declared
from bartizan.match.faults import Faults
from bartizan.match.match import Match
from bartizan.match.sources import line_of, state_file

ILLEGAL = 12  # actions that are tried in each position, and one of each verb


class CloseLook:
    """Looks for what is wrong with positions of one game."""

    def __init__(self, game: Game, faults: Faults) -> None:
        """Prepare to note what is wrong among `faults`."""
        self._game = game
        self._faults = faults
        self._home = game.folder / "__init__.py"
        is_short = issubclass(game.state, Table)  # of others nothing is known that could be counted
        fields = declared(game.state).values() if is_short else ()
        self._deck: CardDeck | None = getattr(sys.modules[game.package], "CARDS", None) if is_short else None
        self._zones = [each for each in fields if isinstance(each, CardZone)]
        self._grids = [each for each in fields if isinstance(each, Grid)]
        self._points: Any = game.rule_modules.find("points") if is_short else None
        if self._deck is not None and not game.chance:
            faults.note("chance", "Cards are shuffled: leave chance=False out.", line_of(self._home, "game"))

    def count(self, match: Match) -> None:
        """Note what is lost, or there twice, on the table; raises `Broken` for it."""
        self._count_cards(match)
        self._count_pieces(match)

    def look(self, match: Match, legal: list[int], dice: random.Random) -> None:
        """Note anything wrong with a position; `legal` are its legal actions."""
        self._texts(match, legal)
        self._refusals(match, set(legal), dice)
        self._position(match)
        self._told_to_all(match)
        self._count_points(match)
        self._game.setting(match.option_set, match.seats)
        for seat in range(match.seats + 1):
            self._scene(match, match.views.scene(seat), legal if seat == match.seat_to_move else [], seat)
        for seat in range(1, match.seats + 1):
            self._secrets(match, seat, dice.getrandbits(32))
        if match.is_over:
            self._outcome(match)

    def _count_cards(self, match: Match) -> None:
        """Note cards that are lost, or there twice."""
        if self._deck is None:
            return
        view = match.view()
        lying: Tally[int] = Tally()
        for zone in self._zones:
            for pile in zone.piles_of(view):
                lying.update(pile.listed())
        for card in range(self._deck.kinds):
            if lying[card] != self._deck.copies:
                what = f"The {self._deck.name(card)} is there {_times(lying[card])}"
                raise self._faults.fatal(
                    "cards", f"{what}, not {_times(self._deck.copies)}, after {last_move(match)}."
                )

    def _count_pieces(self, match: Match) -> None:
        """Note a square with a piece that there isn't."""
        for grid in self._grids:
            for square, piece in enumerate(getattr(match.view(), grid.name)):
                if not 0 <= piece <= grid.most:
                    what = f"{grid.name}[{square}] is {piece} after {last_move(match)}"
                    raise self._faults.fatal(
                        "piece", f"{what}; its grid has pieces 1 to {grid.most}, and 0 for none."
                    )

    def _count_points(self, match: Match) -> None:
        """Note points that depend on what some seat can't see: the table always shows them."""
        points = self._points
        for eyes in range(match.seats + 1) if points is not None else ():
            seen = self._game.observe(match.view(), eyes)
            for seat in range(1, match.seats + 1):
                true, told = (int(points(each, seat)) for each in (match.view(), seen))
                if true != told:
                    fault = f"Seat {seat} has {true} points after {last_move(match)}, and {told} by what "
                    fault += f"{f'seat {eyes}' if eyes else 'spectators'} can see"
                    advice = "points are always shown, so count only what everyone sees"
                    self._faults.note("points", f"{fault}; {advice}.", line_of(self._home, "def points"))
                    return

    def _texts(self, match: Match, legal: Iterable[int]) -> None:
        for action in legal:
            text = match.text(action)
            try:
                back = match.parse(text)
            except BartizanError as error:
                self._faults.note("text", f"The move {text!r} can't be read back: {error}")
                continue
            if back != action:
                self._faults.note("text", f"The move {text!r} is read back as {match.text(back)!r}.")

    def _refusals(self, match: Match, legal: set[int], dice: random.Random) -> None:
        for action in some_ids(self._game, dice):
            number = int(self._game.array_rules.why_not(match.game_state().cells, action))
            text = match.text(action)
            if (number == OK) != (action in legal):
                unlisted = "isn't listed, and no clause forbids it: see legal_actions"
                which = unlisted if number == OK else "is listed and forbidden"
                self._faults.note("listed", f"Of {text!r} the rules say two things: it {which}.")
            elif number != OK:
                try:
                    self._game.clauses.get(self._game.clauses.id_of(number))
                except UnknownClause:
                    clause = self._game.clauses.id_of(number)
                    self._faults.note(
                        "clause", f"{text!r} is refused by {clause}, which clauses.toml doesn't have."
                    )
                    continue
                refusal = match.why_not(action)
                if refusal is None or not refusal.sentence.strip():
                    self._faults.note("refusal", f"{text!r} is illegal, and no sentence says why.")

    def _position(self, match: Match) -> None:
        position = match.position()
        try:
            written = json.loads(json.dumps(position))
            again = Match(self._game, match.options, match.seats, match.seed, written)
        except BartizanError as error:
            self._faults.note("position", f"A position can't be read back after {last_move(match)}: {error}")
            return
        if again.position() != position:
            keys = [key for key, value in again.position().items() if value != position.get(key)]
            self._faults.note("position", f"A position reads back differently in {', '.join(keys)}.")
        elif again.legal() != match.legal():
            self._faults.note(
                "position", "A position that is read back has other legal moves: something is missing."
            )

    def _scene(self, match: Match, scene: Scene, legal: list[int], seat: int) -> None:
        ids = ids_in(scene)
        twice = [each for each, times in Tally(ids).items() if times > 1]
        if twice:
            self._faults.note("twice", f"The scene has the id {twice[0]!r} twice.")
        offered = [choice.action for choice in scene.choices]
        if offered != legal and not match.throws.game:
            difference = f"{len(offered)} moves; {len(legal)} are legal"
            self._faults.note("offered", f"The scene of seat {seat} offers {difference}.")
        for choice in scene.choices:
            for each in (*choice.items, *choice.marks, *filter(None, [choice.target])):
                if each not in ids:
                    self._faults.note(
                        "touch", f"To play {choice.text!r} one touches {each!r}, which isn't drawn."
                    )
        if not scene.status.prompt:
            self._faults.note("prompt", "The scene has no prompt.")
        if (scene.result is not None) != match.is_over:
            self._faults.note("result", "A scene must have a result if, and only if, the game is over.")

    def _secrets(self, match: Match, seat: int, number: int) -> None:
        """Note anything a seat sees that depends on information it can't know."""
        mine, theirs = (
            _told(standing_on(match, each), seat, number)
            for each in (match.game_state(), hidden(match, seat, number))
        )
        for what, said in mine.items():
            if said != theirs[what]:
                where = _difference(json.loads(said), json.loads(theirs[what]))
                secret = f"Seat {seat} can see what is hidden from it: {what} depends on it"
                self._faults.note("secret", f"{secret}, in {where}, after {last_move(match)}.")
                return

    def _told_to_all(self, match: Match) -> None:
        """Note a move that names a card which a seat sees neither before nor after it."""
        if match.ply == 0 or self._deck is None or self._deck.copies > 1:
            return
        move = match.history.moves[-1]
        card = self._game.actions.decode(move.action)[1].get("card")
        before = self._hidden(match.history.state(match.ply - 1).view(), card)
        after = self._hidden(match.view(), card)
        if before is None or after is None or before == after:
            return
        (_, owner), (zone, keeper) = before, after
        if set(range(1, match.seats + 1)) - {owner, keeper}:
            sentence = (
                f"Everyone can read the move {move.text!r}, but not everyone can see its card in {zone!r}"
            )
            advice = "let the move name a place in the hand instead"
            self._faults.note(
                "told", f"{sentence}; {advice}.", line_of(state_file(self._game), f"    {zone}")
            )

    def _hidden(self, view: Any, card: int | None) -> tuple[str, int] | None:
        """Return the hidden zone in which a card lies and the seat that sees it, or None."""
        for zone in self._zones:
            for index, pile in enumerate(zone.piles_of(view) if zone.is_hidden else ()):
                if card in pile.listed():
                    return zone.name, zone.owner(index) if zone.sees == "owner" else 0
        return None

    def _outcome(self, match: Match) -> None:
        outcome = match.outcome
        if outcome is None or not all(-1 <= each <= 1 for each in outcome.returns):
            self._faults.note("outcome", "A finished game must have an outcome with returns from -1 to 1.")
        elif outcome.clause not in {clause.id for clause in self._game.clauses}:
            self._faults.note(
                "outcome", f"The game was ended by {outcome.clause}, which clauses.toml doesn't have."
            )


def _told(match: Match, seat: int, number: int) -> dict[str, bytes]:
    """Return everything that a seat can see of a table: a name for each part, and its bytes."""
    said: dict[str, object] = {
        "its scene": match.views.scene(seat),
        "the spectators' scene": match.views.scene(0),
        "its log": match.views.log(seat),
        "what programs see": match.game.observe(match.view(), seat).numbers(),
        "whose turn it is": (match.seat_to_move, match.is_over),
    }
    if seat == match.seat_to_move:
        size = match.game.actions.size
        asked = random.Random(number).sample(range(size), min(size, ILLEGAL))
        said["the list of its moves"] = match.legal_texts()
        said["why a move is refused"] = [match.why_not(action) for action in asked]
        said["its hints"] = match.views.hints(3, player="greedy")
    return {what: msgspec.json.encode(each) for what, each in said.items()}


def _difference(one: Any, two: Any, place: str = "") -> str:
    """Return where two JSON values differ first, with both values."""
    if isinstance(one, dict) and isinstance(two, dict):
        key = first_difference(one, two)[0]
        return _difference(one.get(key), two.get(key), f"{place}.{key}" if place else key)
    if isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        number = next(n for n, each in enumerate(one) if each != two[n])
        name = one[number].get("id", number) if isinstance(one[number], dict) else number
        return _difference(one[number], two[number], f"{place}[{name}]")
    return f"{place or 'itself'} ({quoted(str(one))} or {quoted(str(two))})"


def hidden(match: Match, seat: int, number: int) -> GameState:
    """Return the table's state with everything re-dealt that `seat` cannot know."""
    game_state = match.game_state()
    kept = game_state.view().rng
    game_state.rekey(stream("hide", number))
    match.game.array_rules.determinize(game_state.cells, seat)
    game_state.rekey(kept)
    return game_state


def standing_on(match: Match, game_state: GameState) -> Match:
    """Return a table with the same options, seats and seed that begins at `game_state`, at ply 0."""
    other = Match(match.game, match.options, match.seats, match.seed)
    other._game_state = game_state.copy()
    other.history.states = [game_state.to_bytes()]
    return other


def ids_in(scene: Scene) -> list[str]:
    """Return all ids of a scene: its zones, their slots, items and regions."""
    names: list[str] = []
    for zone in scene.zones:
        names += [zone.id, *(slot.id for slot in zone.slots), *(item.id for item in zone.items)]
        names += [region.id for region in zone.regions]
    return names


def some_ids(game: Game, dice: random.Random) -> list[int]:
    """Return some ids of actions, legal or not, at least one of every verb."""
    actions = game.actions
    some = dice.sample(range(actions.size), min(actions.size, ILLEGAL))
    return [*some, *(dice.randrange(block.first, block.end) for block in actions.blocks)]


def last_move(match: Match) -> str:
    """Return a match's last move in quotes, or what there was before the first."""
    return repr(match.moves[-1]) if match.moves else "the deal"


def _times(number: int) -> str:
    return {0: "no more", 1: "once", 2: "twice"}.get(number, f"{number} times")
