"""What the moves of Tower do (part of the second implementation).

`Table` plays one move and all forced steps after it. Whenever a pile is shuffled, a `Chance` is asked for the
order, card by card, so that a trace can be followed and a scenario not depend on it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from tests.tower.reference_moves import (
    can_draw,
    clauses_against,
    hits,
    meant,
    reachable,
    read_move,
    vulnerable,
)
from tests.tower.reference_table import (
    DAMAGED,
    GONE,
    JOKER,
    LEVELS,
    Attack,
    Player,
    Position,
    attack_rank,
    best_at_the_cap,
    complete,
    deck_of,
    defence_rank,
    in_hand,
    most_draws,
    suit_of,
)

Options = Mapping[str, Any]


class Chance(Protocol):
    """What a caller supplies where the rules shuffle or leave an order open."""

    def pick(self, cards: Sequence[str], seat: int, hand: Sequence[str]) -> str:
        """Say which of these shuffled cards lies on top; it goes to that seat's hand."""

    def order(self, cards: Sequence[str]) -> list[str]:
        """Say in which order the shuffled cards that nobody took lie, top first."""

    def leftovers(self, cards: Sequence[str], above: int) -> list[str]:
        """Say in which order a forced player's unused cards lie on the discard pile, top first.

        So many other cards come to lie above them when the turn ends.
        """


