"""The subcommands of ``integrator`` for agents, audits and finding variables."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from integrator.commands.shared import options
from integrator.commands.shared.options import argument, option
from integrator.domain.errors import IntegratorError, SessionError, message_of
from integrator.unattended import MINUTES

if TYPE_CHECKING:
    from integrator.agents.result import EpisodeResult
    from integrator.unattended.job import AutoResult


def agents(
    game: Path = options.game_argument(
        ..., "Integration directory, ROM, or the name of an integration."
    ),
    agent: list[str] = option(
        ...,
        "no-op, random, held:BUTTON+BUTTON, jerk, brute, ppo, or module:factory; can be "
        "given again.",
        autocompletion=options.complete_agents,
    ),
    state: list[str] | None = option(None, "A start state's name, or all; can be given again."),
    episodes: int = option(10, "Episodes of each agent and state.", min=1),
    frames: int = option(18_000, "Most frames of an episode.", min=1),
    seed: int = option(0, "The same seed gives the same movies.", min=0),
    scenario: str | None = option(None, "A scenario file without suffix."),
    out: Path | None = option(None, "Folder that gets each episode as a movie."),
    live: Path | None = option(None, "For the window.", hidden=True),
    jobs: int = options.JOBS,
    cluster: str | None = options.CLUSTER,
    as_json: bool = options.JSON,
) -> None:
    """Let agents play a game, and sum up their episodes."""
    from integrator.agents.result import AgentTrial
    from integrator.commands import agents as command

    if live is not None:
        command.end_with_parent()
    names, states = tuple(agent), tuple(state or ())
    trial = AgentTrial(
        game, names, states, episodes, frames, seed, scenario, jobs, cluster, out, live
    )
    rows = None if as_json else command.ResultRows(trial)
    results: list[EpisodeResult] = []
    try:
        for ended in command.play_agents(trial, quiet=as_json):
            results += ended
            if rows is not None:
                rows.add(ended)
    except (IntegratorError, OSError) as error:
        if as_json and results:
            raise options.FailedAfterJsonError(message_of(error)) from error
        raise
    finally:
        if as_json and results:
            options.print_json(command.to_json(results))
    options.fail_if(any(each.error for each in results))


def auto(
    places: list[Path] = argument(..., "ROMs, or folders of ROMs."),
    root: Path | None = options.ROOT,
    minutes: float = option(
        MINUTES, "Minutes of play for a game, in the game's own time.", min=0.5
    ),
    seed: int = option(0, "The same seed makes the same files.", min=0),
    update: bool = option(False, "Add what a person's integration lacks.", "--update"),
    jobs: int = options.JOBS,
    cluster: str | None = options.CLUSTER,
    as_json: bool = options.JSON,
) -> None:
    """Make integrations of ROMs without a person.

    Each is played, searched and checked. auto.json says how sure each part is, and why."""
    from integrator.commands import audit as command

    results: list[AutoResult] = []
    try:
        for result in command.make_all(
            places, root=root, minutes=minutes, seed=seed, update=update, jobs=jobs, cluster=cluster
        ):
            results.append(result)
            if not as_json:
                command.print_made(result)
    finally:
        if as_json and results:
            options.print_json({"games": [asdict(each) for each in results]})
    options.fail_if(any(each.outcome == "failed" for each in results))


def audit(
    paths: list[Path] = options.game_argument(
        ..., "Movies, folders of movies, integration directories or their names."
    ),
    game: Path | None = options.GAME,
    probes: bool = option(True, "Also play by held and random buttons.", "--probes/--no-probes"),
    attack: bool = option(False, "Also search for loops of buttons that farm reward.", "--attack"),
    seed: int = option(0, "The attack's random numbers.", min=0),
    jobs: int = options.JOBS,
    cluster: str | None = options.CLUSTER,
    as_json: bool = options.JSON,
) -> None:
    """Look for reward farming and other traps; exit 1 if there is one."""
    from integrator.commands import audit as command

    report = command.audit(
        paths,
        game=game,
        probes=probes,
        attack_seed=seed if attack else None,
        jobs=jobs,
        cluster=cluster,
        quiet=as_json,
    )
    options.show(report.to_json(), command.print_report, report, as_json=as_json)
    options.fail_if(not report.is_clean)


def dataset(
    movies: list[Path] = argument(..., "Movies, or folders of movies."),
    out: Path = option(..., "A new folder; for Minari its name is the id, such as moth-v0."),
    form: Annotated[Literal["minari", "npz"], typer.Option("--format")] = "minari",
    game: Path | None = options.GAME,
    observation: Literal["image", "ram"] = "image",
    actions: Literal["all", "filtered", "discrete"] = "all",
    gray: bool = option(False, "Write grayscale pictures.", "--gray"),
    size: tuple[int, int] | None = option(None, "Width and height of pictures, as 84 84."),
    keep_desynced: bool = option(
        False, "Keep movies that go out of step, and say so.", "--keep-desynced"
    ),
    as_json: bool = options.JSON,
) -> None:
    """Write movies as training data.

    An episode has observations, actions, rewards, ends and variables."""
    from integrator.commands import dataset as command

    wanted = command.DatasetContent(observation, actions, gray, size, keep_desynced)
    made = command.make_dataset(movies, out, form=form, wanted=wanted, game=game, quiet=as_json)
    options.show({"episodes": made}, command.print_dataset, made, out, form, as_json=as_json)


def mcp(
    game: Path | None = options.game_argument(
        None, "A game, or a folder of games, that the assistant may open."
    ),
    root: Path | None = options.ROOT,
) -> None:
    """Serve an assistant by the Model Context Protocol.

    The server uses standard input and output; it reads and writes only below the root."""
    from integrator import paths

    if game is not None:
        options.require_path(game)
    try:
        from integrator.assistant.server import serve
        from integrator.assistant.workbench import AssistantBench
    except ModuleNotFoundError as error:
        raise SessionError(
            f'{error.name} is missing: pip install "retro-integrator[mcp]"'
        ) from error
    serve(AssistantBench(root or paths.user_integrations_dir(), game))


def reward(
    movies: list[Path] = argument(..., "Movies, or folders of movies."),
    game: Path | None = options.GAME,
    scenario: str | None = option(None, "A scenario file without suffix."),
    player: int = option(1, "The player who is paid.", min=1),
    first: int = option(1, "The first frame.", min=1),
    last: int | None = option(None, "The last frame; by default all.", min=1),
    as_json: bool = options.JSON,
) -> None:
    """Show how much of a movie's reward each term gave.

    Each frame with a reward is listed, with the variables that changed."""
    from integrator.commands import finding as command

    explained = command.explain_rewards(
        movies, game=game, scenario=scenario, player=player, first=first, last=last, quiet=as_json
    )
    report = {"movies": [each.to_json() for each in explained]}
    options.show(report, command.print_rewards, explained, as_json=as_json)


def scores(
    levels: Path = argument(..., "CSV with a row game,state for each level."),
    agent: str | None = option(
        None,
        "An agent of integrator agents, or module:factory.",
        autocompletion=options.complete_agents,
    ),
    movies: Path | None = option(None, "Movies instead of an agent."),
    episodes: int = option(10, "Episodes of each level.", min=1),
    seed: int = option(0, "The same seed gives the same score.", min=0),
    out: Path | None = option(None, "File of results, from which an ended run is continued."),
    jobs: int = options.JOBS,
    cluster: str | None = options.CLUSTER,
    as_json: bool = options.JSON,
) -> None:
    """Score an agent, or movies, by the Retro Contest's protocol.

    The score is the mean of the levels' mean rewards."""
    from integrator.commands import scores as command

    if (agent is None) == (movies is None):
        raise typer.BadParameter("give either --agent or --movies")
    listed = command.read_levels(levels)
    if agent is not None:
        work = command.agent_jobs(listed, agent, episodes, seed)
    else:
        work = command.movie_jobs(listed, movies or Path())
    results = command.play_all(work, out=out, processes=jobs, cluster=cluster, quiet=as_json)
    options.show(command.to_json(results), command.print_scores, results, as_json=as_json)
    options.fail_if(any(each.error for each in results))


