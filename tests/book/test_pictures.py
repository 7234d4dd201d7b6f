"""The pictures of README and book are taken by script: none of them can grow old unseen."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from PySide6.QtGui import QImage

from integrator.ui.guide.portrait import WINDOW_SIZE
from scripts.pictures import IMAGES, PICTURES

ROOT = IMAGES.parents[1]


def test_each_picture_that_a_page_shows_is_one_of_the_scripts() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = {
        name for page in pages for name in re.findall(r"images/([\w-]+)\.png", page.read_text())
    }
    taken = {picture.name for picture in PICTURES}
    assert shown == taken
    assert {file.stem for file in IMAGES.glob("*.png")} == taken


def test_a_picture_is_taken_without_a_display(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "scripts.pictures", "macros-dark", "--out", str(tmp_path)]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    image = QImage(str(tmp_path / "macros-dark.png"))
    assert (image.width(), image.height()) == WINDOW_SIZE
