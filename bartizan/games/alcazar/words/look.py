"""Show the verbs Alcazar's table: numbers that several of them use."""

from __future__ import annotations

from bartizan.games.alcazar import rules, table, values
from bartizan.games.alcazar.state import State
from bartizan.games.alcazar.words.names import hand_of, tokens


class Look:
    """The player's observation, with what several choices share computed once."""

    def __init__(self, observation: State) -> None:
        self.observation = observation
        self.hand = hand_of(observation)
        self.tokens = tokens(self.hand)
        self.wall = values.tower_value(observation.tower.listed()[0]) if observation.tower.count else 0
        self._without: dict[int, str] = {}

    def attack(self) -> int:
        """Return how strong the attack is."""
        return attack_of(self.observation)

    def outlook(self, attack: int) -> str:
        """Describe the attack afterwards."""
        return f"the attack will be {attack} against {self.wall}"

    def without(self, place: int) -> str:
        """Describe the attack without the enemy at `place`."""
        if place not in self._without:
            after = self.observation.copy()
            table.take_enemy(after, place)
            self._without[place] = self.outlook(attack_of(after))
        return self._without[place]

    def swapped(self, one: int, two: int) -> str:
        """Describe the attack after two enemies have swapped places."""
        after = self.observation.copy()
        after.enemy[one], after.enemy[two] = after.enemy[two], after.enemy[one]
        return self.outlook(attack_of(after))


def attack_of(observation: State) -> int:
    """Return how strong the attack on a table is."""
    return max(rules.attack_strength(observation), 0)
