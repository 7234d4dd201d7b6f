"""Sound: a bounded queue in step with the device, silence while play stands still, no device."""

import sys
import time
from pathlib import Path
from threading import enumerate as enumerate_threads

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from ui_driver import OPEN_TIMEOUT_MS, frame_number, open_and_wait

from integrator.commands.shared.options import demo_game
from integrator.ui.play.audio_controller import (
    MAX_PACE_CHANGE,
    AudioController,
    Samples,
    SoundRing,
    has_sound_server,
    open_sound,
)
from integrator.ui.shell.main_window import MainWindow

RATE = 48_000


def tone(samples: int, first: int = 0) -> Samples:
    """Samples that tell their place: 0, 1, 2, ..."""
    count = np.arange(first, first + samples, dtype=np.int64).astype(np.int16)
    return np.stack([count, count], axis=1)


class FakeDevice:
    """A device that plays on command."""

    def __init__(self) -> None:
        self.written: list[Samples] = []
        self.queued = 0
        self.works = True
        self.volume = -1
        self.closed = False

    def write(self, samples: Samples) -> None:
        self.written.append(samples)
        self.queued += len(samples)

    def clear(self) -> None:
        self.queued = 0

    def set_volume(self, percent: int) -> None:
        self.volume = percent

    def close(self) -> None:
        self.closed = True

    def play(self, samples: int) -> None:
        self.queued = max(0, self.queued - samples)


def test_every_sample_comes_out_once_and_in_order() -> None:
    ring = SoundRing(RATE)
    out: list[Samples] = []
    queued = 0
    for frame in range(120):
        ring.push(tone(800, frame * 800), queued)
        part = ring.take(queued)
        out.append(part)
        queued = max(0, queued + len(part) - 800)
    heard = np.concatenate(out)
    assert len(heard) > 110 * 800
    assert np.array_equal(heard, tone(len(heard)))
    assert ring.dropped == 0


def test_a_device_that_stands_still_does_not_let_the_queue_grow() -> None:
    ring = SoundRing(RATE)
    for frame in range(600):
        ring.push(tone(800, frame * 800), 1)
        assert ring.latency <= RATE // 4
    assert ring.dropped > 500 * 800
    newest = tone(1)
    while len(ring):
        newest = ring.take(1)[-1:]
    assert np.array_equal(newest, tone(1, 600 * 800 - 1))


@pytest.mark.parametrize("device_rate", [RATE * 0.997, RATE, RATE * 1.003])
def test_play_follows_the_clock_of_the_device(device_rate: float) -> None:
    """Ten minutes with a device whose clock is off: no gap, no drop, the same latency."""
    ring = SoundRing(RATE)
    pace, queued, latencies, dry = 1.0, 0.0, [], 0
    for frame in range(36_000):
        # The device's share of play in the time of this frame, stretched as asked for.
        queued = max(0.0, queued - device_rate / 60 * pace)
        pace = ring.push(np.zeros((800, 2), np.int16), round(queued))
        queued += len(ring.take(round(queued)))
        if frame > 3600:
            latencies.append(ring.latency)
            dry += queued == 0
    assert dry == 0
    assert ring.dropped == 0
    assert max(latencies) - min(latencies) < ring.target / 2
    assert abs(latencies[-1] - latencies[0]) < ring.target / 4


def test_a_device_that_ran_dry_waits_until_enough_is_there() -> None:
    ring = SoundRing(RATE)
    ring.push(tone(800), 0)
    assert len(ring.take(0)) == 0
    while len(ring) < ring.target:
        ring.push(tone(800), 0)
    assert len(ring.take(0)) == ring.target


def test_pace_never_leaves_what_nobody_notices() -> None:
    ring = SoundRing(RATE)
    for _ in range(8):
        ring.push(tone(800), 0)
    ring.take(0)
    paces = [ring.push(tone(800), ring.target) for _ in range(40)]
    assert max(paces) <= 1 + MAX_PACE_CHANGE
    assert max(paces) > 1


