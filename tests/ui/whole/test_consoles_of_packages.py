"""Five consoles of one's own, added from Debian's libretro packages by mouse and keyboard alone."""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from real_window import NEEDS, wait_until
from seen_window import MAIN, SeenWindow

from integrator.session.library.consoles.console_check import proof_roms

pytestmark = [
    pytest.mark.window,
    pytest.mark.skipif(bool(NEEDS), reason=NEEDS),
    pytest.mark.usefixtures("own_home"),
]

FOLDERS = [
    *map(Path, filter(None, os.environ.get("INTEGRATOR_CORES", "").split(os.pathsep))),
    *Path("/usr/lib").glob("*-linux-gnu*/libretro"),
    *(Path(folder) for folder in ("/usr/lib/libretro", "/usr/lib64/libretro")),
]

JUMPS_HERE = {
    # V810: JR 0 everywhere, also at the reset vector, 16 bytes before the end.
    "vb": bytes.fromhex("00a80000") * 0x4000,
    # V30MZ: JMP $ where it begins, 16 bytes before the end; NOP elsewhere.
    "ws": b"\x90" * 0xFFF0 + b"\xeb\xfe" + bytes(14),
}
"""Programs that run and do nothing, by the suffix of their consoles."""


@dataclass(frozen=True, slots=True)
class Packaged:
    """A core of a package, the suffix of a game of its console, and words of its trial."""

    package: str
    core: str
    suffix: str
    words: str
    has_memory: bool = False


PLAYED = [
    Packaged("libretro-nestopia", "nestopia", "nes", "States are exact.", has_memory=True),
    Packaged("libretro-desmume", "desmume", "nds", "States load"),
    Packaged("libretro-beetle-vb", "mednafen_vb", "vb", "States load"),
    Packaged("libretro-beetle-wswan", "mednafen_wswan", "ws", "States load"),
]
PLAYSTATION = Packaged("libretro-beetle-psx", "mednafen_psx", "exe", "")


def needed(packaged: Packaged) -> None:
    """Skip the test where the package is not installed."""
    name = f"{packaged.core}_libretro.so"
    if not any((folder / name).is_file() for folder in FOLDERS):
        pytest.skip(f"{packaged.package} is not installed: apt-get install {packaged.package}")


@pytest.fixture(params=PLAYED, ids=lambda packaged: packaged.core)
def played(request: pytest.FixtureRequest) -> Packaged:
    """Each core that plays, where it is installed."""
    found: Packaged = request.param
    needed(found)
    return found


@pytest.fixture
def playstation() -> Packaged:
    """The core that loads no game, where it is installed."""
    needed(PLAYSTATION)
    return PLAYSTATION


def game_of(suffix: str, folder: Path) -> Path:
    """A game of ours: the proof ROM of its console, or a program that runs and does nothing."""
    proofs = {"nes": "Nes", "nds": "NintendoDs"}
    game = folder / f"Game.{suffix}"
    if suffix in proofs:
        return Path(shutil.copy(proof_roms()[proofs[suffix]].path, game))
    game.write_bytes(JUMPS_HERE.get(suffix, b"PS-X EXE".ljust(4096, b"\0")))
    return game


def choose_in_list(window: SeenWindow, name: str, holds: Callable[[str], bool]) -> None:
    """Go down a list of choices by the Down key until its choice is right."""

    def value() -> str:
        return str(window.find(name, kind="choice")["value"])

    window.click_on(name, kind="choice")
    window.key("Escape")  # the list that the click opened
    window.key("Home")
    for _ in range(80):
        before = value()
        if holds(before):
            return
        window.key("Down")
        wait_until(partial(_differs, value, before), f"the next choice after {before!r}")
    raise AssertionError(f"{name} has no such choice")


def _differs(value: Callable[[], str], before: str) -> bool:
    return value() != before


def draft(window: SeenWindow, packaged: Packaged, game: Path) -> None:
    window.wait_for_title("Integrator")
    window.key("ctrl+k")
    window.wait_for_title("Command palette")
    window.type("Consoles of your own")
    window.key("Return")
    window.wait_for_title("Consoles")
    core = f"core {packaged.core},"
    choose_in_list(window, "Core, or console of your own", lambda text: text.startswith(core))
    window.write("A game to try", str(game), top="Consoles")
    window.click_on("Draft", kind="button", top="Consoles")


def test_a_console_is_added_and_its_game_becomes_an_integration(
    played: Packaged, at_screen: Callable[..., SeenWindow], tmp_path: Path
) -> None:
    game, window = game_of(played.suffix, tmp_path), at_screen()
    draft(window, played, game)
    window.wait_for(played.words, kind="label", top="Consoles")
    name = str(window.find("Name", kind="field", top="Consoles")["value"])
    window.keep_picture(f"{played.core}-1-drafted")
    window.click_on("Save", kind="button", top="Consoles")
    window.wait_for("its games can be opened now", kind="label", top="Consoles")
    window.click_on("Close", kind="button", top="Consoles")
    window.wait_for_title("Integrator")
    window.key("ctrl+n")
    window.wait_for_title("New integration")
    window.write("ROM file", str(game), top="New integration")
    choose_in_list(window, "System", lambda text: text.endswith(f"({name})"))
    window.click_on("Make integration", kind="button", top="New integration")
    window.wait_for_title(f"Game-{name}.*{MAIN}")
    assert window.check("window.controller.game.system.name") == name
    assert bool(window.check("window.controller.game.ram_bytes")) == played.has_memory
    if not played.has_memory:
        window.wait_for("shows no memory: its games have no variables", kind="label")
    window.play_until(lambda: window.frame() > 30, "half a second of play")
    window.keep_picture(f"{played.core}-2-played")
    window.leave()


def test_a_core_that_loads_no_game_says_so(
    playstation: Packaged, at_screen: Callable[..., SeenWindow], tmp_path: Path
) -> None:
    window = at_screen()
    draft(window, playstation, game_of(playstation.suffix, tmp_path))
    window.wait_for("could not", kind="label", top="Consoles")
    assert not window.see("Save", kind="button", top="Consoles", enabled=True)
    assert "Traceback" not in window.errors.read_text()
