"""People at a table: favours asked and granted, seats that are left, names, talk, and series of games."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bartizan.engine.errors import BartizanError, NothingToUndo
from bartizan.engine.outcome import Outcome
from bartizan.match import Match
from bartizan.tables import showing
from bartizan.tables.agreement import Agreement, ClockRule, is_decided, next_agreement, points_of, standing
from bartizan.tables.entries import allowed, replay, take_in
from bartizan.tables.entries.seats import Claim
from bartizan.tables.entries.undo import redo_ply, undo_ply
from bartizan.tables.errors import BadRequest, NotAllowed, TooMany
from bartizan.tables.messages import NewTable
from bartizan.tables.names import LONGEST_NAME, clean, clean_name, skeleton
from bartizan.tables.people import People
from bartizan.tables.registry import TableRegistry
from bartizan.tables.session import TableSession
from bartizan.tables.state import TableState
from bartizan.tables.store import CHAT_LINES, EntryRow, TableRow
from tests.tables.duel import DuelProvider
from tests.tables.sessions import Ear, allows, change, opened, present
from tests.waiting import until

pytestmark = pytest.mark.anyio


class Guest:
    """Somebody at a table, by one of its keys."""

    def __init__(self, table: TableSession, seat: int, ear: Ear | None = None) -> None:
        self.table, self.seat, self.ear, self.count = table, seat, ear or Ear(seat), 0

    async def come(self) -> Guest:
        self.table.subscribe(self.ear)
        await self.table.greet(self.ear)
        return self

    def go(self) -> None:
        self.table.leave(self.ear)

    @property
    def sync(self) -> dict[str, Any]:
        return dict(next(each for each in reversed(self.ear.heard) if each["type"] == "sync"))

    @property
    def version(self) -> int:
        return int(next(each["version"] for each in reversed(self.ear.heard) if "version" in each))

    def last(self, type_: str) -> dict[str, Any]:
        return dict(next(each for each in reversed(self.ear.aside) if each["type"] == type_))

    async def do(self, kind: Any, what: str | int = "") -> int:
        self.count += 1
        return await change(self.table, self.seat, kind, f"{kind}{self.count}", self.version, what)

    async def move(self, verb: str = "play") -> None:
        """Play or bury a card, and end the turn."""
        card = next(each for each in self.sync["scene"]["choices"] if each["verb"] == verb)["action"]
        await self.do("move", card)
        await self.do("move", "end")

    async def say(self, text: str = "", emote: Any = None) -> None:
        self.count += 1
        await self.table.people.say(self.seat, f"s{self.count}", text, emote)

    async def claim(self, left: int, how: Any) -> tuple[int, str]:
        self.count += 1
        told: list[Any] = []
        claim = Claim(id=f"claim{self.count}", version=self.version, seat=left, how=how)
        made = await self.table.change(self.seat, claim, told.append)
        return made, getattr(told[0], "token", "")


async def gather(tables: TableRegistry, **wanted: Any) -> tuple[list[Guest], list[str]]:
    """Return the spectator and all persons of a new table, who have come, and their keys."""
    links = await tables.create(NewTable(here="everyone", game="duel", **wanted))
    keys = [links.spectator, *filter(None, links.seats)]
    return [await Guest(*await tables.open(links.table, key)).come() for key in keys], keys


# Favours --------------------------------------------------------------------------------------------------


async def test_a_takeback_is_asked_refused_and_granted_and_goes_to_ones_own_last_move(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider()) as tables:
        (_, one, two), _ = await gather(tables)
        assert one.sync["allowed"].get("ask takeback") != ""
        await one.move()
        await two.do("move", two.sync["scene"]["choices"][0]["action"])
        assert "undo" in one.sync["allowed"]
        assert "Ask for a takeback" in one.sync["allowed"]["undo"]
        with pytest.raises(NothingToUndo, match="Ask for a takeback"):
            await one.do("undo")
        await one.do("ask", "takeback")
        asked = {"what": "takeback", "text": "@1 asked to take the last move back.", "seat": 1}
        assert two.sync["proposal"] == asked
        assert two.sync["allowed"]["grant"] == ""
        assert "grant" not in one.sync["allowed"]
        with pytest.raises(NotAllowed, match="You've agreed"):
            await one.do("grant")
        await two.do("refuse")
        declined = {"version": 5, "text": "@2 declined @1's request for a takeback."}
        assert one.sync["news"] == two.sync["news"] == declined
        with pytest.raises(NotAllowed, match="declined"):
            await one.do("ask", "takeback")
        await two.do("move", "end")
        await one.do("ask", "takeback")  # a new position, a new question
        await two.do("grant")
        sync = one.sync
        assert sync["scene"]["status"]["ply"] == 1  # before its "end"
        assert sync["scene"]["status"]["seat"] == 1
        assert sync["news"]["text"] == "@1 took a move back. @2 agreed."
        entries = await tables._log.read(one.table.row.table)
        fresh = replay(DuelProvider(), one.table.row, entries)
        assert one.table._table.state is not None
        assert showing.sync(fresh, 1).scene.status == showing.sync(one.table._table.state, 1).scene.status


async def test_a_favour_needs_all_other_persons_and_lapses_with_a_move(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider()) as tables:
        (_, one, two, three), _ = await gather(tables, seats=3)
        await one.move()
        await one.do("ask", "takeback")
        await three.do("grant")
        assert one.sync["proposal"]["agreed"] == [3]
        assert one.sync["scene"]["status"]["ply"] == 2
        with pytest.raises(NotAllowed, match="You've agreed"):
            await three.do("grant")
        await two.do("move", two.sync["scene"]["choices"][0]["action"])
        assert "proposal" not in one.sync
        with pytest.raises(NotAllowed, match="no request to answer"):
            await two.do("grant")
        await one.do("ask", "adjourn")
        await one.do("refuse")  # thought better of it
        assert "proposal" not in two.sync
        assert two.sync["news"]["text"] == "@1 withdrew the request to adjourn."
        await one.do("ask", "adjourn")


async def test_wishes_cannot_fill_the_log(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider(), wish_burst=2.0, wishes_per_second=0.0) as tables:
        (_, one, _), _ = await gather(tables)
        for _ in range(2):
            await one.do("ask", "adjourn")
            await one.do("refuse")
        with pytest.raises(TooMany):
            await one.do("ask", "adjourn")


def against_program(game: str, seed: str) -> TableState:
    match = Match(game, {}, 2, seed)
    row = TableRow("t", game, match.game.rules_version, {}, 2, ("person", "greedy"), seed, (b"", b"", b""))
    return TableState(row, match)


def test_against_a_program_both_moves_are_taken_back_where_nothing_was_shown() -> None:
    """The way back from a reply: without hidden things to one's own last move, else a reason is given."""
    state = against_program("castle-danger", "5")
    person = [move for move in range(40) if not state.is_over]
    for _ in person:
        mover = state.seat_to_move
        take_in(state, EntryRow("move", mover, state.match.check(state.match.legal()[0]).text))
        if mover == 2 and state.seat_to_move == 1:
            break
    own = max(at for at, move in enumerate(state.line) if move.seat == 1)
    assert own < state.match.ply - 1  # the program has moved since
    assert undo_ply(state, 1) == own
    before = state.match.ply
    take_in(state, EntryRow("undo", 1, str(own)))
    assert state.seat_to_move == 1
    assert state.match.ply == own
    assert redo_ply(state, 1) == before
    take_in(state, EntryRow("redo", 1, str(before)))
    assert state.match.ply == before


