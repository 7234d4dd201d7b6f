"""The consoles that the program knows, by the descriptors that ship and the user's own."""

from collections.abc import Mapping
from pathlib import Path

from integrator import paths
from libretro_host.systems.descriptor import SystemDescriptor, load_descriptors


def systems() -> Mapping[str, SystemDescriptor]:
    """All consoles by name: those that ship with the integrator, then the user's own.

    A descriptor of the user's that makes no sense is left out, see :func:`skipped_systems`.
    """
    return _load_systems({})


def skipped_systems() -> Mapping[Path, str]:
    """The user's descriptors that make no sense: for each file its fault with the cure."""
    skipped: dict[Path, str] = {}
    _load_systems(skipped)
    return skipped


def _load_systems(skipped: dict[Path, str]) -> Mapping[str, SystemDescriptor]:
    schema = paths.shipped("resources") / "schemas" / "system.schema.json"
    shipped, own = paths.shipped("cores") / "systems", paths.user_systems_dir()
    return load_descriptors(shipped, own, schema=schema, shipped=shipped, skipped=skipped)
