"""Unsaved edits survive a killed program, and are offered until they are saved or dropped."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from integrator.domain.integration import Integration, load_integration
from integrator.session.drafts import (
    discard_draft,
    draft_path,
    keep_draft,
    pending_drafts,
    restore_draft,
)

pytestmark = pytest.mark.usefixtures("own_home")
CHILD = Path(__file__).with_name("draft_child.py")


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    folder = tmp_path / "Game-Nes-v0"
    folder.mkdir()
    (folder / "data.json").write_text('{\n    "info": {}\n}\n')
    (folder / "scenario.json").write_text('{"done": {}}')
    (folder / "old.lua").write_text("-- old\n")
    return folder


def edited(directory: Path) -> Integration:
    integration = load_integration(directory)
    with integration.scenario.edit() as value:
        value["mine"] = 1
    return integration


def test_edits_survive_a_kill(directory: Path) -> None:
    before = {path.name: path.read_bytes() for path in directory.iterdir()}
    child = subprocess.Popen([sys.executable, str(CHILD), str(directory)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    with child, child.stdout:
        assert child.stdout.readline() == b"kept\n"
        child.kill()
    assert {path.name: path.read_bytes() for path in directory.iterdir()} == before
    (draft,) = pending_drafts(directory)
    assert pending_drafts() == (draft,)
    assert set(draft.files) == {"data.json", "scenario.json", "new.lua", "other.json"}
    assert draft.conflicts == ()
    integration = load_integration(directory)
    assert restore_draft(draft, integration) == ()
    assert integration.variables.text == '{\n    "info": {},\n    "unsaved": "edit"\n}\n'
    assert integration.scenario.value == {"done": {"condition": "all"}, "kept": 1}
    assert integration.scenarios["other"].value == {"reward": {"time": {"reward": 1}}}
    assert integration.scripts == {"new.lua": "-- unsaved\xe9\n", "old.lua": "-- old\n"}
    assert integration.variables.undo()
    assert integration.variables.value == {"info": {}}
    integration.variables.redo()
    integration.save()
    assert pending_drafts(directory) == (), "what was saved is not offered"
    assert not draft.path.exists()


def test_a_draft_goes_when_its_edits_go(directory: Path) -> None:
    integration = edited(directory)
    assert keep_draft(integration) == draft_path(directory)
    integration.scenario.undo()
    assert keep_draft(integration) is None
    assert pending_drafts() == ()
    integration.scenario.redo()
    keep_draft(integration)
    assert len(pending_drafts()) == 1
    discard_draft(directory)
    discard_draft(directory)
    assert pending_drafts() == ()


def test_a_file_that_changed_after_the_draft_is_a_conflict(directory: Path) -> None:
    integration = edited(directory)
    integration.scripts["old.lua"] = "-- mine\n"
    keep_draft(integration)
    (directory / "scenario.json").write_text('{"theirs": 1}')
    (draft,) = pending_drafts(directory)
    assert draft.conflicts == ("scenario.json",)
    (directory / "old.lua").unlink()
    assert set(draft.conflicts) == {"scenario.json", "old.lua"}


def test_each_directory_has_its_own_draft(directory: Path, tmp_path: Path) -> None:
    other = tmp_path / "Other-Nes"
    other.mkdir()
    (other / "data.json").write_text("{}")
    keep_draft(edited(directory))
    keep_draft(edited(other))
    assert [draft.directory for draft in pending_drafts()] == [directory, other]
    assert [draft.directory for draft in pending_drafts(other)] == [other]


def test_a_file_with_a_byte_order_mark_is_not_offered_after_its_save(directory: Path) -> None:
    (directory / "scenario.json").write_bytes(b'\xef\xbb\xbf{"done": {}}')
    integration = edited(directory)
    keep_draft(integration)
    assert len(pending_drafts(directory)) == 1
    integration.save()
    assert pending_drafts(directory) == ()


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"format": 2}', '{"format": 1, "directory": 5, "files": {}}',
     '{"format": 1, "directory": "/x", "files": {"a.json": {}}}',
     '{"format": 1, "directory": "/x", "files": {"../a.json": {"text": "", "base": null}}}'],
)  # fmt: skip
def test_a_damaged_draft_is_passed_over(directory: Path, text: str) -> None:
    path = keep_draft(edited(directory))
    assert path is not None
    path.write_text(text)
    assert pending_drafts() == ()


def test_what_is_no_json_any_more_is_not_restored(directory: Path) -> None:
    path = keep_draft(edited(directory))
    assert path is not None
    value = json.loads(path.read_text())
    value["files"]["scenario.json"]["text"] = "[1]"
    path.write_text(json.dumps(value))
    (draft,) = pending_drafts(directory)
    integration = load_integration(directory)
    assert restore_draft(draft, integration) == ("scenario.json",)
    assert not integration.modified
