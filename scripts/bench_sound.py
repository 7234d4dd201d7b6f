"""``python -m scripts.bench_sound``: drop-outs, latency and pace of the sound that is heard.

The window plays the demo game on a PulseAudio server of its own whose only device is a null sink.
Each sample that the core made is replaced by its number, and the recording of the sink says which
of them were heard, and when. A second run stalls the window's thread now and then, as a slow dialog
would. Needs the packages pulseaudio, pulseaudio-utils and xvfb."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QTimer

from integrator.commands.shared.options import demo_game
from integrator.domain.errors import SessionError
from integrator.ui.play.audio_controller import AudioController, Samples, SoundRing
from libretro_host.processes import children
from scripts.reporting import report, show_table
from scripts.window_measures import open_window, spin, spin_until

RATE: Final = 32_040
"""Rate of the core that plays the demo game, rounded as for the device: no sound is resampled."""
SECONDS: Final = 30.0
STALLS_MS: Final = (0, 70)
STALL_EVERY_MS: Final = 500

_WARM_UP_S: Final = 3.0
_DRAIN_S: Final = 0.5
_HIGH: Final = 1 << 15
_PATIENCE_S: Final = 10.0
_SERVER: Final = ("xvfb-run", "-a", "-s", "-screen 0 1680x1050x24")


class Pushed:
    """Puts its number in the place of each sample on its way to the device, and notes when."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.first: list[int] = []
        self.paces: list[float] = []
        self.queued_ms: list[float] = []
        self.count = _HIGH  # so that no number looks like silence
        push = SoundRing.push

        def numbered(ring: SoundRing, samples: Samples, *more: int) -> float:
            self.times.append(time.monotonic())
            self.first.append(self.count)
            pace = push(ring, _numbers(self.count, len(samples)), *more)
            self.count += len(samples)
            self.paces.append(pace)
            self.queued_ms.append(ring.latency)
            return pace

        SoundRing.push = numbered  # type: ignore[method-assign,assignment] # for this process only


