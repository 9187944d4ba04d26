"""The demo household: Sunrise Dental Clinic, a fictional business with nothing real in it."""

from dataclasses import asdict, dataclass
import hashlib
from importlib import resources
from pathlib import Path
import secrets
from typing import Any
from zoneinfo import ZoneInfo

from ira_home.access.accounts import Accounts
from ira_home.base.clock import Clock
from ira_home.base.errors import BadJson
from ira_home.base.files import make_folder, write_private
from ira_home.base.folder_errors import DataFolderError
from ira_home.base.jsontext import dump, parse
from ira_home.devices.pairing import Pairings
from ira_home.domain.devices import DeviceKind
from ira_home.domain.people import ROLE_PERMISSIONS, Credential, Principal, Role
from ira_home.household import demo_clinic
from ira_home.household.house import House
from ira_home.storage.folder import claim
from ira_home.storage.storage import Storage

SIGN_IN = "demo-sign-in.json"
DOWNLOADS = "Downloads"
_LAID = "demo-files.json"  # the digest of each file as it was laid, by its place
# The first clinic.py and opening-hours.txt, laid by demos that kept no such record.
_UNRECORDED = frozenset(
    {
        "3a25a6e5cd64372737c9cc395ebdc8c834b0b5e2f0ab5b6a6ddd78be728d97a4",
        "e0e4cf3b7c24ca6a7c8edc58288b18d49b75350639728ed7c2276f9283eea57c",
    }
)
_EMAIL, _NAME = "asha@sunrise.example", "Dr Asha Rao"
_STAFF = ("ravi@sunrise.example", "Ravi at the desk")
_WORDS = (
    "mango lantern river copper window saffron cricket harbour monsoon pepper jasmine marble "
    "kettle bamboo orchid silver banyan temple ginger meadow velvet coral thunder anchor"
).split()
_MARK = "This folder belongs to the demo of Ira Home. Delete it whenever you like.\n"


@dataclass(frozen=True, slots=True)
class SignIn:
    """How to sign in to the demo: made at its first start, kept beside it, worth nothing elsewhere."""

    email: str
    password: str
    pin: str


def lay_out(data: Path) -> None:
    """Put the demo's files and its business tools into the data folder.

    A file that somebody changed stays; one that is as it was laid gives way to a newer one. Raises
    DataFolderError when somebody's real house, or anything else, is in that folder.
    """
    if (data / "ira.sqlite").exists() and not (data / SIGN_IN).exists():
        message = f"{data} holds a house that is no demo. Choose another folder with --data."
        raise DataFolderError(message)
    if not (data / SIGN_IN).exists():
        claim(data)
    source = resources.files("ira_home.household") / "demo_files"
    laid = _laid(data)
    for folder in (DOWNLOADS, "tools"):
        make_folder(data / folder)
        for entry in (source / folder).iterdir():
            if entry.is_file() and not entry.name.startswith("__"):
                place = f"{folder}/{entry.name}"
                _lay(entry.read_bytes(), data / place, laid.get(place))
                laid[place] = _digest(entry.read_bytes())
    write_private(data / _LAID, dump(laid).encode())
    if not (data / SIGN_IN).exists():
        write_private(data / SIGN_IN, dump(asdict(_new_sign_in())).encode())
        write_private(data / "README.txt", _MARK.encode())


def sign_in_of(data: Path) -> SignIn:
    """The demo's sign-in."""
    found: dict[str, Any] = parse((data / SIGN_IN).read_bytes())
    return SignIn(**found)


async def furnish(
    accounts: Accounts, house: House, storage: Storage, clock: Clock, sign_in: SignIn
) -> Principal:
    """Make the clinic's people and data, unless they are there, and give back its owner."""
    if not await accounts.is_set_up():
        await accounts.create_owner(
            email=sign_in.email, name=_NAME, password=sign_in.password, pin=sign_in.pin
        )
        email, name = _STAFF
        await accounts.add(None, email=email, name=name, role=Role.STAFF, password=sign_in.password)
        await house.change(None, {"name": "Sunrise Dental Clinic", "time_zone": "Asia/Kolkata"})
    zone = ZoneInfo((await house.get()).time_zone)
    await demo_clinic.fill(storage, clock.now().astimezone(zone).date())
    owner = await accounts.by_email(sign_in.email)
    return Principal(owner, Credential.OPERATOR, 0, ROLE_PERMISSIONS[owner.role])


async def companion_code(
    pairings: Pairings, owner: Principal, sign_in: SignIn, kind: DeviceKind
) -> str:
    """A pairing code for this computer's companion, with the skill `files` switched on."""
    opened = await pairings.open(
        owner, kind=kind.value, label="This computer", skills=["files"], pin=sign_in.pin
    )
    return opened.code


def _laid(data: Path) -> dict[str, str]:
    """What an earlier start laid; nothing where that cannot be told."""
    try:
        found = parse((data / _LAID).read_bytes())
    except (FileNotFoundError, BadJson):
        return {}
    return found if isinstance(found, dict) else {}


def _lay(content: bytes, target: Path, laid: str | None) -> None:
    """Lay one file, unless somebody changed what was laid there before (by its digest)."""
    present = _digest(target.read_bytes()) if target.exists() else None
    unchanged = present is None or present == laid or (laid is None and present in _UNRECORDED)
    if unchanged and present != _digest(content):
        write_private(target, content)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _new_sign_in() -> SignIn:
    words = [secrets.choice(_WORDS) for _ in range(3)]
    password = "-".join([*words, f"{secrets.randbelow(90) + 10}"])
    return SignIn(_EMAIL, password, f"{secrets.randbelow(900_000) + 100_000}")


def kind_of(platform: str) -> DeviceKind:
    """The kind of the computer that runs Python under this `sys.platform`."""
    return {"win32": DeviceKind.WINDOWS, "darwin": DeviceKind.MAC}.get(platform, DeviceKind.LINUX)
