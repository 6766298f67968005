"""Turn legal actions into choices: what to touch, and what would come of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from bartizan.engine.cards import POKER
from bartizan.engine.scene import Choice
from bartizan.games.card_cassonne.options import RescoreGrowth
from bartizan.games.card_cassonne.plain import areas
from bartizan.games.card_cassonne.state import ACTIONS, DONE, RING, SCORE, TOKEN, State
from bartizan.games.card_cassonne.survey import Outlook, Survey, token_id
from bartizan.games.card_cassonne.words import area_name, area_place, counted, seat_name


def choices_of(observation: State, actions: Sequence[int]) -> tuple[Choice, ...]:
    """Return a choice for each legal action."""
    return choices_from(Survey(observation), actions) if actions else ()


def choices_from(survey: Survey, actions: Sequence[int]) -> tuple[Choice, ...]:
    """Return a choice for each legal action of a table that has been looked over."""
    maker = _Choices(survey)
    return tuple(maker.make(action) for action in actions)


class _Choices:
    """Make the choices of one position; what several share is worked out once."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        self.observation = survey.observation
        self.seat = self.observation.to_move
        self.player = self.observation.players[self.seat - 1]
        self.hand = survey.hand_ids(self.seat)
        self.sentences: dict[tuple[int, int], tuple[dict[str, str], str]] = {}  # by cell and suit

    def make(self, action: int) -> Choice:
        """Return the choice for one action."""
        if action < TOKEN:
            return self.play(action, action // RING, action % RING)
        if SCORE <= action < DONE:
            return self.score(action, action - SCORE)
        verb, _ = ACTIONS.decode(action)
        if verb == "token":
            return Choice(
                action=action,
                text="token",
                verb="Place a token",
                label=f"Place a token on {self.last()}",
                note=self.token_note(),
            )
        if verb == "decline":
            return Choice(action=action, text="no token", verb="No token", label="Place no token")
        return Choice(action=action, text="done", verb="Done", label="Score no more areas")

    # --- Playing a card

    def play(self, action: int, slot: int, cell: int) -> Choice:
        """Return the choice to play a hand card at a cell."""
        face, place, card = self.player.hand.cards[slot], self.survey.places[cell], self.hand[slot]
        key = cell, face % 4
        if key not in self.sentences:
            self.sentences[key] = self.tell(self.survey.outlook(*key))
        marks, note = self.sentences[key]
        twins = tuple(
            other for n, other in enumerate(self.hand) if n != slot and self.player.hand.cards[n] == face
        )
        return Choice(
            action=action,
            text=f"play {POKER.text(face)} at {place}",
            verb="Play",
            label=f"Play the {POKER.name(face)} at {place}",
            items=(card, place),
            target=place,
            marks=marks,
            note=note,
            instead={card: twins} if twins else {},
        )

    def tell(self, outlook: Outlook) -> tuple[dict[str, str], str]:
        """Return the marks for the areas that a card joins or completes, and a note on what that brings."""
        survey = self.survey
        marks = {survey.area_id(area): "joined" for area in outlook.joined}
        parts = [self.merged(outlook)]
        for area in outlook.completed:
            gains = self.gains(survey.token_seats(area), self.observation.size[area])
            brings = f": {self.listed(gains)}" if gains else ""
            marks[survey.area_id(area)] = f"completed{brings}"
            parts.append(f"completes {area_name(self.observation, area)}{brings}")
        done = len(outlook.completed) + outlook.is_complete
        bonus = self.observation.options.complete_bonus * done
        if bonus:
            parts.append(f"+{bonus} for you for completing {'it' if done == 1 else f'{done} areas'}")
        return marks, "; ".join([*parts, *self.estimates(outlook)])

    def merged(self, outlook: Outlook) -> str:
        """Say what the card's own area would be like, and what it brings if it is complete."""
        names = [area_name(self.observation, area) for area in outlook.joined]
        size = f"an area of {counted(outlook.size, 'card')}"
        text = f"joins {' and '.join(names)} to {size}" if names else size
        if not outlook.is_complete:
            return f"{text} with {counted(outlook.spaces, 'empty place')}"
        gains = self.gains(outlook.tokens, outlook.size)
        return f"{text}, complete: {self.listed(gains)}" if gains else f"{text}, complete"

    def estimates(self, outlook: Outlook) -> list[str]:
        """Say what the card's area may score afterwards, by tokens on it or by a new one."""
        worth = areas.worth_of(outlook.size)
        if outlook.tokens:
            if outlook.is_complete or not outlook.is_partial:
                return []
            return [f"may then score {self.listed(self.gains(outlook.tokens, outlook.size))}"]
        if self.player.supply == 0:
            return []
        options = self.observation.options
        waits = options.rescore_growth == RescoreGrowth.TOKEN_WAITS_A_TURN and not outlook.is_complete
        if outlook.is_partial and options.token_before_score and not waits and not self.must_grow(outlook):
            return [f"a token on it scores {worth} at once"]
        return ["a token on it waits"]

    def must_grow(self, outlook: Outlook) -> bool:
        """Say whether the card's area was scored too lately to be scored by choice again (CC-Q21)."""
        last = max((self.observation.scored[area] for area in outlook.joined), default=0)
        return not outlook.is_complete and 0 < last > outlook.size - 2

    def gains(self, seats: Iterable[int], size: int) -> Counter[int]:
        """Return what the tokens of these seats score on an area of a size."""
        return Counter({seat: areas.worth_of(size) * n for seat, n in Counter(seats).items()})

    def listed(self, gains: Counter[int]) -> str:
        """Return gains as a phrase: ``+8 for you, +4 for seat 2``."""
        order = sorted(gains, key=lambda seat: (seat != self.seat, seat))
        return ", ".join(f"+{gains[seat]} for {seat_name(seat, self.seat)}" for seat in order)

    # --- Tokens and scoring

    def last(self) -> str:
        """Return the card just played, as a phrase."""
        place = f"{self.observation.x[self.observation.last]},{self.observation.y[self.observation.last]}"
        return f"the {POKER.name(self.observation.face[self.observation.last])} at {place}"

    def token_note(self) -> str:
        """Say what the area of the card just played is like."""
        observation, area = self.observation, self.observation.area[self.observation.last]
        worth = areas.worth_of(observation.size[area])
        spaces = counted(observation.spaces[area], "empty place")
        return f"{counted(observation.size[area], 'card')}, {spaces}, worth {worth} for each token"

    def score(self, action: int, cell: int) -> Choice:
        """Return the choice to score the area in a cell; any of its cards may be touched."""
        observation, survey = self.observation, self.survey
        area = observation.area[survey.number_at[cell]]
        corner = survey.ids[observation.corner[area]]
        numbers = survey.members[area]
        others = [survey.ids[number] for number in numbers if number != observation.corner[area]]
        others += [token_id(observation, number) for number in numbers if observation.token[number]]
        region = survey.area_id(area)
        gains = self.gains(survey.token_seats(area), observation.size[area])
        return Choice(
            action=action,
            text=f"score {area_place(observation, area)}",
            verb="Score",
            label=f"Score {area_name(observation, area)}",
            items=(corner,),
            target=corner,
            marks={region: "scored"},
            note=self.listed(gains),
            instead={corner: (*others, region)},
        )
