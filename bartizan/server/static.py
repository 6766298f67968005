"""Serve the built client, compressed if the browser accepts it.

All files are read once at the start, so nothing in a request reaches the file system.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from litestar import Request, Response

FOLDER = Path(__file__).parent / "static"
PAGE = "/index.html"
OWN = re.compile(rb"((?:href|src)=\")/")
ENCODINGS = (("br", ".br"), ("gzip", ".gz"))  # the better one first
HASHED = re.compile(r"[-.][0-9A-Za-z_-]{8,}\.[a-z0-9]+$")
PAGES = re.compile(r"/|/(t|rules|learn|puzzles|play)/[0-9A-Za-z_-]{1,64}/?|/(replay|verify|range|lab|you)/?")
# The client's parts by the first word of an address (web/src/App.svelte).
PARTS = {
    "": "LobbyPage",
    "t": "TablePage",
    "rules": "RulesPage",
    "learn": "LearningPage",
    "puzzles": "LearningPage",
    "play": "DealPage",
}
PARTS_FILE = "/pages.json"  # made by the build: which files each part needs (web/plugins/pages.ts)
TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".map": "application/json",
}
NOT_BUILT = b"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Bartizan</title>
<h1>The browser client has not been built yet</h1>
<p>Run <code>make play</code> (or <code>make client</code>) in the checkout, then start the server again.
The server itself works: <a href="/api/games">these games</a> are installed.</p>
</html>
"""
NOT_FOUND = b"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Bartizan</title>
<h1>Page not found</h1>
<p><a href="/">All games</a></p>
</html>
"""


class File(msgspec.Struct, frozen=True):
    """One file of the client with its compressed forms."""

    media_type: str
    plain: bytes
    packed: dict[str, bytes]
    tag: str
    hashed: bool  # its name changes with its content, so it may be cached forever


class Client:
    """The built client, in memory; `base` is its base path, such as "/games"."""

    def __init__(self, folder: Path = FOLDER, base: str = "") -> None:
        self._files = dict(_read(folder)) if folder.is_dir() else {}
        self._base = base
        page = self._files.get(PAGE)
        parts = self._files.get(PARTS_FILE)
        needed = msgspec.json.decode(parts.plain, type=dict[str, list[str]]) if parts else {}
        app = needed.get("app", [])
        self._links = {name: _links([*app, *needed.get(part, [])], base) for name, part in PARTS.items()}
        if page is not None and base:
            self._files[PAGE] = _based(page, base)

    @property
    def is_built(self) -> bool:
        """Whether the client has been built."""
        return PAGE in self._files

    def answer(self, path: str, request: Request[Any, Any, Any]) -> Response[bytes]:
        """Return the response to a GET or HEAD of a path."""
        links = ""
        if PAGES.fullmatch(path):
            links = self._links.get(path.split("/")[1], "")
            if not self.is_built:
                return _page(_moved(NOT_BUILT, self._base), 503)
            path = PAGE
        file = self._files.get(path)
        if file is None:
            return _page(_moved(NOT_FOUND, self._base), 404)
        encoding, body = _encoded(file, request.headers.get("accept-encoding", ""))
        headers = {
            "vary": "accept-encoding",
            "etag": f'"{file.tag}{encoding and "-" + encoding}"',
            "cache-control": "public, max-age=31536000, immutable" if file.hashed else "no-cache",
        }
        if links:
            headers["link"] = links
        if encoding:
            headers["content-encoding"] = encoding
        if headers["etag"] in request.headers.get("if-none-match", ""):
            return Response(b"", status_code=304, headers=headers, media_type=file.media_type)
        return Response(body, headers=headers, media_type=file.media_type)


def _links(files: Iterable[str], base: str) -> str:
    """Return a Link header, so that a browser sends for a page's files together with the page."""
    kinds = {".js": "modulepreload", ".css": "preload; as=style"}
    return ", ".join(f"<{base}/{file}>; rel={kinds[Path(file).suffix]}; crossorigin" for file in files)


def _moved(page: bytes, base: str) -> bytes:
    """Prefix a page's own URLs with the base path."""
    return OWN.sub(rb"\1" + base.encode() + b"/", page)


def _based(page: File, base: str) -> File:
    """Return the client's page for a base path; all that it loads has relative names."""
    plain = _moved(page.plain, base)
    packed = {"gzip": gzip.compress(plain, mtime=0)}
    return msgspec.structs.replace(page, plain=plain, packed=packed, tag=_tag(plain))


def _tag(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:20]


def _read(folder: Path) -> list[tuple[str, File]]:
    suffixes = tuple(suffix for _, suffix in ENCODINGS)
    files = []
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.name.endswith(suffixes):
            continue
        plain = path.read_bytes()
        packed = {}
        for encoding, suffix in ENCODINGS:
            sibling = path.with_name(path.name + suffix)
            # A compressed file that is older than the original belongs to another build.
            if sibling.is_file() and sibling.stat().st_mtime_ns >= path.stat().st_mtime_ns:
                packed[encoding] = sibling.read_bytes()
        name = "/" + path.relative_to(folder).as_posix()
        kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        hashed = name.startswith("/assets/") and HASHED.search(path.name) is not None
        files.append((name, File(kind, plain, packed, _tag(plain), hashed)))
    return files


def _encoded(file: File, accepted: str) -> tuple[str, bytes]:
    """Return the encoding and the bytes to send; ``""`` means uncompressed."""
    takes = {}
    for part in accepted.lower().split(","):
        name, _, weight = part.partition(";")
        takes[name.strip()] = re.fullmatch(r"\s*q\s*=\s*0(\.0*)?\s*", weight) is None
    for encoding, _ in ENCODINGS:
        if encoding in file.packed and takes.get(encoding, takes.get("*", False)):
            return encoding, file.packed[encoding]
    return "", file.plain


def _page(body: bytes, status: int) -> Response[bytes]:
    return Response(
        body, status_code=status, media_type=TYPES[".html"], headers={"cache-control": "no-store"}
    )
