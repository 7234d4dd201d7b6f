"""The paths of the program's folders: shipped ones, and the user's. No folder is made here."""

from pathlib import Path
from typing import Final, Literal

from platformdirs import PlatformDirs

APP_NAME: Final = "retro-integrator"
APP_ID: Final = "io.github.retro_integrator.Integrator"
"""The name of the desktop entry, the icon and the AppStream component, and the window's class."""
_PACKAGE = Path(__file__).resolve().parent


def shipped(name: Literal["cores", "data", "docs", "resources"]) -> Path:
    """Return a shipped folder of data, in a wheel or a checkout. Raises FileNotFoundError."""
    for folder in (_PACKAGE / "_shipped" / name, _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    cure = f"install {APP_NAME} again"
    raise FileNotFoundError(f"the folder {name!r} is missing next to {_PACKAGE}; {cure}")


def user_config_dir() -> Path:
    return _dirs().user_config_path


def user_data_dir() -> Path:
    """Return the folder of the user's integrations, cores, BIOS files and saves."""
    return _dirs().user_data_path


def user_cache_dir() -> Path:
    return _dirs().user_cache_path


def user_log_dir() -> Path:
    return _dirs().user_log_path


def user_integrations_dir() -> Path:
    """Return the folder in which new integrations are made by default."""
    return user_data_dir() / "integrations"


def user_systems_dir() -> Path:
    return user_config_dir() / "systems"


def system_dir() -> Path:
    return user_data_dir() / "system"


def save_dir(integration: str) -> Path:
    """Return the folder in which a core may keep battery saves of an integration."""
    return user_data_dir() / "saves" / integration


def _dirs() -> PlatformDirs:
    # Read XDG_* variables each time, because they may change, for instance in tests.
    return PlatformDirs(APP_NAME, appauthor=False)
