"""Every shipped integration loads and saves losslessly; our new ones load in stable-retro."""

from __future__ import annotations

import importlib.util
import json
import sys
from functools import cache
from pathlib import Path

import pytest
import undoing
import warm_children

from integrator import paths
from integrator.domain.files.jsontext import JsonText, same
from integrator.domain.files.reading import rom_sha1
from integrator.domain.findings import Severity
from integrator.domain.integration.directory import (
    create_integration,
    list_integrations,
    load_integration,
)
from integrator.domain.integration.files import Integration
from integrator.domain.integration.states import StateFiles
from integrator.domain.lint.lint import LintOptions, SchemaSet, lint

pytest.importorskip("stable_retro")
pytestmark = pytest.mark.xdist_group("shipped documents")  # which are read once

ODD_FINDINGS = {
    # The only oddities that a load meets in everything that is shipped.
    ("NHL941on1-Genesis-v0", "duplicate-key", "info.p1_ori"),
    ("NHL941on1-Genesis-v0", "duplicate-key", "info.p2_ori"),
}


def shipped_root() -> Path:
    spec = importlib.util.find_spec("stable_retro")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "data"


@cache
def shipped() -> tuple[Integration, ...]:
    roots = (shipped_root() / kind for kind in ("stable", "experimental", "contrib"))
    return tuple(
        load_integration(info.directory) for root in roots for info in list_integrations(root)
    )


def test_all_integrations_load_and_their_types_parse() -> None:
    assert len(shipped()) >= 1068
    assert {i.name for i in shipped() if i.variables.problems} == set()
    assert sum(len(i.variables) for i in shipped()) >= 4265
    found = {(i.name, f.code, f.path) for i in shipped() for f in i.findings}
    assert found == ODD_FINDINGS


def test_unedited_documents_are_byte_identical() -> None:
    for integration in shipped():
        for document in integration.documents:
            if document.on_disk:
                data = document.path.read_bytes()
                assert document.encoded() == data, document.path
                assert document.value == json.loads(data), document.path
                assert list(document.value) == list(json.loads(data)), document.path
        assert not integration.modified, integration.directory


def test_an_edit_changes_its_own_line_only() -> None:
    for integration in shipped():
        variables = integration.variables
        if not variables:
            continue
        before, name = variables.text.splitlines(), next(iter(variables))
        variables.set(name, variables[name])
        assert variables.text.splitlines() == before, variables.path
        with variables.edit() as value:
            value["info"][name]["address"] = 1  # type: ignore[index,call-overload]  # JSON of known shape
        after = variables.text.splitlines()
        changed = [new for old, new in zip(before, after, strict=True) if old != new]
        assert len(changed) == 1, variables.path
        assert '"address": 1' in changed[0], variables.path
        assert same(JsonText(variables.text).value, variables.value)
        undoing.undo(variables.history)
        assert not variables.modified


def test_scripts_and_hashes_are_read() -> None:
    assert sum(len(i.scripts) for i in shipped()) >= 53
    for integration in shipped():
        for name, text in integration.scripts.items():
            data = (integration.directory / name).read_bytes()
            assert text.encode("utf-8", "surrogateescape") == data
        for digest in integration.rom_sha:
            assert len(digest) == 40, integration.directory
            int(digest, 16)


def test_every_shipped_state_unpacks() -> None:
    count = 0
    for integration in shipped():
        states = StateFiles(integration.directory, integration.history)
        for name in states.names(hidden=True):
            assert states.read(name), (integration.directory, name)
            count += 1
    assert count >= 1818


def test_lint_of_everything_that_is_shipped_finds_the_faults_that_are_known() -> None:
    options = LintOptions(SchemaSet(paths.shipped("resources") / "schemas"), states=False)
    errors = {
        (i.name, f.code, f.path)
        for i in shipped()
        for f in lint(i, options)
        # Directories with data.json alone: stable-retro's make() raises TypeError there.
        if f.severity is Severity.ERROR and f.code != "metadata-missing"
    }
    # Both name a state with a dot too many for one player.
    assert errors == {
        (name, "default-state-missing", "default_player_state[0]")
        for name in ("NHL94-Genesis-v0", "NHL941on1-Genesis-v0")
    }


PLAY = """
import json, sys
import stable_retro
root, name = sys.argv[1:]
stable_retro.data.add_custom_integration(root)
env = stable_retro.make(
    name, inttype=stable_retro.data.Integrations.ALL, render_mode=None,
)
env.reset()
seen = [env.step([0] * 12)[1:5] for _ in range(5)]
json.dump([env.statename, [[float(r), bool(d), dict(i)] for r, d, _, i in seen]], sys.stdout)
"""


def test_a_new_integration_and_its_state_run_in_stable_retro(tmp_path: Path) -> None:
    airstriker = next(i for i in shipped() if i.name == "Airstriker-Genesis-v0")
    assert airstriker.rom is not None
    assert rom_sha1(airstriker.rom) in airstriker.rom_sha
    made = create_integration(airstriker.rom, tmp_path, "NewGame-Genesis", "Genesis", "md")
    expected = [[0.0, False, {}]] * 5
    assert play(tmp_path, made.name) == [None, expected]
    made.write_state("Level1", airstriker.read_state("Level1"), "genesis_plus_gx v1.7.4")
    made.metadata.set_default_state("Level1")
    made.variables.set("lives", airstriker.variables["lives"])
    made.save()
    expected = [[0.0, False, {"lives": 3}]] * 5
    assert play(tmp_path, made.name) == ["Level1.state", expected]


def play(root: Path, name: str) -> object:
    child = warm_children.run(
        [sys.executable, "-c", PLAY, str(root), name], capture_output=True, text=True, check=False
    )
    assert child.returncode == 0, child.stderr
    return json.loads(child.stdout)
