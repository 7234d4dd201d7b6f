"""The reference of the window: commands, shortcuts and panels, made from their tables."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtGui import QKeySequence

from integrator.ui.actions.shortcuts import MENUS, PANEL_KEYS
from integrator.ui.guide.help_controller import PANEL_TEXTS
from integrator.ui.shell.docks.workspaces import WORKSPACES
from integrator.ui.shell.panels import PANELS


def window_page() -> str:
    """Menus and panels as tables. *Search actions…* (Ctrl+K) finds all of them by name."""
    return "\n".join((*_menus(), *_panel_keys(), *_panels(), ""))


def _menus() -> Iterator[str]:
    yield from ("# Shortcuts, menus and panels", "")
    yield "These are the commands of the window with the keys they have at first. Ctrl+K finds "
    yield "each of them by name."
    for title, specs in MENUS.values():
        yield from ("", f"## {_plain(title)}", "", "| command | keys | does |", "|---|---|---|")
        for spec in specs:
            yield f"| {_plain(spec.text)} | {_keys(spec.shortcut)} | {_cell(spec.tip)} |"


def _panel_keys() -> Iterator[str]:
    titles = {panel.key: panel.title for panel in PANELS} | {"slider": "Time slider"}
    yield from ("", "## Keys inside of panels", "")
    yield "They work while the panel has the keyboard, and go before the same keys of the window."
    yield from ("", "| panel | command | keys |", "|---|---|---|")
    for key, (text, default) in PANEL_KEYS.items():
        yield f"| {titles[key.partition('.')[0]]} | {_plain(text)} | {_keys(default)} |"


def _panels() -> Iterator[str]:
    titles = {each.key: each.text for each in WORKSPACES}
    yield from ("", "## Panels", "", "*View > Panels* shows and hides each of them.", "")
    yield from ("| panel | workspaces | shows and does |", "|---|---|---|")
    for panel in PANELS:
        places = ", ".join(dict.fromkeys(titles[place.workspace] for place in panel.places))
        text = _cell(PANEL_TEXTS.get(panel.key, ""))
        yield f"| {panel.title} | {places} | {text} |"


def _plain(text: str) -> str:
    return _cell(text.replace("&", "").rstrip("…"))


def _keys(shortcut: str) -> str:
    return QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.PortableText)


def _cell(text: str) -> str:
    return text.replace("|", r"\|")
