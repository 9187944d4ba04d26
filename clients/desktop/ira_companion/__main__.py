"""`python -m ira_companion` and the bundle's `ira-companion`: the command, and the parser that it starts."""

import sys

from ira_companion.parsing import PARSE, main as parse

if sys.argv[1:2] == [PARSE]:
    parse(sys.argv[2])
else:
    # Only here, so that a parser starts fast and has next to nothing in it.
    from ira_companion.main import main

    main()
