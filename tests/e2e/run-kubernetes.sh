#!/usr/bin/env bash
# Play the scenarios of tests/tests/kubernetes: the chart by real Helm, the dist binaries under the
# real shell-operator, against a real control plane and real Neutrons.  Prints a table of parts with
# their times; exits with 1 if any part failed.
#
#   ./run-kubernetes.sh           everything
#   ./run-kubernetes.sh NAME...   only the scenarios with these words in their names
#
# Needs root. Builds what is missing: Go tools into $E2E_TOOLS (default: .work/tools), binaries into target/dist.
# Brings up a control plane and two clouds of its own on free ports and always stops them.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=lib/run.sh
. "$HERE/lib/run.sh"
export E2E_TOOLS=${E2E_TOOLS:-$HERE/.work/tools}
TARGET=${CARGO_TARGET_DIR:-target}
case $TARGET in /*) ;; *) TARGET=$REPOSITORY/$TARGET ;; esac
TOOLS_PID=

stop_own() {
    # its whole group: the compilers too
    [ -z "$TOOLS_PID" ] || kill -- "-$TOOLS_PID" 2>/dev/null || true
    ROOT=$WORK/control-plane "$HERE/kubernetes/down.sh" >/dev/null 2>&1 &
}

tools() { # in the background: the longest part if nothing is cached
    setsid "$HERE/tools/build.sh" >"$WORK/tools.log" 2>&1 &
    TOOLS_PID=$!
}

tools_ready() {
    finish "$TOOLS_PID" "$WORK/tools.log" || return 1
    TOOLS_PID=
}

# What `make dist` makes, without the proof that it needs nothing.
dist() { make --no-print-directory -C "$REPOSITORY" static; }

tests() {
    cd "$REPOSITORY"
    cargo test --quiet --locked --package openstack-sync-tests --test kubernetes --no-run
}

servers() { # all at once; no cloud wishes for a port above 29002
    local pid status=0
    SERVER_PORT=$((29100 + RANDOM % 800)) ROOT=$WORK/control-plane "$HERE/kubernetes/up.sh" \
        >"$WORK/control-plane.up.log" 2>&1 &
    pid=$!
    clouds_up sqlite second || status=1
    finish "$pid" "$WORK/control-plane.up.log" || status=1
    return "$status"
}

scenarios() {
    cd "$REPOSITORY"
    OPENSTACK_SYNC_E2E_CONTROL_PLANE=$WORK/control-plane \
    OPENSTACK_SYNC_E2E_TOOLS=$E2E_TOOLS \
    OPENSTACK_SYNC_E2E_HOOKS=$TARGET/dist \
    OPENSTACK_SYNC_E2E_CLOUDS=$WORK/sqlite/clouds.yaml \
    OPENSTACK_SYNC_E2E_CLOUDS_2=$WORK/second/clouds.yaml \
    OPENSTACK_SYNC_E2E_CLOUD_ROOT=$WORK/sqlite \
        cargo test --quiet --locked --package openstack-sync-tests --test kubernetes -- \
        --ignored --test-threads 1 "$@"
}

if [ "$(id -u)" != 0 ]; then
    echo "this needs root: the operator runs in namespaces of its own, as the user of the chart" >&2
    exit 1
fi
start_run run-kubernetes
tools
{ part "dist binaries" dist && part "tests" tests && part "Go tools (meanwhile)" tools_ready &&
    part "control plane, two clouds" servers; } || end_run
part "scenarios" scenarios "$@" || true
end_run
