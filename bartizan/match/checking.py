"""Play a game interpreted and find what is wrong with it: rules, words, positions, scenes, secrets.

Interpreted rules check every range and every index, which compiled ones do not.
"""

from __future__ import annotations

import json
import random
import sys
import time
import tomllib
from collections import Counter as Tally
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import msgspec

from bartizan.engine.clauses import OK
from bartizan.engine.errors import (
    BadSeats,
    BartizanError,
    UnknownClause,
    UnknownOption,
    first_difference,
    nearest,
    quoted,
)
from bartizan.engine.game import Game, GameState
from bartizan.engine.options import OptionSpec, Written
from bartizan.engine.rng import stream
from bartizan.engine.scene import Scene
from bartizan.engine.table import CardDeck, CardZone, Grid, Table, declared, win
from bartizan.match import scenario
from bartizan.match.history import CheckedMove
from bartizan.match.limits import Endless, limited
from bartizan.match.local import shown, told
from bartizan.match.match import Match
from bartizan.match.sources import (
    citable,
    faults_in_book,
    faults_in_parts,
    faults_in_project,
    faults_in_sources,
    line_of,
)

GAMES = 200
TRIAL_GAMES = 500
MOST_PLIES = 20_000  # of all games together
LONGEST = 5_000  # plies of a game that ends
MOST_POSITIONS = 250  # that are looked at closely, which takes longer than playing
ILLEGAL = 12  # actions that are tried in each of them, and one of each verb
MOST_SECONDS = 4.0  # of playing, where only the rules are checked
MOST_STEP = 5.0  # seconds for one move and a close look at it; a bundled game needs 0.1
MOST_BROKEN = 3  # games that stop with an error; then there is no use in more


class Checked(NamedTuple):
    """What came of checking a game."""

    faults: tuple[str, ...]  # a sentence each, with the file and line where they are known
    games: int
    plies: int
    positions: int
    scenarios: int


class _Broken(Exception):
    """A game that can't continue; the fault has been noted."""


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
    play = _Play(game, rules_only)
    play.run(games)
    scenarios, failures = (0, []) if rules_only or play.is_endless else _scenarios(game, play.faults)
    faults = [*play.faults.values(), *failures]
    return Checked(tuple(faults), play.games, play.plies, play.positions, scenarios)


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


