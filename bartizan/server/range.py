"""Let people practise throws without a game: how cards can be thrown, a card's path, a practice throw."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Any, TypeVar

from litestar import Request, get, post
from litestar.datastructures import State

from bartizan.engine.extras import require
from bartizan.engine.layout import Chair, Flown
from bartizan.server.admission import Admission
from bartizan.server.problems import says
from bartizan.server.schema import (
    HitRate,
    HitRates,
    Path,
    PathRequest,
    PracticeThrow,
    ThrowFieldInfo,
    ThrowForm,
    ThrowMethodInfo,
)
from bartizan.tables.errors import TooMany
from bartizan.tables.registry import TableRegistry

T = TypeVar("T")

LABELS = {"lob": "Lob", "frisbee": "Frisbee", "flip": "Flip"}
WAYS = {
    "lob": "Thrown in an arc, so that it lands flat.",
    "frisbee": "Flicked with spin, which keeps it level.",
    "flip": "Turning end over end.",
}
STEPS = {"m/s": 0.05, "degrees": 1.0, "m": 0.01, "rad/s": 1.0}  # by unit
HUMAN_NOISE = 1.0
FARTHEST = 5.0  # metres from the middle of a table to a chair
REFUSED = says(400, 429, 503)


@get("/api/throws", operation_id="readThrows", sync_to_thread=True)
def read_throws() -> ThrowForm:
    """Return how cards can be thrown, and the table of the practice range."""
    from bartizan.throwing.release import RANGES
    from bartizan.throwing.standard import standard_layout

    return ThrowForm(
        methods=tuple(
            ThrowMethodInfo(
                name=method,
                label=LABELS[method],
                sentence=WAYS[method],
                fields=tuple(
                    ThrowFieldInfo(
                        name=name,
                        label=name.capitalize(),
                        unit=limits.unit,
                        low=-limits.high if limits.either_way else limits.low,
                        high=limits.high,
                        default=limits.default,
                        step=STEPS[limits.unit],
                        sentence=limits.meaning,
                        least=limits.low if limits.either_way else 0.0,
                    )
                    for name, limits in fields.items()
                ),
            )
            for method, fields in RANGES.items()
        ),
        layout=standard_layout(),
    )


@get("/api/throws/rates", operation_id="readHitRates", responses=says(503), sync_to_thread=True)
def read_hit_rates() -> HitRates:
    """Return how often hands hit a wall, by level and distance."""
    require("throwing", "Throwing a card")
    from bartizan.throwing.bank import BATTLEFIELDS, best_shares

    rates = (HitRate(level=level, inches=inches, share=s) for (level, inches), s in best_shares().items())
    return HitRates(rates=tuple(rates), usual=BATTLEFIELDS[0])


@post("/api/throws/path", operation_id="showPath", status_code=200, responses=REFUSED)
async def show_path(state: State, request: Request[Any, Any, Any], data: PathRequest) -> Path:
    """Return the path of a card with nothing in its way, without a random error."""

    def fly() -> Path:
        from bartizan.throwing.path import path
        from bartizan.throwing.release import BadRelease, read_release
        from bartizan.throwing.standard import standard_layout

        chair = data.chair or standard_layout().chairs[0]
        if not _is_near(chair):
            raise BadRelease(f"You can't sit more than {FARTHEST:g} m away from a table.")
        return Path(points=path(chair, read_release(data.method, data.release)))

    return await _throw(state, request, fly)


@post("/api/throws", operation_id="practise", status_code=200, responses=REFUSED)
async def practise(state: State, request: Request[Any, Any, Any], data: PracticeThrow) -> Flown:
    """Throw a card at the practice range."""

    def fly() -> Flown:
        from bartizan.throwing.hand import tremble
        from bartizan.throwing.release import read_release
        from bartizan.throwing.standard import BATTLEFIELD, standard_layout
        from bartizan.throwing.throw import throw

        release = read_release(data.method, data.release)
        if data.hand == "human":
            release = tremble(release, HUMAN_NOISE, secrets.randbits(64))
        layout = standard_layout(battlefield=data.distance or BATTLEFIELD)
        return throw(layout, 1, release).to_flown("")

    return await _throw(state, request, fly)


def _is_near(chair: Chair) -> bool:
    """Say whether a chair is near enough; NaN isn't."""
    places = (chair.castle.x, chair.castle.y, chair.castle.yaw, chair.line)
    return all(-FARTHEST <= each <= FARTHEST for each in places)


async def _throw(state: State, request: Request[Any, Any, Any], fly: Callable[[], T]) -> T:
    """Simulate a throw off the loop; raises `TooMany` if too many are waiting, and `MissingExtra`."""
    require("throwing", "Throwing a card")
    tables: TableRegistry = state.tables
    admission: Admission = state.admission
    admission.take("throws", request.scope)
    if not tables.practice.take():
        raise TooMany("Too many cards are in the air. Try again in a moment.")
    return await asyncio.get_running_loop().run_in_executor(tables.throwers, fly)


ROUTES = [read_throws, read_hit_rates, show_path, practise]
