"""Any OpenAI-compatible endpoint as a brain: a cloud service, or Ollama and llama.cpp in the house."""

import asyncio
from collections.abc import AsyncIterator
import contextlib
import ipaddress
import logging
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ira_home.base.errors import ModelFailed
from ira_home.base.limits import MODEL_CONNECT_S, MODEL_READ_S, MODEL_TEXT_CHARS
from ira_home.domain.ports import CallPart, Part, TextPart, UsagePart
from ira_home.domain.turn_view import TurnView
from ira_home.providers.llm import failures
from ira_home.providers.llm.render import messages_of, tools_of
from ira_home.providers.llm.streamed import CallPieces
from ira_home.providers.provider import Endpoint, Provider

if TYPE_CHECKING:
    from types import ModuleType

    from openai import AsyncOpenAI

_DEFAULT_URL = "https://api.openai.com/v1"
_NO_KEY = "no-key"  # servers in the house ask for none, but the client sends one
_QUIET = ("openai", "httpx", "httpx2", "httpcore", "httpcore2")
# How servers say that they do not know `stream_options`.
_UNKNOWN_OPTION = re.compile(
    "stream_options|include_usage|extra|unknown|unrecogni[sz]ed|unexpected|not permitted",
    re.IGNORECASE,
)


class OpenAiBrain:
    """A LanguageModel behind the chat completions API; the package is loaded on first use."""

    def __init__(
        self,
        url: str,
        model: str,
        key: str,
        *,
        connect_s: float = MODEL_CONNECT_S,
        read_s: float = MODEL_READ_S,
    ) -> None:
        """Nothing is loaded or connected yet; what is wrong with the address is said on use."""
        self.name = model
        self._endpoint = Endpoint((url or _DEFAULT_URL).rstrip("/"), model, key)
        self._connect_s, self._read_s = connect_s, read_s
        self._client: AsyncOpenAI | None = None
        self._package: ModuleType | None = None
        self._loading = asyncio.Lock()
        self._asks_usage = True

    async def step(self, view: TurnView) -> AsyncIterator[Part]:
        """Stream the model's next text and whole calls; leaving the loop closes the connection."""
        request: dict[str, Any] = {"messages": messages_of(view)}
        if tools := tools_of(view):
            request |= {"tools": tools, "tool_choice": "auto" if view.may_call else "none"}
        taken = [str(one.call_id) for one in (*view.history, *view.steps) if one.call_id]
        async with self._failing_in_words():
            stream = await self._open(request)
        try:
            async with self._failing_in_words(answering=True):
                async for part in _parts(stream, taken):
                    yield part
        finally:
            await stream.close()

    async def check(self) -> str:
        """Ask for one word."""
        messages = [{"role": "user", "content": "Answer with the one word: ready"}]
        async with self._failing_in_words():
            reply = await self._create({"messages": messages, "stream": False})
            if not getattr(reply, "choices", None):
                raise failures.unreadable()
        return f"The model {self.name} at {failures.server_of(self._endpoint)} answered."

    async def close(self) -> None:
        """Let go of the connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def _open(self, request: dict[str, Any]) -> Any:
        """Start the stream; a server that does not know about usage is asked again without."""
        if self._asks_usage:
            try:
                return await self._create(
                    request | {"stream": True, "stream_options": {"include_usage": True}}
                )
            except self._errors() as error:
                if not _refuses_usage(error):
                    raise
            self._asks_usage = False
        return await self._create(request | {"stream": True})

    async def _create(self, request: dict[str, Any]) -> Any:
        client = await self._ready()
        return await client.chat.completions.create(model=self._endpoint.model, **request)

    async def _ready(self) -> "AsyncOpenAI":
        if problem := failures.problem_of(self._endpoint):
            raise ModelFailed(problem)
        async with self._loading:
            if self._client is None:
                self._package, self._client = await self._loaded()
            return self._client

    async def _loaded(self) -> "tuple[ModuleType, AsyncOpenAI]":
        try:
            return await asyncio.to_thread(self._load)
        except ImportError:
            message = "This server was installed without the package for such models."
            raise ModelFailed(message) from None

    def _load(self) -> "tuple[ModuleType, AsyncOpenAI]":
        """Import the package, which takes half a second, and make the client."""
        import openai

        for name in _QUIET:  # the package would log whole requests when told to by the environment
            logging.getLogger(name).setLevel(logging.WARNING)
        timeout = openai.Timeout(self._read_s, connect=self._connect_s)
        client = openai.AsyncOpenAI(
            api_key=self._endpoint.key or _NO_KEY,
            base_url=self._endpoint.url,
            timeout=timeout,
            max_retries=0,  # a retry could cost twice
            http_client=openai.DefaultAsyncHttpxClient(
                timeout=timeout,
                follow_redirects=False,  # the key goes to the address that was set, nowhere else
                trust_env=not _is_local(self._endpoint.url),
            ),
        )
        _ = client.chat.completions  # loads the rest of the package while still in this thread
        return openai, client

    @contextlib.asynccontextmanager
    async def _failing_in_words(self, *, answering: bool = False) -> AsyncIterator[None]:
        """Turn every failure into ModelFailed; the cause is dropped because it may hold key and content."""
        try:
            yield
        except ModelFailed:
            raise
        except self._errors() as error:
            raise self._in_words(error, answering=answering) from None

    def _errors(self) -> tuple[type[Exception], ...]:
        """What the package raises, and what comes of an answer that is no chat completion."""
        own = () if self._package is None else (self._package.OpenAIError,)
        return (*own, OSError, ValueError, TypeError, AttributeError, LookupError, RuntimeError)

    def _in_words(self, error: Exception, *, answering: bool) -> ModelFailed:
        package = self._package
        if package is None:
            return failures.unreachable(self._endpoint)
        if isinstance(error, package.APIStatusError):
            wait = error.response.headers.get("retry-after")
            return failures.refused(error.status_code, error.body, endpoint=self._endpoint, retry_after=wait)  # fmt: skip
        if isinstance(error, package.APITimeoutError | TimeoutError):
            return failures.too_slow()
        if isinstance(error, package.APIConnectionError | OSError):
            return failures.broken_off() if answering else failures.unreachable(self._endpoint)
        return failures.reported() if type(error) is package.APIError else failures.unreadable()


def _refuses_usage(error: Exception) -> bool:
    status = getattr(error, "status_code", None)
    said = str(getattr(error, "body", "") or error)
    return status in (400, 422) and _UNKNOWN_OPTION.search(said) is not None


def _is_local(url: str) -> bool:
    """Whether the address is this machine, which no proxy can reach."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


