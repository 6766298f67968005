"""Handle the HTTP requests: games, rules, new tables, records and replays."""

from __future__ import annotations

import functools
import gzip
import hashlib
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import Request, Response, WebSocket, get, post, route, websocket
from litestar.datastructures import CacheControlHeader, State
from litestar.exceptions import HTTPException, SerializationException, ValidationException
from litestar.params import FromPath, FromQuery

from bartizan.engine.errors import BartizanError, UnknownGame, UnknownLesson, in_words
from bartizan.engine.extras import MissingExtra
from bartizan.engine.faults import what
from bartizan.engine.levels import Level
from bartizan.engine.mode import COMPILED
from bartizan.engine.options import OptionSet
from bartizan.server.admission import Admission
from bartizan.server.experiments import UnknownExperiment
from bartizan.server.keys import Authorization, seat_key
from bartizan.server.lab import ROUTES as LAB_ROUTES
from bartizan.server.lessons import ROUTES as LESSON_ROUTES
from bartizan.server.problems import says
from bartizan.server.range import ROUTES as RANGE_ROUTES
from bartizan.server.replays import Replays
from bartizan.server.schema import (
    ClauseInfo,
    GameFault,
    GameInfo,
    GameList,
    LevelInfo,
    OptionInfo,
    Problem,
    Replay,
    ReplayRequest,
    Rules,
    TermInfo,
)
from bartizan.server.socket import converse
from bartizan.server.static import Client
from bartizan.server.watching import ROUTES as WATCHING_ROUTES
from bartizan.tables.errors import BadToken, NotAllowed, StorageError, TooMany, UnknownTable
from bartizan.tables.messages import Analysed, NewTable, Preparation, PushState, PushWish, TableLinks
from bartizan.tables.provider import GameProvider, usual_program
from bartizan.tables.registry import TableRegistry, hash_token
from bartizan.tables.report import report

if TYPE_CHECKING:
    from bartizan.engine.game import Game

STATUS: dict[type[BartizanError], int] = {
    UnknownGame: 404,
    UnknownLesson: 404,
    UnknownTable: 404,
    UnknownExperiment: 404,
    BadToken: 403,
    NotAllowed: 403,
    TooMany: 429,
    StorageError: 503,
    MissingExtra: 503,
}
EMPTY = "'data'"  # what Litestar says of a request without a body
GONE = "client disconnected prematurely"  # Litestar's attribute names
FRESH = {"cache-control": "no-store"}
VARIES = {"vary": "accept-encoding"}
FOR_EVER = {"cache-control": "public, max-age=31536000, immutable"}  # for what has its digest in its address


def _tables(state: State) -> TableRegistry:
    tables: TableRegistry = state.tables
    return tables


def _admission(state: State) -> Admission:
    admission: Admission = state.admission
    return admission


def _games(state: State) -> GameProvider:
    games: GameProvider = state.games
    return games


def game_info(game: Game, preparation: Preparation | None = None) -> GameInfo:
    """Describe a game for a lobby."""
    return GameInfo(
        name=game.name,
        title=game.title,
        author=game.author,
        summary=game.summary,
        min_seats=game.min_seats,
        max_seats=game.max_seats,
        options=tuple(
            OptionInfo(
                key=spec.key,
                default=spec.default,
                kind=spec.kind,
                sentence=spec.sentence,
                values=tuple(spec.values),
                low=spec.low,
                high=spec.high,
                worth_comparing=spec.worth_comparing,
                proposed=spec.proposed,
                refused=_refused(game.option_set, game.min_seats)[spec.key],
            )
            for spec in game.options
        ),
        players=tuple(game.players()),
        opponent=_opponent(game),
        emblem=game.emblem,
        lessons=game.has_lessons,
        puzzles=game.has_puzzles,
        picture=f"/api/games/{game.name}/picture.svg?of={_tag(game.picture)}" if game.picture else "",
        line=game.clauses.line,
        minutes=game.clauses.minutes,
        difficulty=game.clauses.difficulty,
        deals=game.chance,
        levels=tuple(
            LevelInfo(name=level.name, about=_about(level, weaker))
            for weaker, level in zip((None, *game.player_levels), game.player_levels, strict=False)
        ),
        preparation=preparation,
    )


@functools.cache  # lobbies ask for it all the time
def _refused(options: type[OptionSet], seats: int) -> dict[str, tuple[int | str, ...]]:
    """Return by option the values that don't go with the defaults of all others."""
    return {
        spec.key: tuple(each for each in spec.values if not options.goes_together({spec.key: each}, seats))
        for spec in options.specs()
    }


