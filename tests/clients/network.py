"""The local network as a device hears it: who answers there is what the test says."""

from ira_home.protocol.mdns_look import Server


class Network:
    """Whoever asks hears these servers."""

    def __init__(self) -> None:
        self.servers: list[Server] = []
        self.asked = 0

    def announce(
        self, port: int, *addresses: str, install_id: str = "7f3a9c", name: str = "Home"
    ) -> None:
        """Somebody says that a server of this id is there."""
        where = addresses or ("127.0.0.1",)
        host = f"ira-{install_id}.local"
        self.servers.append(Server(name, install_id, host, port, where))

    async def ask(self) -> list[Server]:
        self.asked += 1
        return self.servers
