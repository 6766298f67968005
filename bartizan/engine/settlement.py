"""Describe how players ended a game that its rules hadn't ended yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from bartizan.engine.outcome import Outcome, Reason
from bartizan.engine.scene import Result, Scene


class Settlement(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a game for several was ended by its players or their clocks."""

    reason: Reason
    loser: Annotated[int, Meta(ge=0, le=100)] = 0  # who resigned or ran out of time; 0 for a draw

    def outcome(self, seats: int) -> Outcome:
        """Return the outcome of the game: everyone except the loser wins."""
        if not self.loser:
            return Outcome(winners=(), returns=(0.0,) * seats)
        winners = tuple(seat for seat in range(1, seats + 1) if seat != self.loser)
        returns = tuple(-1.0 if seat == self.loser else 1.0 for seat in range(1, seats + 1))
        return Outcome(winners=winners, returns=returns)

    def result(self, names: Sequence[str]) -> Result:
        """Return the result in words; `names` are those of the seats."""
        outcome = self.outcome(len(names))
        if self.loser:
            name = names[self.loser - 1]
            headline = f"{name} resigns." if self.reason == "resignation" else f"{name} is out of time."
            winners = [names[seat - 1] for seat in outcome.winners]
            verb = "wins" if len(winners) == 1 else "win"
            text = f"{' and '.join(winners)} {verb}."
        else:
            headline, text = "A draw.", "Both players agreed to it."
        return Result(outcome=outcome, headline=headline, text=text, reason=self.reason)

    def shown(self, scene: Scene, names: Sequence[str]) -> Scene:
        """Return a game's last scene after this end: with its result, in the log, and no choices."""
        result = self.result(names)
        status = msgspec.structs.replace(scene.status, seat=0, prompt="The game is over.")
        log = scene.log
        if log:
            last = msgspec.structs.replace(log[-1], events=(*log[-1].events, result.headline))
            log = (*log[:-1], last)
        return msgspec.structs.replace(scene, result=result, status=status, choices=(), log=log)
