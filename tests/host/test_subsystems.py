"""Games of several files: the table that a core announces, and the files that it is given."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from toy_requests import BuildToycore, ToyRequest, idle

from libretro_host.errors import ContentError
from libretro_host.host import CapturePlan, CoreHost, LoadRequest
from libretro_host.systems.identity import CoreIdentity, core_identities

SECOND, THIRD = 30, 31
"""Places in toycore's RAM of the first bytes of a pair's files."""


def pair(toy: ToyRequest, folder: Path, *files: str | None) -> LoadRequest:
    """A request for toycore's pair of a file with RAM of 2048 bytes, and texts."""
    base = toy(ram=2048)
    made: list[Path | None] = []
    for at, content in enumerate(files):
        made.append(None if content is None else folder / f"text{at}.txt")
        if content is not None:
            (folder / f"text{at}.txt").write_text(content)
    listed = toy(core=base.core, request_subsystem="pair", request_files=(base.content, *made))
    listed.content.rename(listed.content.with_suffix(".subsystem"))
    return listed


def test_a_core_gets_all_files(core_host: CoreHost, toy: ToyRequest, tmp_path: Path) -> None:
    info = core_host.load(pair(toy, tmp_path, "Second", "Third"))
    core_host.run(idle(2), CapturePlan())
    ram = core_host.read_ram()
    assert info.ram_bytes == 2048
    assert bytes(ram[[SECOND, THIRD]]) == b"ST"


@pytest.mark.parametrize("texts", [("Second",), ("Second", None)])
def test_a_file_may_be_left_out(
    core_host: CoreHost, toy: ToyRequest, tmp_path: Path, texts: tuple[str | None, ...]
) -> None:
    core_host.load(pair(toy, tmp_path, *texts))
    assert bytes(core_host.read_ram()[[SECOND, THIRD]]) == b"S\0"


def test_a_state_comes_back(core_host: CoreHost, toy: ToyRequest, tmp_path: Path) -> None:
    core_host.load(pair(toy, tmp_path, "Second"))
    core_host.run(idle(5), CapturePlan())
    state, ram = core_host.serialize(), core_host.read_ram()
    core_host.run(idle(5), CapturePlan())
    core_host.unserialize(state)
    assert bytes(core_host.read_ram()) == bytes(ram)


def test_a_library_that_is_reopened_gets_its_files_again(
    core_host: CoreHost, toy: ToyRequest, tmp_path: Path
) -> None:
    request = pair(toy, tmp_path, "Second", "Third")
    core_host.load(replace(request, reload_on_restore=True))
    core_host.run(idle(5), CapturePlan())
    core_host.reset()
    assert bytes(core_host.read_ram()[[SECOND, THIRD]]) == b"ST"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"request_subsystem": "trio"}, "toycore has no subsystem trio; it has pair, alone"),
        ({"request_files": ()}, r"needs a file for Base \(.toy .txt\); it takes Base .*, Text"),
        ({"request_files": (None,) * 4}, "4 files are too many for the subsystem pair"),
        ({"request_files": (Path("/nowhere.toy"),)}, "cannot read /nowhere.toy: No such file"),
    ],
)
def test_a_wrong_wish_is_explained(
    core_host: CoreHost, toy: ToyRequest, changes: dict[str, object], words: str
) -> None:
    fields: dict[str, object] = {"request_subsystem": "pair", "request_files": (), **changes}
    with pytest.raises(ContentError, match=words):
        core_host.load(toy(**fields))


def test_the_table_can_be_asked_for_without_a_game(toycore: Path) -> None:
    identity = core_identities([toycore])[toycore]
    assert isinstance(identity, CoreIdentity)
    named = {
        one.name: (one.title, [str(file) for file in one.files]) for one in identity.subsystems
    }
    assert named == {
        "pair": ("Toy pair", ["Base (.toy .txt)", "Text (.txt)", "Third (.txt)"]),
        "alone": ("Toy alone", ["Base (.toy .txt)"]),
    }
    assert [file.required for file in identity.subsystems[0].files] == [True, True, False]


def test_a_core_without_subsystems_says_so(
    build_toycore: BuildToycore, toy: ToyRequest, inprocess: CoreHost
) -> None:
    request = toy(core=build_toycore("TOYCORE_SUBSYSTEMS=0"), request_subsystem="pair")
    with pytest.raises(ContentError, match="has no subsystem pair; it has none; choose another"):
        inprocess.load(request)
