"""Owns ``integrator desktop`` and ``man``: the program in menus, file managers and shells."""
