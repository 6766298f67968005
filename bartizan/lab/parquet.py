"""Write frames as Parquet files."""

from __future__ import annotations

import io
from pathlib import Path

import polars as pl

from bartizan.engine.files import replacing


def write_frame(path: Path, frame: pl.DataFrame) -> bytes:
    """Write a frame as a Parquet file, whole or not at all; return its bytes.  Raises `Unwritable`."""
    data = io.BytesIO()  # not into the file: Polars would report what the disk refuses as a fault of its own
    frame.write_parquet(data, compression="zstd", statistics=False)
    with replacing(path) as part:
        part.write_bytes(data.getvalue())
    return data.getvalue()
