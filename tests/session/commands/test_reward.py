"""``integrator reward``: a movie's reward by terms, as a table and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from integrator.cli import app
from integrator.commands.shared.options import demo_game
from integrator.session.opening import open_session

pytestmark = pytest.mark.usefixtures("own_home")


def test_terms_frames_and_ranges(tmp_path: Path) -> None:
    movie = tmp_path / "play.bk2"
    random = np.random.default_rng(1)
    masks = np.repeat(random.choice([16, 32, 64, 128, 256], 30), 20).astype(np.uint16)
    with open_session(demo_game()) as session:
        session.reset()
        session.record(movie)
        session.run(masks[:, np.newaxis])
        paid = session.timeline.log.rewards()[:, 0]
        scores = session.timeline.column("score")
    arguments = ["reward", str(movie), "--game", str(demo_game())]
    ran = CliRunner().invoke(app, [*arguments, "--json"])
    assert ran.exit_code == 0
    [told] = json.loads(ran.stdout)["movies"]
    [term] = told["terms"]
    assert (told["reward"], told["rounding"], term["gave"]) == (paid.sum(), 0.0, paid.sum())
    frames = (np.flatnonzero(paid) + 1).tolist()
    assert len(frames) > 1
    assert [each["frame"] for each in told["frames"]] == frames
    assert told["frames"][0]["terms"][0]["after"] == scores[frames[0] - 1]
    one = CliRunner().invoke(app, [*arguments, "--first", str(frames[1])])
    assert f"score {paid[frames[1] - 1]:+.9g} (score " in one.stdout
    assert f"frame {frames[0]:,}:" not in one.stdout
    beyond = CliRunner().invoke(app, [*arguments, "--last", "9999"])
    assert "it has frames 1 to 601" in str(beyond.exception)


def test_no_movie_is_an_error(tmp_path: Path) -> None:
    for path, told in (
        (tmp_path, "there is no movie in it"),
        (tmp_path / "no.bk2", "no such file"),
    ):
        ran = CliRunner().invoke(app, ["reward", str(path)])
        assert ran.exit_code != 0
        assert told in str(ran.exception)
