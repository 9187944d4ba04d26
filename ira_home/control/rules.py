"""What can be refused of a command's words before a secret is asked for."""

from ira_home.access.rules import good_email, good_name, good_password, good_pin

__all__ = ["good_email", "good_name", "good_password", "good_pin"]
