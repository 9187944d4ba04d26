"""The house's own settings: its name and time zone, the model that answers, search and news feeds."""

from collections.abc import Callable, Collection, Mapping, Sequence
import ipaddress
import zoneinfo

from ira_home.access.changes import Changes
from ira_home.access.permissions import require
from ira_home.base.addresses import is_same_server, is_web_address, keeps_secrets
from ira_home.base.errors import Invalid, NotFound, UnknownAddress
from ira_home.base.limits import FEED_URL_CHARS, FEEDS, NAME_CHARS
from ira_home.base.pubsub import Bus
from ira_home.domain.audit import Change
from ira_home.domain.facts import AddressPicked, HouseChanged
from ira_home.domain.house import MODEL_PROVIDERS, HouseSkill, HouseView, ModelChoice
from ira_home.domain.labels import good_label
from ira_home.domain.people import Permission, Principal
from ira_home.domain.search import SearchChoice
from ira_home.storage.database import Transaction
from ira_home.storage.storage import Storage

MODEL_CHARS = 300
KEY_CHARS = 1_000
# In the vault.
MODEL_KEY, SEARCH_KEY = "model_key", "search_key"
KEYS = (MODEL_KEY, SEARCH_KEY)
# Where each key is sent.
_SERVERS = {MODEL_KEY: "model_url", SEARCH_KEY: "search_url"}
_VERSION = "house_version"
_MODEL = frozenset({"model_provider", "model_url", "model_name"})
_FEEDS = "feeds"  # one a line
_ADVERTISE = "advertise"
# What holds of the settings below, by name, given what the house keeps of them: settings from
# outside may go before. The keys are among both.
InForce = Callable[[Mapping[str, str]], Mapping[str, str]]


