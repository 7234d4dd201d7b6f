"""The game's sound: the SDL device, the queue in front of it, and their controller."""

import ctypes
import os
import struct
import sys
import threading
from collections.abc import Mapping
from functools import partial
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator import paths
from integrator.session.edits.snapshot import GameSnapshot
from integrator.ui.window_context import Part

Samples = NDArray[np.int16]

MAX_PACE_CHANGE = 0.01  # nobody notices one percent


class SoundRing:
    """A bounded queue between core and device that also sets the pace of play. A core makes as much
    sound as its frames are long, but the device has its own clock. Instead of resampling, play
    follows the device: frames get a little longer while too much sound is queued, and shorter while
    there is too little. Samples are int16 of shape (n, 2), at ``rate`` per second."""

    def __init__(self, rate: float) -> None:
        self.target = round(rate * 0.08)  # samples between core and ear during steady play
        self._limit = round(rate * 0.2)  # most samples; beyond it the oldest go, down to the target
        self._lock = threading.Lock()
        self._queue = np.zeros((0, 2), np.int16)
        self._device = 0
        self._primed = False
        self.dropped = 0  # number of samples that were dropped

    def __len__(self) -> int:
        return len(self._queue)

    @property
    def latency(self) -> int:
        """The number of samples between core and ear: in this queue and in the device."""
        return len(self._queue) + self._device

    def push(self, samples: Samples, device: int) -> float:
        """Queue the sound of a frame, while the device has ``device`` samples left to play. Returns
        the factor by which frames should be longer."""
        with self._lock:
            self._device = device
            if len(samples):
                self._queue = np.concatenate([self._queue, samples])
            if self.latency > self._limit:
                # Drop down to the target at once, because one gap is heard less than many.
                excess = min(self.latency - self.target, len(self._queue))
                self._queue = self._queue[excess:]
                self.dropped += excess
            error = (self.latency - self.target) / self.target if self._primed else 0.0
        return 1.0 + min(max(error * 0.02, -MAX_PACE_CHANGE), MAX_PACE_CHANGE)

    def take(self, device: int) -> Samples:
        """Return samples for a device that has ``device`` samples left to play. A device that ran
        dry gets none until the queue is full enough that it will not run dry again."""
        with self._lock:
            self._device = device
            if device == 0 and len(self) < self.target:
                self._primed = False
            if self.latency >= self.target:
                self._primed = True
            # Samples cannot be taken back from the device, so it gets only its usual share.
            share = max(0, self.target - device) if self._primed else 0
            part, self._queue = self._queue[:share], self._queue[share:]
            self._device += len(part)
        return part

    def clear(self) -> None:
        with self._lock:
            self._queue = self._queue[:0]
            self._device = 0
            self._primed = False


_INIT_AUDIO: Final = 0x10
_SAMPLE_BYTES: Final = 4

_SDL_STARTS_OR_ENDS: Final = threading.Lock()
"""SDL counts the users of its sound system, and the counter is not thread-safe."""


def has_sound_server(environment: Mapping[str, str]) -> bool:
    """True if a sound server can be reached, because SDL takes long to detect that there is none.
    Sound uses PulseAudio or PipeWire on Linux, and the system's own sound elsewhere."""
    if sys.platform != "linux":
        return True
    if environment.get("PULSE_SERVER") or environment.get("SDL_AUDIODRIVER"):
        return True
    runtime = Path(environment.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}")
    return any((runtime / name).exists() for name in ("pulse/native", "pipewire-0"))


def open_sound(rate: float) -> "SoundDevice | None":
    """Open the default device, for ``rate`` samples per second as they come from the core. Returns
    None without a device, a sound server, or the libraries that SDL needs; play is then silent."""
    sdl = _load_sdl() if has_sound_server(os.environ) else None
    if sdl is None:
        return None
    # SDL's signal handlers would catch SIGTERM.
    hints = {"SDL_NO_SIGNAL_HANDLERS": "1", "SDL_AUDIO_DEVICE_APP_NAME": paths.APP_NAME}
    if sys.platform == "linux":
        # Otherwise, without a server, SDL would open ALSA cards exclusively, and log missing cards.
        # An environment variable of the same name has precedence.
        hints["SDL_AUDIODRIVER"] = "pulseaudio,pipewire"
    for name, value in hints.items():
        sdl.SDL_SetHint(name.encode(), value.encode())
    int16 = 0x8010 if sys.byteorder == "little" else 0x9010
    # SDL_AudioSpec: rate, format, channels, silence, samples, padding, size, callback and its data.
    # SDL and the sound server hold about two chunks of 512 samples.
    wanted = struct.pack("iHBBHHIPP", round(rate), int16, 2, 0, 512, 0, 0, 0, 0)
    with _SDL_STARTS_OR_ENDS:
        if sdl.SDL_InitSubSystem(_INIT_AUDIO):
            return None
        # The arguments: default device, for playback, with no deviation from the wanted format.
        if not (device := sdl.SDL_OpenAudioDevice(None, 0, wanted, None, 0)):
            sdl.SDL_QuitSubSystem(_INIT_AUDIO)
            return None
    sdl.SDL_PauseAudioDevice(device, 0)
    return SoundDevice(sdl, device)


