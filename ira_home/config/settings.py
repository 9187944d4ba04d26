"""Every setting of the server, with its default, its spelling and what it does."""

from dataclasses import dataclass, field
from pathlib import Path

from ira_home.base.addresses import ALL
from ira_home.config import values
from ira_home.config.paths import default_data_folder
from ira_home.config.secret import Secret
from ira_home.config.values import Kind

FILE = "ira.yaml"
PREFIX = "IRA_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the server was told. Port 0 is any free one; an empty time zone is the machine's own."""

    data_dir: Path = field(default_factory=default_data_folder)
    bind: str = ALL  # the devices of the house are on the network
    port: int = 8443
    http_port: int = 8080
    mdns: bool = True
    advertise: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    tls_cert: str = ""
    tls_key: str = ""
    name_constraints: bool = True
    log_level: str = "INFO"
    name: str = "Home"
    time_zone: str = ""
    model_provider: str = "none"
    model_url: str = ""
    model_name: str = ""
    model_key: Secret = field(default_factory=Secret)
    search_url: str = ""
    search_key: Secret = field(default_factory=Secret)
    feeds: tuple[str, ...] = ()
    loopback_setup: bool = True


@dataclass(frozen=True, slots=True)
class Setting:
    """How one field of Settings is set. `is_stored`: the house may keep a preference for it."""

    name: str
    kind: Kind
    about: str
    is_stored: bool = False

    @property
    def variable(self) -> str:
        """Its environment variable, like IRA_PORT."""
        return PREFIX + self.name.upper()


_ALL = (
    Setting("data_dir", values.FOLDER, "the data folder"),
    Setting("bind", values.BIND, "the address to listen on, or all of this computer's"),
    Setting("port", values.PORT, "the port of HTTPS"),
    Setting("http_port", values.PORT, "the port of the plain start page"),
    Setting("mdns", values.SWITCH, "whether the server is announced on the local network"),
    Setting(
        "advertise",
        values.ADDRESSES,
        "the address in links and QR codes, and others",
        is_stored=True,
    ),
    Setting("hosts", values.HOSTS, "more names by which people reach the server"),
    Setting("tls_cert", values.OPTIONAL_FILE, "a certificate of your own, for the names in it"),
    Setting("tls_key", values.OPTIONAL_FILE, "its key, where that is in another file"),
    Setting(
        "name_constraints",
        values.SWITCH,
        "whether an authority that is made may vouch for nothing but a home",
    ),
    Setting("log_level", values.one_of("DEBUG", "INFO", "WARNING", "ERROR"), "how much is logged"),
    Setting("name", values.NAME, "the name of the house", is_stored=True),
    Setting("time_zone", values.TIME_ZONE, "the time zone of the house", is_stored=True),
    Setting(
        "model_provider", values.one_of("none", "openai"), "which brain answers", is_stored=True
    ),
    Setting("model_url", values.WEB_ADDRESS, "where the model's server is", is_stored=True),
    Setting("model_name", values.TEXT, "which model answers", is_stored=True),
    Setting("model_key", values.SECRET, "the key for the model's server", is_stored=True),
    Setting("search_url", values.SEARCH_ADDRESS, "where the search service is", is_stored=True),
    Setting("search_key", values.SECRET, "the key for the search service", is_stored=True),
    Setting("feeds", values.FEEDS_NAMED, "news feeds, beside those that the house keeps"),
    Setting(
        "loopback_setup",
        values.SWITCH,
        "whether the first owner can be made from this machine without the setup code",
    ),
)
TABLE: dict[str, Setting] = {one.name: one for one in _ALL}
