"""The Actions panel: groups of button combinations, and the resulting table of actions."""

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QSplitter, QToolButton, QWidget

from integrator.domain.errors import ScenarioError
from integrator.domain.scenario.spec import ActionSet
from integrator.ui import widgets as ui
from integrator.ui.window_context import PanelView


def combination_text(buttons: tuple[str, ...] | list[str]) -> str:
    """Return a combination as ``↑ + B``, or a dash for no button."""
    glyphs = {"UP": "↑", "DOWN": "↓", "LEFT": "←", "RIGHT": "→"}
    return " + ".join(glyphs.get(name, name) for name in buttons) or "—"


class DiscreteModel(ui.RowsModel[int]):
    """The table of action numbers. Buttons are computed when a row is painted."""

    ink = "faint"  # The buttons are more important than the numbers.
    _actions = ActionSet((), ())

    def set_actions(self, actions: ActionSet) -> None:
        """Show the action table of these groups, at most a million rows."""
        self._actions = actions
        self.show(range(min(actions.discrete_size, 1_000_000) if actions.groups else 0))

    def table(self) -> Sequence[ui.Column[int]]:
        def mask(row: int) -> int:
            return self._actions.discrete_masks(row)[0]

        def buttons(row: int) -> str:
            return combination_text(self._actions.names(mask(row)))

        return (
            ui.Column(self.tr("action"), str, font=self._mono),
            ui.Column(self.tr("buttons"), buttons, color="text"),
            ui.Column(self.tr("mask"), lambda row: f"0x{mask(row):03X}", font=self._mono),
        )


Groups = list[list[list[str]]]


