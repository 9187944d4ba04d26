"""Pairing links of this server; fills the port `PairingLink`."""

from ira_home.net.qr import svg
from ira_home.protocol.pairing_link import PairingLinkText


class LanPairingLink:
    """Links that lead to one address of this machine and carry the pin of its authority."""

    def __init__(self, host: str, port: int, *, pin: str, install_id: str) -> None:
        """`host` is the address that other machines of the house can reach."""
        self._host, self._port = host, port
        self._pin, self._install_id = pin, install_id

    def url(self, code: str) -> str:
        """The link of a pairing code."""
        link = PairingLinkText(
            host=self._host,
            port=self._port,
            code=code,
            fingerprint=self._pin,
            install_id=self._install_id,
        )
        return link.url()

    def qr_svg(self, text: str) -> str:
        """The text as one inline SVG without script or style attribute."""
        return svg(text)
