"""Put policies in whole numbers side by side: one network whose scores are the sum of theirs.

python -m scripts.side_by_side policy.npz one/policy.npz another/policy.npz
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bartizan.engine.errors import BadData, BartizanError
from bartizan.engine.files import replacing
from bartizan.engine.policy_network import PolicyNetwork, load_policy, save_policy


def main(arguments: Sequence[str]) -> int:
    """Write the first file from the others; return 0, or 2 for bad input."""
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    out, *files = map(Path, arguments)
    try:
        joined = side_by_side([load_policy(path) for path in files])
        with replacing(out) as path:
            save_policy(joined, path)
    except BartizanError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def side_by_side(networks: Sequence[PolicyNetwork]) -> PolicyNetwork:
    """Return one network for several of the same game; raises `BadData` if their observations differ."""
    if len({(tuple(each.most), len(each.tokens)) for each in networks}) > 1:
        raise BadData("These policies were trained on different observations.")
    ends = np.cumsum([0, *(len(each.head) for each in networks)])
    body = np.zeros((ends[-1], ends[-1]), np.int16)
    for each, at, end in zip(networks, ends, ends[1:], strict=False):
        body[at:end, at:end] = each.body
    return PolicyNetwork(
        most=networks[0].most,
        inlet=np.concatenate([each.inlet for each in networks], axis=1),
        first=np.concatenate([each.first for each in networks]),
        body=body,
        second=np.concatenate([each.second for each in networks]),
        tokens=np.concatenate([each.tokens for each in networks], axis=1),
        head=np.concatenate([each.head for each in networks]),
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