class CombinationPopup(QFrame):
    """Toggles for the console's buttons. ``chosen`` follows Use, ``removed`` follows Remove.
    ``held`` are the buttons of an existing combination; None for a new one, which has no Remove."""

    chosen = Signal(list)
    removed = Signal()

    def __init__(self, buttons: Sequence[str], held: Sequence[str] | None, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        ui.styled(self, "Palette", accessibleName=self.tr("Buttons of a combination"))
        self.toggles: dict[str, QToolButton] = {}
        grid = QGridLayout()
        grid.setSpacing(5)
        for number, name in enumerate(buttons):
            toggle = ui.toggle_button(combination_text([name]), name=name, minimumWidth=58)
            toggle.setChecked(name in (held or ()))
            self.toggles[name] = toggle
            grid.addWidget(toggle, number // 4, number % 4)
        use = ui.push_button(self.tr("Use"), self._use, role="primary")
        remove = ui.push_button(self.tr("Remove"), self.removed.emit)
        remove.clicked.connect(self.close)
        hint = ui.role_label(self.tr("none pressed = no button"), "faint")
        ui.vbox(grid, ui.hbox(hint, None, remove, use), on=self, margins=(11, 11, 11, 9))
        # Only now, because without a parent it would be shown as a window of its own.
        remove.setVisible(held is not None)

    def _use(self) -> None:
        self.chosen.emit([name for name, toggle in self.toggles.items() if toggle.isChecked()])
        self.close()


class ActionsView(PanelView):
    """Edits ``actions`` of the scenario. Without its own groups, the console's groups are shown."""

    def _set_up(self) -> None:
        self._buttons: tuple[str, ...] = ()
        self.groups: Groups = []
        self._shown: tuple[ActionSet, object] | None = None
        self.model = DiscreteModel(self)
        self.hint = ui.NoteLabel("warn")
        text, tip = self.tr("Allow START"), self.tr("Add a group with START and with nothing")
        self.allow = ui.push_button(text, lambda: self._add_group([], ["START"]), tip, "flat")
        text = self.tr("Use the console's")
        tip = self.tr("Remove “actions” from the scenario")
        self.default = ui.push_button(text, lambda: self._change([]), tip, "flat")
        tip = self.tr("A group is a part of the pad: the agent picks one combination of each group")
        text, add = self.tr("group"), self._add_group
        self.add_group = ui.push_button(text, add, tip, "flat", icon="plus")
        self._rows = ui.vbox(gap=7)
        foot = ui.hbox(self.add_group, self.default, self.allow, None)
        body = ui.styled(QWidget(), "ScrollBody")
        self.source = ui.role_label("", "faint")
        parts = (self.source, self._rows, self.hint, foot, None)
        ui.vbox(*parts, on=body, margins=(11, 9, 11, 7), gap=8)
        scroll = QScrollArea(widgetResizable=True)
        ui.named(scroll, self.tr("Groups of actions"), widget=body)
        self.table = ui.DataTable(self.tr("Discrete actions"), self.model)
        self.table.set_widths((60, 100, 70), stretch=1)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.addWidget(scroll)
        splitter.addWidget(self.table)
        splitter.setSizes([230, 120])
        self._fill(splitter, "gamepad", "actions")
        self._closed()
        show, follow = self.show_actions, self._controller.follow
        follow(lambda shown: show(shown.scenario, shown.actions), "scenario", "variables")

    def _closed(self) -> None:
        self.show_actions({}, ActionSet((), ()))

    def _add_group(self, *combinations: list[str]) -> None:
        self._change([*self.groups, list(combinations) or [[]]])

    def show_actions(self, scenario: Mapping[str, Any], actions: ActionSet) -> None:
        own = scenario.get("actions")
        if (actions, own) == self._shown:
            return
        self._shown = actions, own
        self._buttons = tuple(name for name in actions.buttons if name)
        if isinstance(own, list) and own:
            # Invalid groups keep the table of the session.
            with contextlib.suppress(ScenarioError):
                actions = ActionSet.of(actions.buttons, own)
            text = self.tr("This scenario's own groups")
            tip = self.tr("Click a combination to change it")
            self.groups = [[list(combination) for combination in group] for group in own]
        else:
            text = self.tr("The console's usual groups")
            tip = self.tr("Changing one makes them this scenario's own")
            self.groups = [[list(actions.names(mask)) for mask in each] for each in actions.groups]
        self.source.setText(text)
        self.source.setToolTip(tip)
        self.default.setVisible(isinstance(own, list) and bool(own))
        known = [(number, name) for number, name in enumerate(actions.buttons) if name]
        missing = [name for number, name in known if not actions.usable >> number & 1]
        self.allow.setVisible("START" in missing)
        self.hint.setText(self._hint_text(missing) if missing else "")
        sizes = " × ".join(str(len(group)) for group in actions.groups)
        note = self.tr("{0} discrete · {1}").format(ui.grouped(actions.discrete_size), sizes)
        self._dock.header.note.setText(note if sizes else "")
        self.model.set_actions(actions)
        while (item := self._rows.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for number, group in enumerate(self.groups):
            self._rows.addWidget(self._group_row(number, group))
        self.pages.show_content(bool(self._buttons))

    def _hint_text(self, missing: Sequence[str]) -> str:
        text = self.tr("{0} never [reaches|reach] the game in training.", None, len(missing))
        if "START" in missing:
            text = self.tr(
                "{0} never [reaches|reach] the game in training: an agent cannot leave a title "
                "screen or a pause. Begin at a state behind it, or allow START.",
                None,
                len(missing),
            )
        return ui.counted(text, len(missing)).format(", ".join(missing))

    def _group_row(self, number: int, group: Sequence[Sequence[str]]) -> QWidget:
        host = ui.named(ui.FlowBox(), self.tr("Group {0}").format(number + 1))

        def add_chip(text: str, tip: str, name: str, at: int | None) -> None:
            chip = ui.push_button(text, lambda: self.open_popup(chip, number, at), tip, "chip")
            chip.setAccessibleName(name)
            host.add(chip)

        for at, combination in enumerate(group):
            name = " + ".join(combination) or self.tr("No button")
            add_chip(combination_text(list(combination)), self.tr("Change or remove"), name, at)
        name = self.tr("Add combination to group {0}").format(number + 1)
        add_chip("+", self.tr("Add a combination to this group"), name, None)
        return host

    def open_popup(self, chip: QWidget, group: int, at: int | None) -> CombinationPopup:
        """Open the popup for a combination; with ``at`` None, it adds one."""
        held = self.groups[group][at] if at is not None else None
        popup = CombinationPopup(self._buttons, held, self)
        popup.chosen.connect(lambda names: self._put(group, at, names))
        popup.removed.connect(lambda: self._put(group, at, None))
        popup.adjustSize()
        place = QRect(chip.mapToGlobal(QPoint()), chip.size())
        popup.move(ui.place_near(place, popup.size(), self.screen().availableGeometry()))
        popup.show()
        return popup

    def _put(self, group: int, at: int | None, names: list[str] | None) -> None:
        groups = [[list(combination) for combination in each] for each in self.groups]
        if at is None:
            if names is None or names in groups[group]:
                return
            groups[group].append(names)
        elif names is None:
            del groups[group][at]
        else:
            groups[group][at] = names
        self._change([each for each in groups if each])

    def _change(self, groups: Groups) -> None:
        self._controller.set_in_scenario(("actions",), groups or None)
