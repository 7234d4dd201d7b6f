"""One libretro core, one frame at a time: loading, running, memory and state. Knows no games and no Qt."""
