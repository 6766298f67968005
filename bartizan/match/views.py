"""Show a game in progress to its seats: scenes, the log, hints, and what refusals say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from bartizan.engine.scene import Hint, LogLine, Refusal, Scene, Setting
from bartizan.match.evaluate import HINT_ITERATIONS, MoveEstimate, MoveEvaluator
from bartizan.match.observations import LOG_LINES
from bartizan.match.progress import GameInProgress
from bartizan.match.throws import Throws
from bartizan.search import players


class Views:
    """What the seats of one game in progress see."""

    def __init__(self, match: GameInProgress, throws: Throws) -> None:
        self._match = match
        self._throws = throws

    @property
    def setting(self) -> Setting:
        """What of the table stays the same through the game."""
        if self._match.kept_setting is None:
            setting = self._match.game.setting(self._match.option_set, self._match.seats)
            if self._throws.game is not None:
                aids = self._throws.game.aids(self._match.option_set)
                setting = msgspec.structs.replace(setting, throwing=aids)
            self._match.kept_setting = setting
        return self._match.kept_setting

    def scene(self, seat: int, *, choices: bool = True) -> Scene:
        """Return what `seat` (0: a spectator) sees; choices only for the seat that is asked."""
        makers = self._match.game.scenes
        observation = self._match.observations.observation(seat, self._match.ply)
        asked = choices and seat != 0 and seat == self._match.seat_to_move
        status = makers.status(observation, seat, self._match.ply)
        scene = makers.scene(observation, seat, self._match.legal() if asked else (), status)
        outcome = self._match.outcome
        result = makers.result(observation, outcome) if outcome else None
        if result is not None and result.outcome.winners and self._worth:
            result = msgspec.structs.replace(result, text=f"{result.text} {self._worth}".strip())
        scene = msgspec.structs.replace(
            scene,
            log=self.log(seat),
            result=result,
            layout=self._throws.layout(observation),
            flown=self._throws.flown,
        )
        if self._match.settlement is None or result is not None or self._match.ply < self._match.last_ply:
            return scene
        return self._match.settlement.shown(scene, self.setting.seat_names)

    @property
    def headline(self) -> str:
        """How the game ended, in a sentence; ``""`` while it goes on."""
        result = self.scene(1 if self._match.seats == 1 else 0, choices=False).result
        return result.headline if result is not None else ""

    @property
    def _worth(self) -> str:
        """How rare a win is; ``""`` unless one player was dealt the game with the default options."""
        match = self._match
        if match.seats > 1 or match.start is not None or match.option_set != match.game.read_options({}, 1):
            return ""
        return match.game.clauses.worth

    def log(self, seat: int, lines: int = LOG_LINES) -> tuple[LogLine, ...]:
        """Return the last plies as `seat` saw them."""
        first = max(0, self._match.ply - lines)
        return tuple(
            self._match.observations.line(seat, ply) for ply in range(first + 1, self._match.ply + 1)
        )

    def hints(self, n: int = 3, player: str = "search", iterations: int = HINT_ITERATIONS) -> list[Hint]:
        """Return up to `n` recommended moves, the best first, each with a reason and its chance to win.

        The search uses only what the seat to move can know, and always the same dice.
        ``player="greedy"`` uses the game's advice alone, which is instant, as is a forced move.
        """
        if self._match.is_over:
            return []
        legal = self._match.legal()
        if player == "greedy" or len(legal) == 1:
            ranked = players.rank(self._match.game, self._match.game_state(), legal)
            estimates = [MoveEstimate(action, 0) for action, _ in ranked]
        else:
            counsel = MoveEvaluator(
                self._match.game, self._match.game_state(), legal, iterations, self._match.dice("counsel")
            )
            estimates = counsel.estimates()
        return [self._hint(estimate) for estimate in estimates[:n]]

    def _hint(self, estimate: MoveEstimate) -> Hint:
        action, chances = estimate.action, estimate.chances
        shown, text = self._throws.hinted(action)
        return Hint(
            action=shown,
            text=text,
            reason=self.reason(action),
            chance=chances[self._match.seat_to_move - 1] if chances else None,
            visits=estimate.visits,
            aim=self._throws.hinted_aim(action),
        )

    def label(self, action: int) -> str:
        """Say what an action does, without a full stop, from what the seat to move can see."""
        return self._match.game.vocabulary.choice(self._seen_by_mover(), action).label

    def reason(self, action: int) -> str:
        """Say in one sentence what speaks for an action, from what the seat to move can see."""
        return self._match.game.vocabulary.reason(self._seen_by_mover(), action)

    def _seen_by_mover(self) -> Any:
        return self._match.observations.observation(self._match.seat_to_move, self._match.ply)

    def why_not_items(self, items: Sequence[str]) -> Refusal:
        """Explain why touching these things makes no move."""
        observation = self._seen_by_mover()
        begins_a_move = False
        for move in self._match.game.intents(observation, items):
            if isinstance(move, str):
                refusal = self._match.why_not(move)
            else:
                clause = int(self._match.game.array_rules.why_not(self._match.game_state().cells, move))
                refusal = self._match.refusal(move, clause) if clause else None
            if refusal is not None:
                return refusal
            if not isinstance(move, str) and move not in self._offered():
                return Refusal(clause="", sentence=f"Type this move to play it: {self._match.text(move)}.")
            begins_a_move = True
        together = len(items) > 1
        sentence = "These do not make a move together." if together else "This makes no move."
        id_ = self._match.game.vocabulary.phase(observation).refuses if together or not begins_a_move else ""
        rule = self._match.game.clauses.get(id_).text.strip() if id_ else ""
        return Refusal(clause=id_, sentence=sentence, rule=rule, blockers=tuple(items))

    def _offered(self) -> set[int]:
        """Return the actions that touching things can mean."""
        return {choice.action for choice in self.scene(self._match.seat_to_move).choices}

    def revealed_information(self) -> bool:
        """Say whether the last move showed its seat something that it could not know before: a drawn card."""
        return self._match.observations.revealed_information(self._match.ply)

    def revealed_since(self, seat: int, ply: int) -> bool:
        """Say whether what came after a ply showed a seat something that it could not know there."""
        return self._match.observations.revealed_since(seat, ply, self._match.ply)
