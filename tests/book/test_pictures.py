"""The pictures of README and book are taken by script: none of them can grow old unseen."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
from PySide6.QtGui import QImage, QImageReader

from integrator.app import WINDOW_SIZE
from scripts.pictures import IMAGES, PICTURES
from scripts.recording import FILMS, SPEED, write_film

ROOT = IMAGES.parents[1]
MOST_FILM_BYTES = 1_500_000


def test_each_picture_that_a_page_shows_is_one_of_the_scripts() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = {
        name for page in pages for name in re.findall(r"images/([\w-]+)\.png", page.read_text())
    }
    taken = {picture.name for picture in PICTURES}
    assert shown == taken
    assert {file.stem for file in IMAGES.glob("*.png")} == taken


def test_each_film_that_a_page_shows_is_one_of_the_scripts_and_small() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = {
        name for page in pages for name in re.findall(r"images/([\w-]+)\.webp", page.read_text())
    }
    assert shown == FILMS.keys()
    files = list(IMAGES.glob("*.webp"))
    assert {file.stem for file in files} == shown
    assert [file.name for file in files if file.stat().st_size > MOST_FILM_BYTES] == []


def test_a_film_shows_each_picture_for_as_long_as_it_stayed(tmp_path: Path) -> None:
    dark, light = np.zeros((2, 40, 60, 4), np.uint8)
    light[...] = 200
    shots = enumerate([dark, light, light, dark])
    write_film(((SPEED * at, picture) for at, picture in shots), tmp_path / "film.webp")
    reader = QImageReader(str(tmp_path / "film.webp"))
    shown = [
        (reader.read().pixelColor(30, 20).red() > 100, reader.nextImageDelay())
        for _ in range(reader.imageCount())
    ]
    assert [is_light for is_light, _ in shown[:3]] == [False, True, False]
    assert [lasts for _, lasts in shown[:2]] == [1000, 2000]


def test_a_picture_is_taken_without_a_display(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "scripts.pictures", "macros-dark", "--out", str(tmp_path)]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    image = QImage(str(tmp_path / "macros-dark.png"))
    assert (image.width(), image.height()) == WINDOW_SIZE
