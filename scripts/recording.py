"""``python -m scripts.recording [NAME...]`` films people's ways through a real window for the book.

Each film is a test of the window, driven by mouse and keyboard on an X server of its own. The test
decides how the way ends; the film shows it several times as fast. ``ten-roms`` needs the games of
the package ale-py, and a quarter of an hour."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final

import av
import numpy as np
from numpy.typing import NDArray

from integrator import paths

Picture = NDArray[np.uint8]
"""A screen, uint8 of shape (height, width, 4): blue, green, red, nothing."""
Shot = tuple[float, Picture]
"""A picture, and the seconds from the film's begin."""

FILM: Final = "INTEGRATOR_FILM"
"""The environment's variable with the file that a driven window is filmed to."""
FILMS: Final = {
    "ten-roms": "tests/ui/whole/test_ten_roms.py::test_ten_dropped_roms_are_confirmed",
    "two-minutes": "tests/ui/whole/test_two_minutes.py::test_score_lives_and_done_of_a_new_game",
    "whole-job": "tests/ui/whole/test_whole_job_games.py::test_ember_moth_from_a_bare_rom",
}
"""Films of the book, and the tests that they show."""
TAKEN_HZ, SPEED = 1.5, 4
"""Pictures taken in a second, and how many times as fast the film goes."""
_END_S: Final = 3
"""Seconds for which the end stays in sight before the film begins again."""
_TICKS: Final = 1000
"""The film's units of time in a second."""
_OPTIONS: Final = {"quality": "70", "compression_level": "6", "preset": "text"}


class Camera:
    """Takes pictures of a screen on a thread of its own, and writes a film of them."""

    def __init__(self, look: Callable[[], Picture], out: Path) -> None:
        self._look = look
        self._out = out
        self.lapse = 1
        """Film only every ``lapse``-th picture, while the person waits."""
        self._taken: list[tuple[float, bytes, tuple[int, ...]]] = []
        self._used = 0, 0
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._take, name="camera")
        self._thread.start()

    def _take(self) -> None:
        at, before = 0.0, time.monotonic()
        while not self._ends.wait(self.lapse / TAKEN_HZ):
            now = time.monotonic()
            at, before = at + (now - before) / self.lapse, now
            picture = self._look()
            rows, columns = (np.flatnonzero(picture.any((axis, 2))) for axis in (1, 0))
            if not len(rows):
                continue  # No window is there.
            used = self._used
            self._used = max(used[0], int(rows[-1]) + 1), max(used[1], int(columns[-1]) + 1)
            # A film as it is taken would not fit into memory, and coding it would slow the window.
            packed = zlib.compress(picture.tobytes(), 1)
            self._taken.append((at, packed, picture.shape))

    def close(self) -> None:
        """Take the last picture, and write the film."""
        self._ends.set()
        self._thread.join()
        height, width = self._used
        write_film(
            (
                (taken - self._taken[0][0], _unpacked(packed, shape)[:height, :width])
                for taken, packed, shape in self._taken
            ),
            self._out,
        )


def _unpacked(packed: bytes, shape: tuple[int, ...]) -> Picture:
    return np.frombuffer(zlib.decompress(packed), np.uint8).reshape(shape)


def write_film(shots: Iterable[Shot], out: Path) -> None:
    """Write pictures as an animated WebP; a picture like the one before only lasts longer."""
    with av.open(str(out), "w", format="webp", options={"loop": "0"}) as film:
        stream = film.add_stream("libwebp_anim", rate=_TICKS, options=dict(_OPTIONS))
        stream.pix_fmt = "bgra"
        stream.time_base = stream.codec_context.time_base = Fraction(1, _TICKS)
        before: Picture | None = None
        tick = 0
        for seconds, picture in shots:
            tick = round(seconds / SPEED * _TICKS)
            if before is not None and np.array_equal(picture, before):
                continue
            if before is None:
                stream.height, stream.width = picture.shape[:2]
            before = picture
            film.mux(stream.encode(_frame(picture, tick)))
        if before is not None:
            film.mux(stream.encode(_frame(before, tick + _END_S * _TICKS)))
        film.mux(stream.encode(None))


def _frame(picture: Picture, tick: int) -> av.VideoFrame:
    opaque = picture.copy()
    opaque[..., 3] = 255
    frame = av.VideoFrame.from_ndarray(opaque, format="bgra")
    frame.pts, frame.time_base = tick, Fraction(1, _TICKS)
    return frame


def record(name: str, folder: Path) -> Path:
    """Run the test that a film shows. Raises CalledProcessError when it fails."""
    out = folder.resolve() / f"{name}.webp"
    # A film may take longer than any test.
    patient = ("-o", "faulthandler_timeout=0")
    program = [sys.executable, "-m", "pytest", "-q", "-s", *patient, FILMS[name]]
    subprocess.run(program, check=True, env={**os.environ, FILM: str(out)})
    return out


def main(arguments: Sequence[str] | None = None) -> None:
    """Take the films that the command line names, or all."""
    parser = argparse.ArgumentParser(prog="python -m scripts.recording", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    parser.add_argument(
        "--out", type=Path, default=paths.shipped("docs") / "images", help="default: docs/images"
    )
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - FILMS.keys():
        parser.error(f"no film {', '.join(sorted(unknown))}; there are {', '.join(FILMS)}")
    for name in options.names or FILMS:
        out = record(name, options.out)
        print(f"{out}: {out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
