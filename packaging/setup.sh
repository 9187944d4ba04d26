#!/bin/sh
# Make .venv with the locked packages and this project in it: setup.sh server | dev
#
# `setup.sh bundle` makes build/venv instead: what is in it is what the bundle can be made of, so
# nothing of the tools of development can get into it.
#
# A second run with nothing changed only compares one stamp. A stamp is written when its step has
# ended well, so a run that was broken off is never taken for a finished one.
set -eu
cd "$(dirname "$0")/.."

set_name=${1:-server}
venv=.venv
[ "$set_name" != bundle ] || venv=build/venv
lock=packaging/locks/$set_name.txt
[ -f "$lock" ] || { echo "usage: packaging/setup.sh server|dev|bundle" >&2; exit 2; }

say() { echo "setup: $*" >&2; }
stop() { say "$*"; exit 1; }

# What the set is made from, and where: a venv that was moved does not work any more.
wanted() {
    pwd
    cksum pyproject.toml "packaging/locks/$1.txt" packaging/setup.sh
}

is_current() {
    [ -f "$venv/stamp-$1" ] && [ "$(cat "$venv/stamp-$1")" = "$(wanted "$1")" ]
}

works() {
    [ -f "$venv/stamp-venv" ] && [ "$(cat "$venv/stamp-venv")" = "$(pwd)" ] &&
        "$venv/bin/python" -c "import pip" 2>/dev/null
}

# Print the first Python that has the right version and the named modules.
find_python() {
    for candidate in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11 /usr/bin/python3}; do
        if "$candidate" -c "
import sys
sys.exit(not (3, 11) <= sys.version_info < (3, 15))
" 2>/dev/null && "$candidate" -c "import $1" 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    return 1
}

# A system Python may come without the part that makes virtual environments.
get_python() {
    find_python "ensurepip, venv, sqlite3, ssl" && return
    if bare=$(find_python "sys"); then
        package=$("$bare" -c "import sys; print('python3.%d-venv' % sys.version_info[1])")
    else
        package="python3 python3-venv"
    fi
    if ! command -v apt-get >/dev/null; then
        stop "needs Python 3.11 to 3.14 with venv, ssl and sqlite3: install one from python.org or with your package manager"
    fi
    [ "$(id -u)" = 0 ] || stop "needs $package: sudo apt-get install $package"
    # shellcheck disable=SC2086  # a list of names
    packaging/apt.sh $package >&2
    find_python "ensurepip, venv, sqlite3, ssl" ||
        stop "found no Python 3.11 to 3.14 with venv, ssl and sqlite3, even with $package installed"
}

make_venv() {
    python=$(get_python)
    say "making $venv with $("$python" --version)"
    rm -rf "$venv"
    "$python" -m venv "$venv"
    pwd >"$venv/stamp-venv"
}

install() {
    rm -f "$venv"/stamp-server "$venv"/stamp-dev
    say "installing the locked packages of $lock"
    pip="$venv/bin/python -m pip --disable-pip-version-check --no-input --quiet"
    $pip install --require-hashes --requirement "$lock"
    $pip install --no-deps --no-build-isolation --editable .
    wanted "$set_name" >"$venv/stamp-$set_name"
}

# The dev set holds all of the server's, in the same versions.
if works; then
    if is_current "$set_name" || is_current dev; then exit 0; fi
    # Someone who develops here keeps the tools when only the server is asked for.
    [ ! -f "$venv/stamp-dev" ] || { set_name=dev; lock=packaging/locks/dev.txt; }
else
    make_venv
fi
install
say "ready: $venv/bin/ira"
