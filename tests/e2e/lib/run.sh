# shellcheck shell=bash
# What run-openstack.sh and run-kubernetes.sh have in common: a folder for the run, parts with
# their times, OpenStack clouds, and an end at which everything is stopped.
#
# Needs HERE, the folder of the runs.  Sets REPOSITORY, and WORK, the folder of this run, which is
# kept if the run failed.  The run defines stop_own, which stops what nothing here knows of.

# shellcheck disable=SC2034 # the runs use it
REPOSITORY=$(cd "$HERE/../.." && pwd)
CLOUDS=()

# shellcheck source=parts.sh
. "$HERE/lib/parts.sh"

start_run() { # start_run NAME
    mkdir -p "$HERE/.work"
    WORK=$(mktemp -d "$HERE/.work/$1.XXXXXX")
    trap stop_all EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

stop_all() {
    local status=$? name pid
    trap - EXIT INT TERM
    # Whatever still runs in the background goes first: an up.sh would start servers after its down.sh.
    for pid in $(jobs -pr); do kill "$pid" 2>/dev/null || true; done
    wait
    stop_own
    for name in "${CLOUDS[@]}"; do ROOT=$WORK/$name "$HERE/openstack/down.sh" >/dev/null 2>&1 & done
    wait
    if [ "$status" = 0 ]; then rm -rf "$WORK"; else echo "logs are in $WORK" >&2; fi
    exit "$status"
}

end_run() { # the table; 1 if a part failed
    table
    exit "$FAILED"
}

finish() { # finish PID LOG: the end of a part that ran meanwhile
    local status=0
    wait "$1" || status=$?
    cat "$2"
    return "$status"
}

clouds_up() { # clouds_up NAME...: all at once, in $WORK/NAME; "mariadb" is on MariaDB
    local name db pids=() status=0
    # Wishes that differ: up.sh looks for free ports seconds before its servers take them.
    local port=$((20000 + RANDOM % 9000))
    CLOUDS=("$@")
    for name in "$@"; do
        db=$name
        [ "$name" = mariadb ] || db=sqlite
        KEYSTONE_PORT=$port NEUTRON_PORT=$((port + 1)) DB=$db ROOT=$WORK/$name \
            "$HERE/openstack/up.sh" >"$WORK/$name.up.log" 2>&1 &
        pids+=($!)
        port=$((port + 2))
    done
    for name in "$@"; do
        wait "${pids[0]}" || { status=1; echo "$name did not come up:"; cat "$WORK/$name.up.log"; } >&2
        pids=("${pids[@]:1}")
    done
    return "$status"
}