class _Play:
    """Random games of one game, and what was found wrong in them, the first of each kind."""

    def __init__(self, game: Game, rules_only: bool) -> None:
        self.game = game
        self.rules_only = rules_only
        self.faults: dict[str, str] = {}
        self.games = self.plies = self.positions = self._broken = 0
        self.is_endless = False  # whether some code had to be stopped; then nothing else is tried
        home = game.folder / "__init__.py"
        state = game.folder / "state.py"
        self._home = home
        self._state_file = state if state.is_file() else home
        is_short = issubclass(game.state, Table)  # of others nothing is known that could be counted
        fields = declared(game.state).values() if is_short else ()
        self._deck: CardDeck | None = getattr(sys.modules[game.package], "CARDS", None) if is_short else None
        self._zones = [each for each in fields if isinstance(each, CardZone)]
        self._grids = [each for each in fields if isinstance(each, Grid)]
        self._points: Any = game.rule_modules.find("points") if is_short else None
        if self._deck is not None and not game.chance and not rules_only:
            self.note("chance", "Cards are shuffled: leave chance=False out.", line_of(home, "game"))
        for module in game.rule_modules.own:
            if vars(module).get("win") is win:
                vars(module)["win"] = _careful_win

    def run(self, games: int) -> None:
        """Play."""
        seats = range(self.game.min_seats, self.game.max_seats + 1)
        self._until = time.monotonic() + (MOST_SECONDS if self.rules_only else float("inf"))
        for number in range(games):
            if self.plies > MOST_PLIES or self._broken >= MOST_BROKEN or self.is_endless or self._is_late():
                return
            dice = random.Random(f"{self.game.name}/{number}")
            self.games += 1
            try:
                self._play(number, seats[number % len(seats)], dice)
            except _Broken:
                self._broken += 1

    def _is_late(self) -> bool:
        return time.monotonic() > self._until

    def note(self, kind: str, sentence: str, place: str = "") -> None:
        """Keep the first fault of a kind."""
        self.faults.setdefault(kind, f"{place}: {sentence}" if place else sentence)

    def _play(self, number: int, seats: int, dice: random.Random) -> None:
        seed = f"{stream('5eed', self.game.name, number):x}"
        options = _some_options(self.game, dice, seats)
        with _Noting(self, lambda: f"set-up for {seats}, seed {seed}"):
            match = Match(self.game, options, seats, seed)
        close = 0.3 if number < 20 else 0.05
        moves: list[str] = []
        where = f"seed {seed}" + (f", options {options}" if options else "")
        while match.ply < LONGEST and not self._is_late():
            with _Noting(self, lambda: f"{where}, after {' · '.join(moves[-3:]) or 'the deal'}"):
                legal = self._legal(match)
                if not self.rules_only:
                    self._count_cards(match)
                    self._count_pieces(match)
                is_close = self.positions < MOST_POSITIONS and dice.random() < close
                if is_close or (match.is_over and self.positions < MOST_POSITIONS):
                    self.positions += 1
                    self._think(match, legal, dice)
                    if not self.rules_only:
                        self._look_closely(match, legal, dice)
                if match.is_over:
                    return
                action = dice.choice(legal)
                moves.append(f"action {action}" if self.rules_only else match.text(action))
                match.push(CheckedMove(ply=match.ply, seat=match.seat_to_move, action=action, text=moves[-1]))
                self.plies += 1
        if not self.rules_only:
            self.note(
                "end", f"After {LONGEST} random moves a game was not over ({where}): does it always end?"
            )

    def _legal(self, match: Match) -> list[int]:
        """Return the legal actions; notes too many, none, and those that are not ascending ids."""
        size = self.game.actions.size
        out = [0] * (4 * size + 4)
        count = int(self.game.array_rules.legal_actions(match.game_state().cells, out))
        legal = out[:count]
        if count > self.game.max_legal:
            place = line_of(self._state_file, "MAX_LEGAL")
            room = f"MAX_LEGAL is {self.game.max_legal}"
            self.note("room", f"{room}, but {count} actions were legal at once.", place)
            raise _Broken
        if legal != sorted(set(legal)) or not all(0 <= action < size for action in legal):
            self.note("ids", "legal_actions must list ids of actions in ascending order, each once.")
            raise _Broken
        if not legal and not match.is_over:
            self._answers(match, self._some_ids(random.Random(0)))
            nothing = f"{_seat(match)} is to move and has no legal action after {_last(match)}"
            self.note("stuck", f"{nothing}: end the game with win() or tie(), or pass the turn on.")
            raise _Broken
        if legal and match.is_over:
            self.note("over", "The game is over and there are still legal actions.")
        return legal

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
                self.note("cards", f"{what}, not {_times(self._deck.copies)}, after {_last(match)}.")
                raise _Broken

    def _count_pieces(self, match: Match) -> None:
        """Note a square with a piece that there isn't."""
        for grid in self._grids:
            for square, piece in enumerate(getattr(match.view(), grid.name)):
                if not 0 <= piece <= grid.most:
                    what = f"{grid.name}[{square}] is {piece} after {_last(match)}"
                    self.note("piece", f"{what}; its grid has pieces 1 to {grid.most}, and 0 for none.")
                    raise _Broken

    def _count_points(self, match: Match) -> None:
        """Note points that depend on what some seat can't see: the table always shows them."""
        points = self._points
        for eyes in range(match.seats + 1) if points is not None else ():
            seen = self.game.observe(match.view(), eyes)
            for seat in range(1, match.seats + 1):
                true, told = (int(points(each, seat)) for each in (match.view(), seen))
                if true != told:
                    fault = f"Seat {seat} has {true} points after {_last(match)}, and {told} by what "
                    fault += f"{f'seat {eyes}' if eyes else 'spectators'} can see"
                    advice = "points are always shown, so count only what everyone sees"
                    self.note("points", f"{fault}; {advice}.", line_of(self._home, "def points"))
                    return

    def _think(self, match: Match, legal: list[int], dice: random.Random) -> None:
        """Run the rules that refuse moves, and those that programs think with."""
        game_state, game = match.game_state(), self.game
        rules, record = game.array_rules, game_state.cells[0]
        self._answers(match, self._some_ids(dice))
        rules.rounds(game_state.cells)
        if match.is_over:
            game.outcome(game_state)
        game.bind("bartizan.search.rollout").action_scores(game_state.cells, legal, [0] * len(legal))
        evaluate = getattr(game.heuristics, "evaluate", None)
        for seat in range(1, match.seats + 1):
            if evaluate is not None:
                evaluate(record, seat)
            rules.determinize(game_state.cells, seat)
            rules.blank(game_state.copy().cells, seat)

    def _answers(self, match: Match, actions: Iterable[int]) -> None:
        """Ask whether actions are legal, and note an answer that is no clause."""
        game_state = match.game_state()
        is_short = isinstance(game_state.view(), Table)
        for action in actions:
            self.game.array_rules.why_not(game_state.cells, action)
            verb, fields = self.game.actions.decode(action)
            name = f"why_not_{verb}"
            rule: Any = self.game.rule_modules.find(name) if is_short else None
            answer = rule(game_state.view(), *fields.values()) if rule is not None else OK
            if not isinstance(answer, int) or (isinstance(answer, bool) and not self.rules_only):
                place = line_of(Path(rule.__code__.co_filename), f"def {name}")
                self.note(name, f"{name} must return OK or a clause's code, not {answer!r}.", place)
                raise _Broken

    def _look_closely(self, match: Match, legal: list[int], dice: random.Random) -> None:
        self._texts(match, legal)
        self._refusals(match, set(legal), dice)
        self._position(match)
        self._told_to_all(match)
        self._count_points(match)
        self.game.setting(match.option_set, match.seats)
        for seat in range(match.seats + 1):
            self._scene(match, match.views.scene(seat), legal if seat == match.seat_to_move else [], seat)
        for seat in range(1, match.seats + 1):
            self._secrets(match, seat, dice.getrandbits(32))
        if match.is_over:
            self._outcome(match)

    def _texts(self, match: Match, legal: Iterable[int]) -> None:
        for action in legal:
            text = match.text(action)
            try:
                back = match.parse(text)
            except BartizanError as error:
                self.note("text", f"The move {text!r} can't be read back: {error}")
                continue
            if back != action:
                self.note("text", f"The move {text!r} is read back as {match.text(back)!r}.")

    def _refusals(self, match: Match, legal: set[int], dice: random.Random) -> None:
        for action in self._some_ids(dice):
            number = int(self.game.array_rules.why_not(match.game_state().cells, action))
            text = match.text(action)
            if (number == OK) != (action in legal):
                unlisted = "isn't listed, and no clause forbids it: see legal_actions"
                which = unlisted if number == OK else "is listed and forbidden"
                self.note("listed", f"Of {text!r} the rules say two things: it {which}.")
            elif number != OK:
                try:
                    self.game.clauses.get(self.game.clauses.id_of(number))
                except UnknownClause:
                    clause = self.game.clauses.id_of(number)
                    self.note("clause", f"{text!r} is refused by {clause}, which clauses.toml doesn't have.")
                    continue
                refusal = match.why_not(action)
                if refusal is None or not refusal.sentence.strip():
                    self.note("refusal", f"{text!r} is illegal, and no sentence says why.")

    def _some_ids(self, dice: random.Random) -> list[int]:
        """Return some ids of actions, legal or not, at least one of every verb."""
        actions = self.game.actions
        some = dice.sample(range(actions.size), min(actions.size, ILLEGAL))
        return [*some, *(dice.randrange(block.first, block.end) for block in actions.blocks)]

    def _position(self, match: Match) -> None:
        position = match.position()
        try:
            written = json.loads(json.dumps(position))
            again = Match(self.game, match.options, match.seats, match.seed, written)
        except BartizanError as error:
            self.note("position", f"A position can't be read back after {_last(match)}: {error}")
            return
        if again.position() != position:
            keys = [key for key, value in again.position().items() if value != position.get(key)]
            self.note("position", f"A position reads back differently in {', '.join(keys)}.")
        elif again.legal() != match.legal():
            self.note("position", "A position that is read back has other legal moves: something is missing.")

    def _scene(self, match: Match, scene: Scene, legal: list[int], seat: int) -> None:
        ids = _ids_in(scene)
        twice = [each for each, times in Tally(ids).items() if times > 1]
        if twice:
            self.note("twice", f"The scene has the id {twice[0]!r} twice.")
        offered = [choice.action for choice in scene.choices]
        if offered != legal and not match.throws.game:
            difference = f"{len(offered)} moves; {len(legal)} are legal"
            self.note("offered", f"The scene of seat {seat} offers {difference}.")
        for choice in scene.choices:
            for each in (*choice.items, *choice.marks, *filter(None, [choice.target])):
                if each not in ids:
                    self.note("touch", f"To play {choice.text!r} one touches {each!r}, which isn't drawn.")
        if not scene.status.prompt:
            self.note("prompt", "The scene has no prompt.")
        if (scene.result is not None) != match.is_over:
            self.note("result", "A scene must have a result if, and only if, the game is over.")

    def _secrets(self, match: Match, seat: int, number: int) -> None:
        """Note anything a seat sees that depends on information it can't know."""
        game_state = match.game_state()
        kept = game_state.view().rng
        game_state.rekey(stream("hide", number))
        self.game.array_rules.determinize(game_state.cells, seat)
        game_state.rekey(kept)
        mine, theirs = (
            _told(_standing_on(match, each), seat, number) for each in (match.game_state(), game_state)
        )
        for what, said in mine.items():
            if said != theirs[what]:
                where = _difference(json.loads(said), json.loads(theirs[what]))
                secret = f"Seat {seat} can see what is hidden from it: {what} depends on it"
                self.note("secret", f"{secret}, in {where}, after {_last(match)}.")
                return

    def _told_to_all(self, match: Match) -> None:
        """Note a move that names a card which a seat sees neither before nor after it."""
        if match.ply == 0 or self._deck is None or self._deck.copies > 1:
            return
        move = match.history.moves[-1]
        card = self.game.actions.decode(move.action)[1].get("card")
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
            self.note("told", f"{sentence}; {advice}.", line_of(self._state_file, f"    {zone}"))

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
            self.note("outcome", "A finished game must have an outcome with returns from -1 to 1.")
        elif outcome.clause not in {clause.id for clause in self.game.clauses}:
            self.note("outcome", f"The game was ended by {outcome.clause}, which clauses.toml doesn't have.")


