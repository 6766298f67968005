"""How a round of Alcazar runs, step by step, on plain lists (part of the second implementation)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.alcazar.reference_cards import (
    ARMIES,
    JOKER,
    VACANT,
    Chance,
    Move,
    Position,
    enemy_value,
    home_value,
    is_down,
    is_face,
    is_up,
    opposite,
    plain,
)


class Decision(Exception):
    """Leaves the forced steps: the player must decide, or the game is over."""


class Table:
    """A position that rules act on; `trail` lists the clauses that acted, in order."""

    def __init__(self, position: Position, options: Mapping[str, Any], chance: Chance) -> None:
        self.now = position
        self.options = options
        self.chance = chance
        self.trail: list[str] = []
        self.in_setup = False
        self.base = self.snapshot()

    def cite(self, *clauses: str) -> None:
        self.trail.extend(clauses)

    # --- what holds at the moment -----------------------------------------------------------------

    def enemies(self, rank: str) -> list[str]:
        return [card for card in map(self.now.at, self.now.face_up()) if card[0] == rank]

    def top_is(self, rank: str) -> bool:
        return bool(self.now.tower) and self.now.tower[0][0] == rank

    def necromancers(self) -> int:
        """Count the Necromancers that no Wizard cancels (ALC-55)."""
        return 0 if self.top_is("A") else len(self.enemies("A"))

    def has_advantage(self, rank: str) -> bool:
        return any(card[0] == rank for card in self.now.advantages)

    def bard(self) -> bool:
        """ALC-57, suspended by a Thief (ALC-65)."""
        return self.top_is("Q") and not self.enemies("J")

    def hand_limit(self) -> int:
        if self.enemies("J"):
            return 4
        return 7 if self.bard() else 5

    def tower_limit(self) -> int:
        return 6 if self.has_advantage("Q") else 5

    def effective(self, place: str) -> int:
        """Q31: printed value, Warlords, Knight, and in the rear the Banshees."""
        army, rank = place.split(".")
        value = enemy_value(self.now.at(place))
        lone = rank == "rear" and self.now.lanes[army][0] == VACANT
        if self.options["modifier_scope"] == "every_face_up" or rank == "front" or lone:
            value += 2 * len(self.enemies("K")) - self.top_is("K")
        if rank == "rear":
            value += len(self.enemies("Q"))
        return value

    def latched(self) -> bool:
        """Whether the deck has been gone through as often as the options ask."""
        return self.now.passes >= (2 if self.options["endless_night"] else 1)

    def snapshot(self) -> tuple[Any, ...]:
        """Piles, hand, ranks and faces, for the stall rule (Q40)."""
        now = self.now
        lanes = tuple(tuple(now.lanes[army]) for army in ARMIES)
        piles = (tuple(now.tower), tuple(now.advantages), tuple(now.discard), tuple(sorted(now.aside)))
        return (*piles, lanes, tuple(sorted(now.hand)), tuple(sorted(now.deck)))

    def stop(self, phase: str, resume: str | None = None) -> Decision:
        """Make the exception that hands over to the player."""
        if self.in_setup:
            self.now.changed = False  # round 1 has not begun (Q40)
        elif self.snapshot() != self.base:
            self.now.changed = True
        self.now.phase = phase
        if resume is not None:
            self.now.resume = resume
        return Decision(phase)

    def over(self, winner: str) -> Decision:
        self.now.winner = winner
        return self.stop("over")

    # --- the deck -----------------------------------------------------------------------------------

    def under(self, card: str) -> None:
        self.now.deck.append(card)

    def put(self, card: str) -> None:
        """Lay a card on the discard."""
        self.now.discard.insert(0, card)

    def shuffle_in(self) -> None:
        """Shuffle the whole discard with what is left of the deck."""
        self.now.deck += self.now.discard
        self.now.discard = []
        self.now.fog = len(self.now.deck)

    def refill(self) -> None:
        """Q41: Endless Night's new deck, as soon as there is a discard to make it of."""
        now = self.now
        if self.options["endless_night"] and now.passes == 1 and not now.deck and now.discard:
            self.cite("ALC-74")
            self.shuffle_in()

    def take(self, place: str) -> str | None:
        """Take the top of the deck; None where there is none (Q43b)."""
        now = self.now
        self.refill()
        if not now.deck:
            if self.options["win_timing"] == "failed_draw" and not self.options["total_victory"]:
                if self.latched():
                    self.cite("ALC-67")
                    raise self.over("player")
            return None
        if now.fog:
            card = self.chance.pick(now.deck[: now.fog], place, now)
            now.deck.remove(card)
            now.fog -= 1
            return card
        return now.deck.pop(0)

    def after_take(self) -> None:
        """Q39: has the deck been emptied, the taken card's own effect included?"""
        now = self.now
        if now.deck:
            return
        if not self.latched():
            now.passes += 1
        self.refill()
        immediate = self.options["win_timing"] == "immediate" and not self.options["total_victory"]
        if not now.deck and immediate and self.latched():
            self.cite("ALC-67")
            raise self.over("player")

    def total_victory(self) -> None:
        """ALC-75, where Q42 has it checked."""
        if self.options["total_victory"] and self.latched() and not self.now.face_up():
            self.cite("ALC-75")
            raise self.over("player")

    # --- the tower ----------------------------------------------------------------------------------

    def lose_card(self) -> None:
        """Take the top off, to the bottom of the deck (Q38) or, as an option, to the discard."""
        card = self.now.tower.pop(0)
        if self.options["lost_tower_card"] == "discard" and card != JOKER:
            self.put(card)
        else:
            self.under(card)

    def turn_up(self) -> None:
        """Turn up the next tower card; Jokers act (ALC-72, Q46); none left: the game is lost (ALC-68)."""
        now = self.now
        while now.tower and now.tower[0] == JOKER:
            self.cite("ALC-72")
            now.aside.append(now.tower.pop(0))
            if now.tower:
                self.lose_card()
        if not now.tower:
            self.cite("ALC-68")
            self.refill()
            raise self.over("loss")

    def settle(self, resume: str) -> None:
        """Carry out what must happen at once: Necromancer, six-card tower, hand limit."""
        now = self.now
        self.refill()
        if self.necromancers() and now.advantages:
            self.cite("ALC-59")
            if len(now.advantages) == 2:
                raise self.stop("necromancer", resume)
            self.put(now.advantages.pop())
            self.refill()  # that card may be the deck that is owed (Q41)
        while len(now.tower) > self.tower_limit():
            self.cite("ALC-53")
            self.lose_card()
            self.turn_up()
        if self.necromancers() and now.advantages:
            self.settle(resume)  # the lost card was a Wizard
        if len(now.hand) > self.hand_limit():
            self.cite("ALC-64" if self.enemies("J") else "ALC-9")
            raise self.stop("thief", resume)

    # --- set-up and Movement ------------------------------------------------------------------------

    def open(self, army: str, slot: int) -> None:
        """Turn an enemy up; a Joker acts (ALC-71)."""
        lane = self.now.lanes[army]
        lane[slot] = plain(lane[slot])
        if lane[slot] == JOKER:
            self.cite("ALC-71")
            lane[slot] = VACANT
            self.now.aside.append(JOKER)
            self.lose_card()
            self.turn_up()

    def setup(self, first: str) -> None:
        """ALC-8: open the fronts from this army on, then begin round 1."""
        self.in_setup = True
        skip = self.options["first_round_movement"] == "skip"
        for army in ARMIES[ARMIES.index(first) :]:
            self.cite("ALC-8")
            if is_down(self.now.lanes[army][0]):
                self.open(army, 0)
            self.settle("draw" if skip and army == "top" else after_army(army, "setup"))
        self.begin_round()

    def before_round_one(self, resume: str) -> bool:
        """Say whether the set-up, or what follows on it, is where an interrupted step goes on."""
        skip = self.options["first_round_movement"] == "skip"
        first = "draw" if skip else "movement right"
        return resume.startswith("setup") or (self.now.round == 1 and resume == first)

    def begin_round(self) -> None:
        self.in_setup = False
        self.now.changed = False
        self.base = self.snapshot()
        if self.now.round == 1 and self.options["first_round_movement"] == "skip":
            self.draw_step()
        self.movement("right")

    def movement(self, first: str) -> None:
        for army in ARMIES[ARMIES.index(first) :]:
            self.move_army(army)
        self.total_victory()
        self.draw_step()

    def move_army(self, army: str) -> None:
        """Q3: exactly one of the steps, by how the army stood when the round began."""
        lane = self.now.lanes[army]
        front, rear = lane
        then = after_army(army, "movement")
        if front == VACANT and rear == VACANT:
            if self.options["both_empty"] == "both":
                self.cite("ALC-14")
                card = self.take(f"{army}.front")
                if card is not None:
                    lane[0] = "~" + card
                    self.open(army, 0)
                    self.after_take()
                    self.settle(f"movement {army}.rear")
            self.place_rear(army)
        elif front == VACANT:
            self.cite("ALC-14")
            lane[:] = [rear, VACANT]
            if is_down(rear):
                self.open(army, 0)
                self.settle(f"movement {army}.rear")
            self.place_rear(army)
        elif is_down(front):
            self.cite("ALC-11")
            self.open(army, 0)
            self.settle(then)
        elif rear == VACANT:
            if self.options["empty_rear"] == "refill":
                self.place_rear(army)
        elif is_down(rear):
            self.cite("ALC-12")
            self.open(army, 1)
            self.settle(then)
        else:
            self.cite("ALC-13")
            self.put(front)
            lane[:] = [rear, VACANT]
            self.settle(f"movement {army}.rear")
            self.place_rear(army)

    def place_rear(self, army: str) -> None:
        self.cite("ALC-14")
        card = self.take(f"{army}.rear")
        if card is not None:
            self.now.lanes[army][1] = "~" + card
            self.after_take()

    # --- the draw step ------------------------------------------------------------------------------

    def draw(self) -> bool:
        """Draw a card into the hand; False where the deck has none."""
        card = self.take("hand")
        if card is None:
            return False
        if card == JOKER:
            self.cite("ALC-73")
            self.now.aside.append(card)
            self.shuffle_in()
        else:
            self.now.hand.append(card)
        self.after_take()
        return True

    def draw_step(self) -> None:
        """ALC-15, 16, 57, 74 (Q9, Q47); then the player acts."""
        hand, limit = self.now.hand, self.hand_limit()
        self.cite("ALC-15")
        if len(hand) < limit:
            if self.options["endless_night"]:
                while len(hand) < limit and self.draw():
                    pass
            else:
                taken = int(self.draw())
                while len(hand) < min(3, limit) and self.draw():
                    taken += 1
                if self.bard() and taken == 1 and len(hand) < limit:
                    self.refill()
                    if self.now.deck:
                        self.cite("ALC-57")
                        raise self.stop("draw")
        raise self.stop("action")

    # --- attack and end of round --------------------------------------------------------------------

    def attackers(self) -> list[tuple[str, int]]:
        """List (card, attack value) of those that take part (ALC-34, 35, 38, 40; Q35, Q36)."""
        top = self.now.tower[0]
        result = []
        for army in ARMIES:
            front, rear = self.now.lanes[army]
            if is_up(front) and (opposite(front, top) or is_face(front)):
                support = self.effective(f"{army}.rear") - 1 if is_up(rear) else 0
                result.append((front, self.effective(f"{army}.front") + support))
            elif front == VACANT and is_up(rear) and (opposite(rear, top) or is_face(rear)):
                result.append((rear, self.effective(f"{army}.rear") - 1))
        return result

    def attack(self) -> None:
        """ALC-18, 34 to 41."""
        now = self.now
        attackers = self.attackers()
        total = sum(value for _, value in attackers)
        faces = sum(is_face(card) for card, _ in attackers)
        if not attackers or total < home_value(now.tower[0]):
            return
        self.cite("ALC-34")
        total -= home_value(now.tower[0])
        self.lose_card()
        if faces:
            self.cite("ALC-36")
            for _ in range(2 * faces if self.options["drain_per_face_card"] else 2):
                if now.discard:
                    self.under(now.discard.pop(0))
        self.turn_up()
        while self.options["overflow"] == "carry" and total >= home_value(now.tower[0]):
            total -= home_value(now.tower[0])
            self.lose_card()
            self.turn_up()
        self.settle("round end")

    def end_phase(self) -> None:
        """Close the Player Action, let the enemies attack and end the round."""
        now = self.now
        for card in now.borrowed:
            self.cite("ALC-46")
            now.hand.remove(card)
            self.put(card)
        now.borrowed, now.done, now.traded = [], [], False
        self.refill()
        self.total_victory()
        self.attack()
        self.round_end()

    def round_end(self) -> None:
        """Q1's fourth phase: drain, then win, stall and cap; then the next round."""
        now = self.now
        self.total_victory()
        for _ in range(self.necromancers()):
            if now.discard:
                self.cite("ALC-62")
                self.under(now.discard.pop(0))
        self.refill()
        self.total_victory()
        end_win = self.options["win_timing"] == "end_of_round" and not self.options["total_victory"]
        if end_win and self.latched():
            self.cite("ALC-67")
            raise self.over("player")
        if self.snapshot() != self.base:
            now.changed = True
        now.still = 0 if now.changed else now.still + 1
        if now.still >= 2 or now.round >= self.options["round_cap"]:
            self.cite("ALC-Q40")
            raise self.over("loss")
        now.round += 1
        self.begin_round()

    # --- moves --------------------------------------------------------------------------------------

    def go_on(self, resume: str) -> None:
        """Take up the forced steps where they were interrupted."""
        word, _, place = resume.partition(" ")
        if word != "setup" and self.before_round_one(resume):
            self.begin_round()
        if resume == "action":
            self.total_victory()
            raise self.stop("action")
        if resume == "draw":
            self.total_victory()
            self.draw_step()
        if resume == "round end":
            self.round_end()
        if word == "setup":
            self.setup(place)
        army, _, rank = place.partition(".")
        if rank:
            self.place_rear(army)
            if army == "top":
                self.go_on("draw")
            army = ARMIES[ARMIES.index(army) + 1]
        self.movement(army)

    def play(self, move: Move) -> None:
        """Carry out a legal move and all that follows, up to the next decision."""
        now = self.now
        match now.phase:
            case "draw":
                if move.kind == "draw":
                    self.draw()
                raise self.stop("action")
            case "thief":
                self.in_setup = self.before_round_one(now.resume)
                self.spend(move.card)
                self.settle(now.resume)
                self.go_on(now.resume)
            case "necromancer":
                now.advantages.remove(move.card)
                self.put(move.card)
                self.put(now.advantages.pop())
                self.settle(now.resume)
                self.go_on(now.resume)
            case _:
                if move.kind == "end":
                    self.end_phase()
                self.act(move)
                self.settle("action")
                self.go_on("action")

    def leave_hand(self, card: str) -> None:
        self.now.hand.remove(card)
        if card in self.now.borrowed:
            self.now.borrowed.remove(card)

    def spend(self, card: str) -> None:
        """Discard a hand card."""
        self.leave_hand(card)
        self.put(card)

    def act(self, move: Move) -> None:
        """Carry out a player action (Q14: payment, effect, then the special itself)."""
        now = self.now
        kind = move.kind if move.kind in ("defend", "repair", "trade") else "special"
        one_of_each = self.options["actions_per_turn"] == "one_of_each"
        if kind != "trade" and not (one_of_each and move.kind == "reinforce"):
            now.done.append(kind)
        if move.kind in ("defend", "reinforce", "missile", "swap", "fortify", "advantage"):
            for card in move.cards:
                self.spend(card)
        if kind == "special":
            self.leave_hand(move.card)
        match move.kind:
            case "defend":
                self.cite("ALC-19")
                self.put(now.at(move.places[0]))
                now.put_at(move.places[0], VACANT)
            case "repair":
                self.cite("ALC-26")
                self.leave_hand(move.card)
                now.tower.append(move.card)
            case "missile":
                self.cite("ALC-43")
                self.put(now.at(move.places[0]))
                now.put_at(move.places[0], VACANT)
                self.put(move.card)
            case "swap":
                self.cite("ALC-44")
                first, second = move.places
                one, other = now.at(first), now.at(second)
                now.put_at(first, other)
                now.put_at(second, one)
                self.put(move.card)
            case "fortify":
                self.cite("ALC-45")
                now.tower.append(now.tower.pop(0))
                self.put(move.card)
                self.turn_up()
            case "reinforce":
                self.cite("ALC-46")
                now.discard.remove(move.taking)
                now.hand.append(move.taking)
                if self.options["reinforcement"] == "this_turn":
                    now.borrowed.append(move.taking)
                self.put(move.card)
            case "advantage":
                self.cite("ALC-31")
                if move.replacing:
                    now.advantages.remove(move.replacing)
                    self.put(move.replacing)
                now.advantages.append(move.card)
            case _:
                self.cite("ALC-54")
                self.spend(move.card)
                now.traded = True
                self.draw()


def after_army(army: str, step: str) -> str:
    """Say where it goes on when this army has been dealt with."""
    index = ARMIES.index(army) + 1
    if index < len(ARMIES):
        return f"{step} {ARMIES[index]}"
    return "movement right" if step == "setup" else "draw"