@pytest.mark.parametrize("verb", ["play", "bury"])
def test_a_reply_that_shows_a_card_is_a_reason_not_to_undo(verb: str) -> None:
    row = TableRow("t", "duel", 1, {}, 2, ("person", "greedy"), "1", (b"", b"", b""))
    state = replay(DuelProvider(), row, [])
    assert "undo" not in allowed(state, 1)  # there is nothing to take back
    hands = [zone.items for zone in state.match.views.scene(2).zones if zone.id == "hand2"]
    card = hands[0][0].face
    mine = next(choice.text for choice in state.scene(1).choices if choice.verb == "bury")
    for seat, text in ((1, mine), (1, "end"), (2, f"{verb} {card}")):
        take_in(state, EntryRow("move", seat, text))
    assert "Wait for the computer" in allowed(state, 1)["undo"]
    take_in(state, EntryRow("move", 2, "end"))
    if verb == "bury":
        assert undo_ply(state, 1) == 1
    else:
        assert not allows(state, 1, "undo")
        assert "something new" in allowed(state, 1)["undo"]


# Seats that are left --------------------------------------------------------------------------------------


async def test_a_seat_that_was_left_is_played_by_a_program_until_its_person_is_back(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider(), claim_after=0.02) as tables:
        (watcher, one, two), _ = await gather(tables)
        with pytest.raises(NotAllowed, match="long enough"):
            await one.claim(2, "program")
        two.go()
        await until(lambda: one.last("present").get("left") == [2])
        with pytest.raises(NotAllowed, match="Spectators"):
            await watcher.claim(2, "program")
        with pytest.raises(NotAllowed, match="isn't another player's seat"):
            await one.claim(1, "program")
        await one.claim(2, "program")
        assert one.sync["players"] == ["person", "greedy"]
        await one.move()
        two = await Guest(two.table, 2).come()
        assert two.sync["allowed"] == {"return": ""}
        with pytest.raises(NotAllowed, match="played by"):
            await two.do("resign")
        await two.do("return")
        assert one.sync["players"] == ["person", "person"]
        assert "return" not in two.sync["allowed"]


