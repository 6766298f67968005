"""Keep a game as text: a TOML head, then one move a line, numbered by ply."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import msgspec

from bartizan.engine.chain import GameLog
from bartizan.engine.errors import BartizanError, CorruptRecord, in_words
from bartizan.engine.fairness import Fairness
from bartizan.engine.layout import Flown
from bartizan.engine.options import Written
from bartizan.engine.settlement import Settlement

KEYS = (
    *("game", "rules", "seats", "seed", "seed_hash", "result", "scores", "returns"),
    *("settled", "options", "position", "throws", "fairness", "log"),
)


class GameRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A finished or running game; `GameRecord.parse(record.text()) == record`."""

    game: str
    rules: int = 1
    seats: int = 1
    seed: str | None = None  # secret until the game is over
    seed_hash: str = ""
    options: dict[str, Written] = {}
    position: dict[str, Any] | None = None  # where the game began, if not with a deal
    moves: tuple[str, ...] = ()
    result: str = "none"
    scores: tuple[
        int | float, ...
    ] = ()  # of a finished game: its points where it counts some, else its returns
    returns: tuple[float, ...] = ()  # of a finished game: what it is worth to each seat, from -1 to 1
    throws: dict[str, Flown] = {}  # by ply: the throws that were made at the table
    fairness: Fairness | None = None  # how its deal came about, where a table committed to it
    settled: Settlement | None = None  # how its players or their clocks ended it, where its rules did not
    log: GameLog | None = None  # of a finished game at a table: its entries, chained by hashes

    def text(self) -> str:
        """Return the record as it is written to a file."""
        lines = [f"game = {_toml(self.game)}", f"rules = {self.rules}", f"seats = {self.seats}"]
        if self.seed is not None:
            lines.append(f"seed = {_toml(self.seed)}")
        if self.seed_hash or self.fairness is None:
            lines.append(f"seed_hash = {_toml(self.seed_hash)}")
        lines.append(f"result = {_toml(self.result)}")
        if self.returns:
            lines += [f"scores = {_toml(self.scores)}", f"returns = {_toml(self.returns)}"]
        if self.settled is not None:
            lines.append(f"settled = {_toml(msgspec.to_builtins(self.settled))}")
        lines += ["", "[options]"] + [f"{key} = {_toml(value)}" for key, value in self.options.items()]
        if self.position is not None:
            lines += ["", "[position]"] + [
                f"{_key(key)} = {_toml(value)}" for key, value in self.position.items()
            ]
        if self.fairness is not None:
            written = msgspec.to_builtins(self.fairness)
            lines += ["", "[fairness]"] + [f"{_key(key)} = {_toml(value)}" for key, value in written.items()]
        if self.log is not None:
            told = msgspec.to_builtins(self.log)
            entries = [f"  {_toml(entry)}," for entry in told.pop("entries", ())]
            lines += ["", "[log]"] + [f"{key} = {_toml(value)}" for key, value in told.items()]
            lines += ["entries = [", *entries, "]"]
        for ply, flown in self.throws.items():
            lines += ["", f"[throws.{ply}]"]
            lines += [f"{_key(key)} = {_toml(value)}" for key, value in msgspec.to_builtins(flown).items()]
        lines.append("")
        lines += [f"{number}. {move}" for number, move in enumerate(self.moves, start=1)]
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str) -> GameRecord:
        """Read a record.

        Raises `CorruptRecord` naming the line and what is wrong with it.
        """
        head: list[str] = []
        moves: list[str] = []
        for number, line in enumerate(text.splitlines(), start=1):
            match = re.match(r"\s*(\d+)\.\s*([^#]*)", line)
            if match is not None:
                if int(match.group(1)) != len(moves) + 1:
                    raise CorruptRecord(
                        f"Line {number}: ply {match.group(1)} where {len(moves) + 1} is due.", len(moves) + 1
                    )
                moves.append(match.group(2).strip())
            elif moves and line.strip() and not line.strip().startswith("#"):
                raise CorruptRecord(f"Line {number}: {line.strip()!r} isn't a numbered move.", len(moves))
            elif not moves:
                head.append(line)
        try:
            table = tomllib.loads("\n".join(head))
        except tomllib.TOMLDecodeError as error:
            where = f": {error}" if "game" in text else ""  # of another text it would tell nothing
            raise CorruptRecord(
                f"This is not the record of a game, or its first lines are damaged{where}."
            ) from error
        for key in table:
            if key not in KEYS:
                raise CorruptRecord(
                    f"The record's head has an unknown key {key!r}; it has {', '.join(KEYS)}."
                )
        try:
            return msgspec.convert({**table, "moves": moves}, cls)
        except msgspec.ValidationError as error:
            raise CorruptRecord(f"The record's head is not right: {in_words(error)}.") from error

    def need_seed(self) -> str:
        """Return the seed; raises `CorruptRecord` if the record only has its hash."""
        if self.seed is None:
            raise CorruptRecord(
                "The record has the seed's hash only; a game can be replayed once it is over."
            )
        return self.seed

    def check_throws(self) -> None:
        """Raise `CorruptRecord` for a throw at a ply that the record does not have."""
        plies = {str(ply) for ply in range(1, len(self.moves) + 1)}
        for ply in self.throws:
            if ply not in plies:
                raise CorruptRecord(f"The record has a throw at ply {ply!r}, and {len(self.moves)} plies.")

    def check_settled(self) -> None:
        """Raise `CorruptRecord` where the players cannot have ended the game as the head says."""
        if self.settled is None:
            return
        loser = self.settled.loser
        if self.seats < 2 or loser > self.seats or (loser == 0) != (self.settled.reason == "agreement"):
            raise CorruptRecord(
                f"The record's players cannot have ended it so: {self.settled.reason} of seat {loser}."
            )

    def check_rules(self, version: int) -> None:
        """Raise `CorruptRecord` if the record was made under other rules."""
        if self.rules != version:
            raise CorruptRecord(
                f"The record was made with version {self.rules} of the rules of {self.game}; "
                f"these are version {version}."
            )

    def corrupt(self, ply: int, move: str, error: Exception) -> CorruptRecord:
        """Return the error for a move that cannot be played."""
        reason = str(error) if isinstance(error, BartizanError) else type(error).__name__
        clause = getattr(error, "clause", "")
        return CorruptRecord(f"Ply {ply}, '{move}': {reason}" + (f" ({clause})" if clause else ""), ply)


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key)


def _toml(value: Any) -> str:
    """Write a value as TOML; JSON's texts, numbers and lists are TOML's."""
    if isinstance(value, dict):
        return (
            "{ " + ", ".join(f"{_key(key)} = {_toml(each)}" for key, each in value.items()) + " }"
            if value
            else "{}"
        )
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(each) for each in value) + "]"
    return json.dumps(value)
