"""Buttons held, and turbo buttons that pulse frame by frame, however the frames are run."""

from __future__ import annotations

import numpy as np
import pytest

import integrator
from integrator.commands.shared.games import demo_game
from integrator.session.frame.live_inputs import LiveInputs, Turbo
from libretro_host.host import CapturePlan

A, B = 1 << 8, 1


def column(rows: np.ndarray[tuple[int, ...], np.dtype[np.uint16]], port: int = 0) -> list[int]:
    return [int(mask) for mask in rows[:, port]]


def test_a_turbo_button_begins_pressed_and_pulses() -> None:
    live = LiveInputs()
    live.set((A | B,))
    live.set_turbo(Turbo((A,), frames=2))
    assert column(live.rows(6, 1)) == [A | B, A | B, B, B, A | B, A | B]


def test_single_frames_pulse_as_a_chunk_does() -> None:
    live = LiveInputs()
    live.set((A,))
    live.set_turbo(Turbo((A,), frames=3))
    singly = [column(live.rows(1, 1))[0] for _ in range(9)]
    assert singly == [A, A, A, 0, 0, 0, A, A, A]


def test_letting_go_begins_the_pulse_anew() -> None:
    live = LiveInputs()
    live.set_turbo(Turbo((A, A), frames=1))
    live.set((A, 0))
    live.rows(1, 2)
    live.set((0, A))
    live.rows(1, 2)
    live.set((A, A))
    rows = live.rows(2, 2)
    assert column(rows, 0) == [A, 0]
    assert column(rows, 1) == [0, A]


@pytest.mark.usefixtures("own_home")
def test_what_the_timeline_keeps_are_the_pulses() -> None:
    live = LiveInputs()
    live.set((B,))
    live.set_turbo(Turbo((B,), frames=1))
    with integrator.open_session(demo_game(), isolated=False) as session:
        session.reset()
        for _ in range(4):
            session.run(live.rows(1, session.game.players), CapturePlan())
        assert column(session.timeline.log.inputs(2, 6)) == [B, 0, B, 0]
