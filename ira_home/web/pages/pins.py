"""A PIN typed twice, on the page of its person and in the first run."""

from multidict import MultiMapping

from ira_home.base.errors import Invalid
from ira_home.web.call import Call


def typed_pin(form: MultiMapping[str]) -> str:
    """The PIN, which was typed the same twice; raises Invalid."""
    if form.get("pin", "") != form.get("pin_again", ""):
        raise Invalid(field="pin_again")
    return form.get("pin", "")


async def set_pin(call: Call) -> None:
    """Set one's own first PIN, or another, with the password of the form."""
    pin = typed_pin(call.form)
    await call.services.accounts.set_pin(
        call.principal, password=call.form.get("password", ""), pin=pin
    )
