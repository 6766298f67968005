"""Show the verbs Alcazar's table: numbers that several of them use."""

from __future__ import annotations

from bartizan.games.alcazar import rules, table, values
from bartizan.games.alcazar.state import State
from bartizan.games.alcazar.words.names import ARMY_NAMES, hand_of, tokens

CONTEST = "attack"  # the id of the contest of the attack and the tower's top
FROM_THE_LEFT = tuple(ARMY_NAMES.index(name) for name in ("left", "top", "right"))
Values = tuple[tuple[int, ...], ...]  # of both sides' segments: of the armies, of the tower's top


class Look:
    """The player's observation, with what several choices share computed once."""

    def __init__(self, observation: State) -> None:
        self.observation = observation
        self.hand = hand_of(observation)
        self.tokens = tokens(self.hand)
        self.wall = values.tower_value(observation.tower.listed()[0]) if observation.tower.count else 0
        self._without: dict[int, Values] = {}

    def attack(self) -> int:
        """Return how strong the attack is."""
        return attack_of(self.observation)

    def outlook(self, after: Values) -> str:
        """Describe the attack afterwards."""
        return f"the attack will be {sum(after[0])} against {self.wall}"

    def without(self, place: int) -> Values:
        """Return the attack, army by army, without the enemy at `place`, and the tower's value."""
        if place not in self._without:
            after = self.observation.copy()
            table.take_enemy(after, place)
            self._without[place] = (armies_of(after), (self.wall,))
        return self._without[place]

    def swapped(self, one: int, two: int) -> Values:
        """Return the same after two enemies have swapped places."""
        after = self.observation.copy()
        after.enemy[one], after.enemy[two] = after.enemy[two], after.enemy[one]
        return (armies_of(after), (self.wall,))


def armies_of(observation: State) -> tuple[int, ...]:
    """Return what each army adds to the attack, from the left one to the right one."""
    return tuple(max(rules.attack_of(observation, army), 0) for army in FROM_THE_LEFT)


def attack_of(observation: State) -> int:
    """Return how strong the attack on a table is."""
    return sum(armies_of(observation))
