"""Where the data folder is when nobody says."""

import os
from pathlib import Path
import sys

import platformdirs

_NAME = "ira-home"


def default_data_folder() -> Path:
    """The user's own place for program data; the system's for root and services."""
    if sys.platform != "win32" and sys.platform != "darwin" and os.geteuid() == 0:
        return Path("/var/lib") / _NAME
    return Path(platformdirs.user_data_dir(_NAME, appauthor=False))
