#!/usr/bin/env bash
# Play the scenarios of tests/src/scenarios against a real Keystone and Neutron, once on SQLite and
# once on MariaDB, and compare devcloud's answers with those of both.  Prints a table of parts with
# their times; exits with 1 if any part failed, after the others have run.
#
#   ./run-openstack.sh            everything
#   ./run-openstack.sh NAME...    only the scenarios with these words in their names, no parity
#   TIMING=1 ./run-openstack.sh   and the time of a run over 1,000 unchanged CRs
#
# Brings up three clouds of its own on free ports and always stops them: SQLite, MariaDB, and a
# second SQLite one for what needs two clouds.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=lib/run.sh
. "$HERE/lib/run.sh"

# Simulators are background processes, which end with the run.
stop_own() { :; }

build() {
    cd "$REPOSITORY"
    cargo build --quiet --locked --package devcloud --package router-flavors --package placeholder &&
        cargo test --quiet --locked --package openstack-sync-tests --test openstack --no-run
}

scenarios() { # scenarios CLOUD [ARGUMENTS...]
    local cloud=$1
    shift
    cd "$REPOSITORY"
    OPENSTACK_SYNC_E2E_CLOUDS=$WORK/$cloud/clouds.yaml \
    OPENSTACK_SYNC_E2E_CLOUDS_2=$WORK/second/clouds.yaml \
        cargo test --quiet --locked --package openstack-sync-tests --test openstack -- \
        --ignored --test-threads 1 "$@"
}

timing() { scenarios sqlite --exact --nocapture timing::of_a_thousand_crs; }

simulate() { # simulate CLOUD [OPTIONS...]: a devcloud that is like CLOUD, in $WORK/devcloud-CLOUD
    local dir=$WORK/devcloud-$1 target=${CARGO_TARGET_DIR:-$REPOSITORY/target}
    shift
    "$target/debug/devcloud" serve --dir "$dir" "$@" >"$dir.log" 2>&1 &
    for _ in $(seq 100); do
        # the last line comes when all files are there
        if grep -q ^neutron "$dir.log"; then return; fi
        sleep 0.1
    done
    cat "$dir.log" >&2
    return 1
}

parity() { # parity CLOUD
    "$HERE/parity/parity.py" --wipe --label "$1" --real "$WORK/$1/clouds.yaml:local-admin" \
        --devcloud "$WORK/devcloud-$1/clouds.yaml:devcloud"
}

everything() { # while the scenarios play in one cloud, parity is checked with the other: two cores
    local cloud other pid
    part "simulator, sqlite" simulate sqlite &&
        part "simulator, mariadb" simulate mariadb --case-blind || return 0
    for cloud in sqlite mariadb; do
        other=mariadb
        [ "$cloud" = sqlite ] || other=sqlite
        parity "$other" >"$WORK/parity-$other.log" 2>&1 &
        pid=$!
        part "scenarios, $cloud" scenarios "$cloud" --skip timing:: || true
        part "parity, $other (meanwhile)" finish "$pid" "$WORK/parity-$other.log" || true
    done
}

start_run run-openstack
part build build && part "three clouds" clouds_up sqlite mariadb second || end_run
if [ $# = 0 ]; then
    everything
else
    for cloud in sqlite mariadb; do
        part "scenarios, $cloud" scenarios "$cloud" --skip timing:: "$@" || true
    done
fi
if [ "${TIMING:-}" = 1 ]; then part "1,000 CRs" timing || true; fi
end_run
