"""The companion's own bounds, each with its reason; those of the wire are in ira_home.base.limits."""

from typing import Final

# Reading
PAGE_CHARS: Final = 8_000  # a page that a person can listen to and a model can read beside others
TEXT_CHARS: Final = 1_000_000  # of one document; more is cut and said so
FILE_BYTES: Final = 50_000_000  # a file is read whole into memory
PARSE_S: Final = 15.0  # the server waits 25 seconds for the whole call
PARSE_SOFT_S: Final = 10.0  # after this no further page of a PDF is begun
PARSE_MEMORY_BYTES: Final = 1_500_000_000  # of the process that parses
UNPACKED_BYTES: Final = 100_000_000  # of a .docx: a few kilobytes can unpack to gigabytes
UNPACKED_PARTS: Final = 5_000

# Looking
FIND_S: Final = 8.0
FOLDERS_LOOKED_AT: Final = 5_000
FILES_LOOKED_AT: Final = 50_000
DEPTH: Final = 12
FILES_A_PAGE: Final = 20
NAMES_SAID: Final = 5  # in a sentence that is read out
PATH_CHARS: Final = 1_000
