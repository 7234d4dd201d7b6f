"""Text and lines can be read in both themes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from integrator.ui.screen.crop_frame import draw_frame
from integrator.ui.widgets.theme import DARK, LIGHT, Colors, Theme, ThemeChoice

TEXTS = ("text", "secondary", "faint", "link", "good", "bad", "warn")
GROUNDS = ("canvas", "chrome", "panel", "raised", "sunken", "stripe")
OWN_GROUNDS = {
    "text": ("hover", "accent_soft", "good_soft", "bad_soft", "warn_soft"),
    "secondary": ("hover", "accent_soft"),
    "link": ("hover", "accent_soft"),
    "good": ("good_soft",),
    "bad": ("bad_soft",),
    "warn": ("warn_soft",),
    "on_accent": ("accent", "accent_hover"),
}


def contrast(one: str, other: str) -> float:
    """WCAG 2.2's contrast ratio of two colours."""

    def luminance(color: str) -> float:
        parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colors", [DARK, LIGHT])
def test_text_can_be_read_on_every_ground(colors: Colors) -> None:
    pairs = {(text, ground) for text in TEXTS for ground in GROUNDS}
    pairs |= {(text, ground) for text, own in OWN_GROUNDS.items() for ground in own}
    poor = {
        pair: round(ratio, 2)
        for pair in pairs
        if (ratio := contrast(getattr(colors, pair[0]), getattr(colors, pair[1]))) < 4.5
    }
    assert not poor


@pytest.mark.parametrize("picture", ["#000000", "#ffffff", "#e6bf6e", "#7f7f7f"])
@pytest.mark.parametrize("choice", [ThemeChoice.DARK, ThemeChoice.LIGHT])
@pytest.mark.usefixtures("qapp")
def test_a_crop_s_frame_is_seen_on_any_picture(
    theme: Theme, choice: ThemeChoice, picture: str
) -> None:
    theme.choose(choice)
    image = QImage(120, 80, QImage.Format.Format_RGB32)
    image.fill(QColor(picture))
    painter = QPainter(image)
    draw_frame(painter, QRectF(20, 20, 80, 40))
    painter.end()
    seen = {image.pixelColor(x, 20).name() for x in range(25, 95)}
    seen |= {image.pixelColor(x, 19).name() for x in range(25, 95)}
    assert max(contrast(one, other) for one in seen for other in seen) > 4.5
