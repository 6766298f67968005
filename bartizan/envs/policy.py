"""Let a trained policy take a seat: a network in an ONNX file, evaluated once per move.

A file can come from anywhere, so it is checked completely before anything in it runs: its size, that it is
self-contained, that it has only plain operators and no loops, and that inputs and outputs are this game's
observations and actions. docs/policies.md describes the format.
"""

from __future__ import annotations

import hashlib
import logging
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bartizan.engine.errors import BartizanError, first_line, nearest
from bartizan.engine.extras import MissingExtra, require
from bartizan.engine.files import reason
from bartizan.engine.game import ANY_OUTCOME, POLICY, Game, GameState, Guest
from bartizan.envs.settings import check_choice, check_game
from bartizan.envs.variants import observed_layout, option_numbers
from bartizan.search.learned import Sight
from bartizan.search.players import Player, PlyHistory, PolicyPlayer, policy_of

if TYPE_CHECKING:
    import onnx

SUFFIX = ".onnx"
SHIPPED = "shipped"  # in place of a file after ``policy:``, the policy that comes with the package
LARGEST = 128 * 1024 * 1024  # bytes in a file
SLOWEST = 1.0  # seconds that an evaluation may take
OBSERVATION, TOKENS, LOGITS = "observation", "tokens", "logits"
# A file's metadata: its game, whether its actions are reports of throws, whether it observes options.
GAME_KEY, SKILL_KEY, OPTIONS_KEY = "bartizan.game", "bartizan.skill", "bartizan.options"
OBSERVED = "observed"  # the only value of the last
INTEGERS = {"tensor(int8)": np.int8, "tensor(int16)": np.int16, "tensor(int32)": np.int32}
INTEGERS |= {"tensor(int64)": np.int64}
FLOATS = {"tensor(float)": np.float32}
OBSERVATIONS = {"tensor(int8)": np.int8, **FLOATS}
PLAIN = ("", "ai.onnx")  # the domain of ONNX's own operators


class BadPolicy(BartizanError):
    """A file that doesn't hold a policy for this game."""

    code = "bad_policy"


class Port(NamedTuple):
    """An input or output of a network, as its file declares it."""

    name: str
    type: str  # such as "tensor(float)"
    shape: tuple[object, ...]  # a number, or anything else if the size is free


