"""Write and read whole positions of Card-cassonne as tables (see the notation of positions)."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Mapping
from typing import Any

from bartizan.engine.cards import POKER
from bartizan.engine.errors import BadPosition
from bartizan.engine.notation import PositionReader
from bartizan.engine.record import EMPTY, Pile
from bartizan.engine.rng import stream
from bartizan.games.card_cassonne.options import CARDS, HAND, Options, RescoreGrowth
from bartizan.games.card_cassonne.plain import areas, layout, piles, rules
from bartizan.games.card_cassonne.state import FACES, Phase, State
from bartizan.games.card_cassonne.words import area_place, card_place

KEYS = (
    "board",
    "tokens",
    "to_move",
    "first",
    "phase",
    "last",
    "players",
    "deck",
    "aside",
    "scored",
    "winner",
    "rest",
)
UNORDERED_KEYS = ("hand", "aside")
PLAYER_KEYS = ("hand", "score", "supply")
PHASES = {"play": Phase.PLAY, "token": Phase.TOKEN, "score": Phase.SCORE, "over": Phase.OVER}
MOST_POINTS = 16_000  # that a position may begin with; what a game can add still fits the state
ORIGIN = (0, 0)

Place = tuple[int, int]


def phase_name(phase: int) -> str:
    """Return the name of a phase in a position."""
    return next(name for name, number in PHASES.items() if number == phase)


# --- Writing -----------------------------------------------------------------


def write_position(view: State) -> dict[str, Any]:
    """Return the whole state as a position, hidden cards and the deck's order included."""
    numbers = range(view.laid)
    scored = [area for area in numbers if rules.is_area(view, area) and view.scored[area]]
    written = {
        "board": {card_place(view, number): POKER.text(view.face[number]) for number in numbers},
        "tokens": {card_place(view, number): view.token[number] for number in numbers if view.token[number]},
        "to_move": view.to_move,
        "first": view.first,
        "phase": phase_name(view.phase),
    }
    if view.phase in (Phase.TOKEN, Phase.SCORE):
        written["last"] = card_place(view, view.last)
    written["players"] = [_write_player(view, seat) for seat in range(view.seats)]
    written["deck"] = _texts(view.deck)
    written["aside"] = _texts(view.aside)
    if view.options.rescore_growth == RescoreGrowth.MUST_HAVE_GROWN_BY_2:
        written["scored"] = {area_place(view, area): view.scored[area] for area in scored}
    written["winner"] = winner_of(view)
    return written


def _texts(pile: Pile) -> list[str]:
    return [POKER.text(face) for face in pile.listed()]


def _write_player(view: State, seat: int) -> dict[str, Any]:
    player = view.players[seat]
    return {"hand": _texts(player.hand)[::-1], "score": player.score, "supply": player.supply}


def winner_of(view: State) -> str | int | list[int]:
    """Return who has won: a seat, several that share it, or ``none`` while the game runs."""
    if view.phase != Phase.OVER:
        return "none"
    best = max(view.players[seat].score for seat in range(view.seats))
    winners = [seat + 1 for seat in range(view.seats) if view.players[seat].score == best]
    return winners[0] if len(winners) == 1 else winners


# --- Reading -----------------------------------------------------------------


def read_position(given: Mapping[str, Any], options: Options, seats: int, seed: str) -> State:
    """Make a state from a position; cards named nowhere are dealt by the seed.

    Raises `UnknownCard` for a text that is no card, and `BadPosition` with
    every fault and its clause.
    """
    reader = PositionReader(given, KEYS)
    state = State()
    options.put_into(state.options)
    state.seats = seats
    _Reading(reader, state, options, seed).read()
    if reader.faults:
        raise BadPosition(reader.faults)
    return state