def _numbers(first: int, count: int) -> Samples:
    numbers = np.arange(first, first + count)
    return np.stack([numbers % _HIGH, numbers // _HIGH], axis=1).astype(np.int16)


@contextlib.contextmanager
def sound_server(folder: Path, rate: int) -> Iterator[None]:
    """A PulseAudio server with a null sink, in the environment of this process."""
    if shutil.which("pulseaudio") is None:
        raise SessionError("there is no pulseaudio: install pulseaudio and pulseaudio-utils")
    runtime = folder / "runtime"
    (runtime / "pulse").mkdir(parents=True, mode=0o700)
    os.environ["XDG_RUNTIME_DIR"] = str(runtime)
    os.environ["HOME"] = str(folder)
    null = f"module-null-sink sink_name=null rate={rate} format=s16le channels=2"
    socket = f"module-native-protocol-unix auth-anonymous=1 socket={runtime}/pulse/native"
    options = ["-n", "--daemonize=no", "--exit-idle-time=-1", "--disable-shm=no", "-L", null]
    server = children.start(
        ["pulseaudio", *options, "-L", socket], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    try:
        end = time.monotonic() + _PATIENCE_S
        while children.run(["pactl", "info"]).returncode:
            if server.poll() is not None or time.monotonic() > end:
                raise SessionError("pulseaudio did not start")
            time.sleep(0.05)
        yield
    finally:
        server.terminate()
        server.wait()


def record(rate: int, out: Path) -> None:
    """Write the sink's output and the time of each part, until parec ends."""
    command = ["parec", "--device=null.monitor", "--format=s16le", "--channels=2", "--raw"]
    options = [f"--rate={rate}", "--latency-msec=5"]
    recorder = children.start([*command, *options], stdout=subprocess.PIPE)
    if recorder.stdout is None:
        raise AssertionError("a pipe was asked for")
    stamps: list[tuple[float, int]] = []
    total = 0
    with out.with_suffix(".raw").open("wb") as file:
        while part := os.read(recorder.stdout.fileno(), 1 << 16):
            total += len(part) // 4
            stamps.append((time.monotonic(), total))
            file.write(part)
    out.write_text(json.dumps(stamps), encoding="ascii")


def measure(seconds: float, stall_ms: float) -> dict[str, float]:
    """Play and record; run in a process with a display."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
            os.environ[f"XDG_{kind}_HOME"] = name
        with sound_server(folder, RATE):
            out = folder / "heard.json"
            worker = children.module_command("scripts.bench_sound", "record", RATE, out)
            recorder = children.start(worker)
            pushed, told = _play(folder, seconds, stall_ms)
        recorder.wait()  # the server ends it
        heard = np.fromfile(out.with_suffix(".raw"), np.int16).reshape(-1, 2)
        stamps = np.array(json.loads(out.read_text(encoding="ascii")))
        return {**told, **judge(pushed, heard, stamps)}


def _play(folder: Path, seconds: float, stall_ms: float) -> tuple[Pushed, dict[str, float]]:
    pushed = Pushed()
    opening: list[float] = []
    closing: list[float] = []
    _timed(AudioController, "_follow_preferences", opening)
    _timed(AudioController, "_close_device", closing)
    with open_window(demo_game(), folder) as window:
        audio = window.parts[AudioController]
        spin_until(lambda: audio.ring is not None, "a sound device")
        window.context.settings.volume = 100  # else the numbers are scaled
        ring = audio.ring
        window.bridge.play()
        spin(_WARM_UP_S)
        stalls = QTimer(window)
        stalls.timeout.connect(lambda: time.sleep(stall_ms / 1000))
        if stall_ms:
            stalls.start(STALL_EVERY_MS)
        first = len(pushed.times)
        began, busy, process = time.monotonic(), time.thread_time(), time.process_time()
        spin(seconds)
        lasted = time.monotonic() - began
        busy, process = time.thread_time() - busy, time.process_time() - process
        frames = len(pushed.times) - first
        stalls.stop()
        spin(_DRAIN_S)
        window.bridge.pause()
        spin(_DRAIN_S)
        queued = np.array(pushed.queued_ms[first:]) * 1000 / RATE
        closing.clear()
        window.actions_by_key["close_game"].trigger()
        spin_until(lambda: closing, "the device to close")
    return pushed, {
        "seconds": round(lasted, 1),
        "open_device_ms": round(1000 * max(opening, default=0.0), 1),
        "close_device_ms": round(1000 * max(closing), 1),
        "frames_per_second": round(frames / lasted, 3),
        "pace_std": round(float(np.std(pushed.paces[first:])), 5),
        "queued_ms_median": round(float(np.median(queued)), 1),
        "queued_ms_std": round(float(np.std(queued)), 1),
        "samples_dropped": 0 if ring is None else ring.dropped,
        "ui_thread_busy": round(busy / lasted, 4),
        "process_busy": round(process / lasted, 4),
    }


def _timed(holder: Any, name: str, seconds: list[float]) -> None:
    """Note how long each call of a function takes."""
    function: Callable[..., object] = getattr(holder, name)

    def timed(*arguments: object) -> object:
        began = time.monotonic()
        try:
            return function(*arguments)
        finally:
            seconds.append(time.monotonic() - began)

    setattr(holder, name, timed)


def judge(
    pushed: Pushed, heard: NDArray[np.int16], stamps: NDArray[np.float64]
) -> dict[str, float]:
    """Drop-outs between the first and the last sample heard, and the time from core to sink."""
    numbers = heard[:, 0].astype(np.int64) + heard[:, 1].astype(np.int64) * _HIGH
    sounding = np.flatnonzero(numbers >= _HIGH)
    if not len(sounding):
        return {"heard_seconds": 0.0}
    # Only after the warm-up, as the other measures.
    start = pushed.first[int(np.searchsorted(pushed.times, pushed.times[0] + _WARM_UP_S))]
    sounding = sounding[numbers[sounding] >= start]
    steps = np.diff(numbers[sounding])
    silent = np.diff(sounding) - 1
    broken = (steps != 1) | (silent != 0)
    # Latency: when a sample came out, less when its frame was pushed.
    came = np.interp(sounding, stamps[:, 1], stamps[:, 0])
    frames = np.searchsorted(pushed.first, numbers[sounding], side="right") - 1
    latency = (came - np.array(pushed.times)[frames]) * 1000
    into = (numbers[sounding] - np.array(pushed.first)[frames]) / RATE * 1000
    latency -= into  # a frame's last sample waits for its first ones
    return {
        "heard_seconds": round(len(sounding) / RATE, 2),
        "drop_outs": int(broken.sum()),
        "silence_ms": round(float(silent.sum()) / RATE * 1000, 1),
        "skipped_ms": round(float((steps[steps > 1] - 1).sum()) / RATE * 1000, 1),
        "repeated_samples": int((steps < 1).sum()),
        "latency_ms_median": round(float(np.median(latency)), 1),
        "latency_ms_p95": round(float(np.percentile(latency, 95)), 1),
        "latency_ms_worst": round(float(latency.max()), 1),
    }


def run_sound_bench(seconds: float = SECONDS) -> list[dict[str, float]]:
    """Measure without stalls, and with them. Raises SessionError when a measure fails."""
    found = []
    for stall_ms in STALLS_MS:
        worker = children.module_command("scripts.bench_sound", "measure", seconds, stall_ms)
        done = children.run([*_SERVER, *worker])
        if done.returncode or not done.stdout.strip():
            raise SessionError(f"sound benchmark failed: {done.stderr.strip().splitlines()[-1:]}")
        found.append({"stall_ms": stall_ms, **json.loads(done.stdout.splitlines()[-1])})
    return found


def print_sound_bench(measured: Sequence[dict[str, float]]) -> None:
    """Print the report as a table."""
    columns = ("measure", *(f"stalls of {each['stall_ms']} ms" for each in measured))
    rows = ((key.replace("_", " "), *(each[key] for each in measured)) for key in measured[0])
    show_table("Sound of the demo game, recorded from a null sink", columns, rows)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["record", hertz, path]:
            record(int(hertz), Path(path))
        case ["measure", length, stall]:
            sys.stdout.write(json.dumps(measure(float(length), float(stall))) + "\n")
        case _:
            report(__doc__, lambda _: run_sound_bench(), print_sound_bench)