class Policy:
    """A checked network that scores the actions of one game."""

    def __init__(self, game: Game, path: str | Path, *, named: Path | None = None) -> None:
        """Read and check a file; raises `BadPolicy`, and `MissingExtra` without onnxruntime.

        Errors call it `named`, if that is given.
        """
        self.game = check_game(game)
        self.path = Path(path)
        data = _read(self.path)
        self.digest = hashlib.blake2b(data, digest_size=16).hexdigest()
        try:
            self._session: Any = _session(data)
            said = self._session.get_modelmeta().custom_metadata_map
            self._check_origin(said)
            self.observes_options = OPTIONS_KEY in said
            self._size = observed_layout(self.game, self.observes_options).size
            self._inputs = self._check_ports()
            self._try()
        except BadPolicy as error:
            raise BadPolicy(f"{named or self.path} isn't a policy for {self.game.title}: {error}") from error
        # A policy that was trained to choose reports themselves is offered all of them.
        self._offers_all = said.get(SKILL_KEY) == ANY_OUTCOME
        self._sight = Sight(self.game)

    @property
    def reads_tokens(self) -> bool:
        """Whether it scores each legal action by its tokens, instead of all actions by their ids."""
        return TOKENS in self._inputs

    def choose(self, game_state: GameState, legal: Sequence[int]) -> int:
        """Return the highest-scored of some legal actions, ascending; of equals the first."""
        offered = legal if self._offers_all else self._sight.offered(game_state, legal)
        if len(offered) == 1:
            return offered[0]
        scores = self.logits(game_state, offered)
        return offered[int(np.argmax(np.where(np.isnan(scores), -np.inf, scores)))]

    def logits(self, game_state: GameState, actions: Sequence[int]) -> NDArray[np.float32]:
        """Return the scores of some actions (k,) where a seat is to move, from what that seat can know."""
        described = actions if self.reads_tokens else ()
        observation, tokens = self._sight.of(game_state, described, self._size)
        if self.observes_options:
            own = self.game.observer.OBSERVATION.size
            observation[own:] = option_numbers(self.game, game_state)
        scores = self._run(observation[None], tokens)
        return scores if self.reads_tokens else scores[np.array(actions)]

    def _run(self, observation: NDArray[np.int8], tokens: NDArray[np.int16]) -> NDArray[np.float32]:
        given: dict[str, NDArray[Any]] = {OBSERVATION: observation, TOKENS: tokens}
        fed: dict[str, NDArray[Any]] = {
            name: given[name].astype(kind, copy=False) for name, kind in self._inputs.items()
        }
        try:
            (found,) = self._session.run([LOGITS], fed)
        except Exception as error:  # ONNX Runtime has no common base class for its errors
            raise BadPolicy(f"it fails when it is evaluated ({first_line(error)[:200]}).") from error
        wanted = len(tokens) if self.reads_tokens else self.game.actions.size
        if found.size != wanted:
            raise BadPolicy(f"{LOGITS} came out with the shape {found.shape}, not {wanted} of them.")
        return np.asarray(found, np.float32).reshape(wanted)

    def _check_origin(self, said: dict[str, str]) -> None:
        made_for = said.get(GAME_KEY, self.game.name)
        if made_for != self.game.name:
            raise BadPolicy(f"it was made for {made_for!r}.")
        if said.get(OPTIONS_KEY, OBSERVED) != OBSERVED:
            raise BadPolicy(
                f"its {OPTIONS_KEY} is {said[OPTIONS_KEY][:40]!r}; it must be {OBSERVED!r}, or left out."
            )

    def _check_ports(self) -> dict[str, type]:
        """Return the dtype of each input; raises `BadPolicy` for wrong names, types or shapes."""
        inputs = [Port(each.name, each.type, tuple(each.shape)) for each in self._session.get_inputs()]
        outputs = [Port(each.name, each.type, tuple(each.shape)) for each in self._session.get_outputs()]
        names = [each.name for each in inputs]
        if sorted(names) not in ([OBSERVATION], [OBSERVATION, TOKENS]):
            raise BadPolicy(
                f"its inputs are {_listed(names)}; they must be {OBSERVATION!r}, or also {TOKENS!r}."
            )
        if LOGITS not in [each.name for each in outputs]:
            raise BadPolicy(
                f"its outputs are {_listed([each.name for each in outputs])}; there is no {LOGITS!r}."
            )
        observer = self.game.observer
        rows: Sequence[tuple[int | None, ...]] = [(1, self.game.actions.size)]
        if TOKENS in names:
            rows = [(None,), (None, 1)]
        kinds: dict[str, type] = {}
        for port in inputs:
            if port.name == OBSERVATION:
                self._check_size(port)
                kinds[port.name] = _check(port, OBSERVATIONS, [(1, self._size)])
            else:
                kinds[port.name] = _check(port, INTEGERS, [(None, observer.TOKENS.width)])
        output = next(port for port in outputs if port.name == LOGITS)
        _check(output, FLOATS, rows)
        return kinds

    def _check_size(self, port: Port) -> None:
        """Raise `BadPolicy` if it observes options without saying so."""
        whole = observed_layout(self.game, observe_options=True).size
        if self._size < whole and port.shape[-1:] == (whole,):
            raise BadPolicy(
                f"{port.name!r} has the shape {_shape(port.shape)}, as if it observed options, "
                "but the file doesn't say that it does: save it with observe_options=True."
            )

    def _try(self) -> None:
        """Evaluate it for one action and for the largest number; raises `BadPolicy` if that is too slow."""
        observer = self.game.observer
        observation = np.zeros((1, self._size), np.int8)
        for count in (1, self.game.max_legal) if self.reads_tokens else (1,):
            began = time.perf_counter()
            self._run(observation, np.zeros((count, observer.TOKENS.width), np.int16))
            taken = time.perf_counter() - began
            if taken > SLOWEST:
                raise BadPolicy(
                    f"it takes {taken:.1f} seconds per evaluation; at most {SLOWEST:g} is allowed."
                )


