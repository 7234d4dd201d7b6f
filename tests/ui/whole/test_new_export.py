"""A form of exported memory is one row: a made-up one is offered, written and named."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from integrator.domain.errors import DocumentError
from integrator.domain.notes.letters import DUMPS, write_dump
from integrator.ui.memory.memory_view import MemoryView
from integrator.ui.shell.main_window import MainWindow

LIVES = 0xFF025A
"""Airstriker's lives, in two bytes."""


def test_it_is_offered_and_written(
    open_game: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(DUMPS, ".hex", lambda start, data: f"{start:X} {data.hex()}".encode())
    path = tmp_path / "lives.hex"
    offered: list[str] = []

    def ask(_window: object, _title: str, _start: str, filters: str) -> tuple[str, str]:
        offered.append(filters)
        return str(path), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    open_game.parts[MemoryView].dump(LIVES, LIVES + 2)
    qtbot.waitUntil(path.is_file)
    assert offered[0].endswith(";;*.hex")
    assert path.read_text() == "FF025A 0003"
    with pytest.raises(DocumentError, match=r"\.txt, \.hex"):
        write_dump(path.with_suffix(".doc"), LIVES, b"")
