"""One libretro core, one frame at a time: loading, running, memory, state. No games, no Qt."""
