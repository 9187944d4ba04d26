"""`python -m ira_companion`: the same as the `ira-companion` command."""

from ira_companion.main import main

main()
