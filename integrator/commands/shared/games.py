"""Games that are always there: our demo game, and Airstriker out of stable-retro."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from integrator import paths
from integrator.domain.errors import SessionError
from integrator.session.opening import open_session
from libretro_host.systems.discovery import wheel_core_dir

DEMO_GAME = "EmberMoth-Nes-v0"
AIRSTRIKER = "Airstriker-Genesis-v0"


@dataclass(frozen=True, slots=True)
class GameFiles:
    """A game that can be run: its integration directory, ROM, core and start state.

    ``options`` has every option that the core declares, with the value that it runs with.
    """

    directory: Path
    content: Path
    core: Path
    state: bytes
    options: Mapping[str, str]


def demo_game() -> Path:
    """The integration directory of the demo game."""
    return paths.shipped("data") / DEMO_GAME


def airstriker() -> Path:
    """Airstriker's integration directory. Raises SessionError when stable-retro is missing."""
    cores = wheel_core_dir()
    directory = cores.parent / "data" / "stable" / AIRSTRIKER if cores else None
    if directory is None or not directory.is_dir():
        raise SessionError(
            f'{AIRSTRIKER} ships with stable-retro: pip install "retro-integrator[cores]"'
        )
    return directory


def game_files(directory: Path) -> GameFiles:
    """The files of an integration directory, as a session would choose them."""
    with open_session(directory) as session:
        session.reset()
        return GameFiles(
            directory=directory,
            content=session.game.content,
            core=session.game.core_path,
            state=session.save_state(),
            options={option.key: option.value for option in session.host.options()},
        )
