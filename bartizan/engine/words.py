"""Keep all words of a verb in one place: its move text, its choice, its refusal, its story.

A game has one `Verb` for each block of its actions, and one `Vocabulary` that holds them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from bartizan.engine.actions import ActionSpace
from bartizan.engine.clauses import Rulebook
from bartizan.engine.errors import IllegalMove
from bartizan.engine.notation.grammar import Form, Word, beginnings, unknown_word
from bartizan.engine.notation.text import squeeze, unknown_move
from bartizan.engine.phases import Explained, PhaseRow, PhaseTable
from bartizan.engine.scene import Choice, Refusal

VARIANT = "variant"  # in an action's fields: which variant of its id it is, if its block has any

Narration = tuple[str, tuple[str, ...]]  # a sentence, and the places that it concerns


class Verb:
    """The words of one verb.  Its methods take what a seat observes and the block's fields.

    If the words of a move differ from the fields, `to_words` and `to_fields` translate. For example, a step's
    field is a direction, but its text names the square that it leads to.
    """

    form: ClassVar[str]  # see `bartizan.engine.notation.grammar`
    example: ClassVar[str]  # a move in this form
    also: ClassVar[Sequence[str]] = ()  # further examples, for optional parts
    words: ClassVar[Mapping[str, Word]] = {}

    def to_words(self, state: Any, fields: dict[str, int]) -> dict[str, int]:
        """Return the number of each word of the form for an action's fields."""
        return fields

    def to_fields(self, state: Any, words: dict[str, int]) -> dict[str, int]:
        """Return an action's fields for the numbers of its words; raises `IllegalMove` if none fit."""
        return words

    def choice(self, *look: Any, **fields: Any) -> Choice:
        """Return the choice that is offered to a player; made by `offer`."""
        raise NotImplementedError

    def refusal(self, *look_and_clause: Any, **fields: Any) -> Explained:
        """Explain why the clause forbids the action here and now."""
        raise NotImplementedError

    def narrate(self, *look: Any, **fields: Any) -> Narration:
        """Describe a played move in a sentence, with where it started and ended; empty if hidden."""
        return "", ()

    def reason(self, *look: Any, **fields: Any) -> str:
        """Give the reason for an action in one sentence, taken from its choice."""
        return self.choice(*look, **fields).sentence


def offer(verb: str, **parts: Any) -> Choice:
    """Return a choice whose action and move text the vocabulary fills in; `parts` as in `Choice`.

    A text among them is kept; it belongs to a move that the player has yet to complete.
    """
    return Choice(**{"action": 0, "text": "", "verb": verb, **parts})


