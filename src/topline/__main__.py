"""`python -m topline`: the command line."""

from topline.cli.main import main

main()
