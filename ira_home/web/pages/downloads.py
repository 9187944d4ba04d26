"""The page that hands out programs: the visitor's own system first, with the commands that install them."""

import asyncio
from dataclasses import dataclass

from aiohttp import web

from ira_home.domain.devices import DeviceKind
from ira_home.web.call import Call
from ira_home.web.carried import Program, programs
from ira_home.web.pages.skills import COMPUTERS
from ira_home.web.pages.trust import system_of
from ira_home.web.pages.view import show
from ira_home.web.routes import Needs, Route

_HOME = "ira-companion"  # the folder of the program, where the commands are typed
_ORDER = (DeviceKind.WINDOWS, DeviceKind.MAC, DeviceKind.LINUX)


@dataclass(frozen=True, slots=True)
class Steps:
    """What is typed on a system: to compare the sum, to install, to pair, to run."""

    kind: DeviceKind
    check: str
    install: tuple[str, ...]
    pair: str
    run: str


def steps_of(program: Program, kind: DeviceKind) -> Steps:
    """The commands for a system, typed in the folder where the file was saved."""
    name = program.name
    if kind is DeviceKind.WINDOWS:
        scripts = f"{_HOME}\\Scripts"
        return Steps(
            kind=kind,
            check=f"certutil -hashfile {name} SHA256",
            install=(f"py -m venv {_HOME}", f'{scripts}\\pip install ".\\{name}[companion]"'),
            pair=f"{scripts}\\ira-companion pair",
            run=f"{scripts}\\ira-companion run",
        )
    scripts = f"{_HOME}/bin"
    return Steps(
        kind=kind,
        check=f"{'shasum -a 256' if kind is DeviceKind.MAC else 'sha256sum'} {name}",
        install=(f"python3 -m venv {_HOME}", f'{scripts}/pip install "./{name}[companion]"'),
        pair=f"{scripts}/ira-companion pair",
        run=f"{scripts}/ira-companion run",
    )


async def page(call: Call) -> web.Response:
    """The same page for everybody, with the steps of the visitor's own system first and open."""
    system = system_of(call.request.headers.get("User-Agent", ""))
    carried = await asyncio.to_thread(programs)
    newest = carried[-1] if carried else None
    kinds = sorted(_ORDER, key=lambda kind: kind != system)
    return await show(
        call,
        "downloads.html",
        program=newest,
        megabytes=0 if newest is None else f"{newest.size / 1_000_000:.1f}",
        systems=[] if newest is None else [steps_of(newest, kind) for kind in kinds],
        here=system,
        is_computer=system in COMPUTERS,
        is_phone=system in {"android", "ios"},
    )


ROUTES = (Route("GET", "/downloads", page, Needs.OPEN, page=True, summary="Programs to take."),)