def _careful_win(s: Any, seat: int, clause: int) -> None:
    """End the game as `win` does; raises `BadSeats` for a seat that doesn't exist."""
    if not 1 <= seat <= s.seats:
        raise BadSeats(f"win() got seat {seat}, but seats are 1 to {s.seats}; use tie() where no one wins")
    win(s, seat, clause)


_careful_win.__qualname__ = "win"  # what Python calls it where an argument is missing


class _Noting:
    """Turn an error in a game's code into a fault with its file and line, and end that game."""

    def __init__(self, play: _Play, where: Callable[[], str]) -> None:
        self._play, self._where = play, where
        self._limit = limited(MOST_STEP, play.game.folder)

    def __enter__(self) -> None:
        self._limit.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._limit.__exit__(None, None, None)
        self._play.is_endless |= isinstance(error, Endless)
        if isinstance(error, Exception) and not isinstance(error, _Broken):
            sentence = told(error, self._play.game.folder)
            self._play.note(sentence, f"{sentence.removesuffix('.')} ({self._where()}).")
            raise _Broken from error


# --- What is compared -------------------------------------------------------------


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


def _standing_on(match: Match, game_state: GameState) -> Match:
    """Return a table with the same options, seats and seed that begins at `game_state`, at ply 0."""
    other = Match(match.game, match.options, match.seats, match.seed)
    other._game_state = game_state.copy()
    other.history.states = [game_state.to_bytes()]
    return other


