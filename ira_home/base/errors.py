"""The tree of errors that a person, a script or a device may see: each class has one stable code."""

from typing import ClassVar

REGISTRY: dict[str, type["IraError"]] = {}


class IraError(Exception):
    """An error with a stable `code`, an HTTP `status` and a sentence that may be shown.

    `message` is plain words for a person and never holds a secret. `details` are extra members of
    the problem document (RFC 9457); `retry_after_s` becomes the Retry-After header.
    """

    code: ClassVar[str] = "internal"
    status: ClassVar[int] = 500
    default: ClassVar[str] = "Something went wrong on the server."

    def __init_subclass__(cls) -> None:
        """Register the class under its code; a code is used once."""
        code = cls.__dict__.get("code")
        if code is None:
            return
        if code in REGISTRY:
            message = f"error code {code} is used twice"
            raise TypeError(message)
        REGISTRY[code] = cls

    def __init__(
        self, message: str | None = None, *, retry_after_s: int | None = None, **details: object
    ) -> None:
        """Take the sentence to show, or the class's own."""
        self.message = message or self.default
        self.retry_after_s = retry_after_s
        self.details = details
        super().__init__(self.message)


class BadRequest(IraError):
    """The request cannot be read at all."""

    code = "bad_request"
    status = 400
    default = "The request could not be read."


class BadJson(BadRequest):
    """The body or frame is no strict JSON (RFC 8259, no NaN, no duplicate keys, depth 32)."""

    code = "bad_json"
    default = "This is not valid JSON."


class TwoCredentials(BadRequest):
    """More than one credential came with one request."""

    code = "two_credentials"
    default = "Send one credential, not two."


class Unauthenticated(IraError):
    """No credential, or one that is unknown, expired or revoked."""

    code = "sign_in_needed"
    status = 401
    default = "Sign in first."


class WrongCredentials(Unauthenticated):
    """E-mail or password is wrong; which one is never said."""

    code = "wrong_credentials"
    default = "The e-mail or the password is wrong."


class Forbidden(IraError):
    """The credential is good but may not do this."""

    code = "forbidden"
    status = 403
    default = "You may not do this."


class ForeignOrigin(Forbidden):
    """A web page of another origin, or a cookie without Origin on an unsafe method."""

    code = "foreign_origin"
    default = "This request did not come from Ira's own page."


class HttpsRequired(Forbidden):
    """The plain HTTP port serves only the first steps; it never redirects."""

    code = "https_required"
    default = "Use https for this."


class PinRequired(Forbidden):
    """The step needs the action PIN and none was given."""

    code = "pin_required"
    default = "This needs your PIN."


class PinWrong(Forbidden):
    """The action PIN is wrong."""

    code = "pin_wrong"
    default = "The PIN is wrong."


class PinNotSet(Forbidden):
    """The person has no action PIN yet."""

    code = "pin_not_set"
    default = "Set a PIN first, on your page under More."


class PasswordNeeded(Forbidden):
    """The step needs the password again (within 10 minutes)."""

    code = "password_needed"
    default = "Enter your password again first."


class PasswordWrong(Forbidden):
    """The password given for a serious step is wrong."""

    code = "password_wrong"
    default = "The password is wrong."


class NotFound(IraError):
    """Not there, or not this person's: the two are never told apart."""

    code = "not_found"
    status = 404
    default = "There is no such thing here."


class MethodNotAllowed(IraError):
    """The path is known, the method is not."""

    code = "method_not_allowed"
    status = 405
    default = "This address does not take that method."


class Conflict(IraError):
    """The thing is not in a state that allows this."""

    code = "conflict"
    status = 409
    default = "This cannot be done now."


class KindMismatch(Conflict):
    """A pairing code of one kind was claimed as another (decided 1)."""

    code = "kind_mismatch"
    default = "This code is for another kind of device."


class DigestMismatch(Conflict):
    """The digest confirmed is not the digest shown."""

    code = "digest_mismatch"
    default = "What you confirmed is not what was shown. Look again."


class ProposalOver(Conflict):
    """The proposal has already ended (done, cancelled, void)."""

    code = "proposal_over"
    default = "This was already answered."


class DeviceAway(Conflict):
    """The device is not connected; nothing is queued."""

    code = "device_away"
    default = "The device is away. Nothing was sent."


class Busy(Conflict):
    """Three asks are waiting in this conversation already."""

    code = "busy"
    default = "I am still working on your last messages here."


