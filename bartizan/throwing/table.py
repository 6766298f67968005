"""Build the MuJoCo model of a table with lying cards and one flying card.

All cards are alike, so a model depends only on the number of lying cards; their places are part of the state.
"""

from __future__ import annotations

import ctypes
import functools
import threading
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from bartizan.throwing.air import GRAVITY, LENGTH, MASS, THICKNESS, WIDTH

# Otherwise MuJoCo writes warnings to MUJOCO_LOG.TXT, wherever the program was started.
mujoco.set_mju_user_warning(lambda _text: None)

# What bodies and contacts are made of.  A card of its own 0.3 mm is stable only at steps of 0.25 ms, and one
# of 2 mm pushes what lies there too easily; mass and moments of inertia are those of the true card.
BODY_THICKNESS = 0.001  # m
STEP = 0.001  # s
CARD_FRICTION, TABLE_FRICTION = 0.3, 0.4
TORSION = 0.0005  # m: how far friction reaches against turning on the spot, at each point of contact
# Nothing here is damped, so that the implicit integrators do what Euler's does, 5% slower.
STIFFNESS = 0.004  # s: how soon a contact pushes apart what overlaps

CARD_STATE, CARD_RATE = 7, 6  # numbers of a free body: place and attitude, velocity and rotation
PIECE_STATE = 4  # numbers of a lying card: x, y, height, yaw; and as many rates

MODEL = """
<mujoco>
  <option timestep="{step}" integrator="Euler" solver="Newton" cone="elliptic" impratio="5"
          gravity="0 0 -{gravity}"><flag eulerdamp="disable" autoreset="disable" sleep="enable"/></option>
  <default>
    <geom condim="4" solref="{stiffness} 1" friction="{card} {torsion} 0"/>
  </default>
  <worldbody>
    <geom name="table" type="plane" size="5 5 1" friction="{table} {torsion} 0"/>
    <body name="card">
      <freejoint/>
      <inertial pos="0 0 0" mass="{mass}" diaginertia="{inertia}"/>
      <geom name="card" type="box" size="{size}"/>
    </body>{pieces}
  </worldbody>
  <sensor>
    <contact geom1="card" geom2="table"/>{sensors}
  </sensor>
</mujoco>
"""
PIECE = """
    <body>
      <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>
      <joint type="slide" axis="0 0 1"/><joint type="hinge" axis="0 0 1"/>
      <inertial pos="0 0 0" mass="{mass}" diaginertia="{inertia}"/>
      <geom name="piece{number}" type="box" size="{size}"/>
    </body>"""
SENSOR = """
    <contact geom1="card" geom2="piece{number}"/>"""


@functools.cache
def model(pieces: int, step: float = STEP) -> Any:
    """Return the model of a table with one card that flies and `pieces` cards that lie."""
    inertia = [
        MASS * (a**2 + b**2) / 12 for a, b in ((LENGTH, THICKNESS), (WIDTH, THICKNESS), (WIDTH, LENGTH))
    ]
    body = {
        "mass": MASS,
        "inertia": " ".join(map(repr, inertia)),
        "size": f"{WIDTH / 2} {LENGTH / 2} {BODY_THICKNESS / 2}",
    }
    text = MODEL.format(
        step=step,
        gravity=GRAVITY,
        stiffness=STIFFNESS,
        card=CARD_FRICTION,
        table=TABLE_FRICTION,
        torsion=TORSION,
        pieces="".join(PIECE.format(number=number, **body) for number in range(pieces)),
        sensors="".join(SENSOR.format(number=number) for number in range(pieces)),
        **body,
    )
    return mujoco.MjModel.from_xml_string(text)


class Bench:
    """Hold one model and its data, and where a compiled loop finds them."""

    def __init__(self, pieces: int, step: float) -> None:
        self.model = model(pieces, step)
        self.data = mujoco.MjData(self.model)
        self.addresses = (step_address(), self.model._address, self.data._address)
        self.state: Any = self.data.qpos
        self.rates: Any = self.data.qvel
        self.load: Any = self.data.xfrc_applied
        self.sensors: Any = self.data.sensordata
        self.anchor: Any = np.zeros_like(self.state)
        self.warmstart: Any = self.data.qacc_warmstart

    def clear(self) -> None:
        """Forget all that happened on it."""
        mujoco.mj_resetData(self.model, self.data)


_local = threading.local()


def bench(pieces: int, step: float = STEP) -> Bench:
    """Return this thread's own table with so many lying cards, cleared."""
    kept: dict[tuple[int, float], Bench] = _local.__dict__.setdefault("benches", {})
    if (pieces, step) not in kept:
        kept[pieces, step] = Bench(pieces, step)
    entry = kept[pieces, step]
    entry.clear()
    return entry


@functools.cache
def step_address() -> int:
    """Return where MuJoCo's `mj_step` lies in memory, so that a compiled loop can call it.

    From then on it does not read the clock for its own statistics, as its Python package has it do many times
    in a step: that is an eighth of all the time.
    """
    folder = Path(mujoco.__file__).parent
    patterns = ("libmujoco.so*", "libmujoco*.dylib", "mujoco.dll")
    library = next(path for pattern in patterns for path in sorted(folder.rglob(pattern)))
    loaded = ctypes.CDLL(str(library))
    # `mujoco.set_mjcb_time(None)` would put the package's own clock back.
    ctypes.c_void_p.in_dll(loaded, "mjcb_time").value = None
    return ctypes.cast(loaded.mj_step, ctypes.c_void_p).value or 0
