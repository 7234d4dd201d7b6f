"""First code of the bundle, whose one program is the command line and every child process."""

from integrator.__main__ import main

main()
