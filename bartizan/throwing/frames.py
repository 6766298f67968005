"""Pack the key frames of a throw for a client: see `bartizan.engine.layout.Flown`."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

RATE = 120  # a second: at 60 a card is 3.3 mm and 10° off in between, at 120 it is 1.7 mm and 3.7°
NUMBERS = 8  # of a frame: milliseconds, x, y, z, quaternion
SCALE = np.array([1, 1e4, 1e4, 1e4, 32767, 32767, 32767, 32767])


def frame_times(limit: int) -> Any:
    """Return the whole milliseconds at which frames are taken, up to `limit`."""
    return np.round(np.arange(limit * RATE // 1000 + 1) * 1000 / RATE).astype(np.int64)


def pack(frames: Any) -> bytes:
    """Return frames (n by 8: ms, metres, quaternion) as little-endian int16, attitudes told smoothly."""
    signed = np.array(frames, dtype=np.float64)
    turns = signed[:, 4:]
    # The other sign is the same attitude, but a client that slides between them turns less.
    away = np.einsum("ij,ij->i", turns[:-1], turns[1:]) < 0
    turns[1:] *= np.where(np.logical_xor.accumulate(away), -1.0, 1.0)[:, None]
    packed: bytes = np.clip(np.round(signed * SCALE), -32768, 32767).astype("<i2").tobytes()
    return packed


def unpack(packed: bytes) -> Any:
    """Return what `pack` was given, as exactly as it was kept."""
    return np.frombuffer(packed, dtype="<i2").reshape(-1, NUMBERS) / SCALE


def as_text(packed: bytes) -> str:
    """Return packed frames in base64."""
    return base64.b64encode(packed).decode("ascii")


def from_text(text: str) -> bytes:
    """Return the packed frames that `as_text` was given."""
    return base64.b64decode(text)