def _load_sdl() -> ctypes.CDLL | None:
    """Return SDL 2 from pygame-ce, or None if pygame-ce is missing or has another SDL. pygame's own
    functions only play whole sounds, or call Python on the sound card's thread; SDL plays its queue
    alone. pygame is not imported, because that takes a tenth of a second."""
    package = find_spec("pygame")
    folders = [] if package is None else list(package.submodule_search_locations or ())
    base = PathFinder.find_spec("base", folders)
    # An extension module's handle also finds the libraries that it links with, but not on Windows.
    shipped = [Path(folder) / "SDL2.dll" for folder in folders]
    found = [str(file) for file in shipped if file.is_file()]
    found += [base.origin] if base is not None and base.origin else []
    try:
        sdl = ctypes.CDLL(found[0])
    except (IndexError, OSError):
        return None
    return sdl if hasattr(sdl, "SDL_QueueAudio") else None


class SoundDevice:
    """Plays int16 stereo samples from SDL's queue. Thread-safe: a lock keeps the device open."""

    def __init__(self, sdl: ctypes.CDLL, device: int) -> None:
        self._sdl, self._device = sdl, device
        self._lock = threading.Lock()
        self._gain = 1.0

    @property
    def queued(self) -> int:
        """The number of samples in the device that it has not begun to play."""
        with self._lock:
            return int(self._sdl.SDL_GetQueuedAudioSize(self._device)) // _SAMPLE_BYTES

    @property
    def works(self) -> bool:
        with self._lock:
            return bool(self._sdl.SDL_GetAudioDeviceStatus(self._device))  # 0 means stopped

    def write(self, samples: Samples) -> None:
        if self._gain != 1.0:
            samples = (samples * self._gain).astype(samples.dtype)
        data = samples.tobytes()
        with self._lock:
            self._sdl.SDL_QueueAudio(self._device, data, len(data))

    def clear(self) -> None:
        with self._lock:
            self._sdl.SDL_ClearQueuedAudio(self._device)

    def set_volume(self, percent: int) -> None:
        """Set the volume of later samples: 0 is silent, 100 the core's own loudness."""
        # The ear perceives loudness logarithmically; a square is a good approximation.
        self._gain = (percent / 100) ** 2

    def close(self) -> None:
        """Stop at once. Idempotent."""
        with self._lock:
            device, self._device = self._device, 0  # SDL ignores device 0
            self._sdl.SDL_ClearQueuedAudio(device)

        def end() -> None:
            # End the sound system too, because SDL keeps the connection to a server that died.
            with _SDL_STARTS_OR_ENDS:
                self._sdl.SDL_CloseAudioDevice(device)
                self._sdl.SDL_QuitSubSystem(_INIT_AUDIO)

        if device:
            # SDL waits until the server has played the rest, and the window must not wait.
            threading.Thread(target=end, name="sound device ends").start()


class AudioController(Part):
    """Passes each frame's sound to the device, on the runner's thread, because the window may be
    busy. ``available`` is False after no device could be opened."""

    def _set_up(self) -> None:
        self._open_device = open_sound
        self._rate = 0.0
        self.available: bool | None = None
        self._device: SoundDevice | None = None
        self.ring: SoundRing | None = None  # the queue of the open device, or None
        self._controller.run_state_changed.connect(self._run_state_changed)
        self._settings.changed.connect(self._follow_preferences)

    def _opened(self, game: GameSnapshot) -> None:
        self._close_device()
        self._rate = game.info.av.sample_rate
        self._follow_preferences()

    def _closed(self) -> None:
        self._rate = 0.0
        self._close_device()

    def _follow_preferences(self) -> None:
        if not self._settings.sound or self._rate <= 0:
            self._close_device()
        elif self._device is None:
            self._device = self._open_device(self._rate)
            self.available = self._device is not None
            self.ring = SoundRing(self._rate) if self._device else None
        device, ring = self._device, self.ring
        if device is not None and ring is not None:
            device.set_volume(self._settings.volume)
            self._bridge.set_sound(partial(self._hear, device, ring))

    def _close_device(self) -> None:
        self._bridge.set_sound(None)
        device, self._device, self.ring = self._device, None, None
        if device is not None:
            device.close()

    def _run_state_changed(self, paused: bool, speed: float) -> None:
        """Drop queued sound unless the game plays at normal speed; only then frames have sound."""
        if self.ring is not None and self._device is not None and (paused or speed != 1.0):
            self.ring.clear()
            self._device.clear()

    def _hear(self, device: SoundDevice, ring: SoundRing, samples: Samples) -> float:
        """Runner's thread: pass a frame's sound to the device, and return the pace of play."""
        if not device.works:
            self._bridge.later(self._device_lost, device)
            return 1.0
        queued = device.queued
        pace = ring.push(samples, queued)
        part = ring.take(queued)
        if len(part):
            device.write(part)
        return pace

    def _device_lost(self, device: SoundDevice) -> None:
        # A device that was closed meanwhile is ignored.
        if device is self._device:
            self._close_device()
            self.available = False
