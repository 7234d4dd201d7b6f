"""The Score workspace: scenario files, players, done tree, actions and crop of the open game."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtWidgets import QInputDialog

from integrator.domain.files.jsontext import JsonPath
from integrator.domain.frames.observation import Box
from integrator.domain.scenario.tree import Crop
from integrator.session.edits import commands as edits
from integrator.session.edits.snapshot import Documents
from integrator.session.frame.result import FrameResult
from integrator.session.session import Session
from integrator.session.what_if import SumsSoFar, TermCurves
from integrator.ui.bridge.sight import LiveReader, Sight
from integrator.ui.desk import PanelController
from integrator.ui.score.actions_view import ActionsView
from integrator.ui.score.done_view import DoneView
from integrator.ui.score.observation_panel import CropView, crop_of
from integrator.ui.score.reward_view import RewardView
from integrator.ui.screen.crop_tool import WHOLE_PICTURE, CropTool
from integrator.ui.widgets.panels.docks import dock_of
from integrator.ui.widgets.rows_model import HISTORY
from integrator.ui.widgets.texts import plain_number, signed

_REFRESH_MS = 60


@dataclass(frozen=True, slots=True)
class ScorePanels:
    """The panels of one scenario: its rewards, its done tree, the actions and the crop."""

    reward: RewardView
    done: DoneView
    actions: ActionsView
    crop: CropView


class ScoreController(PanelController[RewardView]):
    """Shows each new version of the scenario, and turns the panels' requests into edits."""

    def _set_up(self) -> None:
        bridge, controller, parts = self._bridge, self._controller, self._desk.parts
        self._screen = self._desk.screen
        self._panels = panels = ScorePanels(
            self._view, parts[DoneView], parts[ActionsView], parts[CropView]
        )
        self.tool = CropTool(self._screen.game_screen)
        self._done_note = dock_of(panels.done).header.note
        self._curves = TermCurves(episode=True)
        sight = Sight(bridge, panels.reward)
        self._sums = LiveReader(bridge, sight, _REFRESH_MS, self._read_sums, self._show_sums)
        sight.follow(bridge.readout_ready, self._show_rewards)
        controller.follow(self._show, "scenario", "variables")
        controller.scored.connect(self._sums.touch)
        bridge.closed.connect(self._closed)
        Sight(bridge, panels.done).follow(bridge.readout_ready, self._show_done)
        for view in (panels.reward, panels.done):
            dock_of(view).header.add_button(view.add)
            view.edit_requested.connect(
                lambda path, value: controller.edit(edits.set_in_scenario(path, value))
            )
            view.rejected.connect(self._warn)
        panels.reward.scenario_chosen.connect(self.use_scenario)
        panels.reward.scenario_requested.connect(self._ask_scenario_name)
        panels.done.move_requested.connect(self.move_condition)
        panels.done.rename_requested.connect(self.rename_group)
        panels.actions.actions_changed.connect(
            lambda groups: controller.edit(edits.set_in_scenario(("actions",), groups))
        )
        panels.crop.crop_changed.connect(self.set_crop)
        panels.crop.draw_requested.connect(self._draw_crop)
        panels.crop.players_box.chosen.connect(lambda _: self._show_crop())
        self.tool.drawn.connect(self._crop_drawn)
        for dock in (dock_of(panels.crop), dock_of(panels.reward)):
            dock.visibilityChanged.connect(lambda _: self._show_crop())

    def _closed(self) -> None:
        self._curves = TermCurves(episode=True)
        self._panels.reward.show_scenario({}, ())
        self._panels.reward.show_player(0)
        self._panels.crop.show_scenario({})
        self._panels.crop.show_player(0)
        self._panels.done.show_scenario({}, ())
        self._dock.header.note.clear()
        self._done_note.clear()

    def _show_done(self, result: FrameResult) -> None:
        self._panels.done.show_frame(result)
        self._done_note.setText(self.tr("done") if result.outcome.done else "")

    def _show_rewards(self, result: FrameResult) -> None:
        self._panels.reward.show_frame(result)
        outcome = result.outcome
        note = self.tr("{0} this frame · {1} so far").format(
            signed(result.newest_rewards[0] if outcome.rewards else 0.0),
            plain_number(outcome.total_rewards[0] if outcome.total_rewards else 0.0),
        )
        self._dock.header.note.setText(note)
        if self._controller.paused:  # the frame may not follow the one shown before
            self._sums.touch()

    def _read_sums(self) -> Callable[[Session], SumsSoFar]:
        curves = self._curves
        return lambda session: curves.newest(session, HISTORY)

    def _show_sums(self, answer: SumsSoFar) -> None:
        sums, complete = answer
        self._panels.reward.show_sums(sums)
        if not complete:
            self._sums.touch()

    def _show(self, documents: Documents) -> None:
        panels, names = self._panels, list(documents.variables)
        panels.reward.show_scenario(documents.scenario, names)
        panels.done.show_scenario(documents.scenario, names)
        panels.reward.show_files(documents.scenario_names, documents.scenario_name)
        panels.actions.show_actions(documents.scenario, documents.actions)
        dock_of(panels.actions).header.note.setText(panels.actions.note)
        panels.crop.show_scenario(documents.scenario)
        self._show_crop()

    def _show_crop(self) -> None:
        documents = self._controller.documents
        panels = self._panels
        shown = any(dock_of(panel).isVisible() for panel in (panels.crop, panels.reward))
        game = self._controller.game
        if game is None or documents is None or not shown:
            self._screen.game_screen.outline(None)
            return
        crop = crop_of(documents.scenario, panels.crop.player) or WHOLE_PICTURE
        self._screen.game_screen.outline(replace(game.observation, crop=Crop(*crop)))

    def _draw_crop(self) -> None:
        game, frame = self._controller.game, self._screen.game_screen.frame
        if game is not None and frame is not None:
            rule = game.observation
            self.tool.begin(rule.place_in(frame.width, frame.height, frame.rotation))

    def _crop_drawn(self, box: Box) -> None:
        game, frame = self._controller.game, self._screen.game_screen.frame
        if game is not None and frame is not None:
            crop = game.observation.crop_of(box, frame.width, frame.height, frame.rotation)
            self.set_crop(self._panels.crop.player, crop)

    def move_condition(self, path: JsonPath, group: JsonPath) -> None:
        self._change(lambda root: edits.move_done_node(root, path, group))

    def rename_group(self, path: JsonPath, name: str) -> None:
        self._change(lambda root: edits.rename_group(root, path, name))

    def set_crop(self, player: int, crop: Box | None) -> None:
        """Set the part of the picture that training sees; None is all of it."""
        numbers = None if crop is None else list(crop)
        self._change(lambda root: edits.set_crop(root, player, numbers))

    def _change(self, change: Callable[[dict[str, Any]], object]) -> None:
        self._controller.edit(edits.change_scenario(change))

    def use_scenario(self, name: str) -> None:
        self._controller.edit(lambda game: game.use_scenario(name))

    def add_scenario(self, name: str) -> None:
        self._controller.edit(edits.add_scenario(name))

    def _ask_scenario_name(self) -> None:
        title = self.tr("New scenario file")
        label = self.tr("Name, as training will say it (without .json):")
        name, given = QInputDialog.getText(self._panels.reward, title, label, text="scenario2")
        if given and name.strip():
            self.add_scenario(name.strip().removesuffix(".json"))