class TrainedPlayer(Player):
    """Plays the legal action that a trained policy scores highest."""

    def __init__(self, policy: Policy, skill: str, seed: int) -> None:
        self.policy = policy
        name = f"greedy:{skill}" if skill else "greedy"
        throwing = policy_of(policy.game, name)
        self._thrower = PolicyPlayer(policy.game, throwing, seed)
        self.skill = self._thrower.skill

    def choose(self, game_state: GameState, legal: Sequence[int], history: PlyHistory | None = None) -> int:
        """Return one of the legal actions; for a throw, its actual result rather than the intended one."""
        wish = self.wish(game_state, legal, history)
        return self._thrower.choose(game_state, [wish]) if self.skill else wish

    def wish(self, game_state: GameState, legal: Sequence[int], history: PlyHistory | None = None) -> int:
        """Return the action that the policy prefers."""
        return self.policy.choose(game_state, legal)


def admit(game: Game, path: str | Path, name: str | None = None) -> str:
    """Let the policy in a file play a game in this process; return the player's name, ``policy:FILE``.

    `name` replaces the file's path. In games with throws, the name may be followed by a skill.
    Raises `BadPolicy`, `UnknownGame`, `MissingExtra`.
    """
    policy = Policy(game, path)
    player = POLICY + (name or str(path))

    def guest(skill: str) -> Guest:
        return Guest(lambda seed: TrainedPlayer(policy, skill, seed), policy.digest)

    game.guests[player] = guest("")
    for skill in game.throw_skills:
        game.guests[f"{player}:{skill}"] = guest(skill)
    return player


def admit_folder(games: Sequence[Game], folder: str | Path) -> dict[str, str]:
    """Let the policies in a folder play; return the files that name no game, with the reason.

    A file plays the game named in it. The player's name is ``policy:`` plus the file's name without its
    extension. Raises `BadPolicy` if the path isn't a folder, or has no policies.
    """
    place = Path(folder)
    try:
        paths = sorted(path for path in place.iterdir() if path.suffix == SUFFIX)
    except OSError as error:
        raise BadPolicy(f"{place} cannot be read: {reason(error)}.") from error
    if not paths:
        raise BadPolicy(f"{place} holds no policy: there is no file *{SUFFIX} in it.")
    known = {game.name: game for game in games}
    refused: dict[str, str] = {}
    for path in paths:
        try:
            made_for = game_of(path)
            if made_for not in known:
                raise BadPolicy(f"{path} does not say for which game it was made; `policy.save` writes that.")
            admit(known[made_for], path, path.stem)
        except BadPolicy as error:
            refused[path.name] = str(error)
    return refused


def game_of(path: str | Path) -> str:
    """Return the game for which a file says it was made, ``""`` if it doesn't say; raises `BadPolicy`."""
    data = _read(Path(path))
    try:
        model = _parse(data)
    except BadPolicy as error:
        raise BadPolicy(f"{path} isn't a policy: {error}") from error
    return next((each.value for each in model.metadata_props if each.key == GAME_KEY), "")


