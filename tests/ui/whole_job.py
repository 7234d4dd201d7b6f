"""The steps from a bare ROM to a saved integration, as a person takes them at the window."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from real_window import wait_until
from seen_window import MAIN, SeenWindow

Number = Callable[[], int]


@dataclass(frozen=True)
class Place:
    """The place of a number in a game: address and type."""

    address: int
    type: str

    def read(self, window: SeenWindow) -> int:
        """The number that a person reads off the game's picture."""
        return window.ram(self.address, self.type)

    @property
    def cells(self) -> tuple[str, str]:
        """Address and type as tables show them."""
        digits = 4 if self.address < 0x10000 else 6
        return f"0x{self.address:0{digits}X}", self.type


def make_integration(window: SeenWindow, rom: Path, name: str) -> None:
    """File > New integration: the ROM's path is typed, name and folder are as suggested."""
    window.wait_for_title("Integrator")
    window.key("ctrl+n")
    window.wait_for_title("New integration")
    window.write("ROM file", str(rom), top="New integration")
    window.wait_for("found in the stable-retro package", top="New integration")
    window.keep_picture(f"{name}-1-new")
    window.click_on("Make integration", kind="button", top="New integration")
    window.wait_for_title(f"{name}.*{MAIN}")
    wait_until(lambda: window.frame() == 1, "the first frame")


def begin_to_play(window: SeenWindow, in_play: Callable[[], bool], *keys: str) -> int:
    """Press keys (Start) until the game is under way, then pause; returns the frame."""
    window.resume()

    def begun() -> bool:
        if not in_play():
            window.key(*(keys or ("Return",)))
        return in_play()

    wait_until(begun, "the game to begin")
    window.pause()
    return window.frame()


def save_start_state(window: SeenWindow, name: str) -> None:
    """Ctrl+Shift+S, a name, Enter."""
    window.key("ctrl+shift+s")
    # The desktop's icons are none of ours, and of no theme.
    assert not window.find("OK", kind="button", top="Save state")["icon"]
    window.answer("Save state", name)
    window.wait_for(f"Kept state {name}", kind="label")


def find_by_value(
    window: SeenWindow, name: str, place: Place, play_on: Callable[[], None], looks: int
) -> None:
    """The Find panel: type the number on the screen, play on until it changed, type it again."""
    window.key("ctrl+2")
    window.click_on("Find", kind="tab")
    for look in range(looks):
        if look:
            play_on()
        window.fill("Value", str(place.read(window)), panel="Find")
        wait_until(lambda: len(window.see(kind="button", panel="Find", of="QPushButton")), "steps")
        time.sleep(0.5)
    window.keep_picture(f"{name}-found")
    window.pick_row("Find", *place.cells)
    window.click_on("Name of the new variable", kind="field", panel="Find")
    window.type(name)
    window.click_on(f"Make variable “{name}”", kind="button", panel="Find")
    window.wait_for(name, kind="cell", panel="Variables")


def find_by_facts(window: SeenWindow, name: str, place: Place, facts: list[str]) -> None:
    """The Facts panel: type what happened when, name the row of the best match."""
    window.key("ctrl+2")
    window.click_on("Facts", kind="tab")

    for fact in facts:
        pin(window, fact)
    window.wait_for("fits all", kind="cell", panel="Facts")
    window.keep_picture(f"{name}-facts")
    look_into_groups(window)
    window.pick_row("Facts", *place.cells)
    window.click_on("Name of the new variable", kind="field", panel="Facts")
    window.type(name)
    window.click_on("Make variable", kind="button", panel="Facts")
    window.wait_for(name, kind="cell", panel="Variables")


def record(window: SeenWindow, movie: Path, play: Callable[[], None]) -> None:
    """The red button, a file's name, some play, and the button again."""
    window.click_on("Record movie", kind="button")
    window.answer("Record a movie", str(movie))
    window.find("Stop recording", kind="button")
    play()
    window.click_on("Stop recording", kind="button")
    window.find("Record movie", kind="button")


def play_back(window: SeenWindow, movie: Path) -> str:
    """A double click in Review; the movie's reward once it has ended, as its row says it."""
    window.key("ctrl+4")
    window.click_on(movie.name, times=2, kind="cell", panel="Movies")
    window.wait_for(f"{movie.name} has ended", kind="label")
    window.keep_picture("movie")

    def row() -> list[str]:
        return next((row for row in window.rows("Movies") if movie.name in row), [])

    wait_until(lambda: "not done" in row(), "the movie's result")
    return row()[1]