def _ids_in(scene: Scene) -> list[str]:
    names: list[str] = []
    for zone in scene.zones:
        names += [zone.id, *(slot.id for slot in zone.slots), *(item.id for item in zone.items)]
        names += [region.id for region in zone.regions]
    return names


def _seat(match: Match) -> str:
    return match.views.setting.seat_names[match.seat_to_move - 1]


def _last(match: Match) -> str:
    return repr(match.moves[-1]) if match.moves else "the deal"


def _times(number: int) -> str:
    return {0: "no more", 1: "once", 2: "twice"}.get(number, f"{number} times")


# --- Options ----------------------------------------------------------------------


def _some_options(game: Game, dice: random.Random, seats: int) -> dict[str, object]:
    """Return a choice of options that go together: half of them are left at their defaults."""
    for _ in range(100):
        given: dict[str, object] = {
            spec.key: _some_value(spec, dice) for spec in game.options if dice.random() < 0.5
        }
        if _goes_together(game, given, seats):
            return given
    return {}


def _some_value(spec: OptionSpec, dice: random.Random) -> Written:
    if spec.kind == "bool":
        return dice.random() < 0.5
    if spec.kind in ("choice", "text"):
        return dice.choice(spec.values)
    low, high = spec.low or 0, spec.high or 0
    return dice.choice([low, high, dice.randint(low, min(low + 8, high)), spec.default])


def _goes_together(game: Game, given: Mapping[str, object], seats: int) -> bool:
    try:
        return not game.option_set.read(given).fault_for(seats)
    except UnknownOption:
        return False


def lines_of(checked: Checked) -> Iterator[str]:
    """Yield what was found, a line each, and what was done."""
    yield from checked.faults
    counts = [(checked.games, "game"), (checked.plies, "move"), (checked.positions, "position")]
    counts += [(checked.scenarios, "scenario"), (len(checked.faults), "fault")]
    yield ", ".join(f"{number:,} {word}{'' if number == 1 else 's'}" for number, word in counts) + "."
