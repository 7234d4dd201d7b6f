"""A program that is killed while it saves leaves each file whole: the old one or the new one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from integrator import paths

RIG = Path(__file__).with_name("kill_rig.py")
ROUNDS = 300


@pytest.mark.usefixtures("own_home")
def test_every_file_is_whole_after_300_kills(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, str(RIG), str(tmp_path / "Game-Nes"), str(ROUNDS)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    report = json.loads(run.stdout)
    assert report["rounds"] == ROUNDS
    # The kills did hit the moments that matter: between two files, and within one.
    assert report["mixed"] > ROUNDS // 20
    assert report["left_behind"] > ROUNDS // 20
    assert len(set(report["last"].values())) == 1, "a last save makes all files one version again"
    assert report["drafted"] > ROUNDS // 20
    assert list((paths.user_cache_dir() / "drafts").iterdir()) == []
