"""How a server is announced on the local network: names only; discovery is a help, never trusted."""

SERVICE_TYPE = "_ira-home._tcp.local."

TXT_VERSION = "txtvers"
INSTALL_ID = "id"
PROTOCOL_VERSION = "pv"
PATH = "path"
TLS = "tls"
FINGERPRINT_HINT = "fp"  # the first characters of the pin: "the same server as before?", no proof
PAIRING_OPEN = "pair"  # 1: somebody is there who can pair a device; 0: nobody yet

FINGERPRINT_HINT_CHARS = 16
