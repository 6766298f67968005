"""Play a match at the terminal: read a line, play or answer it, draw the table."""

from __future__ import annotations

import difflib
import shlex
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from rich.columns import Columns
from rich.console import Console
from rich.text import Text

from bartizan.engine.errors import (
    AmbiguousMove,
    BartizanError,
    IllegalMove,
    NotationError,
)
from bartizan.engine.files import Unwritable, keep_old, write_atomically
from bartizan.engine.scene import LogLine, Refusal, Scene
from bartizan.match.analysis import percent
from bartizan.terminal.analysis import Watch, review, unwatched
from bartizan.terminal.completion import Offer
from bartizan.terminal.draw import (
    LOG_SHOWN,
    aids_text,
    facts_line,
    log_lines,
    look_lines,
    print_scene,
    refusal_lines,
)
from bartizan.terminal.glyphs import seat_name
from bartizan.terminal.rulebook import print_rules

if TYPE_CHECKING:
    from bartizan.match import CheckedMove, Match

PERSON = "person"
CANDIDATES_SHOWN = 8
ECHOED = 120  # signs of a piped line that are shown again

Chooser = Callable[["Match", str], "CheckedMove"]  # what a program of this name plays now

COMMANDS: Mapping[str, tuple[str, str]] = {
    "hint": ("", "suggest moves, with your chance to win and the reason"),
    "analyse": ("", "review the finished game: best moves and turning points"),
    "undo": ("", "undo your last move"),
    "redo": ("", "play it again"),
    "why": ("MOVE", "say whether a move is legal, and which rule forbids it"),
    "legal": ("[WORDS]", "list the legal moves, or those with these words in them"),
    "save": ("FILE", "write the record of the game"),
    "rules": ("[CLAUSE]", "show the rules, or one clause of them"),
    "aids": ("", "show the reference cards"),
    "board": ("", "draw the table"),
    "look": ("", "describe the table in words"),
    "log": ("", "tell the game so far"),
    "help": ("", "show this list"),
    "quit": ("", "leave the game"),
}

ALIASES: Mapping[str, str] = {"?": "help", "analyze": "analyse", "exit": "quit", "q": "quit"}


