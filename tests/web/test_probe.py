"""The checks of the public contract that were written apart from the product, where somebody has them.

They are no part of this repository: `IRA_PROBE` names their folder.
"""

import os
from pathlib import Path
import re
import subprocess
import sys

import pytest

from tests.support.requirements import requirement

TOP = Path(__file__).parents[2]
PROBE = Path(os.environ.get("IRA_PROBE") or os.devnull)
LIMIT_S = 420.0


@pytest.mark.slow
@pytest.mark.timeout(LIMIT_S + 30)
@pytest.mark.skipif(
    not (PROBE / "probe" / "__main__.py").is_file(),
    reason="the checks of the public contract are not here; IRA_PROBE names their folder",
)
@requirement("lan.https", "lan.http", "lan.http.pair", "lan.host", "lan.origin")
def test_every_check_of_the_doors_and_of_the_line_passes_and_none_is_left_out() -> None:
    areas = ("--area", "entry", "--area", "link")
    program = [sys.executable, "-m", "probe", "--checkout", str(TOP), *areas]
    ran = subprocess.run(
        program, cwd=PROBE, capture_output=True, text=True, timeout=LIMIT_S, check=False
    )
    said = ran.stdout + ran.stderr
    counted = re.search(r"^(\d+) passed, (\d+) failed, (\d+) skipped$", ran.stdout, re.MULTILINE)
    assert counted is not None, said
    passed, failed, skipped = map(int, counted.groups())
    assert (failed, skipped, ran.returncode) == (0, 0, 0), said
    assert passed > 30, said
