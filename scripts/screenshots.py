"""Make the pictures in docs/ from the real page: an own server, a fixed deal, moves taken from the hints.

A picture per game in a light and a dark room, and one on a phone.
"""

from __future__ import annotations

import argparse
import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Literal
from urllib.error import URLError
from urllib.request import Request, urlopen

from playwright.sync_api import Browser, sync_playwright
from websockets.sync.client import ClientConnection, connect

from scripts import chromium
from scripts.progress import ROOT

DOCS = ROOT / "docs"
SEED = "ba57104"
MOVES, MOVES_ALONE = 24, 9  # into the game; a person alone makes them all
PATIENCE = 60.0  # seconds for the server to start, compiling included
Scheme = Literal["light", "dark"]
PICTURES: dict[str, tuple[Scheme, int, int, bool]] = {
    "light": ("light", 1280, 860, False),
    "dark": ("dark", 1280, 860, False),
    "phone": ("light", 390, 844, True),
}


def main(arguments: Sequence[str]) -> int:
    """Make the pictures of the named games, or of all; return the exit status."""
    parser = argparse.ArgumentParser(prog="make screenshots", description=__doc__)
    parser.add_argument("games", nargs="*", help="which games (all)")
    parser.add_argument("--moves", type=int, help="how many moves into the game (24, alone 9)")
    parser.add_argument("--out", type=Path, default=DOCS, help="the folder to write to (docs/)")
    options = parser.parse_args(arguments)
    program = chromium.find()
    if not program:
        print(f"The pictures need Chromium: {chromium.HOW}.", file=sys.stderr)
        return 2
    options.out.mkdir(parents=True, exist_ok=True)
    with served() as port, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=chromium.FLAGS)
        for game in options.games or [entry["name"] for entry in ask(port, "/api/games")["games"]]:
            wanted = {"game": game, "seed": SEED, "open_seed": True, "here": "everyone"}
            links = ask(port, "/api/tables", wanted)
            keys = [key for key in links["seats"] if key]
            moves = MOVES if len(keys) > 1 else MOVES_ALONE
            advance(port, links["table"], keys, options.moves or moves)
            for name in PICTURES:
                path = options.out / f"{game}-{name}.jpg"
                shoot(browser, f"http://127.0.0.1:{port}/t/{links['table']}#{keys[0]}", name, path)
                print(f"  {path}")
        browser.close()
    return 0


@contextmanager
def served() -> Iterator[int]:
    """Run a server on a free port with an empty data folder, and yield the port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "bartizan", "serve", "--port", str(port), "--data", data]
        server = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        try:
            wait_for(port, server)
            yield port
        finally:
            server.terminate()
            server.wait(10)


def wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    """Return once the server answers."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.poll() is None:
        try:
            ask(port, "/api/games")
        except (URLError, ConnectionError):
            time.sleep(0.2)
        else:
            return
    raise SystemExit("The server did not start.")


def ask(port: int, path: str, body: object = None) -> Any:
    """Return what the server answers to a GET, or to a POST of `body`."""
    data = None if body is None else json.dumps(body).encode()
    request = Request(f"http://127.0.0.1:{port}{path}", data, {"Content-Type": "application/json"})
    with urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)


def advance(port: int, table: str, keys: Sequence[str], moves: int) -> None:
    """Play `moves` moves as the hints advise, fewer if the game ends before; `keys` open the seats."""
    origin: Any = f"http://127.0.0.1:{port}"
    with ExitStack() as stack:
        seats = [
            stack.enter_context(
                connect(f"ws://127.0.0.1:{port}/ws/{table}", origin=origin, ping_interval=None)
            )
            for _ in keys
        ]
        for seat, key in zip(seats, keys, strict=True):
            say(seat, type="enter", key=key)
            say(seat, type="hello")
        version = 0
        for number in range(moves):
            syncs = [heard(seat, "sync", version) for seat in seats]
            active = next((at for at, sync in enumerate(syncs) if sync["scene"].get("choices")), None)
            if active is None:
                return
            seat, version = seats[active], syncs[active]["version"]
            say(seat, type="hint", id=f"hint{number}")
            best = heard(seat, "hint")["hints"][0]
            say(seat, type="move", id=f"move{number}", version=version, move=best["text"])
            version += 1


def say(talk: ClientConnection, **message: object) -> None:
    """Send one message."""
    talk.send(json.dumps(message))


def heard(talk: ClientConnection, kind: str, version: int = 0) -> dict[str, Any]:
    """Return the next message of a kind, from a version of the table on where one is given."""
    while True:
        message: dict[str, Any] = json.loads(talk.recv(timeout=PATIENCE))
        if message["type"] in ("refused", "error"):
            raise SystemExit(f"The server refused: {message}")
        if message["type"] == kind and message.get("version", 0) >= version:
            return message


def shoot(browser: Browser, address: str, name: str, path: Path) -> None:
    """Open a page in one of the `PICTURES`' rooms and save what it shows."""
    scheme, width, height, touch = PICTURES[name]
    context = browser.new_context(
        color_scheme=scheme,
        viewport={"width": width, "height": height},
        has_touch=touch,
        device_scale_factor=2 if touch else 1,
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(address)
    page.get_by_role("main").wait_for()
    page.wait_for_timeout(1000)  # fonts and the first layout
    page.screenshot(path=path, type="jpeg", quality=88)  # a tenth of a PNG: the felt is grainy
    context.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
