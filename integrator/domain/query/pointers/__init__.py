"""Owns chains of pointers to a structure that moves, and the Lua script that follows one."""
