"""System descriptors: what a console is, read from one JSON file each (cores/systems/*.json)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SystemDescriptor:
    """One console.

    ``buttons[i]`` is the name of RETRO_DEVICE_ID_JOYPAD i (None: no such button), and so of bit i of
    an input mask; ``keys[i]`` is its default key. ``cores`` are preferred first. ``actions`` are the
    default action groups: groups of combinations of button names. ``overlay`` is (backing, real,
    width) when memory is byte-swapped within words. ``options`` map core -> option key -> value as
    training uses them.
    """

    name: str
    title: str
    extensions: tuple[str, ...]
    aliases: tuple[str, ...]
    cores: tuple[str, ...]
    buttons: tuple[str | None, ...]
    keys: tuple[str | None, ...]
    actions: tuple[tuple[tuple[str, ...], ...], ...]
    types: tuple[str, ...]
    rambase: int = 0
    overlay: tuple[str, str, int] | None = None
    platform: str = ""
    options: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    reload_on_restore: tuple[str, ...] = ()
    bios: tuple[str, ...] = ()
