"""Another window: started so that nothing in the working directory runs."""

import json
import os
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from integrator.ui.shell.files import file_commands
from libretro_host.processes import children

TELL = """
import json, os, sys
answer, part = sys.argv[1], sys.argv[1] + ".part"
with open(part, "w") as file:
    json.dump({"safe": os.environ.get("PYTHONSAFEPATH"), "arguments": sys.argv[2:]}, file)
os.rename(part, answer)
"""


def test_starts_without_the_working_directory(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    answer = tmp_path / "answer"

    def told(module: str, *arguments: object) -> list[str]:
        command = children.module_command(module, *arguments)
        return [sys.executable, "-c", TELL, str(answer), *command[1:]]

    monkeypatch.setattr(file_commands, "module_command", told)
    assert file_commands.start_window(Path("game"))
    qtbot.waitUntil(answer.exists)
    child = json.loads(answer.read_text())
    assert child["safe"] == "1"
    assert child["arguments"][0] == "-P"
    assert child["arguments"][-3:] == ["integrator", "open", "game"]
    assert "PYTHONSAFEPATH" not in os.environ
