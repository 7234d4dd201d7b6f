"""Scripts of the console run after each frame: BizHawk's calls in Lua as they are, and Python."""

from collections.abc import Sequence

import numpy as np
import pytest

from integrator.domain.notes.places import Places
from integrator.session.console import Console
from integrator.session.frame_script import Drawing, waits_for_frames
from integrator.session.session import Session

BIZHAWK = """
local frames = 0
while true do
  frames = frames + 1
  local lives = memory.read_u8(0x0302)
  gui.text(10, 12, "lives " .. lives, "red")
  gui.drawRectangle(1, 2, 30, 40)
  gui.drawPixel(5, 6, "#00FF00")
  if joypad.get(1).Right then console.log("right at " .. emu.framecount()) end
  if frames == 3 then joypad.set({A = true}, 1) end
  emu.frameadvance()
end
"""


class Heard:
    """Everything that a script reported."""

    def __init__(self) -> None:
        self.drawings: list[Sequence[Drawing]] = []
        self.text, self.errors = "", ""

    def __call__(self, drawings: Sequence[Drawing], text: str, error: str) -> None:
        self.drawings.append(drawings)
        self.text += text
        self.errors += error


@pytest.fixture
def heard() -> Heard:
    return Heard()


def places(session: Session) -> Places:
    return Places(session.memory.space)


def test_a_script_of_bizhawk_runs_as_it_is(moth: Session, heard: Heard) -> None:
    script = Console().frames(moth, BIZHAWK, heard, places(moth), writes=False)
    right, a = (1 << moth.system.buttons.index(name) for name in ("RIGHT", "A"))
    moth.run(np.array([[0], [right], [0], [0], [0]], np.uint16))
    assert heard.errors == ""
    assert len(heard.drawings) == 5
    lives = moth.memory.read(0x302, "|u1")
    assert heard.drawings[0][0] == Drawing("text", 10, 12, text=f"lives {lives}", color="red")
    assert [each.kind for each in heard.drawings[0]] == ["text", "box", "pixel"]
    assert heard.text == f"right at {moth.timeline.length - 3}"
    assert [bool(row & a) for row in moth.timeline.log.inputs()[-5:, 0]] == [
        False, False, False, True, False,
    ]  # fmt: skip
    script.stop()
    moth.run(np.zeros((4, 1), np.uint16))
    assert len(heard.drawings) == 5


def test_pokes_need_leave_and_an_error_ends_the_script(moth: Session, heard: Heard) -> None:
    poke = "memory.write_u8(0x302, 7)\nemu.frameadvance()\nnothing.at_all()"
    Console().frames(moth, poke, heard, places(moth), writes=False)
    moth.run(np.zeros((2, 1), np.uint16))
    assert "only reads" in heard.errors
    assert moth.after_frame is None
    Console().frames(moth, poke, heard, places(moth), writes=True)
    moth.run(np.zeros((1, 1), np.uint16))
    assert moth.memory.read(0x302, "|u1") == 7
    moth.run(np.zeros((3, 1), np.uint16))
    assert "line 3:" in heard.errors
    assert moth.after_frame is None


def test_python_draws_on_each_frame_and_says_its_line(moth: Session, heard: Heard) -> None:
    text = "gui.box(1, 2, 3, 4)\nif frame % 2 == 0:\n    print('even')\n1 / (frame - frame)"
    Console().frames(moth, text.rpartition("\n")[0], heard, None, writes=False)
    moth.run(np.zeros((4, 1), np.uint16))
    assert heard.text == "even\neven\n"
    assert heard.drawings[0] == [Drawing("box", 1, 2, 3, 4)]
    Console().frames(moth, text, heard, None, writes=False)
    moth.run(np.zeros((1, 1), np.uint16))
    assert heard.errors == "line 4: ZeroDivisionError: division by zero"


def test_names_are_completed_with_signatures(moth: Session) -> None:
    console = Console()
    assert "session.timeline" in console.complete(moth, "x = session.timel", python=True)
    [seek] = console.complete(moth, "session.timeline.see", python=True)
    assert seek.startswith("session.timeline.seek(frame")
    assert console.complete(moth, "print(data.li", python=False) == ["data.lives"]
    assert "memory.read_u8" in console.complete(moth, "memory.re", python=False)
    assert console.complete(moth, "session.nothing.x", python=True) == []


def test_domains_colors_and_players_of_bizhawk(moth: Session, heard: Heard) -> None:
    text = """
memory.usememorydomain("RAM")
while true do
  local bytes = memory.read_bytes_as_array(0x302, 2)
  gui.drawLine(1, 2, 11, 22, 0x80FF0000)
  console.writeline(bytes[1] == mainmemory.readbyte(0x302), #bytes, joypad.get()["P1 A"])
  joypad.set({["P1 B"] = true, ["P1 A"] = false})
  emu.yield()
end"""
    Console().frames(moth, text, heard, places(moth), writes=False)
    moth.run(np.zeros((2, 1), np.uint16))
    assert heard.errors == ""
    assert heard.text.replace("false", "false ").split() == ["true", "2", "false"] * 2
    assert heard.drawings[0] == [Drawing("line", 1, 2, 10, 20, color="#80FF0000")]
    assert moth.timeline.log.inputs()[-1, 0] == 1 << moth.system.buttons.index("B")


@pytest.mark.parametrize(
    ("lua", "waits"),
    [
        ("emu.frameadvance()", True),
        ('print("--"); emu.frameadvance()', True),
        ("--[[ a\nb ]] emu.frameadvance()", True),
        ("x = 1 -- emu.frameadvance()", False),
        ("--[[\nemu.frameadvance()\n]] x = 1", False),
        ("print('emu.frameadvance')", False),
    ],
)
def test_only_code_waits_for_frames(lua: str, waits: bool) -> None:
    assert waits_for_frames(lua) == waits
