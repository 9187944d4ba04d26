#!/bin/sh
# Write the locks anew from pyproject.toml: every version pinned, every file by its hash.
set -eu
cd "$(dirname "$0")/.."

uv=.venv/bin/uv
[ -x "$uv" ] || uv=$(command -v uv) || { echo "make lock needs uv: run 'make install-dev' first" >&2; exit 1; }

compile() {
    name=$1
    shift
    "$uv" pip compile pyproject.toml --group build "$@" \
        --universal --python-version 3.11 --generate-hashes --upgrade \
        --no-header --no-annotate --quiet --output-file "packaging/locks/$name.txt"
}

# The widest set first: the others take its versions, so that tests run what people run.
compile dev --all-extras
compile server --extra server --extra companion --constraints packaging/locks/dev.txt
compile client --extra companion --constraints packaging/locks/dev.txt
compile bundle --extra server --extra companion --group bundle --constraints packaging/locks/dev.txt
wc -l packaging/locks/*.txt
