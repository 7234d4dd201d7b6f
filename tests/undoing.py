"""Undoes and redoes steps of a history, as the editor of a session does."""

from integrator.domain.files.undo import FileChange, UndoHistory


def undo(history: UndoHistory) -> tuple[FileChange, ...]:
    """Undo the newest step and return its changes; () if there is no step."""
    with history.stepping(back=True) as step:
        return step


def redo(history: UndoHistory) -> tuple[FileChange, ...]:
    """Redo the step that was undone last and return its changes; () if there is none."""
    with history.stepping(back=False) as step:
        return step