class House:
    """Reads and changes the house's settings; a change is in the change log and published."""

    def __init__(  # noqa: PLR0913 - what is known of the outside, each by its name
        self,
        storage: Storage,
        changes: Changes,
        *,
        bus: Bus,
        in_force: InForce,
        local_zone: str,
        feeds_named: Sequence[str] = (),
        addresses: Callable[[], Collection[str]] = tuple,
        set_outside: Collection[str] = (),
    ) -> None:
        """`local_zone` is the machine's own time zone, used until one was chosen.

        `feeds_named` are feeds that stand in the settings of the server; `addresses` those by which
        other machines reach it now. `set_outside` names the settings that go before the house's own.
        """
        self._storage, self._changes, self._bus = storage, changes, bus
        self._in_force, self._local_zone = in_force, local_zone
        self._feeds_named = tuple(feeds_named)
        self._addresses = addresses
        self._set_outside = frozenset(set_outside)

    async def get(self) -> HouseView:
        """The settings in force."""
        stored = await self._storage.settings.house_all()
        values = self._in_force(await self._with_keys(stored))
        return HouseView(
            name=values["name"],
            time_zone=values["time_zone"] or self._local_zone,
            model_provider=values["model_provider"],
            model_url=values["model_url"],
            model_name=values["model_name"],
            model_key_set=bool(values[MODEL_KEY]),
            version=int(stored.get(_VERSION, "0")),
            search_url=values["search_url"],
            search_key_set=bool(values[SEARCH_KEY]),
            advertise=values[_ADVERTISE],
            feeds=_lines(stored.get(_FEEDS)),
            feeds_named=self._feeds_named,
            set_outside=self._set_outside,
        )

    async def model(self) -> ModelChoice:
        """The brain in force, with its key."""
        return _model_of(self._in_force(await self.kept()))

    async def model_with(
        self, actor: Principal, fields: Mapping[str, str], key: str | None
    ) -> ModelChoice:
        """The brain that would be in force with these of its fields and this key; nothing is kept.

        An empty key is none, None the one that `change` would leave. Raises Forbidden and Invalid like `change`.
        """
        _require_console(actor)
        before = await self.kept()
        checked = {name: _checked(name, value) for name, value in fields.items()}
        kept = before | checked
        self._check_model(kept)
        if key is not None:
            kept[MODEL_KEY] = _key(MODEL_KEY, key)
        elif MODEL_KEY in self._orphans(before, checked):
            del kept[MODEL_KEY]
        return _model_of(self._in_force(kept))

    async def search(self) -> SearchChoice:
        """The search service in force, with its key."""
        values = self._in_force(await self.kept())
        zone = values["time_zone"] or self._local_zone
        return SearchChoice(values["search_url"], values[SEARCH_KEY], zone)

    async def zone(self) -> str:
        """The name of the time zone in force."""
        values = self._in_force(await self.kept())
        return str(values["time_zone"] or self._local_zone)

    async def feeds(self) -> tuple[str, ...]:
        """The feeds in force: those of the server's settings, then those that the house keeps."""
        kept = _lines(await self._storage.settings.house(_FEEDS))
        return tuple(dict.fromkeys((*self._feeds_named, *kept)))

    async def picked(self) -> str:
        """The address that was chosen for links and QR codes, whether or not it holds; empty for none."""
        return await self._storage.settings.house(_ADVERTISE) or ""

    async def skills(self) -> frozenset[HouseSkill]:
        """What is set up on this server for those who switch it on."""
        view = await self.get()
        there = {
            HouseSkill.WEB_SEARCH: view.search_key_set,
            HouseSkill.NEWS: bool(view.feeds or view.feeds_named),
        }
        return frozenset(skill for skill, is_set_up in there.items() if is_set_up)

    async def kept(self) -> dict[str, str]:
        """What the house itself keeps of its settings, whether or not it holds; keys in clear."""
        return await self._with_keys(await self._storage.settings.house_all())

    async def _with_keys(self, stored: Mapping[str, str]) -> dict[str, str]:
        kept = {name: stored[name] for name in _CHECKS if stored.get(name)}
        return kept | await self._storage.vault.several(KEYS)

    async def change(
        self,
        actor: Principal | None,
        fields: Mapping[str, str],
        *,
        model_key: str | None = None,
        search_key: str | None = None,
    ) -> HouseView:
        """Change any of name, time_zone, model_provider, model_url, model_name, search_url, feeds, advertise and the keys.

        `feeds` has one address a line; an empty `advertise` is the best address there is, and another
        one raises UnknownAddress unless this computer has it. Raises Forbidden without the console permission, Invalid
        (naming the field) and changes nothing then; a model without its address or name is invalid.
        An empty key removes it. A key that is kept goes when its server becomes another one and no key comes
        with that: none is sent to a server that it was not given for.
        """
        _require_console(actor)
        checked = {name: _checked(name, value) for name, value in fields.items()}
        given = {MODEL_KEY: model_key, SEARCH_KEY: search_key}
        keys = {name: _key(name, key) for name, key in given.items() if key is not None}
        keys = dict.fromkeys(self._orphans(await self.kept(), checked), "") | keys
        if _ADVERTISE in checked:
            self._check_advertise(checked[_ADVERTISE])
        if checked.keys() & _MODEL:
            self._check_model(await self.kept() | checked)
        if checked or keys:
            await self._storage.write(lambda tx: self._change(tx, actor, checked, keys))
            self._bus.publish(HouseChanged())
        if _ADVERTISE in checked:
            self._bus.publish(AddressPicked(checked[_ADVERTISE]))
        return await self.get()

    async def add_feed(self, actor: Principal | None, url: str) -> HouseView:
        """Keep one more feed; raises Forbidden, and Invalid for one that cannot be kept."""
        return await self._change_feeds(actor, lambda kept: [*kept, url])

    async def remove_feed(self, actor: Principal | None, url: str) -> HouseView:
        """Keep a feed no longer; raises Forbidden, and NotFound for one that the house does not keep."""

        def without(kept: Sequence[str]) -> list[str]:
            if url not in kept:
                where = (
                    "It stands in the settings of the server." if url in self._feeds_named else ""
                )
                message = f"The house keeps no such feed. {where}".strip()
                raise NotFound(message)
            return [one for one in kept if one != url]

        return await self._change_feeds(actor, without)

    async def _change_feeds(
        self, actor: Principal | None, changed: Callable[[Sequence[str]], list[str]]
    ) -> HouseView:
        _require_console(actor)

        def work(tx: Transaction) -> None:
            kept = _lines(self._storage.settings.house_in(tx, _FEEDS))
            self._change(tx, actor, {_FEEDS: _feeds("\n".join(changed(kept)))}, {})

        await self._storage.write(work)
        self._bus.publish(HouseChanged())
        return await self.get()

    def _change(
        self,
        tx: Transaction,
        actor: Principal | None,
        values: Mapping[str, str],
        keys: Mapping[str, str],
    ) -> None:
        for name, value in values.items():
            self._storage.settings.set_house(tx, name, value)
        for name, key in keys.items():
            if key:
                self._storage.vault.set(tx, name, key)
            else:
                self._storage.vault.delete(tx, name)
        version = int(self._storage.settings.house_in(tx, _VERSION) or 0) + 1
        self._storage.settings.set_house(tx, _VERSION, str(version))
        self._changes.add(tx, actor, Change.HOUSE_CHANGED, detail=", ".join([*values, *keys]))

    def _orphans(self, kept: Mapping[str, str], changed: Mapping[str, str]) -> list[str]:
        """The keys that were given for a server which is another one after the change."""
        before, after = self._in_force(kept), self._in_force({**kept, **changed})
        # Without an address there is no model that a key was for, but the search service is the usual one.
        was_for = {
            MODEL_KEY: before["model_url"] or after["model_url"],
            SEARCH_KEY: before["search_url"],
        }
        return [
            key
            for key, url in _SERVERS.items()
            if kept.get(key) and not is_same_server(was_for[key], after[url])
        ]

    def _check_advertise(self, address: str) -> None:
        if address and address not in self._addresses():
            raise UnknownAddress(field=_ADVERTISE)

    def _check_model(self, kept: Mapping[str, str]) -> None:
        """Raise Invalid when a model is chosen that could not be asked: nobody says where or which it is."""
        if kept.get("model_provider", MODEL_PROVIDERS[0]) == MODEL_PROVIDERS[0]:
            return
        values = self._in_force(kept)
        for name, what in (("model_url", "the address of its server"), ("model_name", "its name")):
            if not values[name]:
                message = f"A model needs {what}: nothing was changed."
                raise Invalid(message, field=name)


