"""The house's own settings: its name, its time zone, and the model that answers."""

from collections.abc import Callable, Mapping
from urllib.parse import urlsplit
import zoneinfo

from ira_home.access.changes import Changes
from ira_home.access.permissions import require
from ira_home.base.errors import Invalid
from ira_home.base.limits import NAME_CHARS
from ira_home.base.pubsub import Bus
from ira_home.domain.audit import Change
from ira_home.domain.facts import HouseChanged
from ira_home.domain.house import MODEL_PROVIDERS, HouseView, ModelChoice
from ira_home.domain.labels import good_label
from ira_home.domain.people import Permission, Principal
from ira_home.storage.database import Transaction
from ira_home.storage.storage import Storage

MODEL_CHARS = 300
KEY_CHARS = 1_000
MODEL_KEY = "model_key"  # in the vault
_VERSION = "house_version"
# What holds of the settings below, by name, given what the house keeps of them: settings from
# outside may go before. The model's key is among both.
InForce = Callable[[Mapping[str, str]], Mapping[str, str]]


class House:
    """Reads and changes the house's settings; a change is in the change log and published."""

    def __init__(
        self, storage: Storage, changes: Changes, *, bus: Bus, in_force: InForce, local_zone: str
    ) -> None:
        """`local_zone` is the machine's own time zone, used until one was chosen."""
        self._storage, self._changes, self._bus = storage, changes, bus
        self._in_force, self._local_zone = in_force, local_zone

    async def get(self) -> HouseView:
        """The settings in force."""
        stored = await self._storage.settings.house_all()
        values = self._in_force(await self._with_key(stored))
        return HouseView(
            name=values["name"],
            time_zone=values["time_zone"] or self._local_zone,
            model_provider=values["model_provider"],
            model_url=values["model_url"],
            model_name=values["model_name"],
            model_key_set=bool(values[MODEL_KEY]),
            version=int(stored.get(_VERSION, "0")),
        )

    async def model(self) -> ModelChoice:
        """The brain in force, with its key."""
        values = self._in_force(await self.kept())
        return ModelChoice(
            values["model_provider"], values["model_url"], values["model_name"], values[MODEL_KEY]
        )

    async def kept(self) -> dict[str, str]:
        """What the house itself keeps of its settings, whether or not it holds; the key in clear."""
        return await self._with_key(await self._storage.settings.house_all())

    async def _with_key(self, stored: Mapping[str, str]) -> dict[str, str]:
        kept = {name: stored[name] for name in _CHECKS if stored.get(name)}
        key = await self._storage.vault.get(MODEL_KEY)
        return kept | {MODEL_KEY: key} if key else kept

    async def change(
        self, actor: Principal | None, fields: Mapping[str, str], *, model_key: str | None = None
    ) -> HouseView:
        """Change any of name, time_zone, model_provider, model_url, model_name and the model's key.

        Raises Forbidden without the console permission, Invalid (naming the field) and changes
        nothing then. An empty key removes it.
        """
        if actor is not None:
            require(actor, Permission.CONSOLE)
        checked = {name: _checked(name, value) for name, value in fields.items()}
        if model_key is not None and (len(model_key) > KEY_CHARS or not model_key.isprintable()):
            message = "The key is too long or holds characters that no key has."
            raise Invalid(message, field="model_key")

        def work(tx: Transaction) -> None:
            for name, value in checked.items():
                self._storage.settings.set_house(tx, name, value)
            if model_key:
                self._storage.vault.set(tx, MODEL_KEY, model_key)
            elif model_key is not None:
                self._storage.vault.delete(tx, MODEL_KEY)
            version = int(self._storage.settings.house_in(tx, _VERSION) or 0) + 1
            self._storage.settings.set_house(tx, _VERSION, str(version))
            changed = [*checked, *(["model_key"] if model_key is not None else [])]
            self._changes.add(tx, actor, Change.HOUSE_CHANGED, detail=", ".join(changed))

        if checked or model_key is not None:
            await self._storage.write(work)
            self._bus.publish(HouseChanged())
        return await self.get()


def _checked(name: str, value: str) -> str:
    check = _CHECKS.get(name)
    if check is None:
        message = f"The house has no setting {name}."
        raise Invalid(message, field=name)
    return check(value)


def _name(value: str) -> str:
    return good_label(value, field="name", chars=NAME_CHARS)


def time_zone(value: str) -> str:
    """A time zone of the IANA database; raises Invalid."""
    if value not in zoneinfo.available_timezones():
        message = "There is no such time zone. Write it like Asia/Kolkata."
        raise Invalid(message, field="time_zone")
    return value


def _provider(value: str) -> str:
    if value not in MODEL_PROVIDERS:
        message = f"The model provider is one of {', '.join(MODEL_PROVIDERS)}."
        raise Invalid(message, field="model_provider")
    return value


def _url(value: str) -> str:
    if value and not _is_web_address(value):
        message = "The model's address starts with http:// or https:// and holds no password."
        raise Invalid(message, field="model_url")
    return _short("model_url", value)


def _is_web_address(value: str) -> bool:
    try:
        parts = urlsplit(value)
        good = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:  # a bracket left open, a port that is none
        return False
    return bool(good) and parts.username is None and " " not in value


def _model_name(value: str) -> str:
    return _short("model_name", value)


def _short(name: str, value: str) -> str:
    if len(value) > MODEL_CHARS or not value.isprintable():
        message = f"{name} has at most {MODEL_CHARS} printable characters."
        raise Invalid(message, field=name)
    return value


_CHECKS = {
    "name": _name,
    "time_zone": time_zone,
    "model_provider": _provider,
    "model_url": _url,
    "model_name": _model_name,
}
