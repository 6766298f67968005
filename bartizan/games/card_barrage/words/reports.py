"""The words for reporting what a thrown card did (CB-25 to CB-37)."""

from __future__ import annotations

from itertools import product

from bartizan.engine.errors import IllegalMove
from bartizan.engine.record import EMPTY
from bartizan.engine.scene import Choice, Extra, Extras
from bartizan.engine.words import VARIANT, Explained, Narration, Verb, offer
from bartizan.games.card_barrage import attack, game, table, thrower, verdicts
from bartizan.games.card_barrage.cards import TECH
from bartizan.games.card_barrage.skill import METHODS
from bartizan.games.card_barrage.state import ACTIONS, CASTLE, MISS, PLACES, SEATS, WALLS, Phase, State
from bartizan.games.card_barrage.words.grammar import (
    DROPPED,
    HITS,
    MOVED,
    hits_and_moved,
    verdict_and_variant,
)
from bartizan.games.card_barrage.words.hands import no_slot, not_held
from bartizan.games.card_barrage.words.look import Look
from bartizan.games.card_barrage.words.names import many, numbers_of, place_name, seat_name, spot, upper

ALSO_HIT, ALSO_MOVED = "also", "moved"  # what else a report may say
THROWS = {"lob": "a lob", "frisbee": "a Frisbee throw", "flip": "a flip"}


class Report(Verb):
    """Report what a thrown card did."""

    form, example = "report {card} {hits}[ moved {moved}]", "report 6v hit 2.3"
    also = ("report 6v miss", "report 6v hit 2.3 perfect", "report 6v hit 2.3 2.castle moved 2.1")
    words = {"card": DROPPED, "hits": HITS, "moved": MOVED}

    def to_words(self, state: State, fields: dict[str, int]) -> dict[str, int]:
        """Return the card, what it hit and what it moved."""
        hits, moved = hits_and_moved(fields["verdict"], fields[VARIANT])
        return {"card": fields["card"], "hits": hits, "moved": moved}

    def to_fields(self, state: State, words: dict[str, int]) -> dict[str, int]:
        """Return the card, the verdict and the variant.

        Raises `IllegalMove` where what is added to a listed report cannot be true: no one could list that.
        """
        card = words["card"]
        verdict, variant = verdict_and_variant(words["hits"], words["moved"])
        asked = bool(variant) and state.phase == Phase.TURN  # else the phase says why not
        refused = attack.why_not_report(state, card, verdict, variant) if asked else 0
        if refused:
            clause = game.clauses.id_of(refused)
            sentence, blockers = self.refusal(Look(state), clause, card, verdict, variant)
            raise IllegalMove(sentence, clause, blockers=tuple(blockers))
        return {"card": card, "verdict": verdict, VARIANT: variant}

    def choice(self, look: Look, card: int, verdict: int, variant: int) -> Choice:
        """Offer a miss, or one or two targets of a seat. At a real table, more can be added."""
        if table.is_thrown(look.observation):
            return offer(
                "Throw",
                text=f"throw {TECH.text(card)}",
                label=f"Throw the {TECH.name(card)}",
                note="lob, Frisbee or flip",
                throw=True,
                **look.with_card(card),
            )
        extras = (ALSO_HIT, ALSO_MOVED) if may_be_reported(look.observation) else ()
        label = result(look.observation, card, verdict, 0)
        if verdict == MISS:
            return offer("Missed", label=label, note="no points", extras=extras[1:], **look.with_card(card))
        targets = targets_of(verdict, 0)
        touched = [look.ids.target(seat, place) for seat, place in targets]
        perfect = verdicts.is_perfect(verdict)
        return offer(
            "Perfect hit" if perfect else "Hit two" if len(targets) == 2 else "Hit",
            label=label,
            target=touched[0],
            marks={
                token: "castle hit" if place == CASTLE else "destroyed"
                for token, (_, place) in zip(touched, targets, strict=True)
            },
            note=f"{many(len(targets), 'point')}{', and the wall is not replaced' if perfect else ''}",
            extras=extras[len(targets) - 1 :],
            **look.with_card(card, *touched),
        )

    def narrate(self, look: Look, card: int, verdict: int, variant: int) -> Narration:
        """Say what the card did."""
        return result(look.observation, card, verdict, variant), ()

    def refusal(self, look: Look, clause: str, card: int, verdict: int, variant: int) -> Explained:
        """Explain whether the turn, the hand, a target or the moved walls prevent it."""
        observation = look.observation
        if observation.attacked:
            return "You have already attacked this turn. End your turn.", ()
        if observation.built:
            return "You built a wall, so you can't attack this turn.", ()
        if not table.can_drop(observation, observation.active, card):
            return not_held(observation, observation.active, card)
        targets = targets_of(verdict, variant)
        for seat, place in targets:
            explained = _no_target(observation, seat, place)
            if explained is not None:
                return explained
        if clause == "CB-32":
            return _not_moved(look, targets, variant)
        if clause == "CB-36":
            return "Only a wall you hit can be a perfect hit.", ()
        return "Name two different cards for a double hit: by seat, then by slot, castle last.", ()

    def reason(self, look: Look, card: int, verdict: int, variant: int) -> str:
        """Recommend a target and the method that lands most often, with its odds."""
        if verdict == MISS:
            return super().reason(look, card=card, verdict=verdict, variant=variant)
        target = verdicts.first_target(verdict)
        level = thrower.USUAL
        method = thrower.best_method(look.observation, level, target)
        often = round(thrower.landing(look.observation, level, method, target) / 10)
        return (
            f"Aim at {place_name(look.observation, *divmod(target, PLACES))} with {THROWS[METHODS[method]]}: "
            f"a {thrower.DEFAULT} thrower hits it {often / 100:.0%} of the time."
        )


