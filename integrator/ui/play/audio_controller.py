"""Sound of the game that is played: on and off, loudness, and silence while play stands still."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from integrator.ui.bridge import SessionBridge
from integrator.ui.controller import GameController
from integrator.ui.play.audio_device import OpenSound, SoundDevice, open_sound
from integrator.ui.play.audio_ring import Samples, SoundRing
from integrator.ui.preferences import Preferences
from integrator.ui.snapshot import GameSnapshot

FEED_MS = 8


class AudioController(QObject):
    """Takes each frame's sound on the runner's thread, feeds the device in the window's.

    ``available_changed`` tells whether there is a device; without one everything else is the same.
    """

    available_changed = Signal(bool)

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        preferences: Preferences,
        parent: QObject | None = None,
        open_device: OpenSound = open_sound,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._preferences = preferences
        self._open_device = open_device
        self._rate = 0.0
        self._device: SoundDevice | None = None
        self._ring: SoundRing | None = None
        self._feeding = QTimer(self)
        self._feeding.setTimerType(Qt.TimerType.PreciseTimer)
        self._feeding.setInterval(FEED_MS)
        self._feeding.timeout.connect(self.feed)
        bridge.opened.connect(self._game_opened)
        bridge.closed.connect(self._game_closed)
        controller.run_state_changed.connect(self._run_state_changed)
        preferences.changed.connect(self._follow_preferences)

    @property
    def ring(self) -> SoundRing | None:
        """What is queued; None without a device."""
        return self._ring

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
            self.available_changed.emit(self._device is not None)
            if self._device is not None:
                self._ring = SoundRing(self._rate)
        elif not wanted:
            self._close_device()
        if self._device is not None:
            self._device.set_volume(self._preferences.volume)
        ring = self._ring
        self._bridge.set_sound(None if ring is None else ring.push)

    def _close_device(self) -> None:
        self._feeding.stop()
        self._bridge.set_sound(None)
        device, self._device, self._ring = self._device, None, None
        if device is not None:
            device.close()

    def _run_state_changed(self, paused: bool, speed: float) -> None:
        """Only play at the console's own speed has sound; fast-forward and rewind bring none."""
        if self._ring is None:
            return
        if paused or speed != 1.0:
            self._feeding.stop()
            self._ring.clear()
        else:
            self._feeding.start()

    def feed(self) -> None:
        """Give the device what it has room for."""
        device, ring = self._device, self._ring
        if device is None or ring is None:
            return
        if not device.works:
            self._close_device()
            self.available_changed.emit(False)  # noqa: FBT003 - a signal's argument
            return
        samples: Samples = ring.take(device.room, device.queued)
        if len(samples):
            device.write(samples)
