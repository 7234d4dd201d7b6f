"""The help's page of all keys, made from the window's one table of commands."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from integrator.ui.actions.actions import SPECS
from integrator.ui.actions.shortcuts import Shortcuts, shown_keys
from integrator.ui.widgets.translation import translate

_INTRODUCTION = """\
# Keyboard

*Edit > Keyboard shortcuts…* changes these keys, and *Search actions…* finds each command by name.
F1 in a panel shows the page of that panel. The console's buttons have keys of their own
(*Play > Buttons…*), which play while the picture has the keyboard. There, Space runs fast and
Backspace rewinds while held. Tab goes from one control to the next."""


def keys_page(shortcuts: Shortcuts) -> str:
    """A page of Markdown: a table for each menu, the panels, workspaces, slots and macros."""
    tips = {spec.key: spec.tip for spec in SPECS}
    lines = [shortcuts.with_present(_INTRODUCTION)]
    groups = sorted(shortcuts.commands, key=lambda each: _order(shortcuts, each.group))
    for group, commands in groupby(groups, lambda each: each.group):
        lines += ["", f"## {group}", "", "| command | keys | does |", "|---|---|---|"]
        for each in commands:
            tip = translate("Actions", tips[each.key]) if tips.get(each.key) else ""
            lines.append(f"| {each.text} | {shown_keys(each.keys)} | {tip} |")
    return "\n".join((*lines, ""))


def _order(shortcuts: Shortcuts, group: str) -> int:
    """Groups in the order of their first commands, since parts of the window add theirs in turn."""
    known: Iterable[str] = (each.group for each in shortcuts.commands)
    return list(dict.fromkeys(known)).index(group)
