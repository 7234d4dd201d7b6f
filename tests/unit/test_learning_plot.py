"""Trainings are compared line by line; they and explorations are drawn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from scripts import explore_plot
from scripts.learning_plot import compare, draw


def written(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def test_runs_are_equal_until_a_line_differs_whatever_their_speed(tmp_path: Path) -> None:
    first, second = {"step": 900, "return": 3.0}, {"step": 1000, "hash": "ab"}
    slow, quick = ({"step": 1024, "weights": "cd", "frames a second": n} for n in (5, 9))
    one = written(tmp_path / "one.jsonl", first, second, slow)
    other = written(tmp_path / "other.jsonl", first, second, quick)
    assert compare(one, other) == "equal to the end, step 1,024, with the network cd"
    changed = written(tmp_path / "changed.jsonl", first, {"step": 1000, "hash": "ff"}, quick)
    assert compare(one, changed) == "equal until step 900"
    shorter = written(tmp_path / "shorter.jsonl", first, second)
    assert compare(one, shorter) == "equal until step 1,000"


def test_a_plot_has_a_panel_for_each_game_and_a_line_for_each_run(tmp_path: Path) -> None:
    rows = [{"step": 2000 * n, "return": float(n)} for n in range(1, 20)]
    for name in ("One.here.1.1", "One.stable-retro.1.1", "Two.here.4.1"):
        written(tmp_path / f"{name}.jsonl", *rows, {"step": 39000, "weights": "cd"})
    drawn = ET.fromstring(draw(tmp_path))
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}polyline"))) == 3
    words = [each.text for each in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"One", "Two", "here, four"} <= set(words)


def test_an_exploration_is_drawn_by_the_example_of_the_book() -> None:
    assert callable(explore_plot.example()["explore"])
    progress = {False: [(400, 3, 10.0), (820, 4, 10.0)], True: [(400, 5, 10.0), (1400, 40, 0.5)]}
    drawn = ET.fromstring(explore_plot.draw(progress, 1000))
    lines = list(drawn.iter("{http://www.w3.org/2000/svg}polyline"))
    assert len(lines) == 4
    ends = [each.attrib["points"].split()[-1].split(",") for each in lines]
    assert len({x for x, _ in ends[:2]}) == 1
    assert float(ends[1][1]) < float(ends[0][1])
