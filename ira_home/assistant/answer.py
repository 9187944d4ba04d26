"""An answer as it grows: told to the run's listeners piece by piece, and kept for its result."""

from ira_home.assistant.render import answer_json, error_json, proposal_json, tool_event
from ira_home.assistant.runs import Run, RunResult
from ira_home.base.errors import IraError
from ira_home.base.ids import CallId
from ira_home.domain.proposals import Proposal
from ira_home.domain.tools import Outcome, ToolUse


class Answer:
    """Writes into one run. The tokens, put together, are the answer's text."""

    def __init__(self, run: Run) -> None:
        """Begin with nothing said."""
        self.run = run
        self._text = ""
        self._begins_anew = False
        self._proposals: list[Proposal] = []
        self._tools: list[ToolUse] = []

    @property
    def text(self) -> str:
        """What has been said so far."""
        return self._text

    @property
    def tools(self) -> tuple[ToolUse, ...]:
        """The calls that have ended so far."""
        return tuple(self._tools)

    def start(self) -> None:
        """Tell that the run is there."""
        run = self.run
        told = {
            "run_id": run.id,
            "conversation_id": run.conversation_id,
            "message_id": run.message_id,
        }
        run.emit("start", told)

    def new_piece(self) -> None:
        """What comes next stands in a paragraph of its own."""
        self._begins_anew = bool(self._text)

    def token(self, text: str) -> None:
        """Go on with the piece."""
        if not text:
            return
        if self._begins_anew:
            text = "\n\n" + text.lstrip("\n")
            self._begins_anew = False
        self._text += text
        self.run.emit("token", {"text": text})

    def say(self, text: str) -> None:
        """One whole piece."""
        self.new_piece()
        self.token(text)
        self.new_piece()

    def tool_begins(self, call_id: CallId, tool: str, device: str | None) -> None:
        """A call is on its way."""
        self.run.emit("tool", tool_event(call_id, tool, device, None))

    def tool_ends(self, call_id: CallId, tool: str, device: str | None, outcome: Outcome) -> None:
        """The call is over, or waits for its person."""
        self._tools.append(ToolUse(tool, device, outcome))
        self.run.emit("tool", tool_event(call_id, tool, device, outcome))

    def propose(self, proposal: Proposal) -> None:
        """A call waits: its read-back is said and its card is shown."""
        self._proposals.append(proposal)
        self.say(proposal.text)
        self.run.emit("proposal", proposal_json(proposal))

    def end(self, error: IraError | None = None) -> None:
        """The last word; what cut the answer short has been said already."""
        result = RunResult(
            run_id=self.run.id,
            conversation_id=self.run.conversation_id,
            message_id=self.run.message_id,
            text=self._text,
            proposals=tuple(self._proposals),
            tools=tuple(self._tools),
            error=error,
        )
        if error is None:
            self.run.end(result, "done", answer_json(result))
        else:
            self.run.end(result, "error", error_json(result))