def test_there_is_no_sound_without_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sys.platform != "linux":
        pytest.skip("other systems have no server to look for")
    environment = {"XDG_RUNTIME_DIR": str(tmp_path)}
    assert not has_sound_server(environment)
    for variable in ("PULSE_SERVER", "SDL_AUDIODRIVER"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert open_sound(RATE) is None
    (tmp_path / "pulse").mkdir()
    (tmp_path / "pulse" / "native").touch()
    assert has_sound_server(environment)


def test_the_device_plays_what_it_is_given_as_loud_as_it_is_told(
    tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SDL's disk driver writes the samples that a sound card would play."""
    played = tmp_path / "played"
    monkeypatch.setenv("SDL_AUDIODRIVER", "disk")
    monkeypatch.setenv("SDL_DISKAUDIOFILE", str(played))
    device = open_sound(RATE)
    assert device is not None
    works = device.works
    assert works
    device.write(tone(3_000, 1))
    device.set_volume(50)
    device.write(tone(3_000, 3_001))
    qtbot.waitUntil(lambda: device.queued == 0)
    device.write(tone(600_000))  # longer than any machine needs for the next line
    assert device.queued > 0
    device.clear()
    assert device.queued == 0
    device.close()
    device.close()
    assert not device.works
    device.write(tone(1))
    qtbot.waitUntil(lambda: "sound device ends" not in {each.name for each in enumerate_threads()})
    samples = np.fromfile(played, np.int16).reshape(-1, 2)
    whole = samples[samples[:, 0] > 0][:6_000]
    assert np.array_equal(whole[:3_000], tone(3_000, 1))
    assert np.array_equal(whole[3_000:], tone(3_000, 3_001) // 4)


def test_an_unknown_sound_system_leaves_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "no-such-driver")
    assert open_sound(RATE) is None


def test_a_busy_window_is_not_heard(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = FakeDevice()
    monkeypatch.setattr(window.parts[AudioController], "_open_device", lambda _: device)
    open_and_wait(window, qtbot, demo_game())
    window.bridge.play()
    qtbot.waitUntil(lambda: heard(device) > 0)
    before, end = heard(device), time.monotonic() + OPEN_TIMEOUT_MS / 1000
    while heard(device) < before + RATE // 4:
        assert time.monotonic() < end
        time.sleep(0.01)  # and the window's thread does nothing else


def heard(device: FakeDevice) -> int:
    """Samples written so far; meanwhile the device plays some."""
    device.play(2_000)
    return sum(len(part) for part in device.written)


def test_the_game_is_heard_while_it_plays_at_its_own_speed(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    devices: list[FakeDevice] = []
    audio = window.parts[AudioController]

    def open_device(_: float) -> FakeDevice:
        devices.append(FakeDevice())
        return devices[-1]

    monkeypatch.setattr(audio, "_open_device", open_device)
    open_and_wait(window, qtbot, demo_game())
    device = devices[0]
    assert device.volume == window.context.settings.volume
    assert heard(device) == 0
    window.bridge.play()
    qtbot.waitUntil(lambda: heard(device) > 8_000)
    window.bridge.pause()
    qtbot.waitUntil(lambda: window.controller.paused)
    silent, ring = heard(device), audio.ring
    assert ring is not None
    window.bridge.set_fast_forward(True)
    number = frame_number(window)
    qtbot.waitUntil(lambda: frame_number(window) > number + 30)
    window.bridge.set_fast_forward(False)
    assert heard(device) == silent
    assert len(ring) == 0
    window.context.settings.sound = False
    assert device.closed


def test_a_device_that_goes_away_leaves_silence(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = FakeDevice()
    audio = window.parts[AudioController]
    monkeypatch.setattr(audio, "_open_device", lambda _: device)
    open_and_wait(window, qtbot, demo_game())
    window.bridge.play()
    device.works = False
    qtbot.waitUntil(lambda: audio.available is False)
    number = frame_number(window)
    qtbot.waitUntil(lambda: frame_number(window) > number + 5)
