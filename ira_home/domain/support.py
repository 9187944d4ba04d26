"""The support bundle: its parts, which settings may be told in it, and the file itself."""

from collections.abc import Mapping, Sequence
from datetime import datetime
import io
from typing import Any
import zipfile

from ira_home.base.server_log import redacted

PARTS = (
    "about.txt", "versions.json", "settings.json", "diagnosis.json", "health.json", "counts.json",
    "devices.json", "certificates.json", "migrations.json", "log.txt",
)  # fmt: skip
# What is told of a setting as it is. All others may name people, places or secrets, those to come too.
TOLD = frozenset(
    {
        "port", "http_port", "mdns", "log_level", "time_zone", "model_provider", "model_name",
        "loopback_setup",
    }
)  # fmt: skip
SET = "***"
ABOUT = """What the makers of Ira Home need to find a fault, and nothing of yours: no words that anybody wrote, no
answers of devices, no names, no e-mail addresses, no codes, no keys. People and devices are numbers.

versions.json      of Ira, Python, the system and the libraries
settings.json      where each setting came from; *** stands for a value that is left out
diagnosis.json     what was found of the network, the certificate and the clock
health.json        disk, memory, database, and files of tools that did not work
counts.json        how many people, devices, conversations and so on there are
devices.json       each device by its number: kind, version, connected or not, when last
certificates.json  until when they are good, and their fingerprints, which are public
migrations.json    the version of the database, and its backups
log.txt            the last lines of the server's log, without anything from outside
"""


def told_settings(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rows of `ira config show` as the bundle tells them."""
    return [_told(row) for row in rows]


def _told(row: Mapping[str, Any]) -> dict[str, Any]:
    value = row["value"]
    told = value if row["name"] in TOLD or not value else SET
    if isinstance(told, str) and told != SET:
        told = redacted(told)
    return {"name": row["name"], "value": told, "origin": row["origin"]}


def packed(parts: Mapping[str, str], at: datetime) -> bytes:
    """The bundle as a ZIP file."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in parts.items():
            entry = zipfile.ZipInfo(f"ira-support/{name}", at.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o600 << 16
            file.writestr(entry, text)
    return made.getvalue()


def file_name(at: datetime) -> str:
    """What the file is called."""
    return f"ira-support-{at:%Y%m%d-%H%M}.zip"
