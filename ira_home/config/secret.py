"""A value that is not shown by accident."""


class Secret:
    """Holds a secret text; only `reveal` gives it."""

    __slots__ = ("_text",)

    def __init__(self, text: str = "") -> None:
        """Hold `text`; an empty one is no secret."""
        self._text = text

    def reveal(self) -> str:
        """The text itself, for the one who sends it on."""
        return self._text

    def __bool__(self) -> bool:
        return bool(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return "***" if self._text else ""

    __str__ = __repr__
