"""Encrypt notifications for one browser (RFC 8291) and sign them as this server (VAPID, RFC 8292)."""

from __future__ import annotations

import re
import secrets
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from bartizan.engine.errors import in_words
from bartizan.engine.files import reason, write_secret
from bartizan.tables.errors import StartError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

FILE = "push.key"
EXTRA, WHAT = "push", "Sending notifications"
# The push services of Chrome and browsers built on it, Firefox, Safari and Edge; a dot stands for any name.
HOSTS = (
    "fcm.googleapis.com",
    ".push.services.mozilla.com",
    ".push.apple.com",
    ".notify.windows.com",
)
HOST = re.compile(r"\.?[a-z0-9-]+(?:\.[a-z0-9-]+)+")
# Nothing that two programs could read differently: no user, no port, no backslash, no fragment.
ADDRESS = re.compile(r"https://([a-z0-9-]+(?:\.[a-z0-9-]+)+)/[A-Za-z0-9/_.:;=?&%~+-]{1,1000}")
CONTACT = re.compile(r"mailto:[^\s@<>:]+@[^\s@<>:]+|https://\S+")
PADDED = 1024  # bytes of every message, so that its length says nothing
RECORD = 4096  # bytes: the record size in the header; one record holds the message
SIGNED_FOR = 12 * 3600  # seconds


class PushSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `push.key` holds."""

    contact: str  # how push services reach the host: mailto:… or https://…
    private: str  # the private key, in base64url
    hosts: tuple[str, ...] = ()  # more push services, such as push.example.org


class PushKeys:
    """The server's key pair, and the push services that it sends to."""

    def __init__(self, settings: PushSettings) -> None:
        """Read the private key; raises `ValueError`, which never shows it."""
        from cryptography.hazmat.primitives.asymmetric import ec

        if not CONTACT.fullmatch(settings.contact):
            raise ValueError("its contact isn't an address")
        for host in settings.hosts:
            if not HOST.fullmatch(host):
                raise ValueError(f"{host!r} isn't a host name such as push.example.org")
        self._contact = settings.contact
        self._hosts = (*HOSTS, *settings.hosts)
        try:
            self._private = ec.derive_private_key(int.from_bytes(unpacked(settings.private)), ec.SECP256R1())
        except ValueError:
            raise ValueError("its private key isn't valid") from None
        self.public = packed(_point(self._private))

    def allows(self, endpoint: str) -> bool:
        """Whether an address is one of a push service that this server sends to."""
        match = ADDRESS.fullmatch(endpoint)
        return match is not None and any(
            match[1].endswith(host) if host.startswith(".") else match[1] == host for host in self._hosts
        )

    def signed(self, endpoint: str) -> str:
        """Return the header that tells a push service who sends."""
        from cryptography.hazmat.primitives.asymmetric.ec import ECDSA
        from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
        from cryptography.hazmat.primitives.hashes import SHA256

        parts = urlsplit(endpoint)
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": int(time.time()) + SIGNED_FOR,
            "sub": self._contact,
        }
        head = {"typ": "JWT", "alg": "ES256"}
        text = ".".join(packed(msgspec.json.encode(part)) for part in (head, claims))
        numbers = decode_dss_signature(self._private.sign(text.encode(), ECDSA(SHA256())))
        signature = packed(b"".join(number.to_bytes(32) for number in numbers))
        return f"vapid t={text}.{signature}, k={self.public}"


def sealed(message: bytes, p256dh: str, auth: str, salt: bytes = b"", private: str = "") -> bytes:
    """Return a message that only one browser can read; raises `ValueError` for keys that aren't a browser's.

    `salt` and `private`, the sender's key for this message, are drawn unless a test gives them.
    """
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    def derived(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
        return HKDF(SHA256(), length, salt, info).derive(key)

    theirs, secret, curve = unpacked(p256dh), unpacked(auth), ec.SECP256R1()
    if len(secret) != 16:
        raise ValueError("The secret has another length than 16 bytes.")
    public = ec.EllipticCurvePublicKey.from_encoded_point(curve, theirs)
    own = (
        ec.derive_private_key(int.from_bytes(unpacked(private)), curve)
        if private
        else ec.generate_private_key(curve)
    )
    salt = salt or secrets.token_bytes(16)
    agreed = own.exchange(ec.ECDH(), public)
    key = derived(agreed, secret, b"WebPush: info\0" + theirs + _point(own), 32)
    content_key = derived(key, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derived(key, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + RECORD.to_bytes(4) + bytes([len(_point(own))]) + _point(own)
    return header + AESGCM(content_key).encrypt(nonce, message + b"\2", None)


def padded(message: bytes) -> bytes:
    """Return JSON at the length of every other message; raises `ValueError` if it has more than that."""
    if len(message) > PADDED:
        raise ValueError("A notification is too long.")
    return message.ljust(PADDED)


def make_keys(folder: Path, contact: str, note: Callable[[], None] = lambda: None) -> Path:
    """Write a new key pair into a data folder, readable only by its owner.

    `note` is called just before, and only if nothing is wrong.  Raises `StartError` and `Unwritable`.
    """
    from cryptography.hazmat.primitives.asymmetric import ec

    path = folder / FILE
    if not CONTACT.fullmatch(contact):
        raise StartError(f"{contact!r} isn't how push services can reach you: mailto:you@example.org is.")
    exists = StartError(
        f"{path} exists already. With other keys, everyone would have to turn notifications on again; "
        "if you want that, delete it first."
    )
    if path.exists():
        raise exists
    note()
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    settings = PushSettings(contact=contact, private=packed(number.to_bytes(32)))
    try:
        write_secret(path, msgspec.json.format(msgspec.json.encode(settings)).decode() + "\n")
    except FileExistsError:
        raise exists from None
    return path


def read_keys(folder: Path) -> PushKeys | None:
    """Return the keys in a data folder; None if there are none.  Raises `StartError`, `MissingExtra`."""
    from bartizan.engine.extras import require

    path = folder / FILE
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StartError(f"{path} cannot be read: {reason(error)}.") from error
    require(EXTRA, WHAT)
    try:
        return PushKeys(msgspec.json.decode(text, type=PushSettings))
    except (msgspec.DecodeError, ValueError) as error:
        why = in_words(error)
        raise StartError(f"{path} isn't what `bartizan tables push-keys` writes: {why}.") from None


def packed(data: bytes) -> str:
    """Return base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def unpacked(text: str) -> bytes:
    """Read base64url; raises `ValueError`."""
    if not re.fullmatch(r"[A-Za-z0-9_-]*={0,2}", text):
        raise ValueError("This isn't base64url.")
    return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))


def _point(private: EllipticCurvePrivateKey) -> bytes:
    """Return the public key of a private one, uncompressed."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
