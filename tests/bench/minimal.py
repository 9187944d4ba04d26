"""The yardstick of a start: aiohttp on uvloop with one route over TLS, and nothing else."""

import asyncio
import ssl
import sys

from aiohttp import web


async def _hello(request: web.Request) -> web.Response:
    return web.json_response({"status": "ok"})


async def _main(port: int, pem: str) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    app = web.Application()
    app.router.add_get("/healthz", _hello)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port, ssl_context=context).start()
    await asyncio.Event().wait()


if __name__ == "__main__":
    factory = None
    try:
        import uvloop

        factory = uvloop.new_event_loop
    except ImportError:
        pass
    with asyncio.Runner(loop_factory=factory) as loop:
        loop.run(_main(int(sys.argv[1]), sys.argv[2]))
