"""Scenes written by hand, of games that do not exist: the terminal draws whatever a Scene says."""

from __future__ import annotations

from bartizan.engine.outcome import Outcome
from bartizan.engine.scene import (
    POKER_SUITS,
    PRINTED_RANKS,
    Aid,
    Choice,
    Fact,
    Item,
    Layout,
    LogLine,
    Result,
    Scene,
    Setting,
    Slot,
    Status,
    Theme,
    Zone,
)

POKER = Theme(
    suits=POKER_SUITS,
    ranks=PRINTED_RANKS,
)


def cards(*faces: str, at: str = "", flags: tuple[str, ...] = ()) -> tuple[Item, ...]:
    """Lay cards: ``?`` lies face down, ``~7c`` is face down but known."""
    return tuple(
        Item(
            id=f"{face}{number}",
            face=face if face[0] not in "?~" else "",
            back="back" if face[0] in "?~" else "",
            peek=face[1:] if face[0] == "~" else "",
            at=at,
            flags=flags,
        )
        for number, face in enumerate(faces)
    )


def army(name: str, front: str, rear: str) -> Zone:
    items = tuple(
        card
        for rank, face in (("front", front), ("rear", rear))
        if face
        for card in cards(face, at=f"{name}.{rank}")
    )
    return Zone(
        id=name,
        kind="slots",
        label=f"{name.title()} side",
        items=items,
        slots=(Slot(id=f"{name}.front", label="front"), Slot(id=f"{name}.rear", label="rear")),
        layout=Layout(area=name, direction="column"),
    )


SIEGE = Scene(
    seat=1,
    status=Status(
        ply=7,
        seat=1,
        phase="action",
        prompt="Defend, repair or end the turn.",
        round=3,
        facts=(Fact(label="Deck", value="31"), Fact(label="Keep", value="4 of 5")),
    ),
    zones=(
        army("west", "5h", "?"),
        army("north", "", "Td"),
        army("east", "Ts", "~2c"),
        Zone(
            id="keep",
            kind="pile",
            label="Keep",
            items=cards("7c", "~4h", "?", "?"),
            count=4,
            limit=5,
            layout=Layout(area="keep"),
        ),
        Zone(id="deck", kind="pile", label="Deck", items=cards("?"), count=31, layout=Layout(area="piles")),
        Zone(
            id="discard",
            kind="pile",
            label="Discard",
            items=cards("9c", "2h"),
            count=9,
            layout=Layout(area="piles"),
        ),
        Zone(
            id="hand",
            kind="fan",
            label="Hand",
            items=(*cards("8d", "5h"), *cards("4h", flags=("borrowed",))),
            count=3,
            limit=5,
            layout=Layout(area="hand", size="large"),
        ),
        Zone(id="moat", kind="counter", label="Moat", count=2, limit=6, layout=Layout(area="hand")),
    ),
    choices=(
        Choice(action=1, text="defend east.front with 8d 4h", verb="Defend", label="Beat the ten of spades"),
        Choice(action=2, text="defend east.front with 8d 5h", verb="Defend"),
        Choice(action=3, text="defend east.front with 8d 5h 4h", verb="Defend"),
        Choice(action=4, text="defend east.rear with 8d", verb="Defend"),
        Choice(action=9, text="end", verb="End the turn", label="Let them attack"),
    ),
    log=(
        LogLine(ply=6, seat=1, move="defend west.front with 9c", events=("The nine beats the five.",)),
        LogLine(ply=7, seat=1, move="end", events=("The keep holds: 3 against 7.", "You draw 4h.")),
    ),
)
SIEGE_SETTING = Setting(
    game="siege",
    title="Siege",
    seats=1,
    theme=POKER,
    areas={
        "wide": (". north .", "west keep east", "piles hand hand"),
        "narrow": ("north", "west", "east", "keep", "piles", "hand"),
    },
    aids=(Aid(id="dates", title="When they come", table=(("moon", "new"), ("night", "third"))),),
)

BOARD = Scene(
    seat=2,
    status=Status(ply=12, seat=0, phase="over", prompt="", facts=(Fact(label="Turn", value="6"),)),
    zones=(
        Zone(
            id="board",
            kind="grid",
            label="Board",
            layout=Layout(area="board", columns=3, rows=3),
            slots=tuple(
                Slot(id=f"{x}{y}", label=f"{x}{y}", kind="river" if y == 2 else "")
                for y in (3, 2, 1)
                for x in "abc"
            ),
            items=(
                Item(id="k", face="k", at="b3"),
                Item(id="W", face="W", at="a1"),
                Item(id="w", face="#", at="c1"),
            ),
        ),
        Zone(
            id="land",
            kind="map",
            label="Land",
            layout=Layout(area="land"),
            items=(Item(id="m", face="7h", at="0,0", badge="2"), Item(id="n", face="Kd", at="2,-1")),
        ),
        Zone(
            id="shelf",
            kind="table",
            label="Shelf",
            layout=Layout(area="shelf"),
            items=(Item(id="t", face="8s", at="3.5"), Item(id="u", face="9s")),
        ),
        Zone(id="row", kind="row", label="Row", layout=Layout(area="elsewhere"), items=(), count=0),
    ),
    log=(LogLine(ply=12, seat=2, move="a2-a1"),),
    result=Result(
        outcome=Outcome(winners=(2,), returns=(-1.0, 1.0), points=(0, 1), clause="BRD-9"),
        headline="Seat 2 wins.",
        text="The king has fallen.",
    ),
)
BOARD_SETTING = Setting(
    game="board",
    title="Board",
    seats=2,
    theme=POKER,
    areas={"wide": ("board land shelf",), "narrow": ("board land", "shelf shelf")},
)
