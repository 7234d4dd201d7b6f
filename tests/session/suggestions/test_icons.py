"""Hearts and a bar on a made-up screen, each explained by a box drawn round it.

The game is the demo game on its real core. Its pictures get a row of hearts for the lives, and a
bar for the time, drawn from the memory of their frame."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from integrator.session.frame.pipeline import Pipeline
from integrator.session.session import Session
from libretro_host.host import CapturePlan, CoreHost, Frame, RunResult

pytestmark = pytest.mark.usefixtures("own_home")
_HEART = np.array([list(f"{row:08b}") for row in (0, 102, 255, 255, 126, 60, 24, 0)], np.uint8)
_HEARTS = (16, 200, 64, 8)
_BAR = (120, 200, 100, 6)


class _Drawing:
    """The core, with hearts and a bar in its pictures."""

    def __init__(self, host: CoreHost, lives: int, energy: int) -> None:
        self._host = host
        self._lives = lives
        self._energy = energy

    def __getattr__(self, name: str) -> Any:
        return getattr(self._host, name)

    def run(self, inputs: NDArray[np.uint16], plan: CapturePlan) -> RunResult:
        """Run frames; draws into the picture of each."""
        result = self._host.run(inputs, replace(plan, ram=True))
        assert result.ram is not None
        if not plan.picture_every:
            return result
        rams = result.ram[plan.picture_every - 1 :: plan.picture_every]
        pictures = zip(result.pictures, rams, strict=True)
        return replace(result, pictures=tuple(self._drawn(*each) for each in pictures))

    def _drawn(self, frame: Frame, ram: NDArray[np.uint8]) -> Frame:
        words = frame.pixels.view(f"u{frame.pixel_format.bytes_per_pixel}").copy()
        x, y, width, height = _HEARTS
        # The last life is 0, and -1 is the end.
        hearts = np.tile(_HEART, (int(ram[self._lives]) + 1) % 256)
        words[y : y + height, x : x + width] = 0
        words[y : y + height, x : x + hearts.shape[1]] = 0x7C00 * hearts.astype(np.uint32)
        x, y, width, height = _BAR
        words[y : y + height, x : x + width] = 0
        words[y : y + height, x : x + min(int(ram[self._energy]), width)] = 0x03E0
        return replace(frame, pixels=words.view(np.uint8))


@pytest.mark.parametrize(("box", "name"), [(_HEARTS, "lives"), (_BAR, "time")])
def test_a_box_round_icons_or_a_bar_names_the_number(
    box: tuple[int, int, int, int], name: str, played: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    variables = played.integration.variables
    shown = [played.memory.space.offset(variables[each].address) for each in ("lives", "time")]
    drawing = _Drawing(played.host, *shown)
    monkeypatch.setattr(Pipeline, "host", property(lambda _: drawing))
    assert played.point(*box)[0].address == variables[name].address
