"""Gamepads through SDL, as pygame-ce brings it: hot-plugged, by SDL's own table of controllers."""

from __future__ import annotations

import importlib
import os
from typing import Any

from integrator.ui.play.pads.gamepad import PAD_AXES, PadState

_DEAD_ZONE = 16_000
"""Half of a stick's way, and of a trigger's."""

_REST = 3_000
"""A stick that nobody holds wanders so far."""

_AXES, _TRIGGERS = PAD_AXES[:4], PAD_AXES[4:]
_BUTTONS = (
    *("a", "b", "x", "y", "back", "guide", "start", "leftstick", "rightstick"),
    *("leftshoulder", "rightshoulder", "dpup", "dpdown", "dpleft", "dpright"),
)
"""SDL_GameControllerButton by number."""

_PLAIN_BUTTONS = ("a", "b", "x", "y", "leftshoulder", "rightshoulder", "back", "start")
"""Meaning by number of the buttons of a joystick that SDL's table does not have."""

# SDL needs a video driver to look at events; this one opens nothing. Its own handling of signals
# would take SIGTERM from us, and without a window of SDL's all events are "in the background".
_ENVIRONMENT = {
    "SDL_VIDEODRIVER": "dummy",
    "SDL_NO_SIGNAL_HANDLERS": "1",
    "SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS": "1",
    "PYGAME_HIDE_SUPPORT_PROMPT": "1",
}


def load_sdl() -> Any:
    """Import pygame beside the window's thread, because that takes a tenth of a second.

    Returns the module; None where it is not installed.
    """
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        importlib.import_module("pygame._sdl2.controller")
        return importlib.import_module("pygame")
    except ImportError:
        return None


class SdlPads:
    """All pads that SDL sees; no sound, and no window. Raises OSError when SDL does not start."""

    def __init__(self, pygame: Any) -> None:
        self._pygame = pygame
        kept = {name: os.environ.get(name) for name in _ENVIRONMENT}
        os.environ.update(_ENVIRONMENT)
        try:
            pygame.display.init()
            pygame.joystick.init()
            self._controller = importlib.import_module("pygame._sdl2.controller")
            self._controller.init()
        except pygame.error as error:
            raise OSError(f"gamepads can not be watched: {error}") from error
        finally:
            # SDL reads these variables once; the processes of cores must not inherit them.
            for name, value in kept.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
        self._pads: dict[int, _Pad] = {}

    def poll(self) -> tuple[PadState, ...]:
        """All pads in the order in which they came."""
        pygame = self._pygame
        for event in pygame.event.get():
            if event.type == pygame.JOYDEVICEADDED:
                self._add(event.device_index)
            elif event.type == pygame.JOYDEVICEREMOVED:
                self._pads.pop(event.instance_id, None)
        return tuple(pad.state() for pad in self._pads.values())

    def _add(self, index: int) -> None:
        pygame = self._pygame
        try:
            joystick = pygame.joystick.Joystick(index)
            known = self._controller.is_controller(index)
            controller = self._controller.Controller(index) if known else None
        except pygame.error:  # it left again already
            return
        self._pads[joystick.get_instance_id()] = _Pad(joystick, controller)

    def close(self) -> None:
        """Let go of the pads. Idempotent."""
        self._pads.clear()
        self._controller.quit()
        self._pygame.joystick.quit()
        self._pygame.display.quit()


class _Pad:
    """One pad: read through SDL's table where it is in it, otherwise by a good guess."""

    def __init__(self, joystick: Any, controller: Any) -> None:
        self._joystick = joystick
        self._controller = controller
        self._name = str(joystick.get_name())

    def state(self) -> PadState:
        pressed = self._known() if self._controller is not None else self._guessed()
        return PadState(self._name, frozenset(pressed), self._axes())

    def _axes(self) -> tuple[int, ...]:
        """Numbers of the sticks and triggers; of a guessed pad, those of the left stick."""
        if self._controller is not None:
            numbers = [self._controller.get_axis(axis) for axis in range(len(PAD_AXES))]
        else:
            count = min(self._joystick.get_numaxes(), 2)
            numbers = [round(self._joystick.get_axis(axis) * 32767) for axis in range(count)]
        return tuple(0 if abs(number) < _REST else number for number in numbers)

    def _known(self) -> set[str]:
        pad = self._controller
        pressed = {name for number, name in enumerate(_BUTTONS) if pad.get_button(number)}
        for axis, name in enumerate(_AXES):
            pressed |= _direction(name, pad.get_axis(axis))
        for axis, name in enumerate(_TRIGGERS, len(_AXES)):
            if pad.get_axis(axis) > _DEAD_ZONE:
                pressed.add(name)
        return pressed

    def _guessed(self) -> set[str]:
        stick = self._joystick
        count = min(stick.get_numbuttons(), len(_PLAIN_BUTTONS))
        pressed = {_PLAIN_BUTTONS[number] for number in range(count) if stick.get_button(number)}
        for axis in range(min(stick.get_numaxes(), 2)):
            pressed |= _direction(_AXES[axis], round(stick.get_axis(axis) * 32767))
        for hat in range(stick.get_numhats()):
            x, y = stick.get_hat(hat)
            pressed |= {"dpleft"} if x < 0 else {"dpright"} if x > 0 else set()
            pressed |= {"dpdown"} if y < 0 else {"dpup"} if y > 0 else set()
        return pressed


def _direction(name: str, value: int) -> set[str]:
    if abs(value) <= _DEAD_ZONE:
        return set()
    return {f"{name}{'-' if value < 0 else '+'}"}