def pin(window: SeenWindow, fact: str) -> None:
    """Type what the screen says; wait for the answer, which folds the groups of the one before."""
    view = "window.docks.all['facts'].widget().layout().itemAt(0).widget()"
    columns = f"{view}.model.columnCount()"  # Each frame of a fact has one.
    known = window.check(columns)
    window.fill("What the screen says", fact, panel="Facts")
    wait_until(lambda: window.check(columns) > known, f"the answer to {fact}")


def look_into_groups(window: SeenWindow) -> None:
    """List the matches that agree with one another, and hide them again, by the keyboard."""

    def places() -> list[list[str]]:
        return [row[:2] for row in window.rows("Facts")]

    before = window.settled(places, "the matches")
    cells = window.see(kind="cell", panel="Facts", of="DataTable")
    group = next(cell for cell in cells if cell["text"].startswith("▸"))
    below = group["row"] + 1
    window.click_on(group["text"], kind="cell", panel="Facts", row=group["row"])
    wait_until(lambda: places()[below] != before[below], "the group's members")
    window.keep_picture("group")
    window.key("Left")
    wait_until(lambda: places() == before, "the members to be hidden")


def leave_a_branch(window: SeenWindow, share: float) -> None:
    """Click the time slider in the past and play on: the future there was becomes a branch."""
    x, y, width, height = window.find("Timeline", kind="other")["place"]
    end = window.frame()
    window.click(round(x + width * share), y + height // 3)
    wait_until(lambda: window.frame() < end, "the past")
    parted = window.frame()
    window.play_until(lambda: window.frame() > parted + 40, "another future", "Left")


def branch_rewards(window: SeenWindow) -> list[float]:
    """Player 1's reward on the kept lines, as the window knows them."""
    facts = "window.screen_panel.timeline.facts.branches"
    return list(window.check(f"[branch.rewards[0] for branch in {facts}]"))


def slider_reward(window: SeenWindow) -> float:
    """The largest reward so far on the time slider's curve."""
    return float(window.check("float(window.screen_panel.timeline.facts.totals.max())"))


def draw_crop(window: SeenWindow) -> list[int]:
    """The Observation panel: a box over the middle of the picture that agents get."""
    window.click_on("Observation", kind="tab")
    window.click_on("Draw", kind="button", panel="Observation")
    x, y, width, height = window.find("Draw the crop", kind="other", panel="Observation")["place"]
    corners = [(x + width * n // 8, y + height * n // 8) for n in (3, 5)]
    window.drag(*corners)
    scenario = "dict(window.controller.documents.scenario)"
    wait_until(lambda: "crop" in window.check(scenario), "the crop")
    window.keep_picture("crop")
    return list(window.check(scenario)["crop"])


def verify(window: SeenWindow, name: str) -> None:
    """The Verify button next to Save: files, and random steps compared with stable-retro."""
    window.click_on("Verify", kind="button")
    title = f"Verify {name}"
    window.wait_for_title(title)

    def ended() -> bool:
        return not window.see("Stop", kind="button", top=title)

    wait_until(ended, "the report")
    window.keep_picture("verified")
    assert window.see("Verified", kind="label", top=title), window.see(top=title)
    window.click_on("Close", kind="button", top=title)
    wait_until(lambda: window.is_gone(title), "the report to close")
    window.wait_for_title(MAIN)


def reward_and_done(window: SeenWindow, reward: str, done: str) -> None:
    """The Score workspace: one reward term and one done condition, as they come."""
    window.key("ctrl+3")
    window.choose("Add reward term", reward, panel="Reward", of="VariableButton")
    window.find(f"Reward term {reward}", panel="Reward")
    window.choose("Add done condition", done, panel="Done", of="VariableButton")
    window.find(done, kind="cell", panel="Done")


def save(window: SeenWindow, directory: Path) -> None:
    """Ctrl+S; the files are there."""
    window.key("ctrl+s")
    wait_until(lambda: not window.check("window.controller.documents.modified"), "all saved")
    assert (directory / "scenario.json").is_file()
