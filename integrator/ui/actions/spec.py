"""The record of a command of the window: text, icon, shortcut and tooltip."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One row of the table. ``game``: only usable while a game is open.

    ``begins_group``: its menu has a line above it.
    """

    key: str
    text: str
    icon: str = ""
    shortcut: str = ""
    tip: str = ""
    role: str = "normal"
    game: bool = True
    checkable: bool = False
    begins_group: bool = False
