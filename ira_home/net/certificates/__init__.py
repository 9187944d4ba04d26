"""The house's own certificate authority, the server certificate that it signs, and one of the operator's own."""

from ira_home.net.certificates.authority import REISSUE_S, Authority
from ira_home.net.certificates.keeper import Keeper
from ira_home.net.certificates.own import OwnCertificate
from ira_home.net.certificates.state import CaShown

__all__ = ["REISSUE_S", "Authority", "CaShown", "Keeper", "OwnCertificate"]
