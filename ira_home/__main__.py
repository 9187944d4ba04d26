"""Run the `ira` command as `python -m ira_home`."""

from ira_home.cli.main import main

if __name__ == "__main__":
    main()
