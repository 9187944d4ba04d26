"""Credentials: from what a request carries to who acts, narrowed to what that may open."""

from ira_home.access.api_tokens import ApiTokens
from ira_home.access.permissions import narrowed
from ira_home.access.sessions import Sessions
from ira_home.base.errors import Unauthenticated
from ira_home.base.tokens import API, DEVICE, token_hash
from ira_home.domain.people import TOKEN_PERMISSIONS, Credential, Principal
from ira_home.storage.storage import Storage


class Credentials:
    """Reads session cookies and bearer tokens; each is good in its own place only."""

    def __init__(self, storage: Storage, sessions: Sessions, api_tokens: ApiTokens) -> None:
        """Device tokens are looked up in `storage`."""
        self._storage = storage
        self._sessions = sessions
        self._api_tokens = api_tokens

    async def session(self, token: str) -> Principal:
        """Who comes with this session cookie; raises Unauthenticated."""
        return await self._sessions.authenticate(token)

    async def bearer(self, token: str) -> Principal:
        """Who comes with this API or device token; a session's token is none: Unauthenticated."""
        if token.startswith(API):
            return await self._api_tokens.authenticate(token)
        if token.startswith(DEVICE):
            return await self._device(token)
        raise Unauthenticated

    async def _device(self, token: str) -> Principal:
        device = await self._storage.devices.by_token(token_hash(token))
        person = None if device is None else await self._storage.people.get(device.person_id)
        if device is None or person is None:
            raise Unauthenticated
        return Principal(
            person=person,
            credential=Credential.DEVICE_TOKEN,
            credential_id=device.id,
            permissions=narrowed(person, TOKEN_PERMISSIONS),
            device_id=device.id,
        )
