"""The system packages that are asked for, seen by a user who cannot install them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "system-packages"


@pytest.fixture
def asked(tmp_path: Path) -> str:
    """Answer of the script where Debian 13's GLib is the only package that is installed."""
    commands = {
        "id": "echo 1000",
        "dpkg-query": "echo 'installed libglib2.0-0t64, libglib2.0-0 (= 2.84.4-3~deb13u5)'",
    }
    for name, line in commands.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{line}\n")
        (tmp_path / name).chmod(0o755)
    done = subprocess.run(
        [SCRIPT],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin", "PYTHON": "/usr/bin/env"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    return done.stderr


def test_a_package_that_another_one_stands_in_for_is_not_asked_for(asked: str) -> None:
    assert "libglib2.0-0" not in asked


def test_a_user_who_is_not_root_gets_the_line_to_run(asked: str) -> None:
    assert "sudo apt-get install -y --no-install-recommends g++ libc6-dev" in asked
    assert "libxcb-cursor0" in asked
