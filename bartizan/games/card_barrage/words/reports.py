"""The words of a report: what a card did that was thrown (CB-25 to CB-37)."""

from __future__ import annotations

from itertools import product

from bartizan.engine.errors import IllegalMove
from bartizan.engine.record import EMPTY
from bartizan.engine.scene import Choice, Extra, Extras
from bartizan.engine.words import VARIANT, Explained, Verb, offer
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
from bartizan.games.card_barrage.words.names import many, place_name, seat_name, spot, upper

ALSO_HIT, ALSO_MOVED = "also", "moved"  # what a report may say besides
THROWS = {"lob": "a lob", "frisbee": "a Frisbee throw", "flip": "a flip"}


class Report(Verb):
    """Say what a thrown card did."""

    form, example = "report {card} {hits}[ moved {moved}]", "report 6v hit 2.3"
    also = ("report 6v miss", "report 6v hit 2.3 perfect", "report 6v hit 2.3 2.castle moved 2.1")
    words = {"card": DROPPED, "hits": HITS, "moved": MOVED}

    def to_words(self, state: State, fields: dict[str, int]) -> dict[str, int]:
        """Return the card, what was hit, and what was moved."""
        hits, moved = hits_and_moved(fields["verdict"], fields[VARIANT])
        return {"card": fields["card"], "hits": hits, "moved": moved}

    def to_fields(self, state: State, words: dict[str, int]) -> dict[str, int]:
        """Return the card, the verdict and the variant.

        Raises `IllegalMove` where what is added to a listed report cannot be true: nobody could list that.
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
        """Offer a miss, a target or two of a seat; what else it did may be added beside a real table."""
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
        if verdict == MISS:
            label = f"The {TECH.name(card)} missed"
            return offer("Missed", label=label, note="no points", extras=extras[1:], **look.with_card(card))
        targets = targets_of(verdict, 0)
        touched = [look.ids.target(seat, place) for seat, place in targets]
        perfect = verdicts.is_perfect(verdict)
        hit = " and ".join(place_name(look.observation, seat, place) for seat, place in targets)
        return offer(
            "Perfect hit" if perfect else "Hit two" if len(targets) == 2 else "Hit",
            label=f"The {TECH.name(card)} hit {hit}{' perfectly' if perfect else ''}",
            target=touched[0],
            marks={
                token: "castle hit" if place == CASTLE else "destroyed"
                for token, (_, place) in zip(touched, targets, strict=True)
            },
            note=f"{many(len(targets), 'point')}{', and the wall is not replaced' if perfect else ''}",
            extras=extras[len(targets) - 1 :],
            **look.with_card(card, *touched),
        )

    def refusal(self, look: Look, clause: str, card: int, verdict: int, variant: int) -> Explained:
        """Explain what the turn, the hand, a target or the moved walls forbid."""
        observation = look.observation
        if observation.attacked:
            return "The attack of this turn has been made; end the turn.", ()
        if observation.built:
            return "Whoever has built a wall does not attack in that turn.", ()
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
            return "Only a wall that was hit can have been hit perfectly.", ()
        return "A double hit names two different cards, by seat, then slot, the castle last.", ()

    def reason(self, look: Look, card: int, verdict: int, variant: int) -> str:
        """Recommend a target, with the method that lands most often and how often that is."""
        if verdict == MISS:
            return super().reason(look, card=card, verdict=verdict, variant=variant)
        target = verdicts.first_target(verdict)
        level = thrower.USUAL
        method = thrower.best_method(look.observation, level, target)
        often = round(thrower.landing(look.observation, level, method, target) / 10)
        return (
            f"Aim at {place_name(look.observation, *divmod(target, PLACES))} with {THROWS[METHODS[method]]}: "
            f"a {thrower.DEFAULT} thrower lands there {often} times in a hundred."
        )


def hits_something(action: int) -> bool:
    """Say whether an action is the report of a hit."""
    name, fields = ACTIONS.decode(action)
    return name == "report" and fields["verdict"] != MISS


def targets_of(verdict: int, variant: int) -> list[tuple[int, int]]:
    """Return seat and place of what a report says was hit, as far as there can be such a place."""
    targets = [
        verdicts.nth_target(verdict, variant, number)
        for number in range(verdicts.count_targets(verdict, variant))
    ]
    return [divmod(target, PLACES) for target in targets if target < SEATS * PLACES]


def _no_target(observation: State, seat: int, place: int) -> Explained | None:
    """Explain why nothing can be hit at a place; None if something can."""
    if seat >= observation.castles:
        return f"There is no seat {seat + 1}; there are {observation.castles}.", ()
    if table.side_of(observation, seat) == table.side_of(observation, observation.active):
        where = upper(place_name(observation, seat, place))
        return f"{where} is on your own side; landing there is a miss.", ()
    if place != CASTLE and place >= observation.slots:
        return no_slot(observation)
    if place != CASTLE and not table.stands(observation, seat, place):
        where = seat_name(observation, seat)
        return f"No wall stands at slot {place + 1} of {where}.", (spot(seat, place),)
    return None


def _not_moved(look: Look, targets: list[tuple[int, int]], variant: int) -> Explained:
    """Explain which wall cannot have been moved."""
    moved = verdicts.moved_walls(variant)
    for wall in range(SEATS * WALLS):
        if not moved >> wall & 1:
            continue
        seat, slot = divmod(wall, WALLS)
        where = upper(place_name(look.observation, seat, slot))
        if (seat, slot) in targets:
            return f"{where} was hit and leaves; it is not moved.", (look.ids.target(seat, slot),)
        if look.observation.wall[wall] == EMPTY:
            return f"{where} does not stand, so it was not moved.", ()
    return "Only walls that stand are moved.", ()


# --- Beside a real table ------------------------------------------------------


def may_be_reported(observation: State) -> bool:
    """Say whether what a card did at a real table can be reported now."""
    return (
        bool(observation.options.companion)
        and observation.phase == Phase.TURN
        and not observation.attacked
        and not observation.built
    )


def extras_of(observation: State) -> tuple[Extras, ...]:
    """Return what a report may say besides: a second card that was hit, and walls that were moved (CB-32)."""
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
        Extras(id=ALSO_MOVED, title="It moved, without hitting", before="moved", entries=tuple(moved)),
    )
