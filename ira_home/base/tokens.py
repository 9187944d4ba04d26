"""Secrets that people and devices carry: made, spelled and hashed in one place."""

import hashlib
import hmac
import secrets

from ira_home.base.limits import CODE_ALPHABET, CODE_SYMBOLS

DEVICE = "irad_"
SESSION = "iras_"
API = "irat_"
INVITATION = "irai_"
SETUP = "iraf_"  # a first run that was let in with the set-up code


def mint_token(prefix: str) -> str:
    """A prefix and 32 random bytes, base64url without padding (43 characters)."""
    return prefix + secrets.token_urlsafe(32)


def token_hash(token: str) -> bytes:
    """SHA-256 of a token. Enough for 32 random bytes; never for a code or PIN."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def mint_code() -> str:
    """A pairing code of eight symbols without look-alikes (spec, decided 8)."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_SYMBOLS))


def shown_code(code: str) -> str:
    """The code as people read it: ABCD-EFGH."""
    return f"{code[:4]}-{code[4:]}"


def read_code(text: str) -> str | None:
    """The eight symbols of a code as typed, or None; cut at the first `&`, nothing is mapped."""
    code = "".join(text.partition("&")[0].split()).replace("-", "").upper()
    good = len(code) == CODE_SYMBOLS and all(symbol in CODE_ALPHABET for symbol in code)
    return code if good else None


def keyed_hash(key: bytes, text: str) -> bytes:
    """HMAC-SHA-256 of a low-entropy secret under a key kept outside the database."""
    return hmac.new(key, text.encode(), hashlib.sha256).digest()
