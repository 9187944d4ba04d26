#!/bin/sh
# Run the tests that make a network of their own, with the programs they need; elsewhere they say why they do not run.
set -eu
cd "$(dirname "$0")/.."

find_missing() {
    command -v avahi-daemon >/dev/null || printf " avahi-daemon"
    command -v avahi-browse >/dev/null || printf " avahi-utils"
    command -v dbus-daemon >/dev/null || printf " dbus"
    command -v ip >/dev/null && command -v ss >/dev/null || printf " iproute2"
}

missing=$(find_missing)
if [ -n "$missing" ] && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    # shellcheck disable=SC2086  # a list of names
    packaging/apt.sh $missing || true
fi

exec .venv/bin/python -m pytest -m lan tests/lan "$@"