class AlreadyDone(Conflict):
    """A repeated Idempotency-Key whose answer is not kept; `id` in the details names the result."""

    code = "already_done"
    default = "This was done already."


class LastOwner(Conflict):
    """The last owner cannot be removed or demoted."""

    code = "last_owner"
    default = "The house needs an owner: this is the last one."


class Taken(Conflict):
    """The name is in use (an e-mail address, say)."""

    code = "taken"
    default = "That is in use already."


class IdempotencyConflict(Conflict):
    """An Idempotency-Key came again with another request."""

    code = "idempotency_conflict"
    default = "This Idempotency-Key was used for another request."


class InProgress(Conflict):
    """The first request with this Idempotency-Key has not been answered yet, or never was."""

    code = "in_progress"
    default = "The first request with this Idempotency-Key is still being worked on."


class SetUpAlready(IraError):
    """The house has its owner; set-up is over."""

    code = "already_set_up"
    status = 410
    default = "This house is set up already."


class Gone(IraError):
    """Over: used up, expired or ended."""

    code = "gone"
    status = 410
    default = "This is over."


class CodeGone(Gone):
    """The pairing code is unknown, used, expired or cancelled; which one is never said."""

    code = "code_gone"
    default = "That code does not work. Ask for a new one."


class ProposalExpired(Gone):
    """120 seconds have passed since the proposal."""

    code = "proposal_expired"
    default = "Time ran out. Nothing was done."


class TooSlow(IraError):
    """The body did not come in time."""

    code = "too_slow"
    status = 408
    default = "The request took too long to arrive."


class ChangedMeanwhile(IraError):
    """If-Match names a version that is no longer the newest: somebody else changed it."""

    code = "changed_meanwhile"
    status = 412
    default = "Somebody changed this meanwhile. Look again."


class TooLarge(IraError):
    """The body is over its bound."""

    code = "too_large"
    status = 413
    default = "That is too large."


class UnsupportedType(IraError):
    """The body is not application/json (or the form the page sends)."""

    code = "unsupported_type"
    status = 415
    default = "Send JSON."


class WrongHost(IraError):
    """The Host header names no name or address of this server."""

    code = "wrong_host"
    status = 421
    default = "This server does not go by that name."


class Invalid(IraError):
    """A field has the wrong shape or value; `field` in the details names it."""

    code = "invalid"
    status = 422
    default = "A field is missing or wrong."


class BadLink(Invalid):
    """A pairing link or code cannot be read; the message says why."""

    code = "bad_link"
    default = "This pairing link cannot be read."


class UnknownAddress(Invalid):
    """The address to give out is none by which other devices reach this computer."""

    code = "unknown_address"
    status = 400
    default = "This computer has no such address at present."


class WeakPassword(Invalid):
    """The password is too short, too long or among the commonest."""

    code = "weak_password"
    default = "Choose a longer or less common password: 8 to 256 characters."


class TooMany(IraError):
    """A throttle holds this off; Retry-After says for how long."""

    code = "too_many"
    status = 429
    default = "Too many tries. Wait a little."


class PinLocked(TooMany):
    """Five wrong PINs in 15 minutes: every PIN is refused for 15 minutes (decided 19)."""

    code = "pin_locked"
    default = "Too many wrong PINs. Try again in 15 minutes."


class Unavailable(IraError):
    """Something outside (disk, network, model) keeps this from working now."""

    code = "unavailable"
    status = 503
    default = "This is not available now."


class StorageFull(Unavailable):
    """The record could not be written, so nothing was done."""

    code = "storage_full"
    default = "The disk is full. Nothing was done."


class ModelFailed(Unavailable):
    """The model's server failed; the message says how in one sentence."""

    code = "model_failed"
    default = "The model did not answer."


class FetchFailed(Unavailable):
    """Something on the internet could not be had; the message says how in one sentence."""

    code = "fetch_failed"
    default = "That address cannot be reached."


class ToolFailed(IraError):
    """A tool could not do its work; the message may be told to its person."""

    code = "tool_failed"
    status = 502
    default = "That did not work."


class ConfigError(IraError):
    """A setting cannot be used; the message names it and where it came from."""

    code = "config"
    default = "A setting is wrong."


class CommandFailed(IraError):
    """A command of the operator could not be carried out."""

    code = "command_failed"
    default = "That could not be done."


class ProtocolError(IraError):
    """A frame breaks the device protocol; `message` is sent in the error frame."""

    code = "bad_frame"
    status = 400
    default = "This frame is not understood."
