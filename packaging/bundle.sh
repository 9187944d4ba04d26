#!/bin/sh
# Make the bundle in dist/ira, unless it is there already, and say how large it is.
set -eu
cd "$(dirname "$0")/.."

bundle=dist/ira
stamp=build/stamp-bundle

say() { echo "bundle: $*"; }
stop() { say "$*" >&2; exit 1; }

# What it is made from: every file of the packages, the locked packages and the recipe.
made_from() {
    find ira_home clients/python clients/desktop packaging pyproject.toml ira.spec -type f \
        ! -name '*.pyc' ! -path '*.egg-info/*' | LC_ALL=C sort | while IFS= read -r file; do cksum "$file"; done | cksum
}

# PyInstaller reads and packs libraries with these; Debian's Python comes without its own library.
find_missing() {
    [ "$(uname)" = Linux ] || return 0
    command -v objdump >/dev/null && command -v strip >/dev/null || printf " binutils"
    build/venv/bin/python -c "from PyInstaller.depend.bindepend import get_python_library_path as find; find()" \
        >/dev/null 2>&1 || build/venv/bin/python -c "import sys; print(' libpython3.%d' % sys.version_info[1], end='')"
}

packaging/setup.sh bundle
packaging/clients.sh build/venv
source=$(made_from) # before it is read: what is changed meanwhile makes another bundle the next time
if [ ! -f "$stamp" ] || [ "$(cat "$stamp")" != "$source" ] || [ ! -x "$bundle/ira" ]; then
    missing=$(find_missing)
    if [ -n "$missing" ] && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
        # shellcheck disable=SC2086  # a list of names
        packaging/apt.sh $missing
        missing=$(find_missing)
    fi
    [ -z "$missing" ] || stop "needs$missing, or a Python that was built with --enable-shared"
    rm -rf "$stamp" "$bundle"
    # The seed orders what is packed, so that two bundles of one source are the same.
    PYTHONHASHSEED=1 build/venv/bin/pyinstaller --noconfirm --log-level ERROR --workpath build/pyinstaller ira.spec
    echo "$source" >"$stamp"
fi
say "$bundle, $(du -sm "$bundle" | cut -f1) MB"
