"""Core options: the settings that a core declares and asks for by key."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CoreOption:
    """One declared option: ``values`` are accepted by the core, ``default`` is the core's own."""

    key: str
    title: str
    values: tuple[str, ...]
    default: str
    value: str
    help: str = ""
