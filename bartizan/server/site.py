"""Define where a server is reachable, and which requests it answers: its names, proxies and base path."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec

from bartizan.tables.errors import StartError

HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^\s:/@?#\[\]\\]+)(?::(\d{1,5}))?")
BASE = re.compile(r"(/[0-9A-Za-z_.~-]+)*")
LAST_PORT = 65535
SUBNET = 64  # bits of an IPv6 address that belong to one household or machine

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """Where a server is reachable; by default only under this machine's own names."""

    loopback_only: bool = True
    url: str = ""  # the public address, with a trailing slash; empty if not set
    origin: str = ""  # its scheme, host and port
    base: str = ""  # its folder, such as "/games"; empty at the top
    names: frozenset[str] = frozenset()  # other hosts that it answers to
    proxies: tuple[Network, ...] = ()  # trusted to say where a request comes from
    proxied_only: bool = False  # whether to accept only these proxies and this machine

    def answers_to(self, host: str) -> bool:
        """Return whether a bare host (no port, no brackets) is a name of this server.

        A server that others can reach accepts any numeric address: a foreign page can make a name point here,
        but not a numeric address.
        """
        if host in self.names or is_loopback(host):
            return True
        return not self.loopback_only and (is_address(host) or host in own_names())

    def trusts(self, peer: str) -> bool:
        """Return whether an address is one of the proxies."""
        return _is_within(peer, self.proxies)

    def admits(self, peer: str) -> bool:
        """Return whether a connection from this address is served at all."""
        return not self.proxied_only or is_loopback(peer) or self.trusts(peer)

    def address(self, scope: Mapping[str, Any]) -> str:
        """Return the key of a request for limits per address: an IPv4 address or an IPv6 subnet.

        Empty for this machine, which has no limits, unless proxies are configured: then its
        requests come from a proxy.
        """
        client = scope.get("client")
        host = str(client[0]) if client else ""
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return "unknown"  # a proxy that says nothing, or a Unix socket
        if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        if address.is_loopback and not self.proxies:
            return ""
        if isinstance(address, ipaddress.IPv6Address):
            return str(ipaddress.ip_network((address, SUBNET), strict=False))
        return str(address)


def bare_host(header: str) -> str | None:
    """Return the host of a Host header, without port and brackets and in lower case; None if invalid."""
    match = HOST.fullmatch(header.lower())
    if match is None or int(match[2] or 0) > LAST_PORT:
        return None
    return match[1].strip("[]")


def is_loopback(host: str) -> bool:
    """Return whether a bare host (no port, no brackets) is this machine's own name."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_address(host: str) -> bool:
    """Return whether a bare host is a numeric address."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def own_names() -> tuple[str, ...]:
    """Return this machine's names in its own network."""
    name = socket.gethostname().lower()
    return name, f"{name}.local"


def _is_within(host: str, networks: Sequence[Network]) -> bool:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return any(address in network for network in networks)


class PublicUrl(msgspec.Struct, frozen=True):
    """The public address; empty if not set."""

    whole: str = ""  # with a trailing slash
    origin: str = ""  # scheme, host and port
    host: str = ""
    base: str = ""  # the folder, such as "/games"


def read_url(url: str) -> PublicUrl:
    """Parse the public address.

    Raises `StartError`.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    host = parts.hostname or ""
    base = parts.path.rstrip("/")
    if parts.scheme not in ("http", "https") or bare_host(parts.netloc) is None or not host:
        raise StartError(f"--public-url {url!r} isn't an address such as https://games.example.org/.")
    if parts.query or parts.fragment or not BASE.fullmatch(base) or ".." in base.split("/"):
        raise StartError(
            f"--public-url {url!r} may end in a folder of letters and digits: https://example.org/games/."
        )
    usual = {"http": 80, "https": 443}[parts.scheme]
    place = f"[{host}]" if ":" in host else host
    origin = f"{parts.scheme}://{place}" + (f":{port}" if port not in (None, usual) else "")
    return PublicUrl(f"{origin}{base}/", origin, host, base)


def read_hosts(names: Sequence[str]) -> frozenset[str]:
    """Return the names that a server answers to; raises `StartError` for an invalid one."""
    for name in names:
        if bare_host(name) != name.lower().strip("[]"):
            raise StartError(f"--allow-host {name!r} isn't a host name, such as games.example.org.")
    return frozenset(name.lower().strip("[]") for name in names)


def read_proxies(proxies: Sequence[str]) -> tuple[Network, ...]:
    """Return the addresses and networks of proxies; raises `StartError` for an invalid one."""
    names = []
    for proxy in proxies:
        try:
            names.append(ipaddress.ip_network(proxy, strict=False))
        except ValueError:
            raise StartError(
                f"--proxy {proxy!r} is neither an address (127.0.0.1) nor a network (10.0.0.0/24)."
            ) from None
    return tuple(names)