_PLAY = "Movies of one game or folders of them, or a game, which is played for a minute."
PLAYED = options.game_argument(..., _PLAY)
STATE = option(None, "The start state of a game's minute.")
SEED = option(1, "Chooses the buttons of a game's minute.", min=0)


def suggest(
    movies: list[Path] = PLAYED,
    kind: list[str] | None = option(None, "Kind of variable, such as score; can be given again."),
    prove: bool = option(False, "Prove the best of each kind.", "--prove"),
    game: Path | None = options.GAME,
    state: str | None = STATE,
    seed: int = SEED,
    as_json: bool = options.JSON,
) -> None:
    """Name the likely variables in movies or in a minute of play."""
    from integrator.commands import finding as command

    kinds = command.kinds_of(kind)
    with command.played(movies, game=game, state=state, seed=seed, quiet=as_json) as (session, _):
        found = session.suggest(kinds, prove=prove)
    command.show_suggestions(found, as_json=as_json)


def ends(
    movies: list[Path] = PLAYED,
    mark: list[int] | None = option(
        None, "Frame on which an episode ended; can be given again.", metavar="FRAME"
    ),
    game: Path | None = options.GAME,
    state: str | None = STATE,
    seed: int = SEED,
    as_json: bool = options.JSON,
) -> None:
    """Find done conditions that hold at the ends of episodes.

    Without marks, each movie is an episode to its last frame."""
    from integrator.commands import finding as command

    playing = command.played(movies, game=game, state=state, seed=seed, quiet=as_json)
    with playing as (session, last):
        found = session.episode_ends(mark or last or None)
    command.show_ends(found, as_json=as_json)


def prove(
    movies: list[Path] = PLAYED,
    of: list[str] = option(
        ..., "A variable, or an address as 0xFF0000:>u2; can be given again.", metavar="NUMBER"
    ),
    game: Path | None = options.GAME,
    state: str | None = STATE,
    seed: int = SEED,
    as_json: bool = options.JSON,
) -> None:
    """Poke numbers in a hidden core: are they originals or copies?"""
    from integrator.commands import finding as command

    with command.played(movies, game=game, state=state, seed=seed, quiet=as_json) as (session, _):
        found = session.prove([command.target(session, each) for each in of])
    command.show_verdicts(found, as_json=as_json)


def search(
    movies: list[Path] = PLAYED,
    fact: list[str] = option(
        ...,
        "A frame and what the screen showed: '300 = 1200', '512: 3 -> 2', "
        "'300..400 up'; can be given again.",
        metavar="FACT",
    ),
    game: Path | None = options.GAME,
    state: str | None = STATE,
    seed: int = SEED,
    as_json: bool = options.JSON,
) -> None:
    """Find the numbers that fit facts about recorded frames.

    The frames of all movies are numbered in one sequence, in their order."""
    from integrator.commands import finding as command

    with command.played(movies, game=game, state=state, seed=seed, quiet=as_json) as (session, _):
        found = session.timeline.query("\n".join(fact))
    command.show_solution(found, as_json=as_json)


COMMANDS = (agents, audit, auto, dataset, ends, mcp, prove, reward, scores, search, suggest)
