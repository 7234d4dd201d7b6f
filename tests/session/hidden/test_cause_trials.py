"""Causes of changes are tried in a hidden core: buttons let go, and bytes poked."""

import numpy as np
import pytest

from integrator.session.hidden.cause_trials import CauseTrials
from integrator.session.session import Session

pytestmark = pytest.mark.usefixtures("own_home")


def test_a_button_that_moves_and_one_that_does_not(moth: Session) -> None:
    buttons = moth.system.buttons
    right, select = (1 << buttons.index(name) for name in ("RIGHT", "SELECT"))
    moth.run(np.zeros((60, 1), np.uint16))
    moth.run(np.full((30, 1), right | select, np.uint16))
    x = moth.integration.variables["x"]
    causes = moth.causes(x.address, x.type)
    assert causes.changes
    found = CauseTrials.take(moth, causes).run()
    assert found is not None
    trials = {each.button: each for each in found if each.button}
    assert trials["RIGHT"].needed == trials["RIGHT"].tried
    assert trials["SELECT"].needed < trials["SELECT"].tried
    assert moth.timeline.position == moth.timeline.length
