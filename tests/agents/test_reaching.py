"""The first moment of control is looked for in games that are a few lines of Python."""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from integrator.session.frame.inputs import Inputs
from integrator.unattended.control import ONE_BUTTON, ONE_LONG, STRONG, TAPPED, Explorer
from integrator.unattended.finding import start_part
from integrator.unattended.reaching import PLAY, Reached, reach
from libretro_host.host import CapturePlan, Frame, PixelFormat

BUTTONS = ("B", "A", "SELECT", "START", "UP", "DOWN", "LEFT", "RIGHT")
B, A, SELECT, START, UP, DOWN, LEFT, RIGHT = (1 << bit for bit in range(len(BUTTONS)))
TITLE, MENU, PLAYING, PAUSED = range(4)
BRIGHT = (0x0000FF, 0x00FF00, 0xFF0000, 0xFFFF00)
Step = Callable[[dict[str, int], int, int], None]
"""Changes a game's memory in a frame, by the buttons held and those pressed since the last one."""


class ToyHost:
    """A game of seven bytes; ``x`` and ``row`` place a sprite in the color of the ``screen``."""

    NAMES = ("screen", "row", "x", "y", "clock", "held", "hidden")

    def __init__(self, step: Step) -> None:
        self.step, self.memory = step, dict.fromkeys(self.NAMES, 0)

    def serialize(self) -> bytes:
        return bytes(self.memory.values())

    def unserialize(self, state: bytes, *, fresh: bool) -> None:
        assert not fresh
        self.memory = dict(zip(self.NAMES, state, strict=True))

    def read_ram(self) -> np.ndarray:
        return np.array(list(self.memory.values()), np.uint8)

    def run(self, rows: Inputs, plan: CapturePlan) -> SimpleNamespace:
        pictures = []
        for number, mask in enumerate(rows[:, 0].tolist(), 1):
            memory = self.memory
            self.step(memory, mask, mask & ~memory["held"])
            memory["clock"], memory["held"] = (memory["clock"] + 1) % 256, mask
            if plan.picture_every and number % plan.picture_every == 0:
                pictures.append(self.drawn())
        return SimpleNamespace(frame=self.drawn(), pictures=tuple(pictures))

    def drawn(self) -> Frame:
        picture, memory = np.zeros((48, 64), np.uint32), self.memory
        color = BRIGHT[memory["screen"]]
        picture[: 4 + 4 * memory["screen"], :40] = color
        at = 24 + 2 * memory["row"] + memory["y"] % 20, memory["x"] % 60
        picture[at[0] : at[0] + 4, at[1] : at[1] + 4] = color
        return Frame(picture.view(np.uint8), 64, 48, PixelFormat.XRGB8888)


def explored(step: Step) -> tuple[Explorer, ToyHost]:
    host = ToyHost(step)
    system, game = SimpleNamespace(buttons=BUTTONS), SimpleNamespace(columns=1)
    return Explorer(SimpleNamespace(host=host, system=system, game=game)), host  # type: ignore[arg-type]


def reached(step: Step) -> tuple[Explorer, list[Reached], ToyHost]:
    console, host = explored(step)
    starts = reach(console, host.serialize())
    if starts:
        host.unserialize(starts[0].state, fresh=False)
    return console, starts, host


def walk(memory: dict[str, int], held: int) -> None:
    memory["x"] = min(59, max(0, memory["x"] + bool(held & RIGHT) - bool(held & LEFT)))
    memory["y"] = min(19, max(0, memory["y"] + bool(held & DOWN) - bool(held & UP)))


def choose(memory: dict[str, int], pressed: int) -> None:
    memory["row"] = min(4, max(0, memory["row"] + bool(pressed & DOWN) - bool(pressed & UP)))


def begin(memory: dict[str, int], screen: int) -> None:
    memory.update(screen=screen, row=0, x=30, y=10)


def test_a_row_of_a_menu_begins_the_game() -> None:
    def step(memory: dict[str, int], held: int, pressed: int) -> None:
        if memory["screen"] == PLAYING:
            walk(memory, held)
        elif pressed & START and memory["row"] == 3:
            begin(memory, PLAYING)
        else:
            choose(memory, pressed)

    _, [start, *_], host = reached(step)
    assert host.memory["screen"] == PLAYING
    assert start.situations >= PLAY
    assert (start.inputs == DOWN).sum() == 3 * (start.inputs == START).sum()


