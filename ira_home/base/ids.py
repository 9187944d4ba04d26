"""The identities of things, and the one way to mint a random one."""

import secrets
from typing import NewType

PersonId = NewType("PersonId", int)
SessionId = NewType("SessionId", int)
ApiTokenId = NewType("ApiTokenId", int)
DeviceId = NewType("DeviceId", int)
PairingId = NewType("PairingId", int)
EventId = NewType("EventId", int)
ConversationId = NewType("ConversationId", int)
MessageId = NewType("MessageId", int)
PictureId = NewType("PictureId", int)
ProposalId = NewType("ProposalId", int)
TurnId = NewType("TurnId", str)
RunId = NewType("RunId", str)
CallId = NewType("CallId", str)


def mint(prefix: str = "") -> str:
    """A random name of 128 bits, url-safe, with an optional readable prefix."""
    return prefix + secrets.token_urlsafe(16)