def _opponent(game: Game) -> str:
    """Return a program for beginners: the second level."""
    levels = game.player_levels
    return levels[min(1, len(levels) - 1)].name if levels else usual_program(game.players())


def _about(level: Level, weaker: Level | None) -> str:
    """Describe in a few words how a level plays; `weaker` is the one below it."""
    percent = level.random_move_percent
    slips = f"plays {percent}% of its moves at random" if percent else ""
    if level.milliseconds:
        seconds = level.milliseconds / 1000
        looks = "thinks for 1 second" if seconds == 1 else f"thinks for {seconds:g} seconds"
    elif level.iterations:
        looks = "looks further ahead" if weaker and weaker.searches else "looks a few moves ahead"
    elif level.learned:
        looks = "has learned from many games"
    else:
        looks = ""
    return ", ".join(filter(None, (looks, slips))) or "looks one move ahead"


@get("/api/games", operation_id="listGames")
async def list_games(state: State, request: Request[Any, Any, Any]) -> Response[GameList]:
    """List the installed games, and what is wrong with those that can't be played."""
    games, infos = _games(state), []
    broken = dict(games.broken())
    for name in games.names():
        if COMPILED and name in broken:  # it failed its trial
            continue
        try:
            infos.append(game_info(games.game(name), games.preparation(name, "table")))
        except Exception as error:  # noqa: BLE001 - one game's files must not hide the others
            broken[name] = what_fails(error)
    told = GameList(
        games=tuple(infos),
        broken=tuple(GameFault(name=name, sentence=broken[name]) for name in sorted(broken)),
    )
    return (
        Response(told) if not _takes_gzip(request) else _packed(msgspec.json.encode(told), "application/json")
    )


def what_fails(error: Exception) -> str:
    """Describe an error in a game's files in a sentence."""
    from bartizan.engine import registry

    report(error)
    return str(error) if isinstance(error, BartizanError) else registry.fault_of(error) or f"{what(error)}."


@get("/api/games/{game:str}/picture.svg", operation_id="readPicture", responses=says(404))
async def read_picture(
    state: State, request: Request[Any, Any, Any], game: FromPath[str], of: FromQuery[str] = ""
) -> Response[bytes]:
    """Return a game's picture, an SVG; with its digest as `of` it may be cached forever."""
    picture = _games(state).game(game).picture
    if not picture:
        raise HTTPException(status_code=404, detail=f"The game {game!r} has no picture.")
    kept = FOR_EVER if of == _tag(picture) else FRESH
    if _takes_gzip(request):
        return _packed(picture, "image/svg+xml", kept)
    return Response(picture, media_type="image/svg+xml", headers=kept | VARIES)


