#!/bin/sh
# Run the tests of one marker expression, with the programs they drive: test.sh EXPRESSION [PYTEST-ARGUMENT...]
#
# Chromium, Node.js and tools of TLS are installed where that is possible; elsewhere their tests are left out,
# in words. CHROMIUM names a browser that is not found by itself.
set -eu
cd "$(dirname "$0")/.."

expression="($1)"
shift

find_chromium() {
    for candidate in "${CHROMIUM:-}" chromium chromium-browser google-chrome-stable google-chrome \
        "/Applications/Chromium.app/Contents/MacOS/Chromium" \
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
        if [ -n "$candidate" ] && command -v "$candidate"; then return; fi
    done
    return 1
}

# Playwright brings a driver of its own, which a very small system may not be able to start.
driver_starts() {
    .venv/bin/python -m playwright --version >/dev/null 2>&1
}

find_missing() {
    find_chromium >/dev/null || printf " chromium"
    driver_starts || printf " libatomic1"
    command -v node >/dev/null || printf " nodejs"
    command -v certutil >/dev/null || printf " libnss3-tools"
    command -v curl >/dev/null || printf " curl"
    command -v openssl >/dev/null || printf " openssl"
}

missing=$(find_missing)
if [ -n "$missing" ] && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    # shellcheck disable=SC2086  # a list of names
    packaging/apt.sh $missing || true
    missing=$(find_missing)
fi
[ -z "$missing" ] || echo "test: some tests are left out, for want of:$missing" >&2

case $missing in *nodejs*) expression="$expression and not node" ;; esac
case $missing in
    *chromium* | *libatomic1*)
        exec .venv/bin/python -m pytest -n auto --dist worksteal -m "$expression and not browser" "$@" ;;
esac
CHROMIUM=$(find_chromium) && export CHROMIUM

# Those with a browser mostly wait for it, so they run beside the others, which run on every core; what those with
# a browser say comes at the end.
said=$(mktemp)
.venv/bin/python -m pytest -m "$expression and browser" "$@" >"$said" 2>&1 &
browsers=$!
trap 'kill $browsers 2>/dev/null || true; rm -f "$said"' EXIT
trap 'exit 130' INT TERM
failed=0
.venv/bin/python -m pytest -n auto --dist worksteal -m "$expression and not browser" "$@" || failed=$?
with_browser=0
wait $browsers || with_browser=$?
cat "$said"
# 5: there are none of that kind.
[ $with_browser = 0 ] || [ $with_browser = 5 ] || failed=$with_browser
[ $failed != 5 ] || failed=$with_browser
exit $failed
