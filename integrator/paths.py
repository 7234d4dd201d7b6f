"""The program's folders, those that ship and the user's; nothing here makes one."""

from pathlib import Path
from typing import Final, Literal

from platformdirs import PlatformDirs

APP_NAME: Final = "retro-integrator"
APP_ID: Final = "io.github.retro_integrator.Integrator"
"""The name of the desktop entry, the icon and the AppStream component, and the window's class."""
_PACKAGE = Path(__file__).resolve().parent


def shipped(name: Literal["cores", "data", "docs", "resources"]) -> Path:
    """A shipped folder without Python, in a wheel or a checkout. Raises FileNotFoundError."""
    for folder in (_PACKAGE / "_shipped" / name, _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    cure = f"install {APP_NAME} again"
    raise FileNotFoundError(f"the folder {name!r} is missing next to {_PACKAGE}; {cure}")


def user_config_dir() -> Path:
    return _dirs().user_config_path


def user_data_dir() -> Path:
    """The user's own things: integrations, cores, BIOS files, saves."""
    return _dirs().user_data_path


def user_cache_dir() -> Path:
    return _dirs().user_cache_path


def user_log_dir() -> Path:
    return _dirs().user_log_path


def user_integrations_dir() -> Path:
    """Root folder in which new integrations are made unless another is named."""
    return user_data_dir() / "integrations"


def user_cores_dir() -> Path:
    return user_data_dir() / "cores"


def user_systems_dir() -> Path:
    return user_config_dir() / "systems"


def system_dir() -> Path:
    return user_data_dir() / "system"


def save_dir(integration: str) -> Path:
    """Folder in which a core may keep battery saves of one integration."""
    return user_data_dir() / "saves" / integration


def _dirs() -> PlatformDirs:
    # Read again each time: XDG_* variables may change, in tests for instance.
    return PlatformDirs(APP_NAME, appauthor=False)
