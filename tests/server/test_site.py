"""Where a server says it is, it is; whoever comes by another name, or another way, is turned away."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from bartizan.server.hosting import Hosting, site_of
from bartizan.server.site import Site, bare_host, read_proxies, read_url
from bartizan.tables.errors import StartError
from tests.server.serving import Serving

pytestmark = pytest.mark.anyio

URL = "https://games.example.org/castle"


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server of the small game behind a proxy on this machine, in a folder of its host."""
    folder = tmp_path_factory.mktemp("behind")
    hosting = {"public_url": URL, "proxies": ["127.0.0.1"]}
    with Serving("tests.server.duel", folder / "data", {"table_burst": 1000}, hosting) as serving:
        yield serving
        assert serving.stop() == 0


def test_behind_a_proxy_pages_and_sockets_work_in_their_folder(behind: Serving) -> None:
    """Refused before there was a public address: Host or Origin was not this machine's."""
    forwarded = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
    origin = "https://games.example.org"
    for host in ("games.example.org", f"127.0.0.1:{behind.port}"):  # a proxy may hand the name on, or not
        for base in ("/castle", ""):  # and the folder
            headers = {"Host": host, "Origin": origin, **forwarded}
            status, told, _ = behind.request("POST", f"{base}/api/tables", {"game": "duel"}, headers)
            assert status == 201
            assert "max-age" in told["strict-transport-security"]
    status, told, _ = behind.request("GET", "/castle", headers={"Host": "games.example.org"})
    assert (status, told["location"]) == (308, "/castle/")
    for strange in ("http://games.example.org", "https://evil.example", "https://games.example.org:444"):
        headers = {"Host": f"127.0.0.1:{behind.port}", "Origin": strange, **forwarded}
        assert behind.request("POST", "/api/tables", {"game": "duel"}, headers)[0] == 403


async def test_a_socket_behind_a_proxy(behind: Serving) -> None:
    links = behind.table()
    headers = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
    async with behind.sit(
        links["table"],
        links["seats"][0],
        base="/castle",
        headers=headers,
        origin="https://games.example.org",
    ) as client:
        assert (await client.hello())["version"] == 0


def test_the_page_names_what_lies_in_its_folder(tmp_path: Path) -> None:
    from bartizan.server.static import Client

    (tmp_path / "index.html").write_text('<link href="/a.css"><script src="/b.js"></script><a href="#x">')
    (tmp_path / "index.html.br").write_text("br")
    (tmp_path / "pages.json").write_text('{"app": ["assets/app.js"], "TablePage": ["assets/t.css"]}')

    class Request:
        headers: dict[str, str] = {"accept-encoding": "br"}

    answer = Client(tmp_path, "/castle").answer("/t/abc", Request())  # type: ignore[arg-type]
    assert answer.content == b'<link href="/castle/a.css"><script src="/castle/b.js"></script><a href="#x">'
    assert answer.headers["link"] == (
        "</castle/assets/app.js>; rel=modulepreload; crossorigin, "
        "</castle/assets/t.css>; rel=preload; as=style; crossorigin"
    )
    assert b'href="/castle/"' in Client(tmp_path, "/castle").answer("/no", Request()).content  # type: ignore[arg-type]


def test_hosts_are_checked_wherever_a_server_listens(tmp_path: Path) -> None:
    """With another --host none was checked, so that a foreign name could be made to point here."""
    with Serving("tests.server.duel", tmp_path / "data", {}, {}, host="0.0.0.0") as serving:
        for host, status in (
            ("evil.example", 403),
            (f"evil.example:{serving.port}", 403),
            (f"192.168.7.7:{serving.port}", 200),  # an address cannot be rebound
            ("[fe80::1]", 200),
            ("localhost", 200),
            ("127.0.0.1:99999", 400),
            ("127.0.0.1:x", 400),
            ("a b", 400),
            ("user@127.0.0.1", 400),
            ("", 400),
        ):
            found, _, data = serving.request("GET", "/api/games", headers={"Host": host})
            assert found == status, (host, data)
            assert status == 200 or json.loads(data)["sentence"]
        assert serving.stop() == 0
        assert serving.errors.read_text() == ""


