"""What counts as a picture is read from its bytes, whatever is said about it."""

from hypothesis import given, strategies as st
import pytest

from ira_home.base.limits import FRAME_BYTES, PICTURE_BYTES, PICTURE_SIDE_PX
from ira_home.domain.pictures import (
    NotAPicture,
    is_carried,
    read_picture,
    told,
    without_size,
)
from tests.support.pictures import JPEG, PNG, WEBP, carried

KINDS = [(JPEG, "image/jpeg"), (PNG, "image/png"), *((one, "image/webp") for one in WEBP)]


@pytest.mark.parametrize(("data", "media_type"), KINDS)
def test_type_and_size_are_those_of_the_bytes(data: bytes, media_type: str) -> None:
    found = read_picture(carried(data, media_type="text/html", width=9_999, height=-1))
    assert (found.media_type, found.width, found.height) == (media_type, 3, 2)
    assert found.data == data


def png(width: int, height: int) -> bytes:
    return PNG[:16] + width.to_bytes(4, "big") + height.to_bytes(4, "big") + PNG[24:]


def test_its_sides_are_within_bounds() -> None:
    most = read_picture(carried(png(PICTURE_SIDE_PX, 1)))
    assert (most.width, most.height) == (PICTURE_SIDE_PX, 1)
    for width, height in ((PICTURE_SIDE_PX + 1, 1), (1, PICTURE_SIDE_PX + 1), (0, 5), (5, 0)):
        with pytest.raises(NotAPicture, match="pixels"):
            read_picture(carried(png(width, height)))


def test_its_bytes_are_within_bounds_which_fit_into_a_frame() -> None:
    most = JPEG + bytes(PICTURE_BYTES - len(JPEG))
    assert len(read_picture(carried(most)).data) == PICTURE_BYTES
    assert len(str(carried(most))) < FRAME_BYTES - 65_536
    for more in (1, 100_000):
        with pytest.raises(NotAPicture, match="more than"):
            read_picture(carried(most + bytes(more)))


@pytest.mark.parametrize(
    "data",
    [
        b"", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"GIF89a" + bytes(64), JPEG[:4],
        JPEG[:40], PNG[:30], WEBP[0][:24], b"RIFF" + bytes(60), b"<html>" + JPEG,
        b"\xff\xd8" + b"\xff\xe0\x00\x02" * 500, b"\xff\xd8\xff" * 9,
    ],
)  # fmt: skip
def test_what_is_no_picture_is_none(data: bytes) -> None:
    with pytest.raises(NotAPicture, match="no JPEG, PNG or WebP"):
        read_picture(carried(data))


@pytest.mark.parametrize("data", ["not base64!", "/9j/\n", "é", 7, None, ["/9j/"]])
def test_data_that_is_no_base64_is_refused(data: object) -> None:
    with pytest.raises(NotAPicture, match="its data is no"):
        read_picture(carried(JPEG) | {"data": data})


@given(st.sampled_from([b"", JPEG[:30], PNG[:20], *(one[:20] for one in WEBP)]), st.binary())
def test_any_bytes_are_a_picture_within_bounds_or_none(start: bytes, rest: bytes) -> None:
    try:
        found = read_picture(carried(start + rest))
    except NotAPicture:
        return
    assert 1 <= min(found.width, found.height) <= max(found.width, found.height) <= PICTURE_SIDE_PX


def test_only_what_holds_data_is_meant_to_be_shown() -> None:
    assert is_carried({"data": 1})
    assert not any(map(is_carried, ["a.jpg", {"path": "a.jpg"}, None, ["data"]]))


def test_the_size_is_told_and_left_out_where_the_picture_is_seen() -> None:
    line = told(read_picture(carried(JPEG)))
    assert "3 x 2" in line
    assert without_size(f"Taken.\n{line}\n\nrest") == "Taken.\n\nrest"
    assert without_size(line) == line
    assert without_size("Taken.") == "Taken."
