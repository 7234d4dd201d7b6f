"""``integrator mcp``: the workbench for assistants, over standard input and output."""

from pathlib import Path

from integrator import paths
from integrator.domain.errors import MISSING, SessionError
from integrator.session.setup.roots import game_at


def serve_assistant(game: Path | None, root: Path | None) -> None:
    """Serve until the client goes. Raises SessionError without the SDK, or without the game."""
    if game is not None and not (game := game_at(game)).exists():
        raise SessionError(f"{game}: {MISSING}")
    try:
        from integrator.assistant.server import serve  # noqa: PLC0415 - an extra
        from integrator.assistant.workbench import AssistantBench  # noqa: PLC0415 - an extra
    except ModuleNotFoundError as error:
        raise SessionError(
            f'{error.name} is missing: pip install "retro-integrator[mcp]"'
        ) from error
    serve(AssistantBench(root or paths.user_integrations_dir(), game))
