"""The sound device through QtMultimedia; loaded only where there is something to play on."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QIODevice, QLoggingCategory

from integrator.ui.play.audio_ring import DEVICE_MS, Samples

if TYPE_CHECKING:
    from PySide6.QtMultimedia import QAudioSink

_BYTES_PER_SAMPLE = 4
_QUIET = "qt.multimedia*.info=false\nqt.multimedia*.warning=false"


class SoundDevice(Protocol):
    """Plays int16 stereo samples that are written to it in time."""

    @property
    def room(self) -> int:
        """Samples that it takes now."""
        ...

    @property
    def queued(self) -> int:
        """Samples that it has, and has not played yet."""
        ...

    @property
    def works(self) -> bool:
        """False once it went away."""
        ...

    def write(self, samples: Samples) -> None:
        """Give it samples, at most ``room``."""
        ...

    def set_volume(self, percent: int) -> None:
        """0 is silent, 100 as loud as the core made it."""
        ...

    def close(self) -> None:
        """Stop at once."""
        ...


OpenSound = Callable[[float], SoundDevice | None]
"""Opens a device for a number of samples a second; None when there is none."""


def has_sound_server(environment: Mapping[str, str]) -> bool:
    """Whether a sound server can be reached; asking Qt without one costs time and warnings.

    Qt plays through PulseAudio or PipeWire on Linux, and through the system elsewhere.
    """
    if sys.platform != "linux":
        return True
    if environment.get("PULSE_SERVER"):
        return True
    runtime = Path(environment.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}")
    return any((runtime / name).exists() for name in ("pulse/native", "pipewire-0"))


def open_sound(rate: float) -> SoundDevice | None:
    """The default device, which takes ``rate`` samples a second as they come from the core.

    None without a device, a sound server, or the libraries that QtMultimedia needs: play is silent.
    """
    if not has_sound_server(os.environ):
        return None
    QLoggingCategory.setFilterRules(_QUIET)
    try:
        from PySide6.QtMultimedia import (  # noqa: PLC0415 - loads a sound library
            QAudioFormat,
            QAudioSink,
            QMediaDevices,
            QtAudio,
        )
    except ImportError:  # libpulse is not installed, or QtMultimedia is not
        return None
    device = QMediaDevices.defaultAudioOutput()
    if device.isNull():
        return None
    wanted = QAudioFormat()
    wanted.setSampleRate(round(rate))
    wanted.setChannelCount(2)
    wanted.setSampleFormat(QAudioFormat.SampleFormat.Int16)
    sink = QAudioSink(device, wanted)
    sink.setBufferSize(round(rate * DEVICE_MS / 1000) * _BYTES_PER_SAMPLE)
    stream = sink.start()
    if sink.error() is QtAudio.Error.OpenError:
        return None
    return _QtSound(sink, stream)


class _QtSound:
    """A started QAudioSink that is written to."""

    def __init__(self, sink: QAudioSink, stream: QIODevice) -> None:
        self._sink = sink
        self._stream = stream

    @property
    def room(self) -> int:
        return self._sink.bytesFree() // _BYTES_PER_SAMPLE

    @property
    def queued(self) -> int:
        return (self._sink.bufferSize() - self._sink.bytesFree()) // _BYTES_PER_SAMPLE

    @property
    def works(self) -> bool:
        from PySide6.QtMultimedia import QtAudio  # noqa: PLC0415 - it is loaded by now

        return self._sink.state() is not QtAudio.State.StoppedState

    def write(self, samples: Samples) -> None:
        self._stream.write(samples.tobytes())

    def set_volume(self, percent: int) -> None:
        # The ear hears loudness by orders of magnitude; the square is near enough to that.
        self._sink.setVolume((percent / 100) ** 2)

    def close(self) -> None:
        self._sink.reset()
        self._sink.stop()
