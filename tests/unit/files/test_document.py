"""JSON documents: unedited parts survive, and files are never half written."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
import sys
import tempfile
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import undoing
import warm_children
from hypothesis import given
from hypothesis import strategies as st

from integrator.domain.errors import ChangedOnDiskError, DocumentError, SaveError
from integrator.domain.files.atomic import write_atomically
from integrator.domain.files.document import JsonDocument
from integrator.domain.files.jsontext import JsonText, JsonValue, same

ODD = """{
\t"z" : 1.0, "big":123456789012345678901234567890,
\t"e": 1E5,  "text": "\\u00e9\\/",

\t"dup": {"a": 1},
\t"list": [1,2 , 3],
\t"dup": {"a": 2},
\t"none": null
}"""


def write(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def load(tmp_path: Path, text: str | bytes) -> JsonDocument:
    return JsonDocument.load(write(tmp_path / "data.json", text))


@pytest.mark.parametrize(
    "text",
    [ODD, '{"a": 1}', '{\r\n    "a": 1\r\n}\r\n', '\ufeff{"a": "\u00e9"}\n', "{}", " { } \n\n"],
)
def test_a_document_that_is_not_edited_is_byte_identical(tmp_path: Path, text: str) -> None:
    document = load(tmp_path, text)
    assert not document.modified
    document.save(tmp_path / "copy.json")
    assert (tmp_path / "copy.json").read_bytes() == text.encode()


@pytest.mark.parametrize(
    ("change", "old", "new"),
    [
        ("value['none'] = 2.50", '"none": null', '"none": 2.5'),
        ("value['list'][1] = 5", "[1,2 , 3]", "[1,5 , 3]"),
        ("value['list'].append(4)", "[1,2 , 3]", "[1,2 , 3,4 ]".replace(",4 ]", ",4]")),
        ("value['list'].remove(2)", "[1,2 , 3]", "[1, 3]"),
        ("del value['e']", '\n\t"e": 1E5,  "text"', '  "text"'),
        ("del value['none']", ',\n\t"none": null', ""),
        ("value['new'] = {'a': [1]}", "null\n}",
         'null, "new": {\n\t\t"a": [\n\t\t\t1\n\t\t]\n\t}\n}'),
        ("value['dup']['a'] = 7", '{"a": 1}', '{"a": 7}'),
    ],
)  # fmt: skip
def test_an_edit_changes_only_its_own_text(tmp_path: Path, change: str, old: str, new: str) -> None:
    document = load(tmp_path, ODD)
    with document.edit() as value:
        exec(change, {"value": value})
    assert ODD.count(old) == 1
    assert document.text == ODD.replace(old, new)


def test_renaming_a_key_keeps_its_place_and_spelling(tmp_path: Path) -> None:
    document = load(tmp_path, '{\n  "a": 1.0,\n  "b": 2.0,\n  "c": 3.0\n}\n')
    with document.edit() as value:
        renamed = {"x" if key == "b" else key: item for key, item in value.items()}
        value.clear()
        value.update(renamed)
    assert document.text == '{\n  "a": 1.0,\n  "x": 2.0,\n  "c": 3.0\n}\n'


def test_new_members_take_on_the_indentation(tmp_path: Path) -> None:
    document = load(tmp_path, '{\n    "info": {}\n}\n')
    document.value = {"info": {"score": {"address": 5}}, "other": []}
    assert document.text == json.dumps(document.value, indent=4) + "\n"


SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8"))
)  # fmt: skip
VALUES = st.recursive(
    SCALARS, lambda v: st.lists(v, max_size=4) | st.dictionaries(st.text("abc", max_size=2), v)
)


@given(VALUES, VALUES, st.sampled_from([None, 0, 2, "\t"]))
def test_rendering_any_change_gives_that_value(
    old: JsonValue, new: JsonValue, indent: int | str | None
) -> None:
    text = JsonText(json.dumps(old, indent=indent))
    assert same(text.value, old)
    assert same(JsonText(text.render(new)).value, new)
    assert text.render(old) == text.text


def test_undo_and_redo_walk_through_edits(tmp_path: Path) -> None:
    document = load(tmp_path, '{"a": 1}')
    for number in (2, 3):
        with document.edit() as value:
            value["a"] = number
    assert undoing.undo(document.history)
    assert document.value == {"a": 2}
    assert undoing.undo(document.history)
    assert document.value == {"a": 1}
    assert not undoing.undo(document.history)
    assert not document.modified
    assert undoing.redo(document.history)
    assert undoing.redo(document.history)
    assert not undoing.redo(document.history)
    assert document.value == {"a": 3}
    undoing.undo(document.history)
    with document.edit() as value:
        value["b"] = 1
    assert not document.history.undone


def test_a_failed_edit_leaves_no_trace(tmp_path: Path) -> None:
    document = load(tmp_path, '{"a": {"b": 1}}')

    def fail() -> None:
        with document.edit() as value:
            value["a"] = 5
            raise KeyError("b")

    with pytest.raises(KeyError):
        fail()
    assert document.value == {"a": {"b": 1}}
    assert not document.modified
    assert not document.history.done


def test_the_first_of_repeated_keys_counts_and_is_reported(tmp_path: Path) -> None:
    document = load(tmp_path, ODD)
    assert document.value["dup"] == {"a": 1}
    (finding,) = document.findings
    assert (finding.path, finding.line, finding.severity) == ("dup", 7, "warning")
    assert f"{tmp_path / 'data.json'}:7: warning: dup:" in str(finding)


def test_lines_are_found_for_json_paths(tmp_path: Path) -> None:
    document = load(tmp_path, ODD)
    assert document.line_of("none") == 8
    assert document.line_of("list", 2) == 6
    assert document.line_of("dup", "a", "missing") == 5
    assert document.line_of() == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'{"a": 1,\n "b": }', r"data\.json:2:7: invalid JSON: .*; correct it there"),
        (b'{"a": 1', r"data\.json:1:8: invalid JSON"),
        (b"", r"data\.json:1:1: .*the file is empty"),
        (b"[1]", r"holds list where an object"),
        (b'{"a": NaN}', r"data\.json:1:7: .*NaN is not JSON"),
        (b'{"a": 1,}', r"data\.json:1:\d+: invalid JSON"),
        (b'{\n"a": "\xff"}', r"data\.json:2: byte 0xFF is not UTF-8"),
        (b"[" * 150 + b"]" * 150, r"nested deeper"),
        (b"[" * 100_000, r"invalid JSON"),
        (b'{"a": ' + b"9" * 5000 + b"}", r"number is too long"),
    ],
)
def test_broken_files_name_file_line_column_and_cure(
    tmp_path: Path, text: bytes, message: str
) -> None:
    with pytest.raises(DocumentError, match=message):
        load(tmp_path, text)


def test_a_missing_file_is_a_document_error(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=r"nothing\.json could not be read"):
        JsonDocument.load(tmp_path / "nothing.json")


@pytest.mark.parametrize("value", [float("nan"), object(), b"x", "\ud800"])
def test_values_that_are_not_json_are_refused_and_nothing_is_written(
    tmp_path: Path, value: JsonValue
) -> None:
    document = load(tmp_path, '{"a": "\u00e9"}')
    document.value["a"] = value
    with pytest.raises(DocumentError, match=r"data\.json"):
        document.save()
    assert (tmp_path / "data.json").read_text("utf-8") == '{"a": "\u00e9"}'


def test_a_change_by_another_program_is_not_overwritten(tmp_path: Path) -> None:
    document = load(tmp_path, '{"a": 1}')
    with document.edit() as value:
        value["a"] = 2
    assert not document.changed_on_disk()
    write(document.path, '{"a": 99}')
    assert document.changed_on_disk()
    with pytest.raises(ChangedOnDiskError, match=r"data\.json was changed by another program"):
        document.save()
    assert document.path.read_text() == '{"a": 99}'
    document.save(force=True)
    assert document.path.read_text() == '{"a": 2}'
    assert not document.changed_on_disk()


def test_reloading_is_an_edit_that_can_be_undone(tmp_path: Path) -> None:
    document = load(tmp_path, '{"a": 1}')
    write(document.path, '{"a": 5}')
    with document.reloading():
        pass
    assert document.value == {"a": 5}
    assert not document.modified
    undoing.undo(document.history)
    assert document.value == {"a": 1}
    assert document.modified


def test_a_new_document_does_not_overwrite_a_file_that_appeared(tmp_path: Path) -> None:
    document = JsonDocument.create(tmp_path / "data.json", {"info": {}})
    assert document.modified
    write(document.path, "{}")
    with pytest.raises(ChangedOnDiskError):
        document.save()


def test_saving_keeps_permissions_follows_links_and_leaves_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    real = write(tmp_path / "real" / "data.json", '{"a": 1}')
    real.chmod(0o640)
    (tmp_path / "link.json").symlink_to(real)
    document = JsonDocument.load(tmp_path / "link.json")
    document.value = {"a": 2}
    document.save()
    assert (tmp_path / "link.json").is_symlink()
    assert real.read_text() == '{"a": 2}'
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert names(real.parent) == ["data.json"]


def test_a_new_file_has_the_permissions_of_the_user(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    JsonDocument.create(tmp_path / "new.json", {}).save()
    assert (tmp_path / "new.json").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_missing_folder_is_a_save_error_with_a_cure(tmp_path: Path) -> None:
    document = JsonDocument.create(tmp_path / "none" / "data.json", {})
    with pytest.raises(SaveError, match=r"data\.json could not be written .*create the folder"):
        document.save()


@pytest.mark.skipif(sys.platform != "linux", reason="drops rights as Linux does")
def test_a_read_only_folder_is_a_save_error_and_the_old_file_stays() -> None:
    # In a child process that gives up the rights of root, which ignore permissions; and not in
    # tmp_path, into whose parents nobody else may look.
    script = textwrap.dedent("""
        import os, sys
        from pathlib import Path
        from integrator.domain.files.document import JsonDocument
        from integrator.domain.errors import SaveError
        if os.getuid() == 0:
            os.setgroups([]); os.setgid(65534); os.setuid(65534)
        document = JsonDocument.load(Path(sys.argv[1], "data.json"))
        document.value = {"a": 2}
        try:
            document.save()
        except SaveError as error:
            print(error)
    """)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / "data.json", '{"a": 1}').chmod(0o666)
        folder.chmod(0o555)
        child = warm_children.run(
            [sys.executable, "-c", script, name], capture_output=True, text=True, check=False
        )
        folder.chmod(0o755)
        assert child.stderr == ""
        assert "data.json could not be written" in child.stdout
        assert "give yourself the right to write to this folder" in child.stdout
        assert names(folder) == ["data.json"]
        assert (folder / "data.json").read_text() == '{"a": 1}'


def test_a_failing_rename_leaves_the_old_file_and_no_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = load(tmp_path, '{"a": 1}')
    document.value = {"a": 2}

    def no_space(_: object, __: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", no_space)
    with pytest.raises(SaveError, match="free some disk space"):
        document.save()
    assert names(tmp_path) == ["data.json"]
    assert document.path.read_text() == '{"a": 1}'
    assert document.modified


def test_of_two_programs_that_save_at_once_the_second_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "data.json", '{"a": 1}')
    looked = threading.Barrier(2, timeout=0.5)
    check = JsonDocument.check_not_changed

    def look_together(document: JsonDocument) -> None:
        check(document)
        with contextlib.suppress(threading.BrokenBarrierError):
            looked.wait()  # broken where the second may not look before the first has written

    monkeypatch.setattr(JsonDocument, "check_not_changed", look_together)

    def save(value: int) -> str:
        document = JsonDocument.load(path)
        document.value = {"a": value}
        loaded.wait()
        try:
            document.save()
        except ChangedOnDiskError:
            return "refused"
        return "saved"

    loaded = threading.Barrier(2)
    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(save, (2, 3))) == ["refused", "saved"]


def test_a_read_only_disk_is_named_as_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    path = write(tmp_path / "data.json", "{}")
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(SaveError, match="the folder is on a read-only file system: save elsewhere"):
        write_atomically(path, b"")
