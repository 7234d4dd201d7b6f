"""The examples of docs/training.md and docs/research.md run as they stand."""

from __future__ import annotations

import importlib.util
import re
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = [(DOCS / name).read_text() for name in ("training.md", "research.md")]
SECTION = re.compile(r"^## ([^\n]+)\n(?:(?!^## ).)*?```python\n(.*?)```", re.MULTILINE | re.DOTALL)
EXAMPLES = dict(example for page in PAGES for example in SECTION.findall(page))
PRINTS = {
    "A random agent": r"\d+\.0 \{.*'score': \d+.*\} movies/Airstriker-Genesis-v0-Level1-0",
    "Many emulators": r"\(4, 4, 84, 84\) \[\s*\d+",
    "Evaluation by the Retro Contest's protocol": r"\d+\.\d+",
    "One file, in CleanRL's style": r"0 \d+\.0\n1 \d+\.0\n2 \d+\.0",
    "States as values": "True",
    "Go-Explore's first phase": r"random: \d{2,} cells, best return \d+\.0\nGo-Explore: \d{2,} ",
    "Monte-Carlo tree search": r"\d 20\n\d 20\n\d 20",
    "Starts and curricula": "True",
    "Two players": r"\['player_1', 'player_2'\]",
    "Without waiting for the slowest": r"\(2, 224, 320, 3\)",
    "Stable-Baselines3's PPO": r"256 \(4, 84, 84\)",
}

ARGUMENTS = {"Go-Explore's first phase": ["EmberMoth-Nes-v0", "1600"]}
"""Of examples that take a game and the like: one that is here, and quick."""


def test_every_example_is_known() -> None:
    assert EXAMPLES.keys() == PRINTS.keys()


@pytest.mark.parametrize("title", EXAMPLES)
def test_an_example_runs(
    title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if "stable_baselines3" in EXAMPLES[title] and not importlib.util.find_spec("stable_baselines3"):
        pytest.skip('pip install "retro-integrator[train]"')
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "example.py"
    script.write_text(EXAMPLES[title])
    monkeypatch.setattr("sys.argv", [str(script), *ARGUMENTS.get(title, [])])
    runpy.run_path(str(script), run_name="__main__")
    assert re.match(PRINTS[title], capsys.readouterr().out)
