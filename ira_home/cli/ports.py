"""A port on the command line."""

import click

LAST = 65_535


class Port(click.ParamType):  # type: ignore[type-arg]  # generic only in newer releases
    """A number of a port; `least` is 0 where that means any free one."""

    name = "port"

    def __init__(self, least: int = 1) -> None:
        """Take ports from `least`."""
        self._least = least

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """The number, or a refusal that says what a port is."""
        text = str(value).strip()
        number = int(text) if text.isascii() and text.isdecimal() and len(text) <= 5 else -1
        if not self._least <= number <= LAST:
            self.fail(f"{text[:20]!r} is no port: give a number from {self._least} to {LAST}.", param, ctx)  # fmt: skip
        return number
