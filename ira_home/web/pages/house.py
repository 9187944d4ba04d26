"""The house as its owner and admins see it: what needs them first, then where everything else is."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from aiohttp import web

from ira_home.base.errors import IraError
from ira_home.base.limits import BRAIN_CHECK_S, BRAIN_TRIAL_S, PAGE_ITEMS_MAX
from ira_home.devices.registry import AdminDevice
from ira_home.domain.audit import Change
from ira_home.domain.diagnosis import Finding, State
from ira_home.domain.health import Short
from ira_home.net.diagnosis import standing
from ira_home.web.api import admin_devices, admin_status
from ira_home.web.call import Call
from ira_home.web.diagnosis import told
from ira_home.web.pages.faults import sentence
from ira_home.web.pages.view import moments_of, show, words_for
from ira_home.web.pages.words import Words
from ira_home.web.routes import Needs, Route

AWAY_LONG = timedelta(days=14)  # a phone on a holiday is no trouble yet
GUESSED_LATELY = timedelta(days=1)
_HELD = (Change.PASSWORD_HELD, Change.PIN_HELD)
_ROOT = Path("/")
# Where each kind of finding is mended.
_MENDED = {"address": "/address", "server_certificate": "/address"}
_LOOK = "/connect?look=yes#look"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that needs whoever runs the house; `then` and `href` are "" where nothing is to be said."""

    text: str
    then: str = ""
    href: str = ""
    is_bad: bool = False


async def page(call: Call) -> web.Response:
    """The overview; on ?look=yes the network is looked at and the brain is asked, which takes seconds."""
    is_looking = call.request.query.get("look") == "yes"
    everyone = await admin_devices.every(call)
    problems = [one async for one in _problems(call, everyone, is_looking=is_looking)]
    return await show(
        call,
        "house.html",
        nav="house",
        status_now=await admin_status.show(call),
        health=await call.services.health.look(),
        size=size,
        problems=sorted(problems, key=lambda one: not one.is_bad),
        is_looking=is_looking,
        until=call.services.authority.not_after,
    )


def size(count: int | None) -> str:
    """Bytes as people say them; "?" where the system does not tell."""
    if count is None:
        return "?"
    megabytes = count / 1024**2
    return f"{megabytes / 1024:.1f} GB" if megabytes >= 1024 else f"{megabytes:.1f} MB"


async def _problems(
    call: Call, everyone: Sequence[AdminDevice], *, is_looking: bool
) -> AsyncIterator[Problem]:
    words = words_for(call.request)
    try:
        await call.services.check_writing()
    except IraError as error:
        yield Problem(words.t("house.not_writing"), sentence(error, words), is_bad=True)
    for short in (await call.services.health.look()).short():
        is_out = short is Short.DISK_OUT
        yield Problem(words.t(f"house.{short}"), words.t(f"house.{short}.next"), is_bad=is_out)
    findings, fault = await _looked(call, words, is_looking=is_looking)
    if fault:
        yield Problem(words.t("house.brain_away"), fault, "/house/brain", is_bad=True)
    for one in told(findings, words):
        if one.state != State.GOOD:
            href = _MENDED.get(one.topic, _LOOK)
            yield Problem(one.text, one.next or "", href, is_bad=one.state == State.BAD)
    async for held in _guessed(call, words):
        yield held
    if away := _away(call, everyone):
        names = ", ".join(f"{one.device.label} ({one.device.person})" for one in away)
        yield Problem(words.count("house.away_long", len(away)), names, "/house/devices")
    for broken in call.services.library.broken:
        yield Problem(words.t("house.broken_tool", file=broken.file), broken.sentence)


async def _looked(
    call: Call, words: Words, *, is_looking: bool
) -> tuple[Sequence[Finding], str | None]:
    """What is wrong with the network, and with the brain if it was asked."""
    services = call.services
    if is_looking:
        return await asyncio.gather(services.diagnose(), brain_fault(call, words))
    view, now = services.network(), services.clock.now()
    identity = services.authority.identity
    # Reading a file or two of this computer's.
    addresses = await asyncio.to_thread(
        lambda: list(standing.addresses(view, identity=identity, root=_ROOT))
    )
    return [*addresses, *standing.certificates(services.authority, now)], None


async def brain_fault(call: Call, words: Words) -> str | None:
    """Why the brain in force does not answer, if so."""
    return await answer_fault(words, call.services.brain.check(), BRAIN_CHECK_S)


async def answer_fault(
    words: Words, asked: Awaitable[str], within_s: float = BRAIN_TRIAL_S
) -> str | None:
    """Why a brain that is asked does not answer, if so."""
    try:
        async with asyncio.timeout(within_s):
            await asked
    except TimeoutError:
        return words.t("house.brain_slow", seconds=round(within_s))
    except IraError as error:
        return error.message if words.lang == "en" else sentence(error, words)
    return None


def _away(call: Call, everyone: Sequence[AdminDevice]) -> list[AdminDevice]:
    """Devices that nobody has heard of for long."""
    since = call.services.clock.now() - AWAY_LONG
    return [
        one
        for one in everyone
        if not one.online and (one.device.last_seen or one.device.created_at) < since
    ]


async def _guessed(call: Call, words: Words) -> AsyncIterator[Problem]:
    """Whose password or PIN somebody guessed at lately until it was held."""
    since = call.services.clock.now() - GUESSED_LATELY
    when = await moments_of(call)
    told_of = set()
    for entry in (await call.services.changes.list(None, PAGE_ITEMS_MAX)).items:
        about = (entry.change, entry.subject)
        if entry.at < since or entry.change not in _HELD or about in told_of:
            continue
        told_of.add(about)
        text = words.t(f"house.{entry.change}", person=entry.subject)
        yield Problem(text, words.t("house.held_when", when=when.ago(entry.at)), "/house/changes")


ROUTES = (
    Route(
        "GET",
        "/house",
        page,
        Needs.CONSOLE,
        page=True,
        summary="The house: what needs you, and where everything is.",
        query=("look",),
    ),
)
