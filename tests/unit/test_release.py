"""A release needs no more than its tag: versions agree, and workflows run what was looked at."""

import re
from pathlib import Path

import pytest
import yaml

from integrator import paths
from integrator.version import __version__

TREE = Path(__file__).parents[2]
WORKFLOWS = sorted((TREE / ".github").rglob("*.yml"))


def test_each_file_names_the_same_version() -> None:
    citation = yaml.safe_load((TREE / "CITATION.cff").read_text(encoding="utf-8"))
    version = str(citation["version"])
    # A tag of git, which is what is released; 0.0 is a tree without git's history.
    if re.fullmatch(r"[\d.]+", __version__) and __version__ != "0.0":
        assert version == __version__
    [metainfo] = (TREE / "resources" / "desktop").glob("*.metainfo.xml")
    assert f'<release version="{version}"' in metainfo.read_text(encoding="utf-8")
    changes = (TREE / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.split(r"^## ", changes, flags=re.MULTILINE)[1]
    assert version in newest
    assert re.findall(r"^### (.*)", newest, re.MULTILINE)


def test_the_flatpak_is_this_program() -> None:
    manifest = yaml.safe_load((TREE / "scripts/bundle/flatpak.yml").read_text(encoding="utf-8"))
    assert manifest["id"] == paths.APP_ID
    [module] = manifest["modules"]
    [source] = module["sources"]
    bundle = TREE / "scripts" / "bundle" / source["path"]
    assert bundle.resolve() == TREE / "dist" / "integrator"  # as `make bundle` writes it
    assert module["build-commands"][-1].startswith("/app/bin/integrator desktop install")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_are_pinned(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert yaml.safe_load(text)
    used = re.findall(r"uses: (\S+)@(\S+)(?: # (v[\d.]+))?", text)
    loose = [
        name
        for name, version, words in used
        if not (re.fullmatch("[0-9a-f]{40}", version) and words)
    ]
    assert loose == []


def test_only_the_job_that_publishes_may_sign() -> None:
    jobs = yaml.safe_load((TREE / ".github/workflows/publish.yml").read_text())["jobs"]
    assert [name for name, job in jobs.items() if "id-token" in job.get("permissions", {})] == [
        "pypi"
    ]
    assert jobs["pypi"]["needs"] == "build"
