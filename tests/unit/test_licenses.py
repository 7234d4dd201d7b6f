"""The bundle holds the license text of every part; the default install holds no GPL video code."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from scripts.bundle import licenses
from scripts.bundle.licenses import of_distributions, of_system_libraries

TREE = Path(__file__).parents[2]


def test_every_part_of_the_bundle_has_its_license_text() -> None:
    found = of_distributions()
    assert [str(path) for path in found.values() if not path.is_file()] == []
    parts = {target.partition("/")[0] for target in found}
    assert {"retro-integrator", "stable-retro", "av", "pyside6-essentials", "numpy"} <= parts
    # The licenses of the cores stand in a file of the package that brings them.
    [cores] = [path for target, path in found.items() if target.endswith("LICENSES.md")]
    assert "genesis" in cores.read_text(encoding="utf-8").lower()


def test_libraries_of_the_system_have_theirs() -> None:
    found = of_system_libraries(["/lib/x86_64-linux-gnu/libc.so.6", "/nowhere/libodd.so"])
    if Path("/var/lib/dpkg").is_dir():
        assert "system/libc6" in found


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_other_systems_have_the_text_of_their_python(
    system: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.platform", system)
    monkeypatch.setattr("sysconfig.get_path", lambda _: str(tmp_path))
    monkeypatch.setattr("sys.base_prefix", str(tmp_path))
    with pytest.raises(LookupError, match="LICENSE"):
        of_system_libraries([])
    text = tmp_path / "LICENSE.txt"
    text.write_text("Python's license")
    assert of_system_libraries([]) == {"system/python": text}


def test_a_missing_text_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(licenses, "_COMMON", tmp_path)
    with pytest.raises(LookupError, match=rf"pyside6.*{re.escape(str(tmp_path))}"):
        of_distributions(("video",))


def test_the_default_install_has_no_codecs() -> None:
    project = tomllib.loads((TREE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "av" not in {Requirement(each).name for each in project["dependencies"]}
    assert project["optional-dependencies"]["video"] == ["av>=14.0"]