async def test_nobody_has_to_be_there_in_a_game_over_days(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider(), claim_after=0.0) as tables:
        (_, one, two), _ = await gather(tables, clock=ClockRule(kind="days", seconds=86_400))
        two.go()
        assert "left" not in one.last("present")
        for how in ("program", "adjourn"):
            with pytest.raises(NotAllowed, match="long enough"):
                await one.claim(2, how)


async def test_a_spectator_takes_a_place_over_with_a_key_of_its_own(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider(), claim_after=0.0) as tables:
        (watcher, one, two), keys = await gather(tables)
        two.go()
        name = one.table.row.table
        with pytest.raises(NotAllowed, match=r"can't see a hand.* A spectator or the computer can take"):
            await one.claim(2, "key")
        _, token = await watcher.claim(2, "key")
        assert token not in keys
        assert (await tables.open(name, token))[1] == 2
        assert (await tables.open(name, keys[2]))[1] == 2  # whoever left may come back
        entry = (await tables._log.read(name))[-1]
        assert (entry.kind, entry.text) == ("claim", "key 2")
        assert token not in repr(entry)
    async with opened(tmp_path, DuelProvider()) as tables:
        table, seat = await tables.open(name, token)
        assert seat == 2
        assert (await present(table, 2))["players"] == ["person", "person"]
        guests = [await Guest(table, each).come() for each in (1, 2)]
        await guests[0].do("resign")
        await guests[0].do("rematch")
        await guests[1].do("rematch")
        following = guests[0].sync["rematch"]["table"]
        assert (await tables.open(following, token))[1] == 1


async def test_the_game_with_somebody_who_left_is_adjourned_and_taken_up_again(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider(), claim_after=0.0) as tables:
        (_, one, two), _ = await gather(tables)
        two.go()
        await one.claim(2, "adjourn")
        assert one.sync["adjourned"]
        with pytest.raises(NotAllowed, match="adjourned"):
            await one.do("move", "end")
        await one.do("resume")
        assert "adjourned" not in one.sync
        assert one.sync["news"]["text"] == "@1 resumed the game."
        await one.move()


async def test_everyone_hears_that_a_program_plays_for_whoever_resigned(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider()) as tables:
        (_, one, two, three), _ = await gather(tables, seats=3)
        await two.do("resign")
        for guest in (one, two, three):
            assert guest.sync["news"]["text"] == "@2 resigned. The computer plays on."
        assert "result" not in one.sync["scene"]
        assert one.sync["scene"]["status"]["prompt"] == "You are seat 1."
        assert two.sync["scene"]["status"]["prompt"] == "They play."  # nothing is asked of a spectator


# Names and talk -------------------------------------------------------------------------------------------


async def test_names_are_told_to_all_and_survive_the_server(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider()) as tables:
        (watcher, one, two), keys = await gather(tables)
        await one.table.introduce(1, "  Ada \u202eLovelace\u200b\n", "lion azure")
        anna = {"seat": 1, "name": "Ada Lovelace", "arms": "lion azure"}
        for guest in (watcher, one, two):
            assert guest.last("present")["persons"] == [anna]
        for name in (
            "greedy",
            "G r e e d y",
            "Blue",
            "ada lovelace",
            "Аda Lovelace",
            "Seat 2",
            "Bartizan",
            "…",
        ):
            with pytest.raises(BadRequest):
                await two.table.introduce(2, name, "")
        with pytest.raises(BadRequest, match="lion"):
            await two.table.introduce(2, "Bo", "lyon azure")
        with pytest.raises(NotAllowed):
            await watcher.table.introduce(0, "Eve", "")
        name = one.table.row.table
        assert await tables._log.read(name) == []  # none of it is in the log
    async with opened(tmp_path, DuelProvider()) as tables:
        guest = await Guest(*await tables.open(name, keys[0])).come()
        assert guest.last("present")["persons"] == [anna]
        await guest.table.introduce(1, "Ada", "")  # changed at any time
        assert guest.last("present")["persons"] == [{"seat": 1, "name": "Ada"}]


