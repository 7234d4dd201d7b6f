"""Action groups: buttons that reach the game, and meanings of action numbers."""

from __future__ import annotations

import pytest

from integrator.domain.errors import ScenarioError
from integrator.domain.scenario.spec import ActionSet

BUTTONS = ("B", None, "SELECT", "START", "UP", "DOWN", "LEFT", "RIGHT", "A")
GROUPS = [[[], ["DOWN"], ["UP"]], [["A", "B"], [], ["A"]]]
B, START, UP, DOWN, A = 1, 8, 16, 32, 256


def test_groups_are_sorted_by_mask() -> None:
    assert ActionSet.of(BUTTONS, GROUPS).groups == ((0, UP, DOWN), (0, A, A | B))


def test_filter_drops_what_no_combination_allows() -> None:
    actions = ActionSet.of(BUTTONS, GROUPS)
    assert actions.filter(UP | A | START) == UP | A
    assert actions.filter(UP | DOWN | A) == A
    assert actions.filter(B) == 0
    assert actions.usable == UP | DOWN | A | B


def test_discrete_actions_count_the_first_group_fastest() -> None:
    actions = ActionSet.of(BUTTONS, GROUPS)
    assert actions.discrete_size == 9
    masks = [actions.discrete_masks(index)[0] for index in range(9)]
    assert masks[:5] == [0, UP, DOWN, A, A | UP]
    assert len(set(masks)) == 9
    assert actions.discrete_masks(4 + 9 * 2, players=2) == (A | UP, DOWN)
    with pytest.raises(ScenarioError, match=r"outside 0\.\.80"):
        actions.discrete_masks(81, players=2)


def test_multi_discrete_chooses_one_of_each_group() -> None:
    actions = ActionSet.of(BUTTONS, GROUPS)
    assert actions.multi_discrete_mask((2, 1)) == DOWN | A
    with pytest.raises(ScenarioError, match="1 digits for 2"):
        actions.multi_discrete_mask((2,))
    with pytest.raises(ScenarioError, match=r"outside 0\.\.2"):
        actions.multi_discrete_mask((0, 3))


def test_of_groups_over_the_same_buttons_the_first_stays() -> None:
    actions = ActionSet.of(BUTTONS, [[["A"], ["B"]], [["B"], ["A"], []]])
    assert actions.groups == ((B, A),)


def test_names_of_a_mask() -> None:
    assert ActionSet.of(BUTTONS, []).names(A | UP | B) == ("B", "UP", "A")


def test_an_unknown_button_is_refused_with_its_place() -> None:
    with pytest.raises(
        ScenarioError, match=r"actions\[0\]\[1\]: no button 'X'; the system has B, SE"
    ):
        ActionSet.of(BUTTONS, [[["A"], ["X"]]])
