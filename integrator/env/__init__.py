"""Owns Gymnasium environments on our engine: single, vectorised, and the Retro Contest's.

Importing the package registers them: ``gymnasium.make("integrator/Airstriker-Genesis-v0")`` works
after ``import integrator.env``, and ``gymnasium.make("integrator.env:integrator/NAME")`` without.
Gymnasium has no entry points for plugins since its version 1.0."""

import contextlib

import gymnasium

from integrator.session.setup.roots import list_integrations


def _register(name: str, **options: str) -> None:
    gymnasium.register(
        f"integrator/{name}",
        entry_point="integrator.env.making:make_env",
        vector_entry_point="integrator.env.making:make_vec",
        kwargs=options,
    )


gymnasium.register("integrator/Contest-v0", entry_point="integrator.env.making:contest_env")
_register("Game-v0")
# Gymnasium knows either NAME-v0 or NAME. stable-retro has both of some games, of which the
# versioned one is finished.
for _name in reversed(list_integrations()):
    with contextlib.suppress(gymnasium.error.Error):  # Gymnasium's rules may forbid the name
        _register(_name, directory=_name)