def _require_console(actor: Principal | None) -> None:
    """The operator needs no permission: whoever runs the server is the operator."""
    if actor is not None:
        require(actor, Permission.CONSOLE)


def _model_of(values: Mapping[str, str]) -> ModelChoice:
    return ModelChoice(
        values["model_provider"], values["model_url"], values["model_name"], values[MODEL_KEY]
    )


def _key(name: str, value: str) -> str:
    if len(value) > KEY_CHARS or not value.isprintable() or not value.isascii():
        message = "The key is too long or holds characters that no key has."
        raise Invalid(message, field=name)
    return value


def _lines(text: str | None) -> tuple[str, ...]:
    return tuple((text or "").split())


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
    if value and not is_web_address(value):
        message = "The model's address starts with http:// or https:// and holds no password."
        raise Invalid(message, field="model_url")
    return _short("model_url", value)


def _search_url(value: str) -> str:
    if value and not keeps_secrets(value):
        message = "The search service's address starts with https:// and holds no password."
        raise Invalid(message, field="search_url")
    return _short("search_url", value)


def _feeds(value: str) -> str:
    """Addresses of feeds, one a line; raises Invalid."""
    urls = list(dict.fromkeys(filter(None, value.split("\n"))))
    if len(urls) > FEEDS:
        message = f"A house has at most {FEEDS} feeds."
        raise Invalid(message, field=_FEEDS)
    for url in urls:
        if not is_web_address(url) or len(url) > FEED_URL_CHARS:
            message = "The address of a feed starts with http:// or https:// and holds no password."
            raise Invalid(message, field=_FEEDS)
    return "\n".join(urls)


def _advertise(value: str) -> str:
    """An IP address in its one spelling, or nothing."""
    try:
        return str(ipaddress.ip_address(value.strip())) if value.strip() else ""
    except ValueError:
        raise UnknownAddress(field=_ADVERTISE) from None


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
    "search_url": _search_url,
    _ADVERTISE: _advertise,
    _FEEDS: _feeds,
}
