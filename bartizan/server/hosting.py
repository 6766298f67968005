"""Describe how a server can be reached, and refuse setups that are unsafe on the internet."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

import msgspec

from bartizan.server.site import PublicUrl, Site, is_loopback, read_hosts, read_proxies, read_url
from bartizan.tables.errors import StartError

WIDEST = {4: 8, 6: 32}  # bits: a wider network of proxies covers too much of the internet


class Hosting(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a server that others can reach."""

    public: bool = False  # refuse what is unsafe on the internet
    public_url: str = ""  # the public address
    allow_hosts: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    metrics: str = ""  # HOST:PORT at which metrics are served without a key
    log: Literal["text", "json"] = "text"
    log_requests: bool = False


USUAL = Hosting()


def default_data_dir() -> Path:
    """Return the default data folder: ``BARTIZAN_DATA``, or the system's folder for user data."""
    if given := os.environ.get("BARTIZAN_DATA"):
        return Path(given)
    import platformdirs

    return platformdirs.user_data_path("bartizan", appauthor=False)


def site_of(hosting: Hosting, listens_on: str, data: Path) -> Site:
    """Return the site of a server that listens on an address.

    Raises one `StartError` for all settings that can't be parsed or, with `public`, aren't safe.
    """
    public = read_url(hosting.public_url) if hosting.public_url else PublicUrl()
    proxies = read_proxies(hosting.proxies)
    names = read_hosts(hosting.allow_hosts) | ({public.host} if public.host else set())
    alone = is_loopback(listens_on)
    if public.whole and alone and not proxies:
        raise StartError(
            "--public-url is set, but the server listens only on this machine: name the proxy in front of it "
            "(--proxy 127.0.0.1), or an address that others can reach (--host)."
        )
    if hosting.public:
        faults = unsafe(hosting, alone=alone, data=data)
        if faults:
            raise StartError("This is not safe on the internet (--public). " + " ".join(faults))
    return Site(
        loopback_only=alone,
        url=public.whole,
        origin=public.origin,
        base=public.base,
        names=names,
        proxies=proxies,
        proxied_only=hosting.public,
    )


def unsafe(hosting: Hosting, *, alone: bool, data: Path) -> list[str]:
    """List what is unsafe on the internet, a sentence each."""
    faults = []
    if not hosting.public_url:
        faults.append("Set the public address: --public-url https://games.example.org/.")
    elif not hosting.public_url.lower().startswith("https:"):
        faults.append("--public-url must use https; otherwise keys could be read on their way.")
    if not hosting.proxies:
        faults.append("No proxy provides TLS: set one up and name it, as in --proxy 127.0.0.1.")
    wide = [one for one in read_proxies(hosting.proxies) if one.prefixlen < WIDEST[one.version]]
    if wide:
        faults.append(f"--proxy {wide[0]} trusts too many addresses: name only the proxy.")
    if not alone and any(is_loopback(str(one.network_address)) for one in read_proxies(hosting.proxies)):
        faults.append(
            "The proxy is on this machine, but others can reach the port directly: leave out --host."
        )
    host = hosting.metrics.rpartition(":")[0].strip("[]")
    if hosting.metrics and host in ("", "0.0.0.0", "::"):
        faults.append(f"--metrics {hosting.metrics} shows metrics to everyone: name one address.")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        faults.append("The server runs as root: start it as a user of its own.")
    if data.exists() and data.stat().st_mode & 0o077:
        faults.append(f"Others on this machine can read {data}, which holds the deals: run chmod 700.")
    return faults
