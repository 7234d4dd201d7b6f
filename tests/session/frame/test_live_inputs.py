"""Buttons held, and turbo buttons that pulse frame by frame, however the frames are run."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import integrator
from integrator.commands.shared.options import demo_game
from integrator.session.frame.inputs import LiveInputs, on_off
from libretro_host.host import CapturePlan

A, B = 1 << 8, 1
A_BIT, B_BIT = 8, 0


def column(rows: np.ndarray[tuple[int, ...], np.dtype[np.uint16]], port: int = 0) -> list[int]:
    return [int(mask) for mask in rows[:, port]]


def test_a_turbo_button_begins_pressed_and_pulses() -> None:
    live = LiveInputs()
    live.set((A | B,))
    live.set_turbo({(0, A_BIT): on_off(2, 2)})
    assert column(live.rows(6, 1)) == [A | B, A | B, B, B, A | B, A | B]


def test_a_tap_between_two_frames_is_down_in_the_next() -> None:
    live = LiveInputs()
    for masks in ((A,), (A | B,), (0,)):
        live.set(masks, keep=True)
    assert column(live.rows(2, 1)) == [A | B, 0]
    assert column(live.rows(1, 1)) == [0]


def test_a_tap_of_a_paused_game_is_forgotten() -> None:
    live = LiveInputs()
    live.set((A,), keep=True)
    live.set((0,))
    assert column(live.rows(1, 1)) == [0]


def test_single_frames_pulse_as_a_chunk_does() -> None:
    live = LiveInputs()
    live.set((A,))
    live.set_turbo({(0, A_BIT): on_off(3, 3)})
    singly = [column(live.rows(1, 1))[0] for _ in range(9)]
    assert singly == [A, A, A, 0, 0, 0, A, A, A]


def test_letting_go_begins_the_pulse_anew() -> None:
    live = LiveInputs()
    live.set_turbo({(port, A_BIT): on_off(1, 1) for port in (0, 1)})
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
    live.set_turbo({(0, B_BIT): on_off(1, 1)})
    with integrator.open_session(demo_game(), isolated=False) as session:
        session.reset()
        for _ in range(4):
            session.run(live.rows(1, session.game.players), CapturePlan())
        assert column(session.timeline.log.inputs(2, 6)) == [B, 0, B, 0]


def test_a_pattern_has_any_runs_of_frames() -> None:
    live = LiveInputs()
    live.set((A | B,))
    live.set_turbo({(0, A_BIT): on_off(0, 1, 2, 1), (0, B_BIT): on_off(1, 2)})
    assert column(live.rows(6, 1)) == [B, A, A, B, 0, A]


def rows_of(*masks: int) -> NDArray[np.uint16]:
    return np.array([[mask] for mask in masks], np.uint16)


@pytest.mark.parametrize("chunk", [1, 2, 5, 7])
def test_a_macro_plays_once_beside_held_buttons_however_frames_are_run(chunk: int) -> None:
    live = LiveInputs()
    live.set((B,))
    live.play(rows_of(A, 0, A))
    got = [mask for _ in range(0, 7, chunk) for mask in column(live.rows(chunk, 1))]
    assert got[:7] == [A | B, B, A | B, B, B, B, B][: len(got)]


@pytest.mark.parametrize("chunk", [1, 3, 7])
def test_a_looped_macro_goes_on_until_it_is_ended(chunk: int) -> None:
    live = LiveInputs()
    live.play(rows_of(A, B, 0), loop=True)
    got = [mask for _ in range(0, 7, chunk) for mask in column(live.rows(chunk, 1))]
    assert got[:7] == [A, B, 0, A, B, 0, A][: len(got)]
    live.play(rows_of(B))
    assert column(live.rows(2, 1)) == [B, 0]
    live.play(rows_of(A), loop=True)
    live.play(None)
    assert column(live.rows(2, 1)) == [0, 0]


def test_a_macro_of_two_players_plays_the_first_alone() -> None:
    live = LiveInputs()
    live.play(np.array([[A, B]], np.uint16))
    assert live.rows(1, 1).tolist() == [[A]]


def test_a_macro_may_be_ended_by_another_thread_while_its_rows_are_taken() -> None:
    live, asked = LiveInputs(), itertools.count(1)

    class Ended(np.ndarray[tuple[int, int], np.dtype[np.uint16]]):
        def __len__(self) -> int:
            if next(asked) == 2:  # whether the first row is there
                live.play(None)
            return super().__len__()

    live.play(rows_of(A, B).view(Ended))
    assert len(live.rows(2, 1)) == 2
    assert column(live.rows(2, 1)) == [0, 0]


@pytest.mark.usefixtures("own_home")
def test_a_movie_keeps_a_macro_as_plain_inputs(tmp_path: Path) -> None:
    live = LiveInputs()
    live.play(rows_of(B, 0, B))
    with integrator.open_session(demo_game(), isolated=False) as session:
        session.reset()
        session.record(tmp_path / "macro.bk2")
        session.run(live.rows(4, session.game.players), CapturePlan())
        session.stop_recording()
        movie = session.game.read_movie(tmp_path / "macro.bk2")
    assert column(movie.inputs)[-4:] == [B, 0, B, 0]
