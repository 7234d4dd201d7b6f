"""Starts a program that opens a game, which removes the temporary files of those that died."""

import sys

import integrator

if __name__ == "__main__":
    integrator.make_env(sys.argv[1]).close()
