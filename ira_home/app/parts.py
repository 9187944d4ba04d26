"""What an installation is made of, without opening a house."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ira_home.base.discover import modules
from ira_home.control.operation import operations
from ira_home.domain.devices import DeviceKind
from ira_home.domain.ports import LanguageModel
from ira_home.providers.brains import make_brain, providers
from ira_home.storage.migrate import shipped
from ira_home.tools.declare import tools_in
from ira_home.tools.library import BUILTIN
from ira_home.web.pages.assets import assets
from ira_home.web.pages.view import environment
from ira_home.web.pages.words import FOLDER as LOCALES
from ira_home.web.server import all_routes


def parts() -> dict[str, int]:
    """How many there are of what is found at run time; a broken installation has none of something.

    Raises DataFolderError or OSError where a part cannot even be looked for.
    """
    return {
        "tools": sum(len(tools_in(module)) for module in modules(BUILTIN)),
        "kinds": len(DeviceKind),
        "channels": len(list(modules("ira_home.channels"))),
        "brains": len(providers()),
        "operations": len(operations()),
        "routes": len(all_routes()),
        "pages": len(environment().list_templates()),
        "assets": len(assets().files),
        "locales": len(list(LOCALES.glob("*.po"))),
        "migrations": len(shipped()),
    }


@asynccontextmanager
async def built_in_brain() -> AsyncIterator[LanguageModel]:
    """The brain that needs no key, without a house around it."""
    brain = make_brain("none", None, None, None)
    try:
        yield brain
    finally:
        await brain.close()
