"""The order in which Tab visits controls: panel by panel, as one reads, and none out of sight.

Qt's own chain has the order of construction, which is wrong wherever rows come later, and leads
into panels that stand behind the tab of another.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget

from integrator.ui.widgets.panels.docks import PanelDock, is_in_sight


def reading_order(panel: QWidget) -> list[QWidget]:
    """The controls of a panel that Tab can reach now: row by row, from left to right."""
    return _ordered(panel, _controls(panel))


def _ordered(panel: QWidget, controls: Sequence[QWidget]) -> list[QWidget]:
    """Controls in rows. Those in a scroll area follow it, wherever it is scrolled to."""
    inside = {
        outer: [each for each in controls if each is not outer and outer.isAncestorOf(each)]
        for outer in controls
    }
    inner = {each for kept in inside.values() for each in kept}
    outermost = [each for each in controls if each not in inner]
    boxes = sorted((_box(each, panel), at) for at, each in enumerate(outermost))
    rows: list[list[tuple[_Box, int]]] = []
    for box, at in boxes:
        if rows and box.middle < rows[-1][0][0].bottom:
            rows[-1].append((box, at))
        else:
            rows.append([(box, at)])
    order: list[QWidget] = []
    for row in rows:
        for _, at in sorted(row, key=lambda each: each[0].left):
            order += [outermost[at], *_ordered(panel, inside[outermost[at]])]
    return order


@dataclass(frozen=True, slots=True, order=True)
class _Box:
    """The place of a control in its panel, in pixels."""

    top: int
    left: int
    height: int

    @property
    def middle(self) -> float:
        return self.top + self.height / 2

    @property
    def bottom(self) -> int:
        return self.top + self.height


def _box(control: QWidget, panel: QWidget) -> _Box:
    where = control.mapTo(panel, QPoint(0, 0))
    return _Box(where.y(), where.x(), control.height())


def next_control(
    centre: QWidget, docks: Sequence[PanelDock], present: QWidget, forward: bool
) -> QWidget | None:
    """The control that Tab moves to from ``present``; None when nothing is in sight.

    ``centre`` comes first, the docks follow from left to right, and then the rest of the window, so
    that no panel keeps the keyboard. A floating panel is a window of its own, with Qt's order.
    """
    window = centre.window()
    # Qt's own chain is not asked: of a widget that it returns, PySide takes the children for dead.
    seen = [each for each in docks if is_in_sight(each) and not each.isFloating()]
    seen.sort(key=lambda each: (each.x(), each.y()))
    order = [control for panel in (centre, *seen) for control in reading_order(panel)]
    panels = (centre, *docks)
    order += _ordered(
        window,
        [
            each
            for each in _controls(window)
            if each.window() is window and not any(panel.isAncestorOf(each) for panel in panels)
        ],
    )
    return _beside(order, present, forward=forward)


def _beside(order: Sequence[QWidget], present: QWidget, *, forward: bool) -> QWidget | None:
    if not order:
        return None
    if present not in order:
        return order[0 if forward else -1]
    return order[(order.index(present) + (1 if forward else -1)) % len(order)]


def _controls(panel: QWidget) -> list[QWidget]:
    return [each for each in panel.findChildren(QWidget) if _takes_tab(each)]


def _takes_tab(control: QWidget) -> bool:
    policy = control.focusPolicy()
    by_tab = policy & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.TabFocus
    return by_tab and control.isVisible() and control.isEnabled() and control.focusProxy() is None
