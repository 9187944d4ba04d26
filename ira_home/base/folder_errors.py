"""What can be wrong with the data folder: each says why it is refused and what to do."""

from ira_home.base.errors import IraError


class DataFolderError(IraError):
    """The data folder cannot be used; the message says why and what to do."""

    code = "data_folder"
    default = "The data folder cannot be used."


class AlreadyRunning(DataFolderError):
    """Another server has this data folder open."""

    code = "already_running"
    default = "Ira is already running on this data folder."


class NoHouse(DataFolderError):
    """The data folder holds no house, and what was asked makes none; `is_free`: one may be made there."""

    code = "no_house"
    default = "There is no house in the data folder."


class NewerDatabase(DataFolderError):
    """The database was made by a newer version; it is left as it is."""

    code = "newer_database"
    default = "This data was made by a newer Ira. Install that version again."


class BrokenDatabase(DataFolderError):
    """The database is damaged; it is left as it is, never replaced by a fresh one."""

    code = "broken_database"
    default = "The database is damaged. It was left as it is; restore a backup."


class SecretUnreadable(DataFolderError):
    """A stored secret was sealed with another secret file, or was changed."""

    code = "secret_unreadable"
    default = "A stored secret cannot be read. Enter it again."
