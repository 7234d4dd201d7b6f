"""Sound of the game that is played: on and off, loudness, and silence while play stands still."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal

from integrator.session.edits.snapshot import GameSnapshot
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.play.audio_device import Samples, SoundDevice, SoundRing, open_sound
from integrator.ui.settings.settings import Preferences


class AudioController(QObject):
    """Gives each frame's sound to the device on the runner's thread: the window may be busy.

    ``available`` is False once no device could be opened; everything else is the same without one.
    """

    _lost = Signal(object)

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        preferences: Preferences,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._preferences = preferences
        self._open_device = open_sound
        self._rate = 0.0
        self.available: bool | None = None
        self._device: SoundDevice | None = None
        self.ring: SoundRing | None = None
        """The queue of the open device; None without a device."""
        self._lost.connect(self._device_lost)  # queued: it comes from the runner's thread
        bridge.opened.connect(self._game_opened)
        bridge.closed.connect(self._game_closed)
        controller.run_state_changed.connect(self._run_state_changed)
        preferences.changed.connect(self._follow_preferences)

    def _game_opened(self, game: GameSnapshot) -> None:
        self._close_device()
        self._rate = game.sample_rate
        self._follow_preferences()

    def _game_closed(self) -> None:
        self._rate = 0.0
        self._close_device()

    def _follow_preferences(self) -> None:
        wanted = self._preferences.sound and self._rate > 0
        if wanted and self._device is None:
            self._device = self._open_device(self._rate)
            self.available = self._device is not None
            if self._device is not None:
                self.ring = SoundRing(self._rate)
        elif not wanted:
            self._close_device()
        if self._device is not None:
            self._device.set_volume(self._preferences.volume)
        device, ring = self._device, self.ring
        if device is None or ring is None:
            self._bridge.set_sound(None)
        else:
            self._bridge.set_sound(partial(self._hear, device, ring))

    def _close_device(self) -> None:
        self._bridge.set_sound(None)
        device, self._device, self.ring = self._device, None, None
        if device is not None:
            device.close()

    def _run_state_changed(self, paused: bool, speed: float) -> None:
        """Only play at the console's own speed has sound; fast-forward and rewind bring none."""
        if self.ring is not None and self._device is not None and (paused or speed != 1.0):
            self.ring.clear()
            self._device.clear()

    def _hear(self, device: SoundDevice, ring: SoundRing, samples: Samples) -> float:
        """On the runner's thread: a frame's sound to the device. Returns the pace of play."""
        if not device.works:
            self._lost.emit(device)
            return 1.0
        queued = device.queued
        pace = ring.push(samples, queued)
        part = ring.take(queued)
        if len(part):
            device.write(part)
        return pace

    def _device_lost(self, device: SoundDevice) -> None:
        # A ring that was closed meanwhile is ignored.
        if device is self._device:
            self._close_device()
            self.available = False
