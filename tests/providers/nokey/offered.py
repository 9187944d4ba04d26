"""Tools that tests of the no-key brain offer it."""

from datetime import UTC, datetime

from ira_home.domain.turn_view import DeviceAway
from tests.support.views import arguments, device_tool, house_tool

WINDMILL = device_tool("windmill_speed", "Tell the speed of the windmill")
TWO = device_tool("windmill_speed", "Tell the speed of the windmill", on=("Barn", "Old mill"))
SAIL = device_tool("sail_hoist", "Hoist the sail", tier=2)
BELL = device_tool("bell_strike", "Strike the bell", tier=1)
LETTER = device_tool(
    "letter_post", "Post a letter", arguments("to", "body", to="contact name", body="text"), tier=2
)
READ = device_tool(
    "file_read", "Read the text of one file", arguments("path", path="path of the file")
)
TELL = house_tool(
    "device_tell_when_back",
    "Tell the person when a device is back",
    arguments("device", device="the label"),
    tier=1,
)
AWAY = DeviceAway("Office Mac", "mac", ("windmill", "files"), datetime(2026, 12, 1, 5, 12, tzinfo=UTC))  # fmt: skip