def test_a_long_story_may_follow_a_menu() -> None:
    def step(memory: dict[str, int], held: int, pressed: int) -> None:
        if memory["screen"] == PLAYING:
            walk(memory, held)
        elif memory["screen"] == PAUSED:  # Each page is shown for a second, or until a press.
            memory.update(hidden=memory["hidden"] + 1, y=memory["hidden"] // 60 * 5)
            if pressed & B:
                memory["hidden"] = (memory["hidden"] // 60 + 1) * 60
            if memory["hidden"] >= 1:
                memory["x"] = (memory["x"] + 1) % 60
            if memory["hidden"] >= 240:
                memory.update(hidden=0, row=memory["row"] + 1)
            if memory["row"] == 4:
                begin(memory, PLAYING)
        elif pressed & START:
            begin(memory, PAUSED)
        else:
            choose(memory, pressed)

    console, [start, *_], host = reached(step)
    console.go(start.state, console.rows((0, 16)))
    assert host.memory["screen"] == PLAYING


def test_a_search_ends_when_its_frames_are_spent() -> None:
    def step(memory: dict[str, int], _: int, pressed: int) -> None:
        if pressed:  # Each press shows another screen.
            memory.update(screen=(memory["screen"] + 1) % 4, x=memory["x"] + 7)

    console, host = explored(step)
    console.left = 20_000
    assert reach(console, host.serialize()) == []
    assert -300 < console.left <= 0


def test_a_cursor_that_only_steps_may_be_a_menu_so_the_start_is_never_sure() -> None:
    def step(memory: dict[str, int], held: int, pressed: int) -> None:
        walk(memory, held if memory["screen"] == PLAYING else pressed)

    console, host = explored(step)
    start = Reached(host.serialize(), console.rows(), PLAY)
    doubtful = start_part("Start", start, console, [0.9])
    host.memory["screen"] = PLAYING
    start = replace(start, state=host.serialize())
    sure = start_part("Start", start, console, [0.9])
    assert doubtful.confidence < 0.5 < 0.8 < sure.confidence
    assert "as in a menu" in doubtful.evidence[-1]


def test_a_car_may_be_steered_only_while_the_second_button_drives_it() -> None:
    def step(memory: dict[str, int], held: int, _: int) -> None:
        memory["y"] = 3 * bool(held & A)
        walk(memory, held & (LEFT | RIGHT) if held & A else 0)

    console, host = explored(step)
    assert console.steered(host.serialize()) >= STRONG


def test_a_button_that_leaves_a_title_does_not_make_the_title_play() -> None:
    def step(memory: dict[str, int], held: int, pressed: int) -> None:
        if memory["screen"] == PLAYING:
            walk(memory, held)
        elif pressed & B:
            begin(memory, PLAYING)

    console, host = explored(step)
    assert console.steered(host.serialize()) == 0


def test_a_menu_may_ignore_two_directions_at_once() -> None:
    def step(memory: dict[str, int], held: int, pressed: int) -> None:
        if held in (UP, DOWN):
            choose(memory, pressed)

    console, host = explored(step)
    assert console.steered(host.serialize()) > 0


@pytest.mark.parametrize("screens", [1, 2])
def test_a_menu_that_moves_as_a_game_does_is_left_for_the_game(screens: int) -> None:
    def step(memory: dict[str, int], held: int, pressed: int) -> None:
        walk(memory, held)  # A pointer glides through the menu.
        if memory["screen"] < screens and pressed & A:
            begin(memory, memory["screen"] + 1)

    _, [start, *_], host = reached(step)
    assert host.memory["screen"] == screens
    assert (start.inputs == A).sum() >= screens


def test_a_pause_with_a_pointer_is_not_the_game_behind_a_menu() -> None:
    def step(memory: dict[str, int], held: int, pressed: int) -> None:
        walk(memory, held)
        if pressed & START:
            begin(memory, PLAYING if memory["screen"] != PLAYING else PAUSED)

    _, [start, *_], host = reached(step)
    assert host.memory["screen"] == PLAYING, start.inputs


def test_a_game_that_begins_late_is_no_pause_though_start_leads_back_to_its_menu() -> None:
    def step(memory: dict[str, int], held: int, pressed: int) -> None:
        if memory["screen"] == PAUSED:
            memory["hidden"] += 1
            if memory["hidden"] == 250:
                begin(memory, PLAYING)
        elif pressed & START:
            memory["hidden"] = 0
            begin(memory, TITLE if memory["screen"] == PLAYING else PAUSED)
        else:
            walk(memory, held)

    _, _, host = reached(step)
    assert host.memory["screen"] == PLAYING


def test_play_behind_a_long_story_is_reached_by_one_button() -> None:
    def step(memory: dict[str, int], held: int, pressed: int) -> None:
        if memory["screen"] == PLAYING:
            walk(memory, held)
        elif not pressed:
            memory["x"] = min(59, memory["x"] + memory["clock"] % 2)
        elif memory["y"] < 15:
            memory.update(x=0, y=memory["y"] + 1)
        else:
            begin(memory, PLAYING)

    _, _, host = reached(step)
    assert host.memory["screen"] == PLAYING


def test_a_cursor_is_left_for_a_game_on_a_screen_of_the_same_look() -> None:
    def step(memory: dict[str, int], held: int, pressed: int) -> None:
        if memory["row"] == 4:  # The last row is the player's in the game, too.
            walk(memory, held)
        elif pressed & A:
            memory.update(row=4, x=30)
        else:  # A cursor that blinks.
            memory["x"] = (memory["x"] + bool(pressed & RIGHT) - bool(pressed & LEFT)) % 60
            memory["y"] = memory["clock"] // 4 % 8

    _, [start, *_], host = reached(step)
    assert host.memory["row"] == 4
    assert (start.inputs == A).any()


def test_directions_are_tapped_where_a_game_takes_a_step_for_each_press() -> None:
    def step(memory: dict[str, int], _: int, pressed: int) -> None:
        walk(memory, pressed)

    console, [start, *_], _ = reached(step)
    assert console.look == TAPPED
    assert start.situations >= STRONG


def test_a_game_of_one_button_begins_behind_its_title() -> None:
    def step(memory: dict[str, int], held: int, pressed: int) -> None:
        if memory["screen"] == TITLE:
            memory["screen"] = PLAYING * bool(pressed & A)
        else:
            memory["y"] = max(0, memory["y"] - 3) if held & B else min(19, memory["y"] + 1)

    console, [start, *_], host = reached(step)
    assert console.look == start.look == ONE_BUTTON
    parts = [start_part("Start", start, console, found) for found in ([0.4], [0.01, 0.23], [])]
    assert parts[0].evidence[0].startswith("a button gave")
    assert parts[0].confidence > parts[1].confidence == parts[2].confidence
    assert console.reacts(start.state)
    assert host.memory["screen"] == PLAYING


def test_a_title_may_wait_for_a_second_before_the_game_begins() -> None:
    def step(memory: dict[str, int], held: int, pressed: int) -> None:
        if memory["screen"] == PLAYING:
            walk(memory, held)
        elif memory["hidden"]:
            memory["hidden"] -= 1
            if not memory["hidden"]:
                begin(memory, PLAYING)
        elif pressed & B:
            memory["hidden"] = 60

    console, [start, *_], host = reached(step)
    console.go(start.state, console.rows((0, 8)))
    assert host.memory["screen"] == PLAYING


@pytest.mark.parametrize("is_steered", [False, True], ids=["still", "steered while it fades in"])
def test_a_title_may_listen_only_after_some_seconds(is_steered: bool) -> None:
    def step(memory: dict[str, int], held: int, pressed: int) -> None:
        memory["hidden"] = min(255, memory["hidden"] + 1)
        if memory["screen"] == PLAYING or (is_steered and memory["hidden"] < 200):
            walk(memory, held)
        elif pressed & A and memory["hidden"] > 230:
            begin(memory, PLAYING)

    _, [_, *_], host = reached(step)
    assert host.memory["screen"] == PLAYING


def test_a_car_is_driven_by_a_button_that_is_held_for_long() -> None:
    def step(memory: dict[str, int], held: int, _: int) -> None:
        memory["y"] = min(15, memory["y"] + 1) if held & A else max(0, memory["y"] - 1)
        memory["x"] = (memory["x"] + max(0, memory["y"] - 8)) % 60

    console, [start, *_], _ = reached(step)
    assert console.look == ONE_LONG
    assert console.reacts(start.state)


def test_a_game_that_reads_the_pad_seldom_needs_long_presses() -> None:
    def step(memory: dict[str, int], held: int, _: int) -> None:
        if memory["screen"] == PLAYING:
            walk(memory, held)
        elif held & START and memory["clock"] % 20 == 19:
            begin(memory, PLAYING)

    _, [_, *_], host = reached(step)
    assert host.memory["screen"] == PLAYING


def test_a_cursor_between_two_places_is_a_game_if_nothing_else_is_found() -> None:
    def step(memory: dict[str, int], _: int, pressed: int) -> None:
        memory["x"] = min(
            20, max(0, memory["x"] + 10 * (bool(pressed & RIGHT) - bool(pressed & LEFT)))
        )

    console, [start, *_], _ = reached(step)
    assert console.look == start.look == TAPPED
    assert not start.inputs.any()


def test_a_game_that_reacts_to_nothing_has_no_start() -> None:
    _, starts, _ = reached(lambda *_: None)
    assert starts == []
