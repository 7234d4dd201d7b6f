"""Probes: play without a player, by which an audit sees what an integration pays for nothing."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.audit.actions import Effects
from integrator.domain.scenario.actions import MENU_BUTTONS
from integrator.session.frame.readout import scenario_spec
from integrator.session.session import Session
from libretro_host.systems.descriptor import SystemDescriptor

PROBE_FRAMES: Final = 3600
_RANDOM_SEEDS: Final = (1, 2)
_SHORTEST_HOLD: Final = 6
_LONGEST_HOLD: Final = 40
_PRESS_SHARE: Final = 0.3
_MOMENTS: Final = 8
_BETWEEN_FRAMES: Final = 240
_PRESSED_FRAMES: Final = 30
_AFTER_FRAMES: Final = 30
_EARLY_FRAMES: Final = 120
_LOST_FRAMES: Final = 480
_LOOK_FRAMES: Final = 96
_WAYS: Final = ("UP", "DOWN", "LEFT", "RIGHT")
_ALIKE: Final = 0.7
"""So large a part of the bytes that move is the same, at a moment, when a game goes on."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A rule for buttons: ``mask`` held, or with a ``seed`` random ones held for a while each."""

    name: str
    mask: int = 0
    seed: int | None = None

    def masks(self, frames: int, players: int, buttons: Sequence[int]) -> NDArray[np.uint16]:
        """The first player's masks, uint16 (frames, players); the other players press nothing."""
        rows = np.zeros((frames, players), np.uint16)
        rows[:, 0] = self.mask
        if self.seed is None:
            return rows
        random, row = np.random.default_rng(self.seed), 0
        while row < frames:
            pressed = [mask for mask in buttons if random.random() < _PRESS_SHARE]
            hold = int(random.integers(_SHORTEST_HOLD, _LONGEST_HOLD))
            rows[row : row + hold, 0] = sum(pressed)
            row += hold
        return rows


def play_buttons(system: SystemDescriptor) -> dict[int, str]:
    """The buttons that play, as masks with their names."""
    return {
        1 << bit: name
        for bit, name in enumerate(system.buttons)
        if name and name not in MENU_BUTTONS
    }


def probes_of(system: SystemDescriptor) -> list[Probe]:
    """Nothing pressed, each button held, also those of menus, and random play."""
    held = [Probe(f"{name} held", 1 << bit) for bit, name in enumerate(system.buttons) if name]
    return [
        Probe("nothing pressed"),
        *held,
        *(Probe(f"random, seed {seed}", seed=seed) for seed in _RANDOM_SEEDS),
    ]


def _masks_to_try(session: Session) -> tuple[int, ...]:
    """Each button alone, or each combination that the scenario's own actions list; no menus."""
    alone = tuple(play_buttons(session.system))
    if scenario_spec(session.integration, session.game.scenario_name).actions is None:
        return alone
    listed = {mask for group in session.game.actions.groups for mask in group}
    return tuple(mask for mask in sorted(listed) if mask and not mask & ~sum(alone))


def try_buttons(session: Session, source: str) -> Effects:
    """Press buttons at some moments of random play and compare what follows.

    They are let go before memory is looked at, so that a copy of the input alone is no effect.
    """
    buttons = play_buttons(session.system)
    players = session.game.players
    play = Probe("random", seed=_RANDOM_SEEDS[0])
    rows = play.masks(_MOMENTS * _BETWEEN_FRAMES, players, tuple(buttons))
    moments = rows.reshape(_MOMENTS, _BETWEEN_FRAMES, players)
    digests: dict[int, list[bytes]] = {mask: [] for mask in (0, *_masks_to_try(session))}
    frames = []
    session.reset()
    for between in moments:
        state = session.save_state()
        frames.append(session.timeline.length)
        for mask, digest in _after(session, state, tuple(digests)):
            digests[mask].append(digest)
        session.load_state(state)
        session.run(between)
    return Effects(source, tuple(frames), {m: tuple(d) for m, d in digests.items()})


def controls_lost(session: Session, frames: int) -> tuple[int, int] | None:
    """First and last frame of a play's end in which no button has an effect, unlike before.

    Begins branches of the timeline. None while the player is in control now and then.
    """
    first = frames - _LOST_FRAMES
    if first <= _EARLY_FRAMES:
        return None
    # A player who dies has no control for some seconds, so there are several moments. Most plays
    # end in control, so that the first moment answers.
    if any(_in_control(session, frame) for frame in range(frames, first - 1, -_LOOK_FRAMES)):
        return None
    return (first, frames) if _in_control(session, _EARLY_FRAMES) else None


def goes_on(session: Session, frames: int) -> bool:
    """True when the play since the reset moved memory as it moves with nothing pressed.

    Begins another episode. In a menu, or with a random number that follows the buttons, memory goes
    its own way.
    """
    looked = range(_LOOK_FRAMES, frames, _LOOK_FRAMES)
    begun = session.timeline.length - frames
    held = _memories(session, begun, looked)
    session.reset()
    session.run(np.zeros((frames - 1, session.game.players), np.uint16))
    idle = _memories(session, session.timeline.length - frames, looked)
    moving = (idle != idle[:1]).any(axis=0)
    return bool(np.mean((held == idle)[:, moving]) >= _ALIKE) if moving.any() else False


def _memories(session: Session, begun: int, frames: Iterable[int]) -> NDArray[np.uint8]:
    log = session.timeline.log
    return np.array([log.ram(begun + frame) for frame in frames])


def _in_control(session: Session, frame: int) -> bool:
    session.timeline.seek(frame)
    buttons = play_buttons(session.system)
    ways = [mask for mask, name in buttons.items() if name in _WAYS]
    # A gun that is destroyed may leave those that fire with a direction, so pairs come last.
    pairs = (way | mask for way in ways for mask in buttons if mask not in ways)
    tried = _after(session, session.save_state(), (0, *buttons, *pairs))
    _, idle = next(tried)
    return any(digest != idle for _, digest in tried)


def _after(session: Session, state: bytes, masks: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    for mask in masks:
        session.load_state(state)
        rows = np.zeros((_PRESSED_FRAMES + _AFTER_FRAMES, session.game.players), np.uint16)
        rows[:_PRESSED_FRAMES, 0] = mask
        session.run(rows)
        ram = session.timeline.log.ram(session.timeline.length)
        yield mask, hashlib.sha256(ram.tobytes()).digest()