async def test_lines_reach_all_who_have_not_closed_the_chat(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider()) as tables:
        (watcher, one, two), keys = await gather(tables)
        await one.say("<b>good</b> luck \u202e")
        line = two.last("chat")["lines"][0]
        assert (line["number"], line["seat"], line["text"]) == (1, 1, "<b>good</b> luck")
        assert watcher.last("chat")["lines"] == [line]
        await two.table.people.close_chat(2, closed=True)
        assert one.last("present")["persons"] == [{"seat": 2, "deaf": True}]
        await one.say(emote="wow")
        assert two.last("chat")["lines"] == [line]
        with pytest.raises(NotAllowed, match="turned the chat off"):
            await two.say("hm")
        with pytest.raises(NotAllowed, match="Spectators"):
            await watcher.say("hm")
        for text, emote in (("", None), ("both", "wow"), ("\u200b \n", None), ("x" * 301, None)):
            with pytest.raises(BadRequest):
                await one.say(text, emote)
        await two.table.people.close_chat(2, closed=False)
        assert [each["number"] for each in two.last("chat")["lines"]] == [1, 2]
        name = one.table.row.table
        assert await tables._log.read(name) == []
    async with opened(tmp_path, DuelProvider()) as tables:
        guest = await Guest(*await tables.open(name, keys[0])).come()
        assert [each.get("emote", "") for each in guest.last("chat")["lines"]] == ["", "wow"]


async def test_a_line_that_is_sent_twice_is_said_once_and_many_are_too_many(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider(), table_say_burst=3.0, table_says_per_second=0.0) as tables:
        (_, one, two), _ = await gather(tables)
        for _ in range(2):
            await one.table.people.say(1, "same", "hello", None)
        assert len([each for each in two.ear.aside if each["type"] == "chat"]) == 1
        await one.say("more")
        await one.say("more")
        with pytest.raises(TooMany):
            await one.say("more")


@pytest.mark.parametrize(
    ("wanted", "text", "emote", "allowed"),
    [
        ({"chat": "closed"}, "", "wow", False),
        ({"chat": "emotes"}, "hello", None, False),
        ({"chat": "emotes"}, "", "wow", True),
        ({"players": ["person", "greedy"]}, "hello", None, False),
    ],
)
async def test_the_table_may_close_the_chat(
    tmp_path: Path, wanted: dict[str, Any], text: str, emote: Any, allowed: bool
) -> None:
    async with opened(tmp_path, DuelProvider()) as tables:
        (_, one, *_), _ = await gather(tables, **wanted)
        if allowed:
            await one.say(text, emote)
            assert one.last("chat")["lines"][0]["emote"] == emote
        else:
            with pytest.raises(NotAllowed):
                await one.say(text, emote)


async def test_no_more_lines_are_kept_than_are_worth_it(tmp_path: Path) -> None:
    burst = {"table_say_burst": 1000.0, "say_burst": 1000.0}
    async with opened(tmp_path, DuelProvider(), **burst) as tables:
        (_, one, _), keys = await gather(tables)
        for _ in range(CHAT_LINES + 20):
            await one.say("again")
        kept = await tables._log.chat(one.table.row.table)
        assert [each.number for each in kept] == list(range(21, CHAT_LINES + 21))
        company: People = one.table.people
        assert company._lines is not None
        assert len(company._lines) == CHAT_LINES
        assert keys


@given(st.text(max_size=60))
def test_a_cleaned_name_shows_all_that_it_is_made_of(text: str) -> None:
    try:
        name = clean_name(text, ["greedy"])
    except BadRequest:
        return
    assert len(name) <= LONGEST_NAME
    assert name == name.strip()
    assert all(unicodedata.category(each)[0] != "C" for each in name)
    assert not name or skeleton(name)
    assert skeleton(name) not in {"greedy", "blue", "person"}
    assert clean_name(name, ["greedy"]) == name


@given(st.text(max_size=200))
def test_a_line_that_is_cleaned_is_clean(text: str) -> None:
    line = clean(text, 1000, "A line")
    assert clean(line, 1000, "A line") == line
    assert "\n" not in line


# Another game ---------------------------------------------------------------------------------------------


