"""Releases for the tests: any within the ranges, by number."""

from __future__ import annotations

import msgspec
import numpy as np

from bartizan.throwing.release import METHODS, RANGES, Release, read_release


def random_releases(number: int, seed: int = 1) -> list[Release]:
    """Return releases of all methods in turn, each figure anywhere within its range."""
    dice = np.random.default_rng(seed)
    releases = []
    for n in range(number):
        method = METHODS[n % len(METHODS)]
        figures: dict[str, object] = {}
        for field, limits in RANGES[method].items():
            sign = -1 if limits.either_way and dice.random() < 0.5 else 1
            figures[field] = sign * float(dice.uniform(limits.low, limits.high))
        releases.append(read_release(method, figures))
    return releases


def mirrored(release: Release) -> Release:
    """Return the release as it looks in a mirror that stands along the way of the throw."""
    return msgspec.structs.replace(
        release,
        azimuth=-release.azimuth,
        offset=-release.offset,
        roll=-release.roll,
        spin=-release.spin,
    )
