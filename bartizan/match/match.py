"""Play one game: the only thing that faces use. Views, throws and records stand beside it."""

from __future__ import annotations

from collections.abc import Collection

from bartizan.engine.chain import GameLog
from bartizan.engine.errors import IllegalMove
from bartizan.engine.fairness import Fairness
from bartizan.engine.layout import is_throw
from bartizan.engine.options import only
from bartizan.engine.scene import Refusal
from bartizan.engine.settlement import Settlement
from bartizan.match.progress import GameInProgress, refusal_of
from bartizan.match.record import GameRecord
from bartizan.match.throws import Throws
from bartizan.match.views import Views


class Match(GameInProgress):
    """One game, as people and programs play it; moves may also be throws that are made at the table."""

    # Both are made when they are asked for: kept here, they would keep the match alive in a reference cycle.

    @property
    def throws(self) -> Throws:
        """The throws that are made at this table."""
        return Throws(self)

    @property
    def views(self) -> Views:
        """What its seats see."""
        return Views(self, self.throws)

    def why_not(self, move: str | int) -> Refusal | None:
        """Explain why a move, or a throw, is not possible here; None if it is legal.

        Raises `UnknownMove`, `UnknownCard`, `AmbiguousMove`.
        """
        if not is_throw(move):
            return super().why_not(move)
        try:
            self.throws.read(str(move))
        except IllegalMove as error:
            return refusal_of(error)
        return None

    def play(self, move: str | int, seat: int | None = None) -> str:
        """Play a move and return its canonical text.

        Raises what `check` raises; the game is then as it was.
        """
        checked = self.throws.made(move, seat) or self.check(move, seat)
        self.push(checked)
        return checked.text

    def record(
        self,
        *,
        secret_seed: bool = False,
        settlement: Settlement | None = None,
        fairness: Fairness | None = None,
        log: GameLog | None = None,
        known: Collection[str] | None = None,
    ) -> GameRecord:
        """Return the game so far as a record; a running game's holds the seed only on demand.

        `settlement` says how its players ended it.  `fairness` says how the deal was made; with it a running
        game's record contains no hash of the seed alone, which could reveal a short seed by brute force.
        `log` is the table's log, once it is over.  `known` are the options, by their flat keys, that the
        game had when it began: the hashes don't cover any others.
        """
        settled = None if self.is_over else settlement or self.settlement
        returns = settled.outcome(self.seats).returns if settled else tuple(self.returns())
        show = secret_seed or self.is_over
        return GameRecord(
            game=self.game.name,
            rules=self.game.rules_version,
            seats=self.seats,
            seed=self.seed if show else None,
            seed_hash=self.seed_hash if show or fairness is None else "",
            options=self.options if known is None else only(self.options, known),
            position=self.start,
            moves=tuple(self.moves),
            result=self.result(),
            scores=returns if settled else tuple(self.scores()),
            returns=returns if self.is_over or settled else (),
            settled=settled,
            throws={
                str(ply): move.flown
                for ply, move in enumerate(self.history.moves[: self.ply], start=1)
                if move.flown is not None
            },
            fairness=fairness,
            log=log,
        )

    @classmethod
    def of(cls, record: GameRecord, ply: int | None = None) -> Match:
        """Replay a record, up to a ply if one is given.

        Raises `CorruptRecord` with the ply at which a move stops being legal.
        """
        match = cls(record.game, record.options, record.seats, record.need_seed(), record.position)
        record.check_rules(match.game.rules_version)
        record.check_throws()
        record.check_settled()
        for number, move in enumerate(record.moves[:ply], start=1):
            try:
                checked = match.check(move)
                flown = record.throws.get(str(number))
                match.push(checked if flown is None else match.throws.check_flown(checked, flown))
            except Exception as error:
                raise record.corrupt(number, move, error) from error
        match.settlement = record.settled if ply is None else None
        return match
