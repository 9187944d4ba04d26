"""Style sheets, scripts and pictures: read once, served by a name that changes with their content."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
import gzip
import hashlib
from pathlib import Path

from aiohttp import web

from ira_home.base.errors import NotFound
from ira_home.base.jsontext import dump
from ira_home.web.call import Call
from ira_home.web.pages.words import LANGUAGES, words_of
from ira_home.web.routes import Needs, Route

FOLDER = Path(__file__).parent.parent / "static"
MEDIA = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
_FOR_EVER = "public, max-age=31536000, immutable"
# The words of all pages, and those of the one page of a browser that is a device.
_SAID = {"words": "js.", "phone-words": "phone."}
_PACKED = frozenset({".css", ".js", ".svg"})


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it is sent."""

    body: bytes
    packed: bytes | None  # gzip
    media: str
    tag: str


@dataclass(frozen=True, slots=True)
class Assets:
    """Every file there is; a name that is not among them is not served, whatever it spells."""

    version: str
    files: Mapping[str, Asset]

    def address(self, name: str) -> str:
        """Where a file is found; raises KeyError for one that is not there."""
        if name not in self.files:
            raise KeyError(name)
        return f"/static/{self.version}/{name}"


def make_asset(name: str, body: bytes) -> Asset:
    """A file with its media type and tag."""
    suffix = Path(name).suffix
    packed = gzip.compress(body, mtime=0) if suffix in _PACKED else None
    return Asset(body, packed, MEDIA[suffix], hashlib.sha256(body).hexdigest()[:16])


def words_script(lang: str, prefix: str) -> bytes:
    """The words that scripts say, as the script that tells them: a browser keeps it as it keeps the others."""
    said = dump(words_of(lang).said_by_scripts(prefix))
    return f'import {{ learn }} from "./dom.js";\nlearn({said});\n'.encode()


@cache
def assets() -> Assets:
    """The files of the static folder and the words; one version for all, as scripts import each other."""
    bodies = {p.name: p.read_bytes() for p in sorted(FOLDER.iterdir()) if p.suffix in MEDIA}
    bodies |= {
        f"{name}-{lang}.js": words_script(lang, prefix)
        for lang in LANGUAGES
        for name, prefix in _SAID.items()
    }
    files = {name: make_asset(name, body) for name, body in sorted(bodies.items())}
    tags = "".join(f"{name}{asset.tag}" for name, asset in files.items())
    return Assets(hashlib.sha256(tags.encode()).hexdigest()[:12], files)


async def serve(call: Call) -> web.Response:
    """One file; a page of an older version gets the newest, which it may not keep."""
    found = assets().files.get(call.text("name"))
    if found is None:
        raise NotFound
    is_current = call.text("version") == assets().version
    headers = {
        "Cache-Control": _FOR_EVER if is_current else "no-cache",
        "ETag": f'"{found.tag}"',
        "Vary": "Accept-Encoding",
    }
    if call.request.headers.get("If-None-Match") == headers["ETag"]:
        return web.Response(status=304, headers=headers)
    body = found.body
    if found.packed is not None and "gzip" in call.request.headers.get("Accept-Encoding", ""):
        body = found.packed
        headers["Content-Encoding"] = "gzip"
    charset = "utf-8" if found.packed is not None else None
    return web.Response(body=body, headers=headers, content_type=found.media, charset=charset)


ROUTES = (
    Route(
        "GET",
        "/static/{version}/{name}",
        serve,
        Needs.OPEN,
        page=True,
        summary="A style sheet, script or picture of the pages.",
    ),
)
