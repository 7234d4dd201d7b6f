"""Owns Gymnasium environments on our engine: single, vectorised, and the Retro Contest's.

Importing it registers them, so that ``gymnasium.make("integrator.env:integrator/Game-v0", ...)``
works without any other import.
"""

import gymnasium

gymnasium.register(
    "integrator/Game-v0",
    entry_point="integrator.env.making:make_env",
    vector_entry_point="integrator.env.making:make_vec",
)
gymnasium.register("integrator/Contest-v0", entry_point="integrator.env.making:contest_env")
