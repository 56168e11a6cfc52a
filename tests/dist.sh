#!/usr/bin/env bash
# Prove the static binaries that components/openstack-sync-image/build.sh made: run the tests of
# tests/tests/dist, those that need root included.
#
# They give each process a root directory of its own, and have a name server at port 53 of 127.53.0.*. An ordinary
# user is allowed neither, so for one they run in a user and a network namespace, where there is no uid but
# root's and loopback is all the network there is. Not every machine lets users make those.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(id -u)" != 0 ]; then
    own_network='ip link set lo up && exec "$@"'
    if ! unshare --map-root-user --net sh -c "$own_network" sh true; then
        echo "this needs root, or unshare and ip for a namespace in which one is root (see above)" >&2
        exit 1
    fi
    host=$(rustc -vV | sed -n 's/^host: //p' | tr 'a-z-' 'A-Z_')
    # cargo splits this at spaces, so the script has to be a file.
    runner=$(mktemp)
    trap 'rm -f "$runner"' EXIT
    printf '#!/bin/sh\n%s\n' "$own_network" >"$runner"
    export "CARGO_TARGET_${host}_RUNNER=unshare --map-root-user --net sh $runner"
fi
OPENSTACK_SYNC_E2E_HOOKS=$(cd "${CARGO_TARGET_DIR:-target}/dist" && pwd)
export OPENSTACK_SYNC_E2E_HOOKS
"${CARGO:-cargo}" test --locked --package openstack-sync-tests --test dist -- --include-ignored
