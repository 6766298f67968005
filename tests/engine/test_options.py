"""Options: what is read, what is refused and with which words."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Any

import msgspec
import pytest

from bartizan.engine.errors import BadOption, UnknownOption
from bartizan.engine.options import OptionSet, flat, option
from bartizan.engine.record import option_record


class Weather(IntEnum):
    SUN = 0
    RAIN = 1
    THREE = 2


class Options(OptionSet, frozen=True, kw_only=True):
    night: Annotated[bool, option("Play in the dark.", compare=True)] = False
    dawn: Annotated[bool, option("Begin at dawn.")] = True
    weather: Annotated[Weather, option("What falls.", "sun", "rain", 3)] = Weather.RAIN
    cap: Annotated[int, option("The last round.", low=1, high=300)] = 200
    lowest: Annotated[int, option("How low.", low=-3, high=3)] = 0


def test_the_description_of_every_option() -> None:
    night, dawn, weather, cap, lowest = Options.specs()
    assert (night.key, night.kind, night.default, night.worth_comparing) == ("night", "bool", False, True)
    assert (dawn.default, dawn.sentence, dawn.worth_comparing) == (True, "Begin at dawn.", False)
    assert (weather.kind, weather.default, weather.values) == ("choice", "rain", ("sun", "rain", 3))
    assert (cap.kind, cap.default, cap.low, cap.high) == ("int", 200, 1, 300)
    assert (lowest.low, lowest.high) == (-3, 3)


def test_what_is_left_out_has_its_default() -> None:
    assert Options.read({}) == Options()
    assert Options.read({}).write() == {
        "night": False,
        "dawn": True,
        "weather": "rain",
        "cap": 200,
        "lowest": 0,
    }
    assert Options.read({"weather": 3}).numbers() == (0, 1, 2, 200, 0)


class Size:
    """A square's side, written 3x3."""

    def read(self, word: str) -> int:
        side, times, other = word.partition("x")
        if not times or side != other or not side.isdigit():
            raise ValueError("it must be a square such as 3x3")
        return int(side)

    def write(self, number: int) -> str:
        return f"{number}x{number}"


class Sized(OptionSet, frozen=True, kw_only=True):
    size: Annotated[int, option("How large.", "3x3", "8x8", form=Size())] = 3

    def fault_for(self, seats: int) -> str:
        return "too small" if self.size < seats else ""


def test_an_option_may_be_a_text_of_its_own_form() -> None:
    (size,) = Sized.specs()
    assert (size.kind, size.default, size.values) == ("text", "3x3", ("3x3", "8x8"))
    assert Sized.read({"size": " 8X8 "}).numbers() == (8,)
    assert Sized.read({"size": "8x8"}).write() == {"size": "8x8"}
    for wrong in ("8x9", "8", "", True):
        with pytest.raises(UnknownOption, match="it must be a square such as 3x3"):
            Sized.read({"size": wrong})


def test_options_may_not_go_with_a_number_of_seats() -> None:
    assert Sized().fault_for(3) == ""
    assert Sized().fault_for(4) == "too small"
    assert Options().fault_for(4) == ""


@pytest.mark.parametrize(
    ("given", "number"),
    [
        *[(given, 1) for given in (True, "true", "TRUE ", "on", "yes", "1", 1)],
        *[(given, 0) for given in (False, "false", "off", "No", "0", 0)],
    ],
)
def test_truth_can_be_written_in_many_ways(given: object, number: int) -> None:
    assert Options.read({"night": given}).numbers()[0] == number


@pytest.mark.parametrize(("given", "number"), [("sun", 0), (" Rain", 1), (3, 2), ("3", 2)])
def test_choices_are_read_by_their_words(given: object, number: int) -> None:
    read = Options.read({"weather": given})
    assert read.weather == number
    assert read.write()["weather"] == ("sun", "rain", 3)[number]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"nihgt": True}, "There is no option 'nihgt'. Did you mean 'night'?"),
        ({"xyz": 1}, "There is no option 'xyz'. The options are night, dawn, weather, cap, lowest."),
        ({"night": "maybe"}, "night is 'maybe'; it can be true or false."),
        ({"night": 2}, "night is 2; it can be true or false."),
        ({"night": None}, "night is None; it can be true or false."),
        ({"weather": "rian"}, "weather is 'rian'; it can be sun, rain, 3. Did you mean 'rain'?"),
        ({"weather": "0"}, "weather is '0'; it can be sun, rain, 3."),
        ({"weather": []}, "weather is []; it can be sun, rain, 3."),
        ({"cap": 0}, "cap is 0; it must be a whole number from 1 to 300."),
        ({"cap": 301}, "cap is 301; it must be a whole number from 1 to 300."),
        ({"cap": "ten"}, "cap is 'ten'; it must be a whole number from 1 to 300."),
        ({"cap": 1.5}, "cap is 1.5; it must be a whole number from 1 to 300."),
        ({"cap": True}, "cap is True; it must be a whole number from 1 to 300."),
        ({"cap": ""}, "cap is ''; it must be a whole number from 1 to 300."),
        ({"lowest": -4}, "lowest is -4; it must be a whole number from -3 to 3."),
    ],
)
def test_errors_name_the_thing_and_the_right_one(given: dict[str, object], sentence: str) -> None:
    with pytest.raises(UnknownOption) as caught:
        Options.read(given)
    assert str(caught.value) == sentence
    assert caught.value.code == "unknown_option"