class Session:
    """A match, the console it is drawn on, and the players."""

    def __init__(
        self,
        match: Match,
        console: Console,
        players: Sequence[str],
        choose: Chooser,
        *,
        interactive: bool,
        record: Path | None = None,
        resumes: bool = False,
        watch: Watch = unwatched,
    ) -> None:
        self.match = match
        self.console = console
        self.players = list(players)
        self.interactive = interactive
        self._choose = choose
        self._record = record
        self._watch = watch
        # Files that this session wrote, or continues, and may write again.
        self._mine = {record.absolute()} if record is not None and resumes else set()
        self._looking = next((seat for seat, who in enumerate(players, 1) if who == PERSON), 0)
        self._saved: tuple[Path, int] | None = None  # the file last written, and at which move
        self._left = False
        self._covered = False  # the screen goes from hand to hand, and the next has not taken it yet
        self._offered: tuple[tuple[str, ...], dict[str, list[Offer]]] | None = None

    # --- what a player sees -------------------------------------------------------

    @property
    def seat(self) -> int:
        """Whose eyes the table is drawn for: the person to move, or the last one who was."""
        mover = self.match.seat_to_move
        if mover and self.players[mover - 1] == PERSON:
            self._looking = mover
        return self._looking

    def _scene(self, *, choices: bool = True) -> Scene:
        scene = self.match.views.scene(self.seat, choices=choices)
        if self.match.throws.game is None:
            return scene
        texts = self.match.throws.texts()  # a throw is typed with how and where to
        typed = [
            msgspec.structs.replace(choice, text=text)
            for choice in scene.choices
            for text in texts
            if text == choice.text or text.startswith(f"{choice.text} ")
        ]
        return msgspec.structs.replace(scene, choices=tuple(typed))

    def say(self, text: str, style: str = "") -> None:
        """Print a sentence, unwrapped if a program may be reading."""
        shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in text)
        self.console.print(Text(shown, style=style), highlight=False, soft_wrap=not self.interactive)

    def show(self) -> None:
        """Draw the whole table; while the screen changes hands, only say whose turn it is."""
        if self._covered:
            self._say_who_is_next()
        else:
            scene = msgspec.structs.replace(self._scene(), log=self._log())
            print_scene(self.console, scene, self.match.views.setting, log=len(scene.log))

    def _log(self) -> tuple[LogLine, ...]:
        """Return the last plies: at least all from this seat's own last move on."""
        movers = self.match.movers[::-1]
        since = movers.index(self.seat) + 1 if self.seat in movers else len(movers) if self.seat else 0
        return self.match.views.log(self.seat, max(LOG_SHOWN, since))

    def _hand_over(self, before: int) -> None:
        """Cover the table if the next seat sees other things than seat `before` (0: none)."""
        if not self.interactive or self.players.count(PERSON) == 1 or self.match.is_over:
            return
        view, observe = self.match.view(), self.match.game.observe
        if self.seat != before and observe(view, self.seat) != observe(view, before):
            self._covered = True
            self._wipe()

    def _wipe(self) -> None:
        """Clear the screen, and what could be scrolled back to."""
        if self.console.is_dumb_terminal:
            self.console.print("\n" * self.console.height)
            return
        self.console.clear()
        if self.console.is_terminal and not self.console.legacy_windows:
            self.console.file.write("\x1b[3J")  # last: some terminals scroll a cleared screen back

    def _say_who_is_next(self) -> None:
        theme = self.match.views.setting.theme
        self.console.print(
            Text.assemble(
                "Pass the device to ", seat_name(self.seat, theme), ". Press Enter to see the table."
            )
        )

    def _refuse(self, error: BartizanError, typed: str) -> None:
        if isinstance(error, IllegalMove):
            refusal = Refusal(clause=error.clause, sentence=str(error), rule=error.rule)
            self.console.print(refusal_lines(refusal), highlight=False)
            return
        if not (isinstance(error, AmbiguousMove) and error.heading):
            self.say(str(error), "yellow")
            return
        self.say(error.heading, "yellow")
        self._list(error.candidates[:CANDIDATES_SHOWN], "  ")
        more = len(error.candidates) - CANDIDATES_SHOWN
        if more > 0:
            self.say(f"  … and {more} more: `legal {typed}`", "dim")

    # --- the game goes on ---------------------------------------------------------

    def start(self) -> None:
        """Open the record, let programs that begin play, and draw the table."""
        if self._record is not None:
            self._write(self._record)
        before = self.match.ply
        self._programs()
        if not self.interactive and self.match.ply > before:
            self._tell_since(before)
        self._hand_over(0)
        self.show()
        if self.interactive and PERSON in self.players:
            self.say("`help` lists the commands, such as `hint` and `undo`.", "dim")
            if {*self.players} == {PERSON} and len(self.players) > 1 and not self.match.ply:
                against = ",".join([PERSON, *["greedy"] * (len(self.players) - 1)])
                self.say(f"To play against the computer, start with `--players {against}`.", "dim")

    def _programs(self) -> None:
        """Let programs move until it is a person's turn or the game is over."""
        moved = False
        while not self.match.is_over and self.players[self.match.seat_to_move - 1] != PERSON:
            self._push(self._choose(self.match, self.players[self.match.seat_to_move - 1]))
            moved = True
        if moved:
            self._keep()

    def _tell_since(self, ply: int) -> None:
        news = self.match.views.log(self.seat, self.match.ply - ply)
        if news:
            lines = log_lines(news, self.console.width, self.match.views.setting)
            self.console.print(Text("\n").join(lines), highlight=False)

    def _after_change(self, before: int) -> None:
        """Show what a change of the table brought."""
        if self.interactive:
            self.show()
            return
        self._tell_since(before)
        scene = self._scene(choices=False)
        width = self.console.width
        if scene.result is not None:
            self.show()
            return
        self.console.print(Text("\n").join(facts_line(scene, width)), highlight=False)
        self.say(scene.status.prompt, "bold")

    def play(self, line: str) -> None:
        """Play a typed move, then the programs' answers; a wrong one is refused and changes nothing."""
        before, looking = self.match.ply, self.seat
        self._push(self.match.throws.check_by_hand(line))
        self._keep()
        self._programs()
        self._hand_over(looking)
        self._after_change(before)

    def _push(self, move: CheckedMove) -> None:
        """Play a move; where a card was thrown for it, draw from above what it did, and say it."""
        layout = self.match.throws.layout() if move.flown is not None else None
        self.match.push(move)
        if layout is not None and move.flown is not None:
            from bartizan.throwing.picture import legend, picture

            lines = picture(layout, move.flown)
            for line in [*lines, legend(layout, move.flown, lines, self.match.views.setting.seat_names)]:
                self.say(line)
            self.say(move.flown.sentence, "bold")

    def _keep(self) -> None:
        if self._record is not None:
            self._write(self._record)

    def _write(self, path: Path) -> None:
        """Write the record; rename a file of that name if it isn't ours.

        The record contains the seed: whoever plays here owns the machine, and without
        the seed no one could continue or replay the game after a power cut.
        """
        if path.absolute() not in self._mine:
            aside = keep_old(path)
            if aside is not None:
                self.say(f"{path} already existed. It is now {aside}.", "dim")
        write_atomically(path, self.match.record(secret_seed=True).text())
        self._mine.add(path.absolute())
        self._saved = path, self.match.ply

    # --- commands -----------------------------------------------------------------

    def command(self, line: str) -> None:
        """Do what a typed line asks: a command, or else a move.  Nothing typed ends the game but `quit`."""
        line = line.strip()
        typed, _, rest = line.partition(" ")
        word = ALIASES.get(typed.lower(), typed.lower())
        if self._covered and word != "quit":
            self._covered = bool(line)
            self.show()
            return
        if not line or line.startswith("#"):
            return
        if not self.interactive:
            self.say(f"> {line if len(line) <= ECHOED else line[:ECHOED] + '…'}", "dim")
        action = getattr(self, f"_do_{word}", None) if word in COMMANDS else None
        try:
            if action is not None:
                action(rest.strip())
            else:
                self.play(line)
        except Unwritable as error:
            self.say(f"{error} The game continues. `save FILE` writes it elsewhere.", "yellow")
        except NotationError as error:
            self._refuse(error, line)
            meant = difflib.get_close_matches(word, COMMANDS, n=1, cutoff=0.7)
            if meant and action is None and "Did you mean" not in str(error):
                self.say(f"Did you mean the command {meant[0]!r}?", "dim")
        except BartizanError as error:
            self._refuse(error, line if action is None else rest.strip())

    def _do_hint(self, _: str) -> None:
        try:
            hints = self.match.views.hints()
        except KeyboardInterrupt:
            self.say("Stopped. `hint` starts again.", "yellow")
            return
        if not hints:
            self.say("The game is over. `analyse` reviews it.")
        for hint in hints:
            sure = f" ({percent(hint.chance)} to win)" if hint.chance is not None else ""
            style = "bold green" if hint is hints[0] else "green"
            self.say(f"{hint.text}{sure}" + (f": {hint.reason}" if hint.reason else ""), style)

    def _do_analyse(self, _: str) -> None:
        if not self.match.is_over:
            self.say("The game isn't over. `hint` suggests a move.", "yellow")
            return
        # A game of its own is gone through: this table stays as it is, even when that is broken off.
        past = type(self.match).of(self.match.record())
        try:
            lines = review(past, self._watch)
        except KeyboardInterrupt:
            self.say("Stopped. `analyse` starts again.", "yellow")
            return
        for line in lines:
            self.console.print(line, highlight=False, soft_wrap=not self.interactive)

    def _do_log(self, _: str) -> None:
        if self.match.ply == 0:
            self.say("No move has been made.")
        self._tell_since(0)

    def _do_undo(self, _: str) -> None:
        self._step(self.match.undo)

    def _do_redo(self, _: str) -> None:
        self._step(self.match.redo)

    def _step(self, step: Callable[[], None]) -> None:
        """Go one decision of a person's back or forth, over what programs played between."""
        here, looking = self.match.ply, self.seat
        step()
        try:
            while not self.match.is_over and self.players[self.match.seat_to_move - 1] != PERSON:
                step()
        except BartizanError:  # a program's first moves cannot be taken back without a person's
            self.match.go_to(here)
            raise
        self._keep()
        self._hand_over(looking)
        self.say(f"The game is at move {self.match.ply} of {self.match.last_ply}.", "dim")
        self._after_change(self.match.ply)

    def _do_why(self, move: str) -> None:
        if not move:
            self.say("Add the move: why MOVE.", "yellow")
            return
        refusal = self.match.why_not(move)
        if refusal is None:
            self.say("That move is legal.")
        else:
            self.console.print(refusal_lines(refusal), highlight=False)

    def _do_legal(self, words: str) -> None:
        moves = self.match.throws.texts()
        wanted = words.lower().split()
        chosen = [move for move in moves if all(_matches(word, move) for word in wanted)]
        if self.interactive and len(chosen) > CANDIDATES_SHOWN:
            self.console.print(
                Columns(chosen, column_first=True, padding=(0, 3)), highlight=False, markup=False
            )
        else:
            self._list(chosen)
        legal = f"{len(moves)} legal move{'' if len(moves) == 1 else 's'}"
        if wanted and not chosen and moves:
            none = "The only legal move doesn't have" if len(moves) == 1 else f"None of the {legal} has"
            self.say(f"{none} {words!r} in it.", "yellow")
        else:
            self.say(f"{len(chosen)} of {legal}." if wanted else f"{legal}.", "dim")

    def _list(self, moves: Sequence[str], margin: str = "") -> None:
        """Print moves; to people also what each of them does."""
        choices = self._scene().choices if self.interactive else ()
        told = {choice.text: choice.sentence for choice in choices if choice.label}
        for move in moves:
            self.say(f"{margin}{move}: {told[move]}" if move in told else f"{margin}{move}")

    def _do_save(self, name: str) -> None:
        if not name:
            self.say("Add the file name: save FILE.", "yellow")
            return
        path = Path(name).expanduser()
        self._write(path)
        self.say(f"The game is in {path}.")

    def _do_rules(self, clause: str) -> None:
        book = self.match.game.clauses
        print_rules(self.console, book, [book.get(clause)] if clause else book.all(), head=not clause)

    def _do_aids(self, _: str) -> None:
        aids = self.match.views.setting.aids
        if aids:
            self.console.print(aids_text(aids), highlight=False)
        else:
            self.say("There are no reference cards, only the rules.")

    def _do_board(self, _: str) -> None:
        self.show()

    def _do_look(self, _: str) -> None:
        self.console.print(look_lines(self._scene(choices=False), self.match.views.setting), highlight=False)

    def _do_help(self, _: str) -> None:
        self.say("Type a move as `legal` writes it; you can shorten it as long as only one move matches.")
        for word, (argument, meaning) in COMMANDS.items():
            left = f"{word} {argument}".strip()
            for line in textwrap.wrap(
                f"  {left:<16} {meaning}",
                self.console.width,
                subsequent_indent=" " * 19,
                break_long_words=False,
            ):
                self.say(line)

    def _do_quit(self, _: str) -> None:
        self._left = True

    # --- a whole game -------------------------------------------------------------

    def run(self, lines: Iterator[str]) -> None:
        """Play until the input ends or someone quits; after the game, commands and undo still work."""
        try:
            self.start()
            for line in lines if PERSON in self.players else ():
                self.command(line)
                if self._left:
                    break
        except KeyboardInterrupt:
            self._say_how_to_continue()
            raise
        self._say_how_to_continue()

    def _say_how_to_continue(self) -> None:
        """Say where an unfinished game stands, and whether it is in a file."""
        if self.match.is_over:
            return
        ply = self.match.ply
        self.say(f"The game isn't over: it stands at move {ply}.", "dim")
        if self._saved is None:
            self.say("It wasn't saved. To save a game as you play, start it with `--resume FILE`.", "dim")
            return
        path, saved = self._saved
        words = ["bartizan", "play", self.match.game.name, "--resume", str(path)]
        words += ["--players", ",".join(self.players)] if {*self.players} != {PERSON} else []
        at = "" if saved == ply else f" from move {saved}"
        self.say(f"To continue{at}: `{shlex.join(words)}`", "dim")

    def offers(self) -> dict[str, list[Offer]]:
        """Return what may be typed: at the start of a line, and behind some commands."""
        if self._covered:
            return {"": [Offer("quit", COMMANDS["quit"][1])]}
        key = tuple(self.match.moves)
        if self._offered is not None and self._offered[0] == key:
            return self._offered[1]
        labels = {choice.text: choice.label for choice in self._scene().choices}
        moves = [Offer(text, labels.get(text, "")) for text in self.match.throws.texts()]
        commands = [Offer(word, meaning) for word, (_, meaning) in COMMANDS.items()]
        clauses = [Offer(clause.id, clause.title) for clause in self.match.game.clauses.all()]
        offered = {"": [*moves, *commands], "why": moves, "legal": moves, "rules": clauses}
        self._offered = (key, offered)
        return offered


def _matches(word: str, move: str) -> bool:
    """Say whether a move has `word` at the beginning of one of its words."""
    return any(part.startswith(word) for part in move.lower().split())
