"""Being told by the system to stop."""

import asyncio
import os
import signal


def stop_event() -> asyncio.Event:
    """An event of the running loop that SIGTERM or SIGINT (Ctrl+C) sets, from now on."""
    told, loop = asyncio.Event(), asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        if os.name == "nt":
            signal.signal(name, lambda *_: loop.call_soon_threadsafe(told.set))
        else:
            loop.add_signal_handler(name, told.set)
    return told