@pytest.mark.parametrize(
    ("kind", "meta", "default", "right"),
    [
        (int, option("", low=9, high=1), 5, "must have low=… and high=…, whole numbers with the smaller"),
        (int, option(""), 5, "must have low=… and high=…"),
        (int, option("", low=1, high=9), "5", "must have a whole number as its default, not '5'"),
        (int, option("", low=1, high=9), 10, "has the default 10, which must be from 1 to 9"),
        (float, option("", low=1, high=9), 5, "must be an int, a bool or an IntEnum"),
        (str, option("", "a", "b"), "a", "must be an int, a bool or an IntEnum"),
        (bool, option(""), 1, "has the default 1, which must be True or False"),
        (Weather, option("", "sun", "rain"), Weather.SUN, "must have one written value for each member"),
        (Weather, option("", "sun", "rain", 3), 3, "has the default 3, which isn't in its IntEnum"),
        (int, msgspec.Meta(), 5, "must be declared as Annotated[int, option(…)]"),
    ],
)
def test_an_option_that_no_table_can_have_is_told(
    kind: type, meta: msgspec.Meta, default: object, right: str
) -> None:
    class Wrong(OptionSet, frozen=True, kw_only=True):
        cap: Annotated[kind, meta] = default  # type: ignore[valid-type]

    Wrong.__annotations__["cap"] = Annotated[kind, meta]
    with pytest.raises(BadOption, match=r"^engine/test_options\.py:\d+: The option 'cap' ") as caught:
        Wrong.specs()
    assert right in str(caught.value)


class Open(OptionSet, frozen=True, kw_only=True):
    aside: Annotated[int, option("How many lie aside.", low=0, high=9, usual="usual")] = -1


def test_a_default_may_be_a_word_until_the_seats_are_known() -> None:
    (aside,) = Open.specs()
    assert (aside.kind, aside.default, aside.low) == ("int", "usual", 0)
    assert [Open.read(given).aside for given in ({}, {"aside": " Usual"}, {"aside": 0})] == [-1, -1, 0]
    assert [Open(aside=number).write() for number in (-1, 0)] == [{"aside": "usual"}, {"aside": 0}]
    with pytest.raises(UnknownOption) as caught:
        Open.read({"aside": -1})
    assert str(caught.value) == "aside is -1; it must be usual, or a whole number from 0 to 9."


# --- Groups ------------------------------------------------------------------


class Camp(OptionSet, frozen=True, kw_only=True):
    weather: Annotated[Weather, option("What falls there.", "sun", "rain", 3)] = Weather.SUN
    guards: Annotated[int, option("How many watch.", low=0, high=9, compare=True)] = 2

    def fault(self) -> str:
        return "camp: nobody watches in the rain." if self.weather == Weather.RAIN and not self.guards else ""


class Grouped(OptionSet, frozen=True, kw_only=True):
    night: Annotated[bool, option("Play in the dark.")] = False
    camp: Camp = msgspec.field(default_factory=Camp)
    cap: Annotated[int, option("The last round.", low=1, high=300)] = 200


def test_a_group_is_described_by_dotted_keys() -> None:
    assert [spec.key for spec in Grouped.specs()] == ["night", "camp.weather", "camp.guards", "cap"]
    assert [spec.default for spec in Grouped.specs()] == [False, "sun", 2, 200]
    assert Grouped.groups() == {"camp": Camp}


@pytest.mark.parametrize(
    "given",
    [
        {"camp": {"weather": "rain", "guards": 5}},
        {"camp.weather": "rain", "camp.guards": "5"},
        {"camp": {"weather": "rain"}, "camp.guards": 5},
    ],
)
def test_a_group_is_read_as_a_table_or_by_dotted_keys(given: dict[str, object]) -> None:
    read = Grouped.read(given)
    assert (read.camp.weather, read.camp.guards, read.cap) == (Weather.RAIN, 5, 200)
    assert read.numbers() == (0, 1, 5, 200)
    written = read.write()
    assert written == {"night": False, "camp": {"weather": "rain", "guards": 5}, "cap": 200}
    assert Grouped.read(written) == read
    assert flat(written) == {"night": False, "camp.weather": "rain", "camp.guards": 5, "cap": 200}
    assert Grouped.read(flat(written)) == read


def test_a_group_is_a_record_in_the_state() -> None:
    record: Any = option_record(Grouped)()
    Grouped.read({"camp.guards": 7}).put_into(record)
    assert (record.night, record.camp.weather, record.camp.guards, record.cap) == (0, 0, 7, 200)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"camp": 3}, "camp is 3; it must be a table such as camp = { … }, or be set by camp.NAME."),
        ({"camp": {"gaurds": 3}}, "There is no option 'camp.gaurds'. Did you mean 'camp.guards'?"),
        ({"camp": {"guards": 3}, "camp.guards": 3}, "camp.guards is given twice."),
        ({"camp": {"guards": 10}}, "camp.guards is 10; it must be a whole number from 0 to 9."),
        ({"camp": {"weather": "rain", "guards": 0}}, "camp: nobody watches in the rain."),
        ({"night": {"guards": 1}}, "night is {'guards': 1}; it can be true or false."),
    ],
)
def test_errors_in_groups_name_the_whole_key(given: dict[str, object], sentence: str) -> None:
    with pytest.raises(UnknownOption) as caught:
        Grouped.read(given)
    assert str(caught.value) == sentence


def test_an_option_without_a_default_is_told() -> None:
    class Wrong(OptionSet, frozen=True, kw_only=True):
        cap: Annotated[int, option("", low=1, high=9)]

    with pytest.raises(BadOption, match="The option 'cap' has no default: write `= …` after its declaration"):
        Wrong.specs()