def _tag(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


def _takes_gzip(request: Request[Any, Any, Any]) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


def _packed(body: bytes, media_type: str, headers: dict[str, str] | None = None) -> Response[Any]:
    """Respond with a large public body, compressed to a fifth."""
    packed = gzip.compress(body, mtime=0)
    return Response(
        packed, media_type=media_type, headers={**(headers or {}), **VARIES, "content-encoding": "gzip"}
    )


@get("/api/games/{game:str}/rules", operation_id="readRules", responses=says(400, 404))
async def read_rules(state: State, game: FromPath[str]) -> Rules:
    """Return a game's rulebook."""
    rulebook = _games(state).game(game)
    clauses = tuple(
        ClauseInfo(
            id=clause.id,
            title=clause.title,
            text=clause.text,
            section=clause.section,
            ruling=clause.ruling or "",
        )
        for clause in rulebook.clauses.all()
    )
    terms = tuple(
        TermInfo(word=term.word, says=term.says, clause=term.clause) for term in rulebook.clauses.term
    )
    return Rules(title=rulebook.title, author=rulebook.author, clauses=clauses, terms=terms)


@post("/api/tables", operation_id="newTable", responses=says(400, 403, 404, 429, 503))
async def new_table(state: State, request: Request[Any, Any, Any], data: NewTable) -> TableLinks:
    """Deal a new table."""
    _admission(state).take("tables", request.scope)
    return await _tables(state).create(data)


@get(
    "/api/tables/{table:str}/record",
    operation_id="readRecord",
    media_type="text/plain",
    responses=says(400, 403, 404, 503),
)
async def read_record(
    state: State, request: Request[Any, Any, Any], table: FromPath[str], authorization: Authorization = ""
) -> Response[str]:
    """Return a table's record; before the end of the game it has the seed's hash instead of the seed."""
    session, seat = await _tables(state).open(table, seat_key(request, authorization))
    text = await session.questions.record(seat)
    name = f'attachment; filename="{session.row.game}-{session.row.table}.txt"'
    return Response(text, media_type="text/plain", headers={"content-disposition": name, **FRESH})


@get(
    "/api/tables/{table:str}/analysis",
    operation_id="analyse",
    cache_control=CacheControlHeader(no_store=True),
    responses=says(400, 403, 404, 429, 503),
)
async def analyse(
    state: State, request: Request[Any, Any, Any], table: FromPath[str], authorization: Authorization = ""
) -> Analysed:
    """Review a table's finished game; until the review is complete, return its progress every second."""
    _admission(state).take("analyses", request.scope)
    session, _ = await _tables(state).open(table, seat_key(request, authorization))
    return await session.questions.analysis()


@post(
    "/api/tables/{table:str}/push",
    operation_id="push",
    status_code=200,
    responses=says(400, 403, 404, 429, 503),
)
async def push(
    state: State,
    request: Request[Any, Any, Any],
    table: FromPath[str],
    data: PushWish,
    authorization: Authorization = "",
) -> PushState:
    """Turn notifications on or off for a browser and a seat, or say how it stands."""
    _admission(state).take("pushes", request.scope)
    tables, key = _tables(state), seat_key(request, authorization)
    session, seat = await tables.open(table, key)
    if tables.calls is None:
        return PushState()
    return await tables.calls.settle(session.row, seat, hash_token(key), data)


@post("/api/replay", operation_id="replay", status_code=200, responses=says(400, 403, 429))
async def replay(state: State, request: Request[Any, Any, Any], data: ReplayRequest) -> Replay:
    """Return the scenes of a record, ply by ply."""
    _admission(state).take("replays", request.scope)
    replays: Replays = state.replays
    return await replays.show(data)


@websocket("/ws/{table:str}")
async def table_socket(socket: WebSocket[Any, Any, Any], state: State, table: FromPath[str]) -> None:
    """Serve a table's socket; the components describe the message types."""
    await converse(socket, table, _tables(state), _admission(state))


@route(["/", "/{path:path}"], http_method=["GET", "HEAD"], include_in_schema=False)
async def client_file(request: Request[Any, Any, Any], state: State) -> Response[bytes]:
    """Serve the browser client."""
    client: Client = state.client
    return client.answer(request.url.path, request)


def on_bartizan_error(_: Request[Any, Any, Any], error: BartizanError) -> Response[bytes]:
    """Respond to an error with its sentence."""
    status = next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 400)
    return problem(status, error.code, str(error))


def on_http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """Respond to a request that could not be understood."""
    sentence = str(error.detail)
    if isinstance(error, ValidationException):
        first = error.extra[0] if isinstance(error.extra, list) and error.extra else {}
        detail = sentence
        if isinstance(first, dict) and first.get("message"):
            key = first.get("key")
            detail = in_words(first["message"], "" if key in (None, "data") else str(key))
        sentence = f"Can't read the request: {'it is empty' if detail == EMPTY else detail.rstrip('.')}."
    elif error.status_code == 404:
        sentence = "Page not found."
    elif error.status_code == 405:
        sentence = f"{request.method} isn't possible at this address."
    elif error.status_code == 413:
        sentence = "The request is too large."
    elif isinstance(error.__cause__, SerializationException):
        sentence = "Can't read the request: it isn't complete JSON."
    elif error.status_code >= 500 and sentence == GONE:
        return problem(400, "bad_request", "The request was incomplete.")
    elif error.status_code >= 500:
        report(error)
        sentence = "Something went wrong on the server. Your moves so far are saved."
    return problem(error.status_code, "bad_request" if error.status_code < 500 else "internal", sentence)


def on_unexpected(_: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Log an unexpected error without secrets, and respond with a sentence."""
    if isinstance(error, RecursionError):
        return problem(400, "bad_request", "Can't read the request: it's nested too deeply.")
    report(error)
    return problem(500, "internal", "Something went wrong on the server. Your moves so far are saved.")


def problem(status: int, code: str, sentence: str) -> Response[bytes]:
    """Return a problem as an answer."""
    body = msgspec.json.encode(Problem(code=code, sentence=sentence))
    return Response(body, status_code=status, media_type="application/json", headers=FRESH)


ROUTES = [
    *(
        list_games,
        read_rules,
        read_picture,
        new_table,
        read_record,
        analyse,
        push,
        replay,
        *RANGE_ROUTES,
        *LAB_ROUTES,
        *LESSON_ROUTES,
    ),
    *WATCHING_ROUTES,
    *(table_socket, client_file),
]
