#!/usr/bin/env bash
# Ask real servers anew, on SQLite and on MariaDB, and keep their answers in recorded/.
# Needs what ../openstack/up.sh needs.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
OPENSTACK=$HERE/../openstack
export ROOT DB CLEAN=1

for DB in sqlite mariadb; do
    ROOT=$HERE/../.work/parity-$DB
    trap '"$OPENSTACK/down.sh"' EXIT
    "$OPENSTACK/up.sh"
    like=()
    [ "$DB" = sqlite ] || like=(--like sqlite.json)
    "${PYTHON:-python3}" "$HERE/parity.py" --record "$HERE/recorded/$DB.json" --label "$DB" \
        --clouds "$ROOT/clouds.yaml" "${like[@]}"
    "$OPENSTACK/down.sh"
done
