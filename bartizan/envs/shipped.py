"""Find the trained policies that come with the package, and check them: one for each game at most.

They are in the folder ``policies``; ``policies.toml`` there says how each was made, and its digest.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Sequence
from pathlib import Path

import msgspec

import bartizan
from bartizan.engine.files import read_text, reason, replacing, write_atomically
from bartizan.engine.game import POLICY, Game
from bartizan.envs.policy import SHIPPED, SUFFIX, BadPolicy, Policy, admit

FOLDER = Path(bartizan.__file__).parent / "policies"
INDEX = "policies.toml"
LARGEST_SHIPPED = 2_000_000  # bytes


class ShippedPolicy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the index says about a policy."""

    file: str
    size: int  # bytes
    sha256: str
    made: str  # the command that made it
    deals: int  # fresh ones, from every seat
    wins: tuple[float, ...]  # what it won on them: against greedy by seat; alone, of the deals


def index() -> dict[str, ShippedPolicy]:
    """Return the shipped policies by game; raises `BadPolicy` if the index can't be read."""
    path = FOLDER / INDEX
    if not path.exists():
        return {}
    try:
        return msgspec.convert(tomllib.loads(read_text(path)), dict[str, ShippedPolicy])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadPolicy(f"{path} isn't an index of policies: {error}.") from error


def read_shipped(game: Game) -> tuple[Path, bytes]:
    """Return the path and the bytes of the shipped policy.

    Raises `BadPolicy` if there is none, or if it was changed.
    """
    known = index()
    if game.name not in known:
        has = f" There are some for {', '.join(sorted(known))}." if known else ""
        raise BadPolicy(f"No policy for {game.title} comes with Bartizan.{has} `bartizan train` makes one.")
    told = known[game.name]
    path = FOLDER / told.file
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadPolicy(f"{path} cannot be read: {reason(error)}. Install Bartizan again.") from error
    if hashlib.sha256(data).hexdigest() != told.sha256:
        raise BadPolicy(f"{path} is damaged: its SHA-256 isn't the one in {INDEX}. Install Bartizan again.")
    return path, data


def path_of(game: Game) -> Path:
    """Return the path of the shipped policy; raises `BadPolicy` as `read_shipped` does."""
    return read_shipped(game)[0]


def data_of(game: Game) -> bytes:
    """Return the bytes of the shipped policy; raises `BadPolicy` as `read_shipped` does."""
    return read_shipped(game)[1]


def ship(path: Path, game: Game, *, command: str, deals: int, wins: Sequence[float]) -> None:
    """Put a policy into the folder and the index, in place of the game's old one.

    Raises `BadPolicy` for a file that isn't a policy for this game or too large, `Unwritable`.
    """
    Policy(game, path)
    data = path.read_bytes()
    if len(data) > LARGEST_SHIPPED:
        raise BadPolicy(f"{path} has {len(data):,} bytes; a shipped policy has at most {LARGEST_SHIPPED:,}.")
    FOLDER.mkdir(exist_ok=True)
    known = index()
    known[game.name] = ShippedPolicy(
        file=f"{game.name}{SUFFIX}",
        size=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        made=command,
        deals=deals,
        wins=tuple(wins),
    )
    with replacing(FOLDER / known[game.name].file) as part:
        part.write_bytes(data)
    parts = ["# The policies in this folder: written by `make baselines`.\n"]
    for name, each in sorted(known.items()):
        fields = msgspec.to_builtins(each).items()
        parts.append(
            f"[{name}]\n"
            + "".join(f"{key} = {msgspec.json.encode(value).decode()}\n" for key, value in fields)
        )
    write_atomically(FOLDER / INDEX, "\n".join(parts))


def admit_named(game: Game, name: str) -> None:
    """Let the policy play that ``policy:FILE`` names, maybe followed by a skill; ``policy:shipped`` is ours.

    Raises `BadPolicy` for a file that is none, `MissingExtra`.
    """
    if name in game.guests:
        return
    whole = name.removeprefix(POLICY)
    if not whole:
        raise BadPolicy(f"{POLICY} names no file: write {POLICY}FILE or {POLICY}{SHIPPED}.")
    file, _, skill = whole.rpartition(":")
    if not file or (skill not in game.throw_skills and Path(whole).exists()):
        file = whole
    admit(game, path_of(game) if file == SHIPPED else file, file)
