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
REPOSITORY=$(cd "$HERE/../.." && pwd)
mkdir -p "$HERE/.work"
WORK=$(mktemp -d "$HERE/.work/run-openstack.XXXXXX")
CLOUDS=(sqlite mariadb second)
SIMULATORS=()
PARTS=()
FAILED=0

stop_all() {
    local status=$? name pid
    trap - EXIT INT TERM
    for pid in "${SIMULATORS[@]}"; do kill "$pid" 2>/dev/null || true; done
    for name in "${CLOUDS[@]}"; do ROOT=$WORK/$name "$HERE/openstack/down.sh" >/dev/null 2>&1 || true; done
    wait
    if [ "$status" = 0 ]; then rm -rf "$WORK"; else echo "logs are in $WORK" >&2; fi
    exit "$status"
}
trap stop_all EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

part() { # part NAME COMMAND...: run it and note how long it took; a failure is noted, not the end
    local name=$1 begin=$SECONDS verdict=ok
    shift
    echo "=== $name"
    "$@" || { verdict=FAILED FAILED=1; }
    PARTS+=("$(printf '%-28s %5d s  %s' "$name" $((SECONDS - begin)) "$verdict")")
    [ "$verdict" = ok ]
}

table() {
    echo
    echo "parts:"
    printf '  %s\n' "${PARTS[@]}"
    printf '  %-28s %5d s\n' all "$SECONDS"
}

build() {
    cd "$REPOSITORY"
    cargo build --quiet --locked --package devcloud --package router-flavors --package placeholder &&
        cargo test --quiet --locked --package openstack-sync-tests --test openstack --no-run
}

up() { # all at once: each spends most of its time on imports, and all share one environment
    local name db pids=() status=0
    # Wishes that differ: up.sh looks for free ports seconds before its servers take them.
    local port=$((20000 + RANDOM % 9000))
    for name in "${CLOUDS[@]}"; do
        db=$name
        [ "$name" = mariadb ] || db=sqlite
        KEYSTONE_PORT=$port NEUTRON_PORT=$((port + 1)) DB=$db ROOT=$WORK/$name \
            "$HERE/openstack/up.sh" >"$WORK/$name.up.log" 2>&1 &
        pids+=($!)
        port=$((port + 2))
    done
    for name in "${CLOUDS[@]}"; do
        wait "${pids[0]}" || { status=1; echo "$name did not come up:"; cat "$WORK/$name.up.log"; } >&2
        pids=("${pids[@]:1}")
    done
    return "$status"
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
    SIMULATORS+=($!)
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

finish() { # finish PID LOG: the end of a part that ran meanwhile
    local status=0
    wait "$1" || status=$?
    cat "$2"
    return "$status"
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

part build build && part "three clouds" up || { table; exit 1; }
if [ $# = 0 ]; then
    everything
else
    for cloud in sqlite mariadb; do
        part "scenarios, $cloud" scenarios "$cloud" --skip timing:: "$@" || true
    done
fi
if [ "${TIMING:-}" = 1 ]; then part "1,000 CRs" timing || true; fi
table
exit "$FAILED"