async def test_another_game_is_declined_or_no_longer_wanted(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider()) as tables:
        (watcher, one, two), _ = await gather(tables)
        with pytest.raises(NotAllowed, match="when the game is over"):
            await two.do("no_rematch")
        await one.do("resign")
        assert "no_rematch" not in two.sync["allowed"]
        with pytest.raises(NotAllowed, match="No one has asked"):
            await two.do("no_rematch")
        await one.do("rematch")
        assert two.sync["allowed"]["no_rematch"] == ""
        assert "allowed" not in watcher.sync
        await one.do("no_rematch")  # withdrawn: no one is told that it was declined
        assert two.sync["rematch"] == {}
        assert two.sync["news"]["text"] == "@1 withdrew the request for another game."
        await one.do("rematch")
        await two.do("no_rematch")
        version = one.sync["version"]
        declined = {"version": version, "text": "@2 declined another game."}
        assert one.sync["news"] == watcher.sync["news"] == declined
        assert one.sync["rematch"] == {}
        await two.do("rematch")  # who declined may think better of it
        await one.do("rematch")
        assert one.sync["rematch"]["table"]
        with pytest.raises(NotAllowed, match="already started"):
            await two.do("no_rematch")
        row = one.table.row.table
    async with opened(tmp_path, DuelProvider()) as tables:
        assert (await tables.get(row)).row.table == row
        assert [entry.kind for entry in await tables._log.read(row)].count("no_rematch") == 2


# Series ---------------------------------------------------------------------------------------------------


async def test_two_do_not_wait_for_a_third_who_has_left(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider(), claim_after=0.02) as tables:
        (_, one, two, three), _ = await gather(tables, seats=3)
        while not one.sync["scene"].get("result"):
            mover = (one, two, three)[one.sync["scene"]["status"]["seat"] - 1]
            await mover.do("move", mover.sync["scene"]["choices"][0]["action"])
        three.go()
        await until(lambda: one.last("present").get("left") == [3])
        await one.do("rematch")  # alone, one waits
        assert one.sync["rematch"] == {"asked": [1]}
        await two.do("rematch")
        assert one.sync["rematch"]["table"]


async def test_a_series_is_counted_across_rematches_by_player_not_by_seat(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider()) as tables:
        (_, one, two), keys = await gather(tables, best_of=3)
        assert one.sync["series"] == {"best_of": 3, "game": 1, "points": [0, 0]}
        await two.do("resign")
        assert one.sync["series"]["points"] == [2, 0]
        await one.do("rematch")
        await two.do("rematch")
        name = one.sync["rematch"]["table"]
        first = await Guest(*await tables.open(name, keys[1])).come()  # who won sits at seat 2 now
        second = await Guest(*await tables.open(name, keys[2])).come()
        assert first.seat == 2
        assert first.sync["series"] == {"best_of": 3, "game": 2, "points": [0, 2]}
        await second.do("resign")
        assert first.sync["series"] == {"best_of": 3, "game": 2, "points": [0, 4], "decided": True}
        await first.do("rematch")
        await second.do("rematch")
        third = await Guest(*await tables.open(first.sync["rematch"]["table"], keys[1])).come()
        assert third.sync["series"] == {"best_of": 3, "game": 1, "points": [0, 0]}


@pytest.mark.parametrize(
    ("winners", "returns", "points"),
    [
        ((1,), (1.0, -1.0), (2, 0)),
        ((1,), (0.5, -1.0), (2, 0)),
        ((1, 3), (1.0, -1.0, 1.0, -1.0), (2, 0, 2, 0)),  # a side's victory counted half
        ((1, 3), (0.0, -1.0, 0.0), (1, 0, 1)),
        ((1, 2), (0.0, 0.0), (1, 1)),
        ((), (0.0, 0.0), (1, 1)),
        ((), (-1.0, -1.0), (0, 0)),
    ],
)
def test_a_shared_victory_counts_half(
    winners: tuple[int, ...], returns: tuple[float, ...], points: tuple[int, ...]
) -> None:
    assert points_of(Outcome(winners=winners, returns=returns)) == points


@given(st.lists(st.sampled_from([(1,), (2,), (3,), (1, 3), ()]), min_size=1, max_size=9))
def test_a_series_gives_out_no_points_but_those_of_its_games(winners: list[tuple[int, ...]]) -> None:
    agreed, seats = Agreement(best_of=9), (2, 3, 1)
    total = 0
    for number, won in enumerate(winners, 1):
        returns = tuple(1.0 if seat in won else -1.0 if won else 0.0 for seat in (1, 2, 3))
        outcome = Outcome(winners=won, returns=returns)
        total += sum(points_of(outcome))
        points = standing(agreed, outcome, 3)
        assert sum(points) == total
        if is_decided(agreed, points, over=True):
            assert max(points) > 9 or number == 9
            return
        agreed = next_agreement(agreed, points, seats)
        assert agreed.game == number + 1


def test_what_is_wrong_has_a_sentence() -> None:
    with pytest.raises(BartizanError, match="24 characters"):
        clean_name("x" * 25, [])