def save(
    model: bytes | onnx.ModelProto,
    game: str | Game,
    path: str | Path,
    skill: str | None = None,
    *,
    observe_options: bool = False,
) -> Policy:
    """Save a network as a policy: name its game in the metadata, and check it before the file is written.

    Args:
        model: ONNX; `from_torch` makes it from a PyTorch module.
        game: which it plays.
        path: of the file, which ends in ``.onnx``.
        skill: ``"any"`` if it was trained to choose reports of throws themselves, as in ``bartizan.batch``.
        observe_options: whether it was trained on observations that end with the table's options.

    Raises `BadPolicy` if the model isn't a policy for this game, `BadSetting`, `Unwritable`.
    """
    from bartizan.engine.files import replacing

    known = check_game(game)
    target = Path(path)
    if target.suffix != SUFFIX:
        raise BadPolicy(f"{target} must end in {SUFFIX}.")
    if skill:
        check_choice(skill, "skill", (ANY_OUTCOME, *known.throw_skills))
    if not isinstance(model, bytes):
        if not hasattr(model, "SerializeToString"):
            raise BadPolicy(
                f"a {type(model).__name__} isn't an ONNX model; `from_torch` makes one from a module."
            )
        model = model.SerializeToString()  # a copy, as the caller's stays as it is
    read = _parse(model)
    said = {GAME_KEY: known.name, SKILL_KEY: skill or "", OPTIONS_KEY: OBSERVED if observe_options else ""}
    for key, value in said.items():
        for at in reversed(range(len(read.metadata_props))):
            if read.metadata_props[at].key == key:
                del read.metadata_props[at]
        if value:
            entry = read.metadata_props.add()
            entry.key, entry.value = key, value
    with replacing(target) as part:
        part.write_bytes(read.SerializeToString())
        Policy(known, part, named=target)
    return Policy(known, target)


def from_torch(
    module: Any, game: str | Game, *, tokens: bool = False, observe_options: bool = False
) -> bytes:
    """Return a PyTorch module as ONNX, for `save`.

    Args:
        module: called with an observation, float32 (1, size), it returns logits (1, actions); with `tokens`
            it also gets the tokens of the legal actions, int64 (k, width), and returns logits (k,).
        game: which it plays.
        tokens: whether it reads them.
        observe_options: whether its observation ends with the table's options.

    Raises `BadPolicy` if it is no module or can't be called like that, and `MissingExtra` without torch or
    onnxscript.
    """
    try:
        import onnxscript  # noqa: F401 - PyTorch's exporter is written with it
        import torch
    except ImportError as error:
        raise MissingExtra(f"{error.name} is not installed: pip install torch onnxscript") from error
    known = check_game(game)
    observer, size = known.observer, observed_layout(known, observe_options).size
    given: list[Any] = [torch.zeros((1, size))]
    names: list[str] = [OBSERVATION]
    free: list[dict[int, Any]] = [{}]
    if tokens:
        given.append(torch.zeros((3, observer.TOKENS.width), dtype=torch.int64))
        names, free = [OBSERVATION, TOKENS], [{}, {0: torch.export.Dim.DYNAMIC}]
    if not isinstance(module, torch.nn.Module):
        raise BadPolicy(f"a {type(module).__name__} isn't a PyTorch module.")
    was_training = module.training
    module.eval()
    try:
        _try(module, dict(zip(names, given, strict=True)))
        with _quiet_exporter():
            program: Any = torch.onnx.export(
                module,
                tuple(given),
                input_names=names,
                output_names=[LOGITS],
                dynamic_shapes=tuple(free),
                dynamo=True,
                verbose=False,
            )
    finally:
        module.train(was_training)
    made: bytes = program.model_proto.SerializeToString()
    return made


def _try(module: Any, given: Mapping[str, Any]) -> None:
    """Call a module as the exporter will, which prints pages if that fails; raises `BadPolicy`."""
    import torch

    try:
        with torch.no_grad():
            module(*given.values())
    except Exception as error:
        shapes = " and ".join(f"{name} {tuple(each.shape)}" for name, each in given.items())
        raise BadPolicy(f"the module can't be called with {shapes}: {error}") from error


@contextmanager
def _quiet_exporter() -> Iterator[None]:
    """Keep PyTorch's exporter from warning about packages that no one asked for, and about its future."""
    logger = logging.getLogger("torch.onnx")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            yield
    finally:
        logger.setLevel(level)


# --- Reading files from anywhere


