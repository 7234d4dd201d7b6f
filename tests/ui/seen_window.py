"""A person at the program's window: looks at it, and acts by mouse and keyboard alone.

An eye in the program (seen_program.py), which touches nothing, tells the things in sight and their
places; so a click goes to the button that reads "Make variable", and fails when the button is
covered or cut off. With INTEGRATOR_PICTURES=FOLDER in the environment, pictures of the main steps
are kept there."""

import json
import operator
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtGui import QImage
from real_window import TIMEOUT_S, RealWindow, is_alive, wait_until

EYE = Path(__file__).with_name("seen_program.py")
MAIN, ANY_MAIN = "— Integrator", "Integrator$"
"""The title of the main window, which shows a game, and perhaps none."""

T = TypeVar("T")
Seen = dict[str, Any]


class SeenWindow(RealWindow):
    """The running program, whose windows are looked at."""

    def __init__(
        self, display: str, screen: Path, folder: Path, *arguments: str, scale: int = 1
    ) -> None:
        self._eye = folder / "eye"
        self.program = (str(EYE), str(self._eye))
        super().__init__(display, screen, folder, *arguments, scale=scale)

    # -- looking ------------------------------------------------------------------------------

    def see(self, text: str | None = None, **properties: Any) -> list[Seen]:
        """A thing in sight now that bears ``text`` (its text or its name) and the properties."""
        return [
            each
            for each in self._ask({"see": True})
            if text in (None, each["text"], each.get("name"))
            and all(each.get(key) == value for key, value in properties.items())
        ]

    def find(self, text: str | None = None, **properties: Any) -> Seen:
        """Wait until something is in sight and can be clicked."""
        found: list[Seen] = []

        def look() -> bool:
            found[:] = self.see(text, free=True, enabled=True, **properties)
            return bool(found)

        try:
            wait_until(look, f"{text!r} {properties}", TIMEOUT_S / 3)
        except AssertionError as error:
            texts = sorted({each["text"] for each in self.see()})
            raise AssertionError(f"{error}; in sight: {texts}; {self.errors.read_text()}") from None
        return found[0]

    def wait_for(self, text: str, **properties: Any) -> Seen:
        """Wait until something that has ``text`` in it is in sight, covered or not."""
        found: list[Seen] = []

        def look() -> bool:
            seen = self.see(**properties)
            found[:] = [each for each in seen if text in each["text"]]
            return bool(found)

        wait_until(look, f"{text!r} {properties}", TIMEOUT_S / 3)
        return found[0]

    def rows(self, panel: str) -> list[list[str]]:
        """The cells in sight of a panel's table, row by row; not its other lists."""
        table: dict[int, dict[int, str]] = {}
        for cell in self.see(kind="cell", panel=panel, of="DataTable"):
            table.setdefault(cell["row"], {})[cell["column"]] = cell["text"]
        return [[row[column] for column in sorted(row)] for _, row in sorted(table.items())]

    def check(self, expression: str) -> Any:
        """A value in the program, for a check; ``window`` is its main window."""
        return self._ask({"check": expression})

    def ram(self, address: int, kind: str) -> int:
        """A number in the game's memory, in place of reading it off the game's picture."""
        return int(self._ask({"ram": [address, kind]}))

    def frame(self) -> int:
        """The number of the frame that is shown."""
        return int(self.check("window.controller.last.number if window.controller.last else 0"))

    def keep_picture(self, name: str) -> None:
        """Keep a picture of the screen, if somebody asked for pictures."""
        folder = os.environ.get("INTEGRATOR_PICTURES")
        if folder:
            time.sleep(0.4)
            rows = self.picture()
            height, width, _ = rows.shape
            picture = QImage(rows.tobytes(), width, height, QImage.Format.Format_RGB32)
            picture.save(str(Path(folder) / f"journey-{name}.png"))

    def _ask(self, question: dict[str, Any]) -> Any:
        assert self.process.poll() is None, self.errors.read_text()
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(TIMEOUT_S / 2)
            line.connect(str(self._eye))
            line.sendall(json.dumps(question).encode() + b"\n")
            with line.makefile("rb") as answers:
                answer = answers.readline()
        assert answer, self.errors.read_text()
        return json.loads(answer)

    # -- acting -------------------------------------------------------------------------------

    def click_on(self, text: str | None = None, *, times: int = 1, **properties: Any) -> None:
        """Click in the middle of the thing that reads ``text``."""
        x, y = middle(self.find(text, **properties))
        self.acts["clicks"] += times
        click = ("click", "--repeat", str(times), "--delay", "60", "1")
        self._xdotool("mousemove", str(x), str(y), *click)

    def write(self, field: str, text: str, **properties: Any) -> None:
        """Replace a field's content by ``text``."""
        self.click_on(field, kind="field", **properties)
        self.key("ctrl+a")
        self.type(text)

    def fill(self, field: str, text: str, **properties: Any) -> None:
        """Replace a field's content by ``text``, and press Enter."""
        self.write(field, text, **properties)
        self.key("Return")

    def choose(self, button: str, entry: str, **properties: Any) -> None:
        """Open a button's menu and click an entry."""
        self.click_on(button, kind="button", **properties)
        self.click_on(entry, kind="row", of="QMenu")
        wait_until(lambda: not self.see(of="QMenu"), "the menu to close")

    def pick_row(self, panel: str, *texts: str) -> None:
        """Click the row of a panel's table that has these texts; turn the wheel to find it.

        Down, and up again: the rows may have come while the table was looked through."""

        def in_sight() -> list[list[str]]:
            return [row for row in self.rows(panel) if set(texts) <= set(row)]

        wait_until(lambda: self.rows(panel), f"rows in {panel}")
        for button in ["5"] * 60 + ["4"] * 60:
            if in_sight():
                break
            self.turn_wheel(panel, button)
        assert in_sight(), f"no row {texts} in {panel}: {self.rows(panel)}"
        cells = self.see(kind="cell", panel=panel, free=True)
        numbers = [{c["row"] for c in cells if c["text"] == text} for text in texts]
        row = min(set.intersection(*numbers))
        self.click_on(texts[0], kind="cell", panel=panel, row=row)

    def turn_wheel(self, panel: str, button: str, times: int = 1) -> None:
        """Turn the wheel over a panel's first table: button "4" is up, "5" is down."""
        x, y = middle(self.find(kind="view", panel=panel, of="DataTable"))
        self.acts["wheel"] += times
        self._xdotool("mousemove", str(x), str(y), "click", "--repeat", str(times), button)

    @contextmanager
    def holding(self, *keys: str) -> Iterator[None]:
        """Keep keys down meanwhile."""
        self.acts["keys"] += len(keys)
        for key in keys:
            self._xdotool("keydown", key)
        try:
            yield
        finally:
            for key in keys:
                self._xdotool("keyup", key)

    def answer(self, title: str, text: str) -> None:
        """Type into a dialog's one field and press Enter."""
        self.wait_for_title(title)
        self.key("ctrl+a")
        self.type(text)
        self.key("Return")
        wait_until(lambda: self.is_gone(title), f"{title!r} to close")
        self.wait_for_title(MAIN)

    def settled(
        self, look: Callable[[], T], what: str, same: Callable[[T, T], bool] = operator.eq
    ) -> T:
        """The result of ``look`` once it comes twice in a row."""
        seen = [look()]

        def rests() -> bool:
            time.sleep(0.25)
            seen.append(look())
            return same(seen[-1], seen[-2])

        wait_until(rests, f"{what} to rest")
        return seen[-1]

    # -- playing ------------------------------------------------------------------------------

    def resume(self) -> None:
        """Let the game run; its picture gets the keys."""
        if self.check("window.controller.paused"):
            self.key("ctrl+p")
            wait_until(lambda: not self.check("window.controller.paused"), "the game to run")

    def pause(self) -> None:
        """Hold the game."""
        if not self.check("window.controller.paused"):
            self.key("ctrl+p")
            wait_until(lambda: self.check("window.controller.paused"), "the pause")

    def play_until(self, holds: Callable[[], object], what: str, *keys: str) -> int:
        """Play with keys held until something happened, then pause; returns the frame."""
        self.resume()
        with self.holding(*keys):
            wait_until(holds, what)
        self.pause()
        return self.frame()

    def leave(self) -> None:
        """Quit: status 0, nothing on stderr, no core process left."""
        self.end_film()
        workers = self.workers()
        self.wait_for_title(ANY_MAIN)
        self.key("ctrl+q")
        assert self.process.wait(TIMEOUT_S) == 0
        wait_until(lambda: not any(map(is_alive, workers)), "the core process to end")
        assert self.errors.read_text() == ""


def middle(seen: Seen) -> tuple[int, int]:
    """The place to click."""
    x, y, width, height = seen["place"]
    return x + width // 2, y + height // 2
