"""No name and no link leads a save out of the integration's folder unasked."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from integrator.domain.errors import DocumentError, DomainError
from integrator.domain.integration.directory import create_integration, load_integration
from integrator.domain.integration.files import Integration
from integrator.domain.integration.naming import LinkError, is_file_name, leads_out
from integrator.session.library.watch_list import write_watch_file
from integrator.session.searches import _path as search_path

BAD = [
    "", ".", "..", "../bad name", "a/b", "/etc/x", "a\\b", ".hidden", "a\n", "a\0b", "c:d",
    "NUL", "com1.a", "\ud800", "x" * 300,
]  # fmt: skip


@pytest.fixture
def game(tmp_path: Path) -> Integration:
    folder = tmp_path / "Game-Nes-v0"
    folder.mkdir()
    (folder / "data.json").write_text('{"info": {}}')
    return load_integration(folder)


def tree(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def make_script(game: Integration, name: str) -> None:
    game.scripts[f"{name}.lua" if name else ""] = "-- new"


def make_integration(game: Integration, name: str) -> None:
    rom = game.directory / "rom.nes"
    rom.write_bytes(b"x")
    try:
        create_integration(rom, game.directory.parent, name or "..", "Nes", "nes")
    finally:
        rom.unlink()


@pytest.mark.parametrize("name", BAD, ids=ascii)
@pytest.mark.parametrize(
    "make",
    [
        lambda game, name: game.add_scenario(name),
        lambda game, name: game.write_state(name, b"raw"),
        make_script,
        make_integration,
        lambda game, name: search_path(game.directory / "searches", name),
    ],
    ids=["scenario", "state", "script", "integration", "search"],
)
def test_every_name_that_becomes_a_file_is_checked(
    game: Integration, tmp_path: Path, make: Callable[[Integration, str], object], name: str
) -> None:
    before = tree(tmp_path)
    with pytest.raises(DomainError, match="cannot be the name of"):
        make(game, name)
    game.save()
    assert tree(tmp_path) == before


def test_good_names_stay_good(game: Integration) -> None:
    for name in ("hard", "Level 1.2", "Größe", "a-b_c+d", "console"):
        assert is_file_name(f"{name}.json")
        game.add_scenario(name)
        game.write_state(name, b"raw")
    game.save()
    assert load_integration(game.directory).states == [
        *("Größe", "Level 1.2", "a-b_c+d", "console", "hard")
    ]


def test_a_script_that_is_there_under_an_odd_name_can_be_edited(game: Integration) -> None:
    (game.directory / "a:b.lua").write_text("-- theirs")
    fresh = load_integration(game.directory)
    fresh.scripts["a:b.lua"] = "-- mine"
    fresh.save()
    assert (game.directory / "a:b.lua").read_text() == "-- mine"


@pytest.mark.parametrize("name", ["script.lua", "scenario.json", "hard.json", "A.state"])
def test_saving_does_not_write_through_a_link_out_unasked(
    game: Integration, tmp_path: Path, name: str
) -> None:
    mine = tmp_path / "home" / "precious"
    mine.parent.mkdir()
    mine.write_bytes(b'{"done": {}}')
    (game.directory / name).symlink_to(mine)
    fresh = load_integration(game.directory)
    assert [(f.code, f.file.name) for f in fresh.findings] == [("link-outside", name)]
    assert fresh.links_out == ((game.directory / name, mine),)
    fresh.save()  # no edit, so nothing is written
    with fresh.variables.edit() as value:
        value["edited"] = True
    fresh.save()  # other files can be saved
    edit(fresh, name)
    with pytest.raises(LinkError, match=f"{name} is a link to {mine}") as refused:
        fresh.save()
    assert refused.value.links == ((game.directory / name, mine),)
    assert mine.read_bytes() == b'{"done": {}}'
    assert fresh.modified
    fresh.save(follow_links=True)
    assert mine.read_bytes() != b'{"done": {}}'
    assert (game.directory / name).is_symlink()


def edit(game: Integration, name: str) -> None:
    if name.endswith(".state"):
        game.write_state("A", b"raw")
    elif name.endswith(".lua"):
        game.scripts[name] = "-- edited"
    else:
        game.scenarios[Path(name).stem].value = {"edited": True}


def test_removing_a_link_does_not_ask_and_leaves_what_it_leads_to(
    game: Integration, tmp_path: Path
) -> None:
    mine = tmp_path / "precious"
    mine.write_text("-- mine")
    (game.directory / "script.lua").symlink_to(mine)
    fresh = load_integration(game.directory)
    del fresh.scripts["script.lua"]
    fresh.save()
    assert not (game.directory / "script.lua").is_symlink()
    assert mine.read_text() == "-- mine"


def test_links_within_the_folder_are_nothing_to_tell(game: Integration, tmp_path: Path) -> None:
    (game.directory / "one.lua").write_text("-- one")
    (game.directory / "two.lua").symlink_to("one.lua")
    moved = tmp_path / "link-Nes"
    moved.symlink_to(game.directory)
    fresh = load_integration(moved)
    assert fresh.findings == ()
    fresh.scripts["two.lua"] = "-- two"
    fresh.save()
    assert (game.directory / "one.lua").read_text() == "-- two"


def test_a_copy_does_not_take_along_what_links_lead_to(game: Integration, tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("secret")
    rom = tmp_path / "roms.nes"
    rom.write_bytes(b"rom")
    (game.directory / "rom.nes").symlink_to(rom)
    game.save(tmp_path / "Good-Nes")  # people keep their ROMs elsewhere
    assert (tmp_path / "Good-Nes" / "rom.nes").read_bytes() == b"rom"
    fresh = load_integration(game.directory.parent / "Game-Nes-v0")
    (fresh.directory / "notes.txt").symlink_to(key)
    with pytest.raises(LinkError, match=r"notes\.txt"):
        fresh.save(tmp_path / "Copy-Nes")
    assert not (tmp_path / "Copy-Nes").exists()
    fresh.save(tmp_path / "Copy-Nes", follow_links=True)
    assert (tmp_path / "Copy-Nes" / "notes.txt").read_text() == "secret"


def test_a_copy_is_not_written_through_links_that_wait_there(
    game: Integration, tmp_path: Path
) -> None:
    trap = tmp_path / "Trap-Nes"
    trap.mkdir()
    (trap / "data.json").symlink_to(tmp_path / "precious")
    with pytest.raises(LinkError, match=r"data\.json"):
        game.save(trap)
    assert not (tmp_path / "precious").exists()


def test_watches_are_not_written_through_a_folder_that_is_a_link(
    game: Integration, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "watches.json").write_text("[]")
    (game.directory / "notes").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(LinkError, match=r"watches\.json"):
        write_watch_file(game.directory, [])
    assert (tmp_path / "elsewhere" / "watches.json").read_text() == "[]"


def test_links_in_circles_lead_out(tmp_path: Path) -> None:
    os.symlink("b", tmp_path / "a")  # noqa: PTH211 - a link's own words
    os.symlink("a", tmp_path / "b")  # noqa: PTH211
    assert leads_out(tmp_path / "a", tmp_path) is not None


def test_a_crafted_scenario_name_in_metadata_is_no_path(game: Integration, tmp_path: Path) -> None:
    (tmp_path / "x.state").write_bytes(b"")
    game.metadata.value = {"default_state": "../x.state"}
    with pytest.raises(DocumentError, match="cannot be the name of a state"):
        game.state_files.data("../x.state")