class Dice:
    """A chance from a random stream."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def pick(self, cards: Sequence[str], seat: int, hand: Sequence[str]) -> str:
        del seat, hand
        return self.rng.choice(cards)

    def order(self, cards: Sequence[str]) -> list[str]:
        return self.rng.sample(list(cards), len(cards))

    def leftovers(self, cards: Sequence[str], above: int) -> list[str]:
        del above
        return list(cards)


def start(options: Options, seats: int, rng: random.Random) -> Position:
    """Deal a new game: five cards each, a random first player (TWR-4, TWR-6, TWR-Q0)."""
    deck = deck_of(options)
    rng.shuffle(deck)
    players = [Player([deck.pop() for _ in range(5)]) for _ in range(seats)]
    return Position(players, rng.randint(1, seats), deck=deck)


def play(position: Position, options: Options, text: str, chance: Chance) -> Position:
    """Play a move and all forced steps after it on a copy; ValueError where it is illegal."""
    against = clauses_against(position, options, text)
    if against:
        raise ValueError(f"{text} is illegal: {', '.join(against)}")
    table = Table(position.copy(), options, chance)
    table.play(text)
    return table.run_on()


def run_on(position: Position, options: Options, chance: Chance) -> Position:
    """Make the forced steps of a position that waits for none, on a copy."""
    return Table(position.copy(), options, chance).run_on()


class Table:
    """A position being played."""

    def __init__(self, now: Position, options: Options, chance: Chance) -> None:
        self.now = now
        self.options = options
        self.chance = chance
        self.shuffled = False  # the order of the draw pile has still to be asked for

    # --- one move -----------------------------------------------------------------------------------

    def play(self, text: str) -> None:
        """Do what a legal move says."""
        now, move = self.now, read_move(text)
        if move.card:
            now.mover.hand.remove(move.card)
        match move.kind:
            case "exchange":
                now.spent.insert(0, move.card)
                now.phase = "source"
            case "draw" | "take" if now.phase == "source":
                self.replace(move.kind)
            case "draw" | "take":
                self.draw_one(move.kind)
            case "lay":
                self.lay()
            case "stop":
                self.stop()
            case "attack":
                now.attacks.append(Attack(now.to_move, move.seat, move.card + move.suit))
            case "deflect":
                self.deflect(self.choose_attack(text), move.card)
            case "repair":
                self.repair(move.level, move.card)
            case "rebuild":
                card = move.card + (LEVELS[move.level] if move.card == JOKER else "")
                self.tower(now.to_move)[move.level] = card
                now.mended = True
            case "discard":
                self.put_down(move.card)
            case "hit":
                self.hit(self.choose_attack(text), move.level)
            case "pass":
                self.ask_next(now.to_move)
        if move.kind in ("attack", "repair", "rebuild", "discard") or (
            move.kind == "deflect" and now.phase == "battle"
        ):
            now.plays_left -= 1

    def tower(self, seat: int) -> dict[str, str]:
        tower = self.now.of(seat).tower
        assert tower is not None
        return tower

    def choose_attack(self, text: str) -> Attack:
        """Find the attack that a legal `hit` or `deflect` means."""
        move = read_move(text)
        possible = meant(self.now, move)
        if move.kind == "hit":
            possible = [attack for attack in possible if move.level in vulnerable(self.now, attack)]
        else:
            may = reachable(self.now, self.options, self.now.to_move)
            possible = [attack for attack in possible if attack in may]
        if len(possible) != 1:
            raise ValueError(f"{text!r} can mean {len(possible)} attacks")
        return possible[0]

    def put_down(self, card: str) -> None:
        """TWR-36, TWR-Q16: set a card aside until the turn ends, or discard it at once."""
        pile = self.now.discard if self.options["redraw_own_cards"] else self.now.spent
        pile.insert(0, card)

    # --- Part 1 -------------------------------------------------------------------------------------

    def replace(self, source: str) -> None:
        """TWR-7, TWR-8: draw the replacement; then ask about laying, or end the turn."""
        now = self.now
        seat, player = now.to_move, now.mover
        if source == "take":
            player.hand.append(now.discard.pop(0))
        if self.options["redraw_own_cards"]:  # the source is chosen
            now.discard[:0] = now.spent
            now.spent.clear()
        if source == "draw":
            self.draw_card(seat)
        now.phase = "lay"  # runs on where the hand is not complete, or the tower stands already

    def lay(self) -> None:
        """TWR-9, TWR-12: lay the tower; three cards follow, and under TWR-Q5's other reading a full turn."""
        now = self.now
        at_once = now.phase == "exchange" and self.options["lay_down"] == "any_time"
        self.build(now.to_move)
        now.phase = "draw"
        now.draws_left = now.draws_must = 3
        now.plays_left = self.options["plays"] if at_once else 0

    def build(self, seat: int) -> list[str]:
        """TWR-5, TWR-Q8: lay the highest card of each suit, Jokers in the gaps from below; give the rest."""
        player = self.now.of(seat)
        player.tower = dict.fromkeys(LEVELS, GONE)
        for level, suit in LEVELS.items():
            fitting = [card for card in player.hand if suit_of(card) == suit]
            if fitting:
                player.tower[level] = max(fitting, key=defence_rank)
                player.hand.remove(player.tower[level])
        for level, suit in LEVELS.items():
            if player.tower[level] == GONE and JOKER in player.hand:
                player.tower[level] = JOKER + suit
                player.hand.remove(JOKER)
        return list(player.hand)

    def force(self, seat: int) -> None:
        """TWR-58, TWR-Q9: lay what there is; the rest goes to the discard pile."""
        left = self.build(seat)
        if self.options["forced_leftovers"] == "discard":
            self.now.of(seat).hand.clear()
            self.now.discard[:0] = self.chance.leftovers(left, len(self.now.spent))

    # --- the draw pile ------------------------------------------------------------------------------

    def draw_card(self, seat: int) -> None:
        """Draw the top card, renewing the pile before (TWR-Q17) or after it (TWR-57) where it is empty."""
        now = self.now
        if not now.deck:
            self.renew()
        if not now.deck:
            return
        hand = now.of(seat).hand
        card = self.chance.pick(now.deck, seat, hand) if self.shuffled else now.deck[0]
        now.deck.remove(card)
        hand.append(card)
        if not now.deck:
            self.run_out()

    def renew(self) -> None:
        """TWR-57: discard pile and Rubble become the draw pile."""
        now = self.now
        now.deck = now.discard + now.rubble
        now.discard, now.rubble = [], []
        self.shuffled = True

    def run_out(self) -> None:
        """TWR-58, TWR-Q9: who has not built must, from the player on turn; then all of them draw three."""
        now = self.now
        forced = [seat for seat in now.clockwise_from(now.to_move) if now.of(seat).tower is None]
        for seat in forced:
            self.force(seat)
        self.renew()
        for seat in forced:
            for _ in range(3):
                self.draw_card(seat)

    # --- attacks ------------------------------------------------------------------------------------

    def hit(self, attack: Attack, level: str) -> None:
        """TWR-25 to TWR-27, TWR-60: destroy or damage the level; the attack card goes to the Rubble."""
        now = self.now
        target, tower = now.of(attack.at), self.tower(attack.at)
        self.spend_attack(attack)
        card = tower[level]
        if target.intact(level) and attack_rank(attack.card) <= defence_rank(card):
            tower[level] = card + DAMAGED
            return
        tower[level] = GONE
        now.rubble.append(in_hand(card))
        if target.out:  # TWR-61, TWR-Q30
            now.rubble += target.hand
            target.hand.clear()
            self.insert_last_turn()

    def insert_last_turn(self) -> None:
        """TWR-63, TWR-Q32: under `extra` the last player has a turn before the attacks of the others."""
        now = self.now
        left = [seat for seat in now.seats if not now.of(seat).out]
        if self.options["last_turn"] != "extra" or len(left) != 1 or left == [now.to_move]:
            return
        if now.attacked_before(now.to_move, left[0]):
            waiting = now.to_move
            self.begin(left[0])
            now.arriving = waiting if now.phase != "over" else 0

    def spend_attack(self, attack: Attack) -> None:
        self.now.attacks.remove(attack)
        self.now.rubble.append(in_hand(attack.card))

    def deflect(self, attack: Attack, card: str) -> None:
        """TWR-30: both cards go to the Rubble."""
        self.spend_attack(attack)
        self.now.rubble.append(card)
        self.now.deflected += 1

    def repair(self, level: str, card: str) -> None:
        """TWR-36, TWR-38: turn the level upright."""
        tower = self.tower(self.now.to_move)
        tower[level] = tower[level].removesuffix(DAMAGED)
        self.put_down(card)
        self.now.mended = True

    # --- drawing and the end of a turn ----------------------------------------------------------------

    def begin_draw(self) -> None:
        """TWR-19, TWR-53, TWR-Q13, TWR-Q14: how many cards are due."""
        now, player = self.now, self.now.mover
        started_with = len(player.hand) + self.options["plays"] - now.plays_left
        due = max(
            0, min(most_draws(player, self.options), player.hand_limit(self.options) - len(player.hand))
        )
        # Whoever has no Moat now had none when the turn began: one's own turn takes none away.
        if (
            self.options["moat_loss_no_draw"] == "strict"
            and not player.intact("water")
            and started_with > self.options["hand"]
        ):
            due = 0
        now.phase = "draw"
        now.draws_left, now.draws_must, now.plays_left = due, min(2, due), 0

    def draw_one(self, source: str) -> None:
        """TWR-55, TWR-Q15: one card from either pile."""
        now = self.now
        now.draws_left -= 1
        now.draws_must = max(0, now.draws_must - 1)
        if source == "take":
            now.mover.hand.append(now.discard.pop(0))
        else:
            self.draw_card(now.to_move)

    def stop(self) -> None:
        """Decline to lay (TWR-Q5), to play (TWR-Q12) or to draw the third card (TWR-19)."""
        if self.now.phase == "battle":
            self.begin_draw()
        else:
            self.end_turn()

    def end_turn(self) -> None:
        """Count the turn, force the late builder (TWR-Q7), put down what was set aside (TWR-Q16)."""
        now, player = self.now, self.now.mover
        player.turns += 1
        if player.tower is None and player.turns >= self.options["build_cap"]:
            self.force(now.to_move)
            for _ in range(3):
                self.draw_card(now.to_move)
        now.discard[:0] = now.spent
        now.spent.clear()
        if now.arriving:  # the turn was an extra one
            now.to_move, now.arriving, now.phase = now.arriving, 0, "arrival"
        else:
            self.begin_next(now.to_move)

    def begin_next(self, seat: int) -> None:
        """Give the turn to the next who stands, or whose last attacks are due (TWR-62, TWR-Q31)."""
        now = self.now
        following = [*now.clockwise_from(seat)[1:], seat]
        self.begin(next(each for each in following if not now.of(each).out or now.attacks_from(each)))

    def begin(self, seat: int) -> None:
        """Begin a seat's turn (TWR-18, TWR-Q18, TWR-Q36)."""
        now = self.now
        now.to_move = seat
        now.plays_left = now.deflected = now.draws_left = now.draws_must = 0
        now.mended = False
        player = now.mover
        if not player.out and player.turns >= self.options["turn_cap"]:
            self.stop_at_the_cap()
        elif player.tower is None:
            now.phase = "exchange"
        elif self.options["defence_window"] == "any_time" and now.attacks_from(seat):
            now.arriving = now.to_move
            now.phase = "defend"
            self.ask_next(now.to_move)
        else:
            now.phase = "arrival"

    def stop_at_the_cap(self) -> None:
        """TWR-Q36: a draw, or under `cap_result = levels` the one with most intact, then damaged levels."""
        now = self.now
        now.phase, now.winner = "over", "draw"
        if self.options["cap_result"] == "levels":
            now.winner = best_at_the_cap(now)

    def ask_next(self, seat: int) -> None:
        """TWR-Q18: ask the next who stands, holds cards and may deflect what arrives; none: it arrives."""
        now = self.now
        now.deflected = 0
        for each in now.clockwise_from(seat)[1:]:
            if each == now.arriving:
                break
            if now.of(each).stands and now.of(each).hand and reachable(now, self.options, each):
                now.to_move = each
                return
        now.to_move, now.arriving, now.phase = now.arriving, 0, "arrival"

    # --- forced steps -------------------------------------------------------------------------------

    def run_on(self) -> Position:
        """Make forced steps until somebody has something to decide or the game is over."""
        now = self.now
        while now.phase != "over":
            if self.ended():
                now.phase, now.arriving = "over", 0
            elif self.waits():
                break
            else:
                self.advance()
        if self.shuffled:
            now.deck = self.chance.order(now.deck)
            self.shuffled = False
        return now

    def ended(self) -> bool:
        """TWR-64, TWR-65, TWR-Q32, TWR-Q34: set the winner where the game has been decided."""
        now = self.now
        left = [seat for seat in now.seats if not now.of(seat).out]
        if not left:
            now.winner = "draw"
        elif len(left) == 1 and not any(attack.at == left[0] for attack in now.attacks):
            now.winner = left[0]
        return now.winner != "none"

    def waits(self) -> bool:
        """Say whether the mover has something to decide."""
        now, player = self.now, self.now.mover
        match now.phase:
            case "exchange":
                return bool(player.hand)
            case "source":
                return can_draw(now)
            case "lay":
                return player.tower is None and complete(player.hand)
            case "arrival":
                self.drop_harmless()
                return bool(list(hits(now)))
            case "battle":
                return now.plays_left > 0 and bool(player.hand)
            case "draw":
                return now.draws_left > 0 and can_draw(now)
            case _:  # defend
                most = 2 if player.intact("scissors") else 1
                may = reachable(now, self.options, now.to_move)
                return bool(player.hand) and now.deflected < most and bool(may)

    def advance(self) -> None:
        """Go on from a phase in which nothing is left to decide."""
        now = self.now
        match now.phase:
            case "arrival" if now.mover.out:
                self.begin_next(now.to_move)
            case "arrival":
                now.phase, now.plays_left = "battle", self.options["plays"]
            case "battle":
                self.begin_draw()
            case "draw" if now.plays_left:  # TWR-Q5: after laying at once a full turn follows
                now.phase, now.draws_left, now.draws_must = "battle", 0, 0
            case "defend":
                self.ask_next(now.to_move)
            case _:
                self.end_turn()

    def drop_harmless(self) -> None:
        """TWR-Q21, TWR-Q22: what can harm nothing goes to the Rubble by itself."""
        for attack in self.now.attacks_from(self.now.to_move):
            if not vulnerable(self.now, attack):
                self.spend_attack(attack)