class Vocabulary:
    """All verbs of a game."""

    def __init__(
        self,
        actions: ActionSpace,
        rulebook: Rulebook,
        phases: PhaseTable,
        phase_of: Callable[[Any], int],
        verbs: Mapping[str, Verb],
        *,
        why_not_in_phase: Callable[[Any, int], int] | None = None,
        look: Callable[[Any], Any] = lambda observation: observation,
        misread: Callable[[Any, str, Sequence[str]], None] | None = None,
    ) -> None:
        """Take a verb for each block of the actions, in the order in which they are tried on a text.

        Args:
            actions: the game's.
            rulebook: the clauses that refusals name.
            phases: these explain why a verb isn't allowed, before the verb itself does.
            phase_of: returns the phase of a state.
            verbs: by name.
            why_not_in_phase: returns the number of the clause that forbids a verb, whatever it names; with it
                a move that the phase doesn't allow is refused for that reason first.
            look: makes what the verbs look at from an observation, once for all choices of a scene.
            misread: raises a better error for a text in no form, if it knows one; it also takes the words
                that moves begin with.
        """
        self.verbs = verbs
        examples = [each for verb in verbs.values() for each in (verb.example, *verb.also)]
        self.move_forms = tuple(dict.fromkeys(examples))
        self._actions = actions
        self._rulebook = rulebook
        self._phases = phases
        self._phase_of = phase_of
        self._why_not_in_phase = why_not_in_phase
        self._look = look
        self._misread = misread
        self._forms = {name: Form(verb.form, dict(verb.words)) for name, verb in verbs.items()}

    def print_move(self, state: Any, action: int) -> str:
        """Return an action in canonical notation; raises `ValueError` for a variant that cannot be."""
        name, fields = self._decode(action)
        return self._forms[name].write(state, self.verbs[name].to_words(state, fields))

    def parse_move(self, state: Any, text: str) -> int:
        """Read a move in full notation and return its action code; it may be illegal.

        Raises `UnknownMove` for a text that has no valid form or names something that doesn't exist,
        `UnknownCard`, and `IllegalMove` if no action corresponds to the move.
        """
        squeezed = squeeze(text)
        refused: Exception | None = None
        for name, form in self._forms.items():
            texts = form.match(squeezed)
            if texts is None:
                continue
            try:
                return self._encode(name, state, form.read(state, texts))
            except IllegalMove as error:  # a later verb may have the same form
                error.text = error.text or text
                refused = refused or self._refused_by_phase(state, name, text) or error
            except ValueError as error:
                word = next(
                    (each for each in texts.values() if each and each.lower() in str(error).lower()), ""
                )
                refused = refused or unknown_word(text, word, str(error))
        if refused is not None:
            raise refused
        if self._misread is not None:
            self._misread(state, text, self.beginnings)
        raise unknown_move(text, self.move_forms, self.beginnings, self.wordless)

    @property
    def beginnings(self) -> list[str]:
        """The words that moves begin with."""
        return beginnings(list(self._forms.values()))

    @property
    def wordless(self) -> list[str]:
        """An example of each kind of move that doesn't begin with a word."""
        return [verb.example for name, verb in self.verbs.items() if not self._forms[name].beginning]

    def _refused_by_phase(self, state: Any, name: str, text: str) -> IllegalMove | None:
        """Return the error for a verb that the phase refuses, or None if it is allowed."""
        if self._why_not_in_phase is None:
            return None
        clause = self._why_not_in_phase(state, self._actions[name].number)
        explained = self._not_asked(state, name)
        if not clause or explained is None:
            return None
        rule = self._rulebook.get(self._rulebook.id_of(clause))
        return IllegalMove(explained[0], rule.id, text, explained[1], rule.text.strip())

    def phase(self, state: Any) -> PhaseRow:
        """Return the phase of a table."""
        return self._phases[self._phase_of(state)]

    def _not_asked(self, observation: Any, name: str) -> Explained | None:
        """Explain why the phase doesn't allow a verb; None if it does, or has no words for it."""
        phase = self.phase(observation)
        if name in phase.asks or not phase.says:
            return None
        explained = phase.says if isinstance(phase.says, str) else phase.says(observation, name)
        return (explained, ()) if isinstance(explained, str) else explained

    def _encode(self, name: str, state: Any, words: dict[str, int]) -> int:
        fields = dict(self.verbs[name].to_fields(state, words))
        variant = fields.pop(VARIANT, 0)
        return self._actions.encode(name, **fields) + self._actions.size * variant

    def _decode(self, action: int) -> tuple[str, dict[str, int]]:
        """Return the verb of an action and its fields, with the variant if its block has any.

        Raises `ValueError` for a variant of an action that has none.
        """
        name, fields = self._actions.decode(action)
        variant = self._actions.variant(action)
        if self._actions[name].variants > 1:
            return name, {**fields, VARIANT: variant}
        if variant:
            raise ValueError(f"{name} has no variants")
        return name, fields

    def choices(self, observation: Any, actions: Sequence[int], look: Any = None) -> tuple[Choice, ...]:
        """Return a choice for each action; `look` is what the verbs look at, if it exists already."""
        look = self._look(observation) if look is None else look
        return tuple(self._choice(observation, look, action) for action in actions)

    def choice(self, observation: Any, action: int) -> Choice:
        """Return one action as a choice."""
        return self._choice(observation, self._look(observation), action)

    def _choice(self, observation: Any, look: Any, action: int) -> Choice:
        name, fields = self._decode(action)
        text = self._forms[name].write(observation, self.verbs[name].to_words(observation, fields))
        choice = self.verbs[name].choice(look, **fields)
        return replace(choice, action=action, text=choice.text or text)

    def refusal(self, observation: Any, action: int, clause: int) -> Refusal:
        """Explain why a clause, by its number, forbids an action here, and what prevents it."""
        name, fields = self._decode(action)
        rule = self._rulebook.get(self._rulebook.id_of(clause))
        sentence, blockers = self._not_asked(observation, name) or self.verbs[name].refusal(
            self._look(observation), rule.id, **fields
        )
        return Refusal(clause=rule.id, sentence=sentence, rule=rule.text.strip(), blockers=tuple(blockers))

    def narrate(self, observation: Any, action: int) -> Narration:
        """Describe a played move in a sentence, and the places that it started from and went to."""
        name, fields = self._decode(action)
        return self.verbs[name].narrate(self._look(observation), **fields)

    def reason(self, observation: Any, action: int) -> str:
        """Give the reason for an action in one sentence."""
        name, fields = self._decode(action)
        return self.verbs[name].reason(self._look(observation), **fields)


__all__ = ["VARIANT", "Explained", "Narration", "Verb", "Vocabulary", "offer"]
