"""The Score workspace: scenario files, players, done tree, actions and crop of the open game."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QInputDialog

from integrator.domain.jsontext import JsonPath
from integrator.session.edits import commands as edits
from integrator.ui.bridge import SessionBridge
from integrator.ui.controller import GameController
from integrator.ui.docks import Docks
from integrator.ui.play.screen_panel import ScreenPanel
from integrator.ui.score import scenario_edits
from integrator.ui.score.crop_tool import Crop, CropTool
from integrator.ui.score.crop_view import crop_of
from integrator.ui.snapshot import Documents


class ScoreController(QObject):
    """Shows each new version of the scenario, and turns the panels' requests into edits."""

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        docks: Docks,
        screen: ScreenPanel,
        tool: CropTool,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._controller = controller
        self._docks = docks
        self._screen = screen
        self.tool = tool
        self._connect()

    def _connect(self) -> None:
        docks, controller = self._docks, self._controller
        controller.documents_changed.connect(self._show)
        docks.reward.scenario_chosen.connect(self.use_scenario)
        docks.reward.scenario_requested.connect(self._ask_scenario_name)
        docks.done.move_requested.connect(self.move_condition)
        docks.done.rename_requested.connect(self.rename_group)
        docks.actions.actions_changed.connect(
            lambda groups: controller.edit(edits.set_in_scenario(("actions",), groups))
        )
        docks.crop.crop_changed.connect(self.set_crop)
        docks.crop.draw_requested.connect(self.tool.begin)
        docks.crop.players_box.chosen.connect(lambda _: self._show_crop())
        self.tool.drawn.connect(lambda crop: self.set_crop(docks.crop.player, crop))
        for dock in (docks.all["crop"], docks.all["reward"]):
            dock.visibilityChanged.connect(lambda _: self._show_crop())

    def _show(self, documents: Documents) -> None:
        docks = self._docks
        docks.reward.show_files(documents.scenario_names, documents.scenario_name)
        docks.actions.show_actions(documents.scenario, documents.actions)
        docks.all["actions"].header.note.setText(docks.actions.note.text())
        docks.crop.show_scenario(documents.scenario)
        self._show_crop()

    def _show_crop(self) -> None:
        documents = self._controller.documents
        docks = self._docks
        shown = docks.all["crop"].isVisible() or docks.all["reward"].isVisible()
        crop = crop_of(documents.scenario, docks.crop.player) if documents and shown else None
        self._screen.game_screen.set_crop(crop)

    def move_condition(self, path: JsonPath, group: JsonPath) -> None:
        """Move a condition or group into another group."""
        change = edits.change_scenario(
            lambda root: scenario_edits.move_done_node(root, path, group)
        )
        self._controller.edit(change)

    def rename_group(self, path: JsonPath, name: str) -> None:
        """Give a group another name."""
        change = edits.change_scenario(lambda root: scenario_edits.rename_group(root, path, name))
        self._controller.edit(change)

    def set_crop(self, player: int, crop: Crop | None) -> None:
        """Set what training sees of the picture; None is all of it."""
        numbers = None if crop is None else list(crop)
        self._controller.edit(
            edits.change_scenario(lambda root: scenario_edits.set_crop(root, player, numbers))
        )

    def use_scenario(self, name: str) -> None:
        """Score with another scenario file; one that can not be used is told and not used."""
        self._controller.edit(lambda session: session.use_scenario(name))

    def add_scenario(self, name: str) -> None:
        """Copy the scenario in use into a new file, and use it."""

        self._controller.edit(edits.add_scenario(name))

    def _ask_scenario_name(self) -> None:
        title = self.tr("New scenario file")
        label = self.tr("Name, as training will say it (without .json):")
        name, given = QInputDialog.getText(self._docks.reward, title, label, text="scenario2")
        if given and name.strip():
            self.add_scenario(name.strip().removesuffix(".json"))