def _read(path: Path) -> bytes:
    """Return the bytes of a file that isn't too large; raises `BadPolicy`."""
    try:
        if not path.is_file():
            what = "is a folder" if path.is_dir() else "isn't a file" if path.exists() else "is not there"
            meant = nearest(str(path), (SHIPPED, *map(str, path.parent.glob(f"*{SUFFIX}"))))
            raise BadPolicy(f"{path} {what}; a policy is a file *{SUFFIX}.{meant}")
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:  # a zero byte in a path is a ValueError
        told = reason(error) if isinstance(error, OSError) else str(error)
        raise BadPolicy(f"{path} cannot be read: {told}.") from error
    if len(data) > LARGEST:
        raise BadPolicy(f"{path} is larger than {LARGEST // 2**20} MiB, the most that a policy may be.")
    return data


def _parse(data: bytes) -> onnx.ModelProto:
    """Parse a file without running anything in it; raises `BadPolicy`."""
    require("policy", "A trained policy")
    import onnx
    from google.protobuf.message import DecodeError

    try:
        model: onnx.ModelProto = onnx.load_model_from_string(data)
    except DecodeError as error:
        raise BadPolicy("it isn't an ONNX file.") from error
    if not model.graph.node:
        raise BadPolicy("it isn't an ONNX file, or has no network.")
    return model


def _session(data: bytes) -> Any:
    """Return a session that runs the network on one thread, after checking everything in it."""
    _check_graph(_parse(data))
    import onnxruntime as runtime

    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # the same results at each evaluation
    options.use_deterministic_compute = True
    options.log_severity_level = 4  # what is wrong comes as an error
    try:
        return runtime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # ONNX Runtime has no common base class for its errors
        raise BadPolicy(f"ONNX Runtime rejects it ({first_line(error)[:200]}).") from error


def _check_graph(model: onnx.ModelProto) -> None:
    """Check that there are only plain operators: no other files, no loops, nothing that isn't ONNX's own."""
    if model.functions:
        raise BadPolicy("it has functions of its own; export it with its functions inlined.")
    for node in model.graph.node:
        if node.domain not in PLAIN:
            raise BadPolicy(f"its operator {node.op_type!r} is of {node.domain!r}, not of ONNX itself.")
        if any(each.HasField("g") or each.graphs for each in node.attribute):
            raise BadPolicy(f"its operator {node.op_type!r} has a network inside, for loops or branches.")
    for tensor in _tensors(model):
        if tensor.data_location or tensor.external_data:
            raise BadPolicy(f"its weights {tensor.name!r} lie in another file; save it as one file.")


def _tensors(model: onnx.ModelProto) -> Iterator[onnx.TensorProto]:
    """Yield all tensors of a network without subgraphs."""
    yield from model.graph.initializer
    for sparse in model.graph.sparse_initializer:
        yield from (sparse.values, sparse.indices)
    for node in model.graph.node:
        for each in node.attribute:
            yield from (each.t, *each.tensors)
            for sparse in (each.sparse_tensor, *each.sparse_tensors):
                yield from (sparse.values, sparse.indices)


def _check(port: Port, kinds: dict[str, Any], shapes: Sequence[tuple[int | None, ...]]) -> type:
    """Return the dtype of an input or output; raises `BadPolicy` for another type or shape.

    A size of None must be free; if a number is required, the file may also leave it free.
    """
    if port.type not in kinds:
        raise BadPolicy(f"{port.name!r} is {port.type}; it must be {' or '.join(kinds)}.")
    for shape in shapes:
        if len(shape) == len(port.shape) and all(map(_fits, port.shape, shape)):
            kind: type = kinds[port.type]
            return kind
    written = " or ".join(_shape(shape) for shape in shapes)
    raise BadPolicy(f"{port.name!r} has the shape {_shape(port.shape)}; here it must be {written}.")


def _fits(size: object, wanted: int | None) -> bool:
    is_free = not isinstance(size, int)
    return is_free or (wanted is not None and size == wanted)


def _shape(shape: Sequence[object]) -> str:
    return f"({', '.join(str(each) if isinstance(each, int) else 'n' for each in shape)})"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(repr(name[:40]) for name in names[:6]) or "none"
