"""QR codes, as an SVG for a page and as text for a terminal."""

from collections.abc import Sequence
from typing import cast

_QUIET = 4  # modules of empty border, which scanners need
_HALVES = {(True, True): " ", (True, False): "▄", (False, True): "▀", (False, False): "█"}


def svg(text: str) -> str:
    """One inline SVG, dark on light in every theme, without script or style."""
    rows = _modules(text)
    size = len(rows) + 2 * _QUIET
    path = "".join(
        f"M{_QUIET + start} {_QUIET + y}h{length}v1h-{length}z"
        for y, row in enumerate(rows)
        for start, length in _runs(row)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="qr" viewBox="0 0 {size} {size}" role="img"'
        ' aria-label="QR code" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/><path fill="#000" d="{path}"/></svg>'
    )


def terminal(text: str) -> str:
    """Half blocks, two rows a line, for a dark terminal; most phones read the opposite of it too."""
    rows = _modules(text)
    width = len(rows) + 2 * _QUIET
    empty = [False] * width
    side = [False] * _QUIET
    framed = [empty] * _QUIET + [[*side, *row, *side] for row in rows] + [empty] * (_QUIET + 1)
    pairs = zip(framed[::2], framed[1::2], strict=False)
    return "\n".join(
        "".join(_HALVES[up, down] for up, down in zip(*pair, strict=True)) for pair in pairs
    )


def _runs(row: Sequence[bool]) -> list[tuple[int, int]]:
    """(start, length) of each run of dark modules."""
    runs: list[tuple[int, int]] = []
    for x, dark in enumerate(row):
        if not dark:
            continue
        if runs and sum(runs[-1]) == x:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((x, 1))
    return runs


def _modules(text: str) -> list[list[bool]]:
    # Imported on first use: most starts of the server draw no code.
    from qrcode.constants import ERROR_CORRECT_M
    from qrcode.main import QRCode

    code = QRCode(error_correction=ERROR_CORRECT_M, border=0)
    code.add_data(text)
    code.make(fit=True)
    return cast("list[list[bool]]", code.get_matrix())
