"""A file that another program changed: noticed, compared, reloaded or replaced, never lost."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
import undoing

from integrator.domain.errors import ChangedOnDiskError, DocumentError
from integrator.domain.files.atomic import remove_leftovers, write_atomically
from integrator.domain.integration.directory import (
    compare,
    differing_places,
    load_integration,
)
from integrator.domain.integration.files import Integration


@pytest.fixture
def integration(tmp_path: Path) -> Integration:
    (tmp_path / "data.json").write_text('{\n "info": {}\n}\n')
    (tmp_path / "scenario.json").write_text('{"a": 1, "b": [1, 2]}')
    (tmp_path / "script.lua").write_text("-- one\n-- two\n")
    return load_integration(tmp_path)


def edit_mine(integration: Integration) -> None:
    with integration.scenario.edit() as value:
        value["a"] = 5
    integration.scripts["script.lua"] = "-- one\n-- mine\n"


def edit_theirs(directory: Path) -> None:
    (directory / "scenario.json").write_text('{\n   "a": 1, "b": [1, 3], "c": null\n}')
    (directory / "script.lua").write_text("-- theirs\n-- two\n")


def test_changes_of_others_are_noticed_whether_or_not_we_edited(integration: Integration) -> None:
    directory = integration.directory
    assert integration.changed_on_disk() == ()
    edit_theirs(directory)
    both = (directory / "scenario.json", directory / "script.lua")
    assert integration.changed_on_disk() == both
    integration.save()  # no file of ours, so nothing is written
    assert integration.changed_on_disk() == both
    edit_mine(integration)
    before = {path: path.read_bytes() for path in both}
    with pytest.raises(ChangedOnDiskError, match=r"scenario\.json"):
        integration.save()
    with integration.reloading(both[0]):
        pass
    with pytest.raises(ChangedOnDiskError, match=r"script\.lua"):
        integration.save()
    assert {path: path.read_bytes() for path in both} == before


def test_reload_takes_theirs_and_can_be_undone(integration: Integration) -> None:
    edit_mine(integration)
    edit_theirs(integration.directory)
    for path in integration.changed_on_disk():
        with integration.reloading(path):
            pass
    assert integration.scenario.value == {"a": 1, "b": [1, 3], "c": None}
    assert integration.scripts["script.lua"] == "-- theirs\n-- two\n"
    assert not integration.modified
    assert undoing.undo(integration.history)  # the script
    assert undoing.undo(integration.history)
    assert integration.scenario.value == {"a": 5, "b": [1, 2]}


def test_keep_mine_replaces_theirs_and_keeps_their_style(integration: Integration) -> None:
    directory = integration.directory
    edit_mine(integration)
    edit_theirs(directory)
    for path in integration.changed_on_disk():
        integration.keep_mine(path)
    assert integration.changed_on_disk() == ()
    integration.save()
    assert (directory / "scenario.json").read_text() == '{\n   "a": 5, "b": [1, 2]\n}'
    assert (directory / "script.lua").read_text() == "-- one\n-- mine\n"


def test_keep_mine_without_an_edit_brings_back_what_was_loaded(integration: Integration) -> None:
    path = integration.scenario.path
    path.write_text('{"theirs": 1}')
    integration.keep_mine(path)
    assert integration.scenario.modified
    integration.save()
    assert load_integration(path.parent).scenario.value == {"a": 1, "b": [1, 2]}


def test_keep_mine_over_a_file_that_is_no_json(integration: Integration) -> None:
    path = integration.scenario.path
    path.write_text("{")
    with pytest.raises(DocumentError), integration.reloading(path):
        pass
    assert compare(integration, path).places is None
    integration.keep_mine(path)
    assert integration.changed_on_disk() == ()
    integration.save()
    assert path.read_text() == '{"a": 1, "b": [1, 2]}'


def test_a_comparison_shows_lines_and_values(integration: Integration) -> None:
    edit_mine(integration)
    edit_theirs(integration.directory)
    document, script = integration.changed_on_disk()
    comparison = compare(integration, document)
    assert comparison.places == ("a", "b[1]", "c")
    assert '   "a": 1, "b": [1, 3], "c": null' in [each.theirs for each in comparison.line_pairs]
    assert '{"a": 5, "b": [1, 2]}' in [each.ours for each in comparison.line_pairs]
    pairs = compare(integration, script).line_pairs
    assert [(each.theirs, each.ours) for each in pairs if each.differs] == [
        ("-- theirs", "-- one"), ("-- two", "-- mine")
    ]  # fmt: skip
    assert compare(integration, script).places is None
    with pytest.raises(DocumentError, match=r"other\.txt"):
        compare(integration, Path("other.txt"))


def test_equal_values_do_not_differ() -> None:
    assert list(differing_places({"a": 1, "b": {}}, {"b": {}, "a": 1})) == []
    assert list(differing_places(1, 1.0)) == [""]
    assert list(differing_places({"a": [1]}, {"a": [1, 2]})) == ["a"]


def test_leftovers_of_a_killed_writer_go_and_others_stay(tmp_path: Path) -> None:
    write_atomically(tmp_path / "data.json", b"{}")
    left = tmp_path / ".data.json.0123456789ab.tmp"
    kept = [tmp_path / ".mine.tmp", tmp_path / "data.json.0123456789ab.tmp", tmp_path / "data.json"]
    for path in (left, *kept):
        path.write_bytes(b"{}")
    integration = load_integration(tmp_path)
    assert not left.exists()
    assert all(path.exists() for path in kept)
    assert integration.variables.value == {}
    remove_leftovers(tmp_path / "missing")


def test_a_file_that_is_being_written_is_no_leftover(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    during: list[str] = []
    fsync: Callable[[int], None] = os.fsync

    def look(handle: int) -> None:
        remove_leftovers(tmp_path)
        during.extend(path.name for path in tmp_path.iterdir())
        fsync(handle)

    monkeypatch.setattr(os, "fsync", look)
    write_atomically(tmp_path / "data.json", b"whole")
    assert during[0].endswith(".tmp")
    assert (tmp_path / "data.json").read_bytes() == b"whole"
    assert [path.name for path in tmp_path.iterdir()] == ["data.json"]