class _Reading:
    """Read one position key by key; what is wrong is noted, and something sensible taken in its place."""

    def __init__(self, reader: PositionReader, state: State, options: Options, seed: str) -> None:
        self.reader = reader
        self.state = state
        self.options = options
        self.left = [2] * FACES  # copies of each face that no key has named
        self.dice = random.Random(stream(seed, "position"))
        self.rest: list[int] = []
        self.placed: list[int] = []  # whose tokens are written on the board, on a card or not
        self.board: dict[Place, int] = {}  # the layout as it is written, also one that cannot be
        self.sure = True  # whether phase and points could be read, so that the winner can be checked

    def read(self) -> None:
        """Fill the state."""
        reader, state = self.reader, self.state
        if self.options.fault_for(state.seats):
            reader.fault("CC-5", self.options.fault_for(state.seats))
        self.board = self.cards_laid()
        players = self.players()
        hands = [self.hand(seat, player) for seat, player in enumerate(players)]
        deck, aside = self.cards("deck"), self.cards("aside")
        self.rest = [face for face in range(FACES) for _ in range(self.left[face])]
        self.dice.shuffle(self.rest)
        if "board" not in reader.given:
            self.board = self.starter()
        self.lay()
        self.turn()
        self.tokens()
        self.figures(players)
        self.scored()
        self.deal(hands, deck, aside)
        self.check_end()

    # --- Cards

    def claim(self, where: str, face: int) -> int:
        """Take a named card out of those left, or note a fault."""
        if face >= FACES:
            self.reader.fault("CC-3", f"{where} has a Joker; they stay in the box")
            return 0
        if self.left[face] == 0:
            self.reader.fault("CC-3", f"{where} has a third {POKER.name(face)}; there are two")
        else:
            self.left[face] -= 1
        return face

    def cards(self, key: str) -> list[int]:
        """Return the cards under a key, which is a pile."""
        return [self.claim(key, POKER.parse(text)) for text in self.reader.texts(key)[:CARDS]]

    def table(self, key: str) -> dict[Place, Any]:
        """Return a table from places to values."""
        value = self.reader.given.get(key, {})
        if not isinstance(value, Mapping):
            self.reader.fault("", f'{key} is {value!r}; it must be a table such as {{ "0,0" = … }}')
            return {}
        found: dict[Place, Any] = {}
        for text, each in value.items():
            place = self.place(key, text)
            if place is None:
                continue
            if place in found:
                self.reader.fault("CC-12", f"{key} names the place {place[0]},{place[1]} twice")
            found[place] = each
        return found

    def place(self, key: str, text: object) -> Place | None:
        """Return the x and y of a place, None for a text that is none."""
        found = re.fullmatch(r"\s*([+-]?\d{1,4})\s*,\s*([+-]?\d{1,4})\s*", str(text), re.ASCII)
        if found is None:
            self.reader.fault("", f"{key} names the place {text!r}; a place is written x,y, such as 1,-2")
            return None
        return int(found[1]), int(found[2])

    def cards_laid(self) -> dict[Place, int]:
        """Return the cards of the layout in the order in which they were written."""
        cards: dict[Place, int] = {}
        for (x, y), text in self.table("board").items():
            if not isinstance(text, str):
                self.reader.fault("", f"board has {text!r} at {x},{y}; it must be a card such as 7h")
            else:
                cards[x, y] = self.claim(f"board at {x},{y}", POKER.parse(text))
        return cards

    def starter(self) -> dict[Place, int]:
        """Return a layout of one card that is named nowhere (CC-4)."""
        if not self.rest:
            self.reader.fault("CC-4", "board is left out, and no card is left for the starter")
            return {}
        return {ORIGIN: self.rest.pop()}

    def lay(self) -> None:
        """Lay the layout, card by card in the order written; nothing is laid where it cannot lie so."""
        state, board, fault = self.state, self.board, self.reader.fault
        layout.clear_table(state)
        if "board" in self.reader.given and ORIGIN not in board:
            fault("CC-4", "board has no card at 0,0, where the starter lies")
        beyond = [(x, y) for x, y in board if not layout.is_on_table(state, x, y)]
        for x, y in beyond:
            fault("CC-34", f"the card at {x},{y} lies beyond the edge of the table")
        lost = set(board) - _reached(board, ORIGIN)
        if lost:
            shown = " and ".join(f"{x},{y}" for x, y in sorted(lost)[:3])
            fault("CC-12", f"no row of cards side by side leads from 0,0 to {shown}")
        if 0 < len(board) <= CARDS and not beyond and not lost:
            state.min_x, state.max_x = min(x for x, _ in board), max(x for x, _ in board)
            state.min_y, state.max_y = min(y for _, y in board), max(y for _, y in board)
            for (x, y), face in board.items():
                areas.lay(state, face, layout.cell_of(x, y), 0)

    def number_at(self, key: str, place: Place, clause: str, what: str) -> int:
        """Return the number of the card laid at a place, else EMPTY, with a fault where none is written."""
        if place not in self.board:
            self.reader.fault(clause, f"{key} has {what} at {place[0]},{place[1]}, where no card lies")
            return EMPTY
        return list(self.board).index(place) if self.state.laid else EMPTY

    # --- Whose turn, and what lies on the cards

    def turn(self) -> None:
        """Read whose turn it is and what is asked."""
        reader, state = self.reader, self.state
        state.phase = PHASES[reader.word("phase", "play", list(PHASES))]
        self.sure = not any(text.startswith("phase is") for _, text in reader.faults)
        over = state.phase == Phase.OVER
        state.first = reader.integer("first", 1, 1, state.seats, "CC-10")
        state.to_move = reader.integer("to_move", 0 if over else state.first, 0, state.seats, "CC-10")
        if over != (state.to_move == 0):
            reader.fault("CC-32", "a finished game has phase 'over' and to_move 0, a running one has neither")
        state.last = EMPTY
        if state.phase in (Phase.TOKEN, Phase.SCORE):
            state.last = state.laid - 1
            if "last" in reader.given:
                place = self.place("last", reader.given["last"])
                state.last = EMPTY if place is None else self.number_at("last", place, "CC-19", "a card")
            if len(self.board) == 1:
                reader.fault("CC-19", "no card has been played yet, so nobody can be asked about it")
        elif reader.given.get("last") is not None:
            reader.fault("CC-11", "last is the card just played; it goes with the phases token and score")

    def tokens(self) -> None:
        """Put the tokens on the cards."""
        reader, state = self.reader, self.state
        for place, seat in self.table("tokens").items():
            if isinstance(seat, bool) or not isinstance(seat, int) or not 1 <= seat <= state.seats:
                reader.fault(
                    "CC-7", f"tokens has {seat!r} at {place[0]},{place[1]}; it must be a seat's number"
                )
                continue
            self.placed.append(seat)
            number = self.number_at("tokens", place, "CC-19", "a token")
            if number != EMPTY:
                state.token[number] = seat
                state.tokens[state.area[number]] += 1

    def players(self) -> list[Mapping[str, Any]]:
        """Return one table for each seat."""
        value = self.reader.given.get("players", [])
        seats = self.state.seats
        if not isinstance(value, (list, tuple)) or not all(isinstance(each, Mapping) for each in value):
            self.reader.fault("", f"players is {value!r}; it must be a list with a table for each seat")
            value = []
        if value and len(value) != seats:
            self.reader.fault("CC-2", f"players has {len(value)} entries; the table has {seats} seats")
        return [*value[:seats], *({} for _ in range(seats - len(value)))]

    def hand(self, seat: int, player: Mapping[str, Any]) -> list[int] | None:
        """Return a seat's hand; None if it is left out."""
        own = PositionReader(player, PLAYER_KEYS)
        cards = [self.claim(f"the hand of seat {seat + 1}", POKER.parse(text)) for text in own.texts("hand")]
        if len(cards) > HAND:
            own.fault("CC-6", f"the hand has {len(cards)} cards; it may hold {HAND}")
        self.reader.faults += [(clause, f"players.{seat + 1}: {text}") for clause, text in own.faults]
        return cards[:HAND] if "hand" in player else None

    def figures(self, players: list[Mapping[str, Any]]) -> None:
        """Read points and supplies; a supply left out is what is not on the board."""
        state, tokens = self.state, self.options.tokens
        for seat, player in enumerate(players):
            own = PositionReader(player, PLAYER_KEYS)
            placed = self.placed.count(seat + 1)
            state.players[seat].score = own.integer("score", 0, 0, MOST_POINTS)
            self.sure = self.sure and not any(text.startswith("score is") for _, text in own.faults)
            supply = own.integer("supply", max(tokens - placed, 0), 0, 127, "CC-7")
            if supply + placed != tokens:
                own.fault(
                    "CC-7", f"{placed} tokens on the board and {supply} in supply; {tokens} in all are right"
                )
            else:
                state.players[seat].supply = supply
            own.faults = [fault for fault in own.faults if "no key" not in fault[1]]  # told with the hand
            self.reader.faults += [(clause, f"players.{seat + 1}: {text}") for clause, text in own.faults]

    def scored(self) -> None:
        """Read how large areas were when they were last scored."""
        reader, state = self.reader, self.state
        if self.options.rescore_growth != RescoreGrowth.MUST_HAVE_GROWN_BY_2:
            if reader.given.get("scored"):
                reader.fault(
                    "CC-31", "scored goes with the option rescore_growth = must_have_grown_by_2 only"
                )
            return
        sizes = _area_sizes(self.board)
        for (x, y), size in self.table("scored").items():
            number = self.number_at("scored", (x, y), "CC-31", "an area")
            largest = sizes.get((x, y), 1)
            if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= largest:
                reader.fault(
                    "CC-31", f"scored has {size!r} at {x},{y}; the area there had from 1 to {largest} cards"
                )
            elif number != EMPTY:
                area = state.area[number]
                state.scored[area] = max(state.scored[area], size)

    # --- Dealing

    def deal(self, hands: list[list[int] | None], deck: list[int], aside: list[int]) -> None:
        """Fill hands, deck and the cards set aside; what is left out comes from the cards named nowhere."""
        reader, state, rest = self.reader, self.state, self.rest
        all_aside = reader.word("rest", "shuffle", ("shuffle", "aside")) == "aside"
        for seat, hand in enumerate(hands):
            played = state.phase in (Phase.TOKEN, Phase.SCORE) and seat + 1 == state.to_move
            if played and hand is not None and len(hand) == HAND:
                reader.fault(
                    "CC-11", f"players.{seat + 1}: who has just played a card holds {HAND - 1} at most"
                )
            size = 0 if state.phase == Phase.OVER else HAND - 1 if played else HAND
            cards = hand if hand is not None else [rest.pop() for _ in range(min(size, len(rest)))]
            for face in cards:
                piles.insert_sorted(state.players[seat].hand, face)
        if len(rest) + len(deck) + len(aside) <= CARDS:  # more only where some are there thrice
            usual = 0 if "aside" in reader.given else self.options.removed
            under = [] if all_aside else rest[usual:]
            for face in (rest if all_aside else rest[:usual]) + aside[::-1]:
                piles.push(state.aside, face)
            for face in under + deck[::-1]:
                piles.push(state.deck, face)

    def check_end(self) -> None:
        """Check that a finished game has ended, and that the winner is right."""
        given, state = self.reader.given.get("winner"), self.state
        right = winner_of(state)
        if self.sure and given is not None and _seats(given) != _seats(right):
            self.reader.fault("CC-32", f"winner is {given!r}; by the points it is {right!r}")
        if state.phase != Phase.OVER or not state.laid or rules.is_last_round(state):
            return
        able = [seat for seat in range(1, state.seats + 1) if rules.can_play(state, seat)]
        if able:
            self.reader.fault("CC-32", f"the game is not over: seat {able[0]} can still play a card")


def _seats(winner: object) -> list[str]:
    return sorted(map(str, winner)) if isinstance(winner, (list, tuple)) else [str(winner)]


def _reached(places: Collection[Place], start: Place) -> set[Place]:
    """Return the place `start` and those to which a row of `places` side by side leads from it."""
    reached, waiting = {start}, [start]
    while waiting:
        x, y = waiting.pop()
        for place in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if place in places and place not in reached:
                reached.add(place)
                waiting.append(place)
    return reached


def _area_sizes(board: Mapping[Place, int]) -> dict[Place, int]:
    """Return for each place of a layout how many cards the area there has."""
    suits: dict[int, set[Place]] = {}
    for place, face in board.items():
        suits.setdefault(layout.suit_of(face), set()).add(place)
    sizes: dict[Place, int] = {}
    for alike in suits.values():
        for place in alike:
            if place not in sizes:
                area = _reached(alike, place)
                sizes |= dict.fromkeys(area, len(area))
    return sizes
