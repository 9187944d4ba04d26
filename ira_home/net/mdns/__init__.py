"""Announcing this server on the local network, in a thread that nothing else waits for.

Whatever happens there (a flood of packets, a port that another program keeps, a library that hangs)
can only end the announcement, never slow or stop the server.
"""

from ira_home.net.mdns.announcer import Announcer
from ira_home.net.mdns.notice import AnnouncementFailed, Notice, Said

__all__ = ["AnnouncementFailed", "Announcer", "Notice", "Said"]
