#!/bin/sh
# Install Debian packages, as root, with nobody there to answer questions: apt.sh PACKAGE...
set -eu
export DEBIAN_FRONTEND=noninteractive
echo "setup: apt-get install $*" >&2
apt-get update -qq
apt-get install -qq -y --no-install-recommends "$@" >/dev/null
