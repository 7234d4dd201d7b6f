"""Console scripts that run after each frame: Lua with BizHawk's functions, and Python. Scripts draw
over the picture, but not in observations, and press buttons for the next frame."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from integrator.domain.errors import DomainError, ScriptError
from integrator.domain.files.reading import SMALL_BYTES, read_text
from integrator.domain.notes.places import Places
from integrator.domain.scenario.sandbox import Sandbox, ScriptApi, ScriptLimits
from integrator.domain.values.memory import DataType
from integrator.session.frame.pipeline import LiveScriptMemory
from integrator.session.session import Session

_NO_CODE = re.compile(r"""(?s:--\[\[.*?\]\])|--.*|"[^"\n]*"|'[^'\n]*'""")


@dataclass(frozen=True, slots=True)
class Drawing:
    """A ``text``, ``box``, ``line`` or ``pixel`` over the picture, in the console's pixels."""

    kind: str
    x: int
    y: int
    width: int = 1
    height: int = 1
    text: str = ""
    color: str = "white"


class Canvas:
    """The drawings of one frame; scripts call it ``gui``."""

    def __init__(self) -> None:
        self.drawings: list[Drawing] = []

    def text(self, x: int, y: int, text: object, color: str = "white") -> None:
        self._add(Drawing("text", int(x), int(y), text=str(text), color=str(color)))

    def box(self, x: int, y: int, width: int, height: int, color: str = "white") -> None:
        self._add(Drawing("box", int(x), int(y), int(width), int(height), color=str(color)))

    def line(self, x: int, y: int, width: int, height: int, color: str = "white") -> None:
        self._add(Drawing("line", int(x), int(y), int(width), int(height), color=str(color)))

    def pixel(self, x: int, y: int, color: str = "white") -> None:
        self._add(Drawing("pixel", int(x), int(y), color=str(color)))

    def _add(self, drawing: Drawing) -> None:
        if len(self.drawings) < 2000:  # more would slow the window down
            self.drawings.append(drawing)


Tell: TypeAlias = Callable[[Sequence[Drawing], str, str], object]
"""Receives each frame's drawings, output and error; after an error the script is over."""


class FrameScript:
    """Runs ``step`` after each frame of a session, on its thread, until it fails or is stopped."""

    def __init__(self, session: Session, step: Callable[[Canvas], str], tell: Tell) -> None:
        self._session, self._step, self._tell = session, step, tell
        session.after_frame = self.run

    def run(self) -> None:
        """Run the script once, and report what it drew and said."""
        canvas, text, error = Canvas(), "", ""
        try:
            text = self._step(canvas)
        except Exception as failure:  # noqa: BLE001 - a user's code
            error = str(failure) or type(failure).__name__
            self.stop()
        self._tell([] if error else canvas.drawings, text, error)

    def stop(self) -> None:
        if self._session.after_frame == self.run:
            self._session.after_frame = None
            self._session.script_masks = ()


def waits_for_frames(lua: str) -> bool:
    """Return True if the code mentions emu.frameadvance outside its comments and strings."""
    return "emu.frameadvance" in _NO_CODE.sub("", lua)


def answered(work: Callable[..., object], *arguments: Any) -> tuple[bool, object]:
    """Call ``work`` for Lua; return true and its result, or false and the error's text.

    An exception may not cross the Lua stack."""
    try:
        return True, work(*arguments)
    except KeyError as error:
        return False, f"no variable {error} in data.json"
    except (DomainError, ValueError, TypeError, AttributeError) as error:
        return False, str(error)


class LuaFrames:
    """A Lua script with BizHawk's calls; ``emu.frameadvance()`` waits for the next frame."""

    def __init__(
        self, session: Session, places: Places, text: str, name: str, *, writes: bool
    ) -> None:
        self._session, self._places, self._writes = session, places, writes
        self._canvas = Canvas()
        self._said: list[str] = []
        self._memory = LiveScriptMemory(session.memory, dict(session.integration.variables.items()))
        refused = False, "write variables by memory.write_u8, or in a console entry"
        api = ScriptApi(
            self._read,
            lambda *_: refused,
            lambda at: answered(lambda: self._memory.read_byte(int(at))),
            self._said.append,
        )
        self._sandbox = Sandbox(api, ScriptLimits())
        self._calls: dict[str, Callable[..., object]] = {
            "read": self._number,
            "write": self._poke,
            "held": self._held,
            "press": self._press,
            "frame": lambda: session.timeline.position,
            "system": lambda: session.system.name,
            **{kind: self._draw(kind) for kind in ("text", "box", "line", "pixel")},
        }
        self._do(read_text(Path(__file__).with_name("bizhawk.lua"), SMALL_BYTES), "bizhawk")
        self._do(f"__body = function() {text}\nend", name)
        self._name = name

    def _do(self, text: str, name: str) -> None:
        result = self._sandbox.load(text, name)
        if not result.ok:
            raise ScriptError(re.sub(rf"^{name}:(\d+): ", r"line \1: ", result.message))

    def __call__(self, canvas: Canvas) -> str:
        self._canvas = canvas
        self._said.clear()
        self._session.script_masks = ()
        self._do("__step(__body)", self._name)
        return "\n".join(self._said)

    def _read(self, name: str) -> tuple[bool, object]:
        if not name.startswith(" "):
            return answered(self._memory.read_variable, name)
        call, *arguments = name[1:].split("\t")
        return answered(self._calls[call], *arguments)

    def _at(self, address: str, domain: str) -> int:
        return self._places.in_domain(domain or "ram", int(float(address)))

    def _number(self, kind: str, address: str, domain: str) -> int:
        return self._session.memory.read(self._at(address, domain), DataType.parse(kind))

    def _poke(self, kind: str, address: str, value: str, domain: str) -> int:
        if not self._writes:
            raise ValueError("the console only reads; tick “May write” to poke")
        at, number = self._at(address, domain), DataType.parse(kind)
        self._session.memory.write(at, number, number.wrap(int(float(value))))
        return 0

    @property
    def _pad(self) -> dict[str, int]:
        """The bits of the buttons by BizHawk's names, such as Up, Start and A."""
        buttons = enumerate(self._session.system.buttons)
        return {name.title() if len(name) > 2 else name: bit for bit, name in buttons if name}

    def _held(self, player: str) -> str:
        last, port = self._session.last, int(float(player)) - 1
        mask = last.inputs[port] if last is not None and 0 <= port < len(last.inputs) else 0
        return ",".join(f"{name}={mask >> bit & 1}" for name, bit in self._pad.items())

    def _press(self, player: str, names: str) -> int:
        port, pad = int(float(player)) - 1, self._pad
        masks = [*self._session.script_masks, *[0] * (port + 1)][: max(port + 1, 1)]
        masks[port] |= sum(1 << pad[name] for name in names.split(",") if name in pad)
        self._session.script_masks = tuple(masks)
        return 0

    def _draw(self, kind: str) -> Callable[..., int]:
        def draw(x: str, y: str, *rest: str) -> int:
            *middle, color = rest
            numbers = middle if kind == "text" else [int(float(each)) for each in middle]
            getattr(self._canvas, kind)(float(x), float(y), *numbers, color)
            return 0

        return draw