def test_the_word_of_a_proxy_is_taken_and_nobody_elses() -> None:
    def scope(client: str) -> dict[str, object]:
        return {"client": (client, 1)}

    alone, behind = Site(), Site(proxies=read_proxies(["127.0.0.1", "10.0.0.0/24"]), proxied_only=True)
    assert [alone.address(scope(one)) for one in ("127.0.0.1", "::1", "::ffff:127.0.0.1")] == [""] * 3
    assert behind.address(scope("127.0.0.1")) == "127.0.0.1"  # a proxy that tells nothing is counted
    assert behind.address(scope("nonsense")) == behind.address({"client": None}) == "unknown"
    assert alone.address(scope("2001:db8:1:2:3::4")) == alone.address(scope("2001:db8:1:2::9"))
    assert alone.address(scope("2001:db8:1:3::9")) != alone.address(scope("2001:db8:1:2::9"))
    assert alone.address(scope("::ffff:192.0.2.1")) == alone.address(scope("192.0.2.1")) == "192.0.2.1"
    assert behind.trusts("10.0.0.7")
    assert behind.admits("::ffff:10.0.0.7")
    assert not behind.admits("10.0.1.7")
    assert not behind.admits("")
    assert alone.admits("192.0.2.1")


@pytest.mark.parametrize(
    ("url", "whole", "base"),
    [
        ("https://games.example.org", "https://games.example.org/", ""),
        ("https://Games.Example.org:443/a/b/", "https://games.example.org/a/b/", "/a/b"),
        ("http://[2001:db8::1]:81/x", "http://[2001:db8::1]:81/x/", "/x"),
    ],
)
def test_a_public_address_is_read(url: str, whole: str, base: str) -> None:
    read = read_url(url)
    assert (read.whole, read.base) == (whole, base)
    assert read.whole == read.origin + read.base + "/"


@pytest.mark.parametrize(
    "url",
    ["", "games.example.org", "ftp://a.b", "https://", "https://a.b:99999", "https://a.b/?x", "https://a.b/../c",
     "https://a.b/c d", "https://u@a.b/", 'https://a.b/"', "https://a.b/<x>", "https://[::1", "https://a.b//c"],
)  # fmt: skip
def test_what_is_no_public_address_is_one_sentence(url: str) -> None:
    with pytest.raises(StartError, match="--public-url") as refused:
        read_url(url)
    assert "\n" not in str(refused.value)


def test_hosts_and_proxies_that_are_none(tmp_path: Path) -> None:
    assert bare_host("[::1]:80") == "::1"
    for hosting, words in (
        (Hosting(proxies=("localhost",)), "--proxy 'localhost'"),
        (Hosting(allow_hosts=("http://a.b",)), "--allow-host"),
        (Hosting(public_url=URL), "--proxy 127.0.0.1"),  # nobody could come
    ):
        with pytest.raises(StartError, match=words):
            site_of(hosting, "127.0.0.1", tmp_path)


def test_what_is_unsafe_in_public_is_named_all_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    tmp_path.chmod(0o700)
    safe = Hosting(public=True, public_url=URL, proxies=("127.0.0.1",))
    assert site_of(safe, "127.0.0.1", tmp_path).proxied_only
    tmp_path.chmod(0o755)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    bad = Hosting(public=True, public_url="http://a.example", proxies=("0.0.0.0/0",), metrics=":9100")
    for hosting, listens_on, words in (
        (bad, "0.0.0.0", ["must use https", "too many addresses", "--metrics", "root", "chmod 700"]),
        (Hosting(public=True), "0.0.0.0", ["--public-url https://", "--proxy 127.0.0.1"]),
        (safe, "0.0.0.0", ["leave out --host"]),
    ):
        with pytest.raises(StartError) as refused:
            site_of(hosting, listens_on, tmp_path)
        for word in words:
            assert word in str(refused.value)