async def _parts(stream: Any, taken: list[str]) -> AsyncIterator[Part]:
    """The stream's chunks as parts; calls only once the model has finished them."""
    calls, finish, chars = CallPieces(), None, 0
    async for chunk in stream:
        if (usage := _usage(chunk)) is not None:
            yield usage
        for choice in getattr(chunk, "choices", None) or ():
            delta = getattr(choice, "delta", None)
            text = getattr(delta, "content", None)
            if isinstance(text, str) and text:
                chars += len(text)
                if chars > MODEL_TEXT_CHARS:
                    raise failures.cut_off()
                yield TextPart(text)
            calls.add(getattr(delta, "tool_calls", None))
            finish = getattr(choice, "finish_reason", None) or finish
    for call in _finished(calls, finish, taken):
        yield call


def _finished(calls: CallPieces, finish: Any, taken: list[str]) -> list[CallPart]:
    """The calls of a stream that came to its end; what was cut off is never called."""
    if finish is None:
        raise failures.broken_off()
    if finish == "length":
        raise failures.cut_off()
    if finish == "content_filter":
        raise failures.filtered()
    return calls.whole(taken)


def _usage(chunk: Any) -> UsagePart | None:
    usage = getattr(chunk, "usage", None)
    asked, answered = (
        getattr(usage, "prompt_tokens", None),
        getattr(usage, "completion_tokens", None),
    )
    if isinstance(asked, int) and isinstance(answered, int):
        return UsagePart(asked, answered)
    return None


def _make(endpoint: Endpoint) -> OpenAiBrain:
    return OpenAiBrain(endpoint.url, endpoint.model, endpoint.key)


PROVIDER = Provider("openai", _make)
