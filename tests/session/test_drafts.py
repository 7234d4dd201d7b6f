"""Unsaved edits survive a killed program, and are offered until they are saved or dropped."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import undoing
import warm_children

from integrator.domain.integration.directory import load_integration
from integrator.domain.integration.files import Integration
from integrator.session.journal.drafts import DraftKeeper, pending_drafts, restore_draft

pytestmark = pytest.mark.usefixtures("own_home")
CHILD = Path(__file__).with_name("draft_child.py")


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    folder = tmp_path / "Game-Nes-v0"
    folder.mkdir()
    (folder / "data.json").write_text('{\n    "info": {}\n}\n')
    (folder / "scenario.json").write_text('{"done": {}}')
    (folder / "old.lua").write_text("-- old\n")
    (folder / "gone.lua").write_text("-- gone\n")
    return folder


def edited(directory: Path) -> Integration:
    integration = load_integration(directory)
    with integration.scenario.edit() as value:
        value["mine"] = 1
    return integration


def kept(integration: Integration) -> Path:
    """Keep a draft as a program that ends without a word does."""
    with closing(DraftKeeper()) as keeper:
        path = keeper.keep(integration)
    assert path is not None
    return path


def test_edits_survive_a_kill(directory: Path) -> None:
    before = {path.name: path.read_bytes() for path in directory.iterdir()}
    child = warm_children.popen(
        [sys.executable, str(CHILD), str(directory)], stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    with child, child.stdout:
        assert child.stdout.readline() == b"kept\n"
        assert pending_drafts() == (), "the draft of a living program is its own"
        child.kill()
    assert {path.name: path.read_bytes() for path in directory.iterdir()} == before
    (draft,) = pending_drafts(directory)
    assert pending_drafts() == (draft,)
    assert set(draft.files) == {"data.json", "scenario.json", "new.lua", "other.json", "gone.lua"}
    assert draft.conflicts == ()
    integration = load_integration(directory)
    assert restore_draft(draft, integration) == ()
    assert integration.variables.text == '{\n    "info": {},\n    "unsaved": "edit"\n}\n'
    assert integration.scenario.value == {"done": {"condition": "all"}, "kept": 1}
    assert integration.scenarios["other"].value == {"reward": {"time": {"reward": 1}}}
    assert integration.scripts == {"new.lua": "-- unsaved\xe9\n", "old.lua": "-- old\n"}
    assert undoing.undo(integration.variables.history)
    assert integration.variables.value == {"info": {}}
    undoing.redo(integration.variables.history)
    integration.save()
    assert not (directory / "gone.lua").exists()
    assert pending_drafts(directory) == (), "what was saved is not offered"
    assert list(draft.path.parent.iterdir()) == []


def test_a_draft_goes_when_its_edits_go(directory: Path) -> None:
    integration = edited(directory)
    keeper = DraftKeeper()
    path = keeper.keep(integration)
    assert path is not None
    assert path.is_file()
    undoing.undo(integration.scenario.history)
    assert keeper.keep(integration) is None
    assert list(path.parent.iterdir()) == []
    undoing.redo(integration.scenario.history)
    keeper.keep(integration)
    assert len(list(path.parent.iterdir())) == 2, "the draft and its lock"
    keeper.close(discard=True)
    keeper.close(discard=True)
    assert list(path.parent.iterdir()) == []


def test_two_windows_on_one_directory_keep_their_own(directory: Path) -> None:
    first, second = edited(directory), load_integration(directory)
    second.scripts["old.lua"] = "-- second\n"
    with closing(DraftKeeper()) as one, closing(DraftKeeper()) as other:
        one.keep(first)
        other.keep(second)
        assert pending_drafts(directory) == ()
    left = pending_drafts(directory)
    assert {name for draft in left for name in draft.files} == {"scenario.json", "old.lua"}
    left[0].discard()
    assert pending_drafts(directory) == left[1:]


def test_a_draft_moves_with_its_integration(directory: Path, tmp_path: Path) -> None:
    integration = edited(directory)
    keeper = DraftKeeper()
    keeper.keep(integration)
    integration.save(tmp_path / "Copy-Nes")
    integration.scripts["old.lua"] = "-- copy\n"
    keeper.keep(integration)
    keeper.close()
    assert pending_drafts(directory) == ()
    assert len(pending_drafts(tmp_path / "Copy-Nes")) == 1


def test_the_lock_of_a_program_that_died_before_its_draft_goes(directory: Path) -> None:
    folder = kept(edited(directory)).parent
    lone = folder / "x.lock"
    lone.touch()
    pending_drafts()
    assert not lone.exists()


def test_a_file_that_changed_after_the_draft_is_a_conflict(directory: Path) -> None:
    integration = edited(directory)
    integration.scripts["old.lua"] = "-- mine\n"
    kept(integration)
    (directory / "scenario.json").write_text('{"theirs": 1}')
    (draft,) = pending_drafts(directory)
    assert draft.conflicts == ("scenario.json",)
    (directory / "old.lua").unlink()
    assert set(draft.conflicts) == {"scenario.json", "old.lua"}


def test_each_directory_has_its_own_draft(directory: Path, tmp_path: Path) -> None:
    other = tmp_path / "Other-Nes"
    other.mkdir()
    (other / "data.json").write_text("{}")
    kept(edited(directory))
    kept(edited(other))
    assert [draft.directory for draft in pending_drafts()] == [directory, other]
    assert [draft.directory for draft in pending_drafts(other)] == [other]


def test_a_file_with_a_byte_order_mark_is_not_offered_after_its_save(directory: Path) -> None:
    (directory / "scenario.json").write_bytes(b'\xef\xbb\xbf{"done": {}}')
    integration = edited(directory)
    kept(integration)
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
    path = kept(edited(directory))
    path.write_text(text)
    assert pending_drafts() == ()


def test_what_is_no_json_any_more_is_not_restored(directory: Path) -> None:
    path = kept(edited(directory))
    value = json.loads(path.read_text())
    value["files"]["scenario.json"]["text"] = "[1]"
    path.write_text(json.dumps(value))
    (draft,) = pending_drafts(directory)
    integration = load_integration(directory)
    assert restore_draft(draft, integration) == ("scenario.json",)
    assert not integration.modified
