"""Every bound of the product: the unit is in the name, the reason beside it."""

# --- the device wire (spec/devices.md, Limits) ---
FRAME_BYTES = 1_048_576  # "1 MB", accepted exactly
JSON_DEPTH = 32  # deeper text is an attack on the parser, no tool needs it
HELLO_S = 15.0
CALL_S = 25.0
CALLS_IN_FLIGHT = 4
TOOLS_A_HELLO = 40
TOOLS_BEFORE_WELCOME = 30  # what a client offers until a welcome says more
PARAMETERS_BYTES = 8_192  # of a tool's `parameters` as compact UTF-8 JSON
SCHEMA_NODES = 2_000  # parts of a schema with its references spread out: bounds one validation
SCHEMA_PATTERNS = 16  # compiling one takes up to a millisecond or two
SCHEMAS_CACHED = 2_048  # compiled validators, and schemas that equal tools share
DESCRIPTION_CHARS = 1_024  # what a model sees of a description
TOOL_TITLE_CHARS = 120
EXAMPLES_A_TOOL = 16
EXAMPLE_CHARS = 200
TOOLS_REMEMBERED = 400  # names a device ever declared; agreements are never forgotten to make room
LABEL_CHARS = 60
VERSION_CHARS = 40
SKILLS_A_DEVICE = 64  # a pairing may name skills that the device never offers
PING_S = 30.0
SILENCE_S = 90.0
BAD_FRAMES_A_MINUTE = 10  # the tenth closes 1008
OUTBOX_FRAMES = 64  # frames waiting for a slow device before it is cut
REPLACEMENTS_A_MINUTE = 30  # two programs fighting over one token are held back
UNGREETED_SOCKETS = (
    2_048  # without a hello, one a device; a large house that reconnects at once fits
)
TICK_S = 0.25  # how late a deadline of a device may be noticed
STALL_S = 20.0  # a frame that could not be handed over for so long: the device does not read
CLOSE_S = 0.8  # how long a goodbye may take before the line is cut
SEEN_S = 60.0  # presence is written this often
PICTURE_BYTES = (
    600_000  # of a picture in a result: with a third more as base64 it fits into a frame
)
PICTURE_SIDE_PX = 4_096  # a larger one would take a browser's memory, however few bytes it has
INLINE_CHARS = 65_536  # longer frames are read in a thread, so that they hold up nobody

# --- events (spec/devices.md, Limits and Security) ---
EVENT_S = 30.0
EVENT_TITLE_CHARS = 120
EVENT_TEXT_CHARS = 1_000
EVENT_DATA_BYTES = 8_192
EVENTS_KEPT = 200
EVENT_DAYS = 7
STREAMS_A_SESSION = 4
HEARTBEAT_S = 20.0
STREAM_BACKLOG = 256  # messages kept for Last-Event-ID before `reset`

# --- pairing ---
CODE_SYMBOLS = 8
CODE_S = 600.0
CODE_ALPHABET = "ABCDEFGHJKMNPQRSTVWXYZ23456789"
WRONG_CODES = 5
WRONG_CODES_S = 900.0
REVIEWER_DAYS = 14
REVIEWER_USES = 10
PAIRINGS_A_PERSON = 100  # open codes at once

# --- people ---
PASSWORD_CHARS_MIN = 8
PASSWORD_CHARS_MAX = 256  # capped before hashing, so that a long one costs nothing
PIN_DIGITS_MIN = 4
PIN_DIGITS_MAX = 8
HASHES_AT_ONCE = 4  # Argon2id takes memory; the rest wait
HASHES_WAITING = 32  # more than this many waiting are refused with 429
WRONG_PINS = 5
WRONG_PINS_S = 900.0
NAME_CHARS = 80
EMAIL_CHARS = 254
SESSION_IDLE_S = 30 * 86_400.0
SESSION_TOTAL_S = 180 * 86_400.0
VERIFIED_S = 600.0
SESSIONS_A_PERSON = 50
USED_S = 60.0  # how often the last use of a credential is written
AGENT_CHARS = 200  # of how a browser names itself
WRONG_PASSWORDS = 10  # of one account from one address: nobody locks the owner out from elsewhere
WRONG_PASSWORDS_ADDRESS = 30  # of one address, whichever accounts it tries
WRONG_PASSWORDS_S = 900.0
WRONG_SETUP_CODES = 5
ARRIVALS = (
    20  # browsers that whoever brings phones in is told of; anybody on the network can make one
)
ARRIVALS_S = 1_800.0
SETUP_PASSES = 8  # browsers that were let in with the set-up code; the oldest goes first
HOLD_S_MAX = (
    900.0  # no throttle holds anybody off longer, whatever the clock did between two starts
)
INVITATION_S = 7 * 86_400.0
INVITATIONS_OPEN = 50
TOKENS_A_PERSON = 20

