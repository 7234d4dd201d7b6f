"""Where integrations are looked for: the user's folder, ours, and stable-retro's own."""

from __future__ import annotations

from pathlib import Path

from integrator import paths
from integrator.domain.errors import SessionError
from libretro_host.discovery import wheel_core_dir


def integration_roots() -> tuple[Path, ...]:
    """Folders of integration directories, the user's first; only those that exist."""
    roots = [paths.user_integrations_dir(), paths.shipped("data")]
    cores = wheel_core_dir()
    if cores is not None:
        data = cores.parent / "data"
        roots += [data / "stable", data / "experimental", data / "contrib"]
    return tuple(root for root in roots if root.is_dir())


def find_integration(name: str, near: Path | None = None) -> Path:
    """The integration directory called ``name``, looked for around ``near`` first.

    Raises SessionError that says where it was looked for.
    """
    around = [near.parent, near.parent.parent] if near is not None else []
    places = [*around, *integration_roots()]
    for place in places:
        if (place / name).is_dir():
            return place / name
    looked = ", ".join(str(place) for place in places)
    raise SessionError(f"no integration named {name} in {looked}; name it with --game DIR")