def result(observation: State, card: int, verdict: int, variant: int) -> str:
    """Say what a card hit and moved: ``The 9 of services hit Blue's wall 3 perfectly``."""
    hit = [
        place_name(observation, *target) + " perfectly" * verdicts.nth_is_perfect(verdict, variant, number)
        for number, target in enumerate(targets_of(verdict, variant))
    ]
    moved = numbers_of(verdicts.moved_walls(variant))
    did = [f"hit {' and '.join(hit)}" if hit else "missed"]
    if moved:
        walls = [place_name(observation, *divmod(number - 1, WALLS)) for number in moved]
        did.append(f"moved {' and '.join(walls)}")
    return f"The {TECH.name(card)} {' and '.join(did)}"


def hits_something(action: int) -> bool:
    """Return whether an action reports a hit."""
    name, fields = ACTIONS.decode(action)
    return name == "report" and fields["verdict"] != MISS


def targets_of(verdict: int, variant: int) -> list[tuple[int, int]]:
    """Return the seat and place that a report says was hit, if such a place can exist."""
    targets = [
        verdicts.nth_target(verdict, variant, number)
        for number in range(verdicts.count_targets(verdict, variant))
    ]
    return [divmod(target, PLACES) for target in targets if target < SEATS * PLACES]


def _no_target(observation: State, seat: int, place: int) -> Explained | None:
    """Explain why nothing can be hit at a place; None if it can."""
    if seat >= observation.castles:
        return f"There is no seat {seat + 1}. This game has {observation.castles}.", ()
    if table.side_of(observation, seat) == table.side_of(observation, observation.active):
        where = upper(place_name(observation, seat, place))
        return f"{where} is on your own side. Landing there is a miss.", ()
    if place != CASTLE and place >= observation.slots:
        return no_slot(observation)
    if place != CASTLE and not table.stands(observation, seat, place):
        where = seat_name(observation, seat)
        return f"{upper(where)} has no wall in slot {place + 1}.", (spot(seat, place),)
    return None


def _not_moved(look: Look, targets: list[tuple[int, int]], variant: int) -> Explained:
    """Explain which wall can't have been moved."""
    moved = verdicts.moved_walls(variant)
    for wall in range(SEATS * WALLS):
        if not moved >> wall & 1:
            continue
        seat, slot = divmod(wall, WALLS)
        where = upper(place_name(look.observation, seat, slot))
        if (seat, slot) in targets:
            return f"{where} was hit, so it can't be moved.", (look.ids.target(seat, slot),)
        if look.observation.wall[wall] == EMPTY:
            return f"{where} isn't standing, so it can't be moved.", ()
    return "Only standing walls can be moved.", ()


# --- Beside a real table ------------------------------------------------------


def may_be_reported(observation: State) -> bool:
    """Return whether a throw at a real table can be reported now."""
    return (
        bool(observation.options.companion)
        and observation.phase == Phase.TURN
        and not observation.attacked
        and not observation.built
    )


def extras_of(observation: State) -> tuple[Extras, ...]:
    """Return what else a report may say: a second card that was hit, and moved walls (CB-32)."""
    if not may_be_reported(observation):
        return ()
    hit, moved = list[Extra](), list[Extra]()
    for seat, place in product(range(observation.castles), range(PLACES)):
        if place != CASTLE and not (place < observation.slots and table.stands(observation, seat, place)):
            continue
        here = Extra(text=spot(seat, place), label=upper(place_name(observation, seat, place)))
        if place != CASTLE:
            moved.append(here)
        if table.side_of(observation, seat) == table.side_of(observation, observation.active):
            continue
        hit.append(here)
        if place != CASTLE:
            hit.append(Extra(text=f"{here.text} perfect", label=f"{here.label}, perfectly"))
    return (
        Extras(id=ALSO_HIT, title="It also hit", entries=tuple(hit), one=True),
        Extras(id=ALSO_MOVED, title="It moved without hitting", before="moved", entries=tuple(moved)),
    )