# --- the assistant (DESIGN section 6) ---
ASK_CHARS = 16_000
ANSWER_CHARS = 200_000  # of what a brain says in one step; a model can go on without end
DRAFT_S = 0.5  # between two looks at what a brain has said: so much a killed server may lose
TITLE_CHARS = 60  # of a conversation: the beginning of its first words
CALLS_A_TURN = 12
TURN_S = 120.0
PROPOSALS_A_TURN = 6
PROPOSAL_S = 120.0
ASKS_QUEUED = 3
RESULT_CHARS = 60_000  # of one result that a model sees, after escaping
HISTORY_ENTRIES = 40
HISTORY_CHARS = 48_000
CUT_OFF_ENTRIES = 20_000  # the newest, where a start looks for calls without an end
CHAT_ENTRIES = 80  # of a conversation on one page, with what was read for its answers
RUN_KEPT_S = 600.0  # a finished run can be re-attached this long
TOOL_S = 30.0  # a built-in tool's own bound
READ_BACK_CHARS = 20_000  # over this an action is refused: the person could not read it whole

# --- a model's server (DESIGN section 6) ---
MODEL_CONNECT_S = 5.0
MODEL_READ_S = 60.0  # between two pieces: a small machine may think long before its first word
BRAIN_CHECK_S = 10.0  # in `ira doctor`: somebody waits for the whole of it
BRAIN_TRIAL_S = 45.0  # of one that was just chosen: a server of the house may load it first
LOCAL_BRAIN_S = (
    1.5  # to ask a model's server of this very computer what it has: a page waits for it
)
LOCAL_BRAIN_BYTES = 262_144  # of its list
LOCAL_BRAIN_MODELS = 12  # shown of one server
MODEL_TEXT_CHARS = 200_000  # of one step; a server that never stops is stopped
MODEL_ARGUMENT_CHARS = 262_144  # of one call, as much as a request body may have
MODEL_TOKENS_A_STEP = 100_000_000  # a server that counts more of one step counts wrongly
USAGE_ROWS = 60  # of months and models that are shown
MODEL_CALLS_A_STEP = 32  # the turn runs fewer; more in one step is a server gone wrong

# --- the internet: search and feeds ---
FETCH_BYTES = 2_097_152  # of one answer, after it was unpacked
FETCH_S = 10.0  # for all of one answer, redirects included
REDIRECTS = 5
URL_CHARS = (
    4_096  # of an address that is fetched: a query in Devanagari is nine times as long in it
)
QUERY_CHARS = 400  # what a search service takes
HITS = 5  # results of a search where nobody says how many
HITS_MAX = 10
HIT_TITLE_CHARS = 160
HIT_TEXT_CHARS = 320
HIT_URL_CHARS = 2_048  # a longer address is no use to anybody
SEARCH_WAIT_S = 2.0  # a search waits so long for its turn; it is refused where that would be longer
FEEDS = 20  # of a house, all together
FEED_MARKS = 20_000  # "<" in a feed: reading so many may take a second, most have some thousand
FEED_URL_CHARS = 1_000
FEED_ITEMS_READ = 1_000  # looked at in one feed
FEED_ITEMS = 100  # kept of one feed, its first ones
FEED_FRESH_S = 600.0  # a feed is not asked for again before
FEED_AGAIN_S = 60.0  # and after a failure not before this
NEWS_ITEMS = 8  # where nobody says how many

# --- HTTP ---
BODY_BYTES = 262_144
PAGE_ITEMS = 50
PAGE_ITEMS_MAX = 200
HEADER_S = 10.0  # for a request's head, and for a connection that says nothing
CONNECTIONS_AN_ADDRESS = 200  # of one address of the network; this machine itself has no bound
ANSWERS_AT_ONCE = 256  # of one credential: requests that wait for a whole answer
STREAMS_OF_RUNS = 16  # of one credential: answers being told at the same time
BODY_S = 30.0
IDEMPOTENCY_S = 86_400.0
IDEMPOTENCY_KEY_CHARS = 128
PROBE_S = 60.0  # /readyz writes this often at most while all is well
PROBE_AGAIN_S = 1.0  # and this often while it is not
PROBE_CHARS = 16_384  # more than an ordinary write
PROBE_CHARS_IN_DOUBT = 262_144  # once a write failed or the disk is low: as much as a body may have
LOW_DISK_BYTES = 8 * 1_048_576  # free space below which the last answer is not trusted for long
STOP_S = 4.5  # SIGTERM: everything closed within five seconds

# --- looking at oneself (`ira doctor`, "Can't connect?") ---
CLIENT_LOOK_S = 3.0  # for one address, as patient as a person is
CLIENT_LOOK_BYTES = 65_536
ASKED_PROGRAM_S = 5.0
OWN_PROGRAM_S = 12.0  # of which it listens for three; a busy machine starts it slowly
ASKED_PROGRAM_BYTES = 65_536
DIAGNOSIS_FRESH_S = 2.0  # whoever asks within it is told the same

# --- logs ---
LOG_FIELD_CHARS = 200  # anything from outside is cut before it is logged
LOG_LINES = 1_000  # of the server's log, which the console shows: some hundred kilobytes, a few megabytes at worst
LOG_LINE_CHARS = 2_000  # of one of them with its stack
LOG_STACK = 12  # lines of code of one error
LOG_ERRORS_A_LINE = 4  # an error and what led to it
LOG_NEWS_S = 0.5  # whoever looks at the log is told of new lines this often at most
LOG_LOOKED_AT_S = 90.0  # who has not asked for so long does not look any more
SUPPORT_LOG_CHARS = (
    400_000  # of a support bundle: with all else it fits into one line of the control socket
)
