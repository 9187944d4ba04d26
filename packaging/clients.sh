#!/bin/sh
# Make the files that the Downloads page hands out, unless they are there: clients.sh [VENV [FOLDER]]
#
# What there is so far: the companion for Mac, Windows and Linux, as a wheel of this project. It is made from a copy,
# so that nothing left over from an older build gets into it, and without a network.
set -eu
cd "$(dirname "$0")/.."

venv=${1:-.venv}
folder=${2:-ira_home/web/downloads}
stamp=$folder/.made-from

say() { echo "clients: $*" >&2; }

made_from() {
    find ira_home clients/python clients/desktop pyproject.toml README.md LICENSE packaging/clients.sh -type f \
        ! -name '*.pyc' ! -path '*.egg-info/*' ! -path 'ira_home/web/downloads/*' |
        LC_ALL=C sort | xargs cksum | cksum
}

source=$(made_from)
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$source" ]; then exit 0; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/source/clients"
cp -R ira_home pyproject.toml README.md LICENSE "$work/source"
cp -R clients/python clients/desktop "$work/source/clients"
# One source makes one file, byte by byte: people compare its sum.
SOURCE_DATE_EPOCH=1767225600 "$venv/bin/python" -m pip --disable-pip-version-check --no-input --quiet wheel \
    --no-deps --no-build-isolation --no-index --wheel-dir "$work" "$work/source"
mkdir -p "$folder"
rm -f "$folder"/*.whl "$stamp"
mv "$work"/*.whl "$folder"
echo "$source" >"$stamp"
say "made $(cd "$folder" && ls ./*.whl)"
