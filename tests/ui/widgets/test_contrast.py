"""Texts and the mark of the focus can be read on every background, in both themes."""

import re
from dataclasses import asdict

import pytest

from integrator import paths
from integrator.ui.memory.hex_canvas import name_color
from integrator.ui.widgets.theme import DARK, LIGHT, Colors

TEXTS = ("text", "secondary", "faint", "link", "good", "bad", "warn")
BACKGROUNDS = (
    *("canvas", "chrome", "panel", "raised", "hover", "sunken", "stripe"),
    *("accent_soft", "good_soft", "bad_soft", "warn_soft"),
)
OTHERS = {"border", "disabled", "accent", "accent_hover", "on_accent", "screen"}
"""Lines, the accent behind ``on_accent``, and texts that cannot be used, which WCAG leaves out."""

THEMES = pytest.mark.parametrize("colors", [DARK, LIGHT], ids=["dark", "light"])
LEAST_OF_TEXT, LEAST_OF_FOCUS = 4.5, 3.0


def luminance(color: str) -> float:
    """Relative luminance of ``#rrggbb``, by WCAG 2.1."""
    parts = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The ratio of two colors, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def style_sheet() -> str:
    return (paths.shipped("resources") / "theme" / "app.qss").read_text(encoding="utf-8")


def test_contrast_goes_from_1_to_21() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@THEMES
def test_names_of_variables_in_memory_are_read(colors: Colors) -> None:
    names = [name_color(number, colors.link, colors.panel).name() for number in range(60)]
    faint = [name for name in names if contrast(name, colors.panel) < LEAST_OF_TEXT]
    assert faint == []
    assert len(set(names)) > 40


@THEMES
def test_every_text_is_read_on_every_background(colors: Colors) -> None:
    table = asdict(colors)
    assert set(table) == {*TEXTS, *BACKGROUNDS, *OTHERS}
    pairs = [(text, behind) for text in TEXTS for behind in BACKGROUNDS]
    pairs += [("on_accent", "accent"), ("on_accent", "accent_hover")]
    faint = {
        f"{text} on {behind}": round(contrast(table[text], table[behind]), 2)
        for text, behind in pairs
        if contrast(table[text], table[behind]) < LEAST_OF_TEXT
    }
    assert faint == {}


@THEMES
def test_the_focus_is_seen_on_every_background(colors: Colors) -> None:
    rules = re.findall(r":focus\s*\{([^}]*)\}", style_sheet())
    marks = {name for rule in rules for name in re.findall(r"\$(\w+)", rule)}
    assert marks == {"link", "text", "on_accent"}
    table = asdict(colors)
    for mark in ("link", "text"):
        assert min(contrast(table[mark], table[each]) for each in BACKGROUNDS) >= LEAST_OF_FOCUS


def test_the_style_sheet_writes_in_these_colors_only() -> None:
    used = set(re.findall(r"(?<![-\w])color: ([^;}]+)", style_sheet()))
    assert used <= {f"${name}" for name in (*TEXTS, "on_accent", "disabled")}
