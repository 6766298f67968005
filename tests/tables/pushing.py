"""A browser's side of Web Push, and a push service that hears everything."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from bartizan.tables.messages import PushWish
from bartizan.tables.webpush import packed

AUTH = bytes(range(16))


class Browser:
    """A subscription, and the private key that opens what is sent to it."""

    def __init__(self, name: str, host: str = "fcm.googleapis.com") -> None:
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.endpoint = f"https://{host}/fcm/send/{name}"
        self.point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def wish(self, on: bool | None = True) -> PushWish:
        return PushWish(on=on, endpoint=self.endpoint, p256dh=packed(self.point), auth=packed(AUTH))

    def opened(self, content: bytes) -> bytes:
        """Decrypt a message as RFC 8291 says, written from the receiver's side."""
        salt, theirs, text = content[:16], content[21 : 21 + content[20]], content[21 + content[20] :]
        agreed = self.private.exchange(
            ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
        )
        key = HKDF(SHA256(), 32, AUTH, b"WebPush: info\0" + self.point + theirs).derive(agreed)
        secret = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(key)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(key)
        plain = AESGCM(secret).decrypt(nonce, text, None)
        assert plain[-1:] == b"\2"
        return plain[:-1]


class PushService:
    """What browsers' push services were sent; `answer` gives the status, or raises."""

    def __init__(self, answer: Callable[[int], int] = lambda _: 201) -> None:
        self.requests: list[httpx.Request] = []
        self.answer = answer
        self.transport = httpx.MockTransport(self._hear)

    def _hear(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return httpx.Response(
            self.answer(len(self.requests)), headers={"location": "https://127.0.0.1/"}, content=b"x"
        )

    def told(self, browser: Browser) -> list[dict[str, Any]]:
        """Return what one browser was sent, decrypted."""
        mine = [each for each in self.requests if str(each.url) == browser.endpoint]
        return [json.loads(browser.opened(each.content)) for each in mine]
