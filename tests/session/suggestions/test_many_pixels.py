"""Pictures with more pixels than are looked at: suggestions come from memory alone."""

from __future__ import annotations

import pytest

from integrator.session.session import Session

pytestmark = pytest.mark.usefixtures("own_home")


def test_very_many_pixels_are_done_without(
    played: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("integrator.session.suggestions.suggesting._MOST_PIXELS", 40_000_000)
    found = played.suggest(["lives"])
    assert found
    assert all(each.drawn is None for each in found)
