"""Show a table to a seat: the scene, and the requests that the seat may make."""

from __future__ import annotations

from bartizan.tables.agreement import USUAL
from bartizan.tables.entries import LABELS, allowed
from bartizan.tables.messages import Fair, Opened, Sync
from bartizan.tables.state import TableState


def opened(state: TableState) -> Opened:
    """Return what stays the same at the table and everyone may know."""
    return Opened(
        table=state.row.table,
        setting=state.setting,
        seed_hash=state.seed_hash,
        agreement=USUAL if state.row.agreement == USUAL else state.row.agreement,
        buttons=LABELS,
    )


def news(state: TableState, seat: int) -> Sync | Fair:
    """Return everything to send a seat about the table; before the deal, what the table waits for."""
    fair = None if state.is_dealt else state.exchange.told(state.version, seat)
    return fair or sync(state, seat)


def sync(state: TableState, seat: int) -> Sync:
    """Return everything to send a seat about the table as it stands."""
    return Sync(
        version=state.version,
        scene=state.scene(seat),
        allowed=allowed(state, seat),
        hints_used=state.hints[seat] if seat else sum(state.hints),
        hints=tuple(state.hints[1:]) if state.row.seats > 1 else (),
        invited=state.invited,
        elsewhere=max(0, len(state.browsers.get(seat, ())) - 1),
        undos_used=state.undos[seat] if seat else sum(state.undos),
        players=tuple(state.players[1:]),
        draw_offer=state.draw_offer,
        rematch=state.rematch,
        proposal=state.proposal,
        news=state.news,
        adjourned=state.adjourned and not state.is_over,
        series=state.series(),
        head=state.head,
    )
