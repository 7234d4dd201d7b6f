"""Sound on its way from the core to the device: a bounded queue that also sets the pace of play.

The core makes exactly as much sound as its frames are long, and the device plays it by a clock of
its own. Instead of resampling, play follows the device: a little too much sound queued makes the
next frames a little longer, too little makes them shorter. So sound and picture stay together and
the queue neither grows nor runs dry.
"""

from __future__ import annotations

import threading
from collections import deque

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.int16]

TARGET_MS = 80
"""Sound between core and ear while play is steady."""

LIMIT_MS = 200
"""When more is queued, the oldest goes, down to the usual length."""

MAX_PACE_CHANGE = 0.01
"""The most that play is slowed down or sped up; nobody sees or hears one percent."""

_GAIN = 0.02


class SoundRing:
    """Between the core, whose frames come at their pace, and the device.

    Samples are int16 of shape (n, 2) at ``rate`` a second.
    """

    def __init__(self, rate: float) -> None:
        self.target = round(rate * TARGET_MS / 1000)
        self._limit = round(rate * LIMIT_MS / 1000)
        self._lock = threading.Lock()
        self._parts: deque[Samples] = deque()
        self._queued = 0
        self._device = 0
        self._primed = False
        self.dropped = 0
        """Samples that were thrown away because too many were queued."""

    def __len__(self) -> int:
        """Samples queued here."""
        return self._queued

    @property
    def latency(self) -> int:
        """Samples between the core and the ear: queued here and in the device."""
        return self._queued + self._device

    def push(self, samples: Samples, device: int) -> float:
        """Queue a frame's sound for a device that has ``device`` samples left to play.

        Returns the factor of a frame's time.
        """
        with self._lock:
            self._device = device
            if len(samples):
                self._parts.append(samples)
                self._queued += len(samples)
            if self.latency > self._limit:
                self._drop_oldest(self.latency - self.target)
            error = (self.latency - self.target) / self.target if self._primed else 0.0
        return 1.0 + min(max(error * _GAIN, -MAX_PACE_CHANGE), MAX_PACE_CHANGE)

    def _drop_oldest(self, excess: int) -> None:
        """Drop enough at once, because one gap is heard less than many."""
        while excess > 0 and self._parts:
            part = self._parts.popleft()
            taken = min(excess, len(part))
            if taken < len(part):
                self._parts.appendleft(part[taken:])
            self._queued -= taken
            self.dropped += taken
            excess -= taken

    def take(self, device: int) -> Samples:
        """Samples for a device that has ``device`` samples left to play.

        A device that ran dry gets none until enough is queued that it does not do so again.
        """
        with self._lock:
            self._device = device
            if device == 0 and self._queued < self.target:
                self._primed = False
            if self._queued + device >= self.target:
                self._primed = True
            parts: list[Samples] = []
            # Samples in the device can not be taken back, so it gets no more than its usual share.
            room = self.target - device
            while self._primed and room > 0 and self._parts:
                part = self._parts.popleft()
                if len(part) > room:
                    self._parts.appendleft(part[room:])
                    part = part[:room]
                parts.append(part)
                room -= len(part)
                self._queued -= len(part)
                self._device += len(part)
        return np.concatenate([np.zeros((0, 2), np.int16), *parts])

    def clear(self) -> None:
        """Drop the queued samples, as when play pauses."""
        with self._lock:
            self._parts.clear()
            self._queued = self._device = 0
            self._primed = False
