# shellcheck shell=bash
# Parts of a long run, and a table of them with their times at its end. FAILED is 1 once a part failed.

PARTS=()
FAILED=0

part() { # part NAME COMMAND...: run it and note how long it took; a failure is noted, not the end
    local name=$1 begin=$SECONDS verdict=ok
    shift
    echo "=== $name"
    # shellcheck disable=SC2034 # who runs parts asks for it
    "$@" || { verdict=FAILED FAILED=1; }
    PARTS+=("$(printf '%-28s %5d s  %s' "$name" $((SECONDS - begin)) "$verdict")")
    [ "$verdict" = ok ]
}

table() { # the parts and their times
    echo
    echo "parts:"
    printf '  %s\n' "${PARTS[@]}"
    printf '  %-28s %5d s\n' all "$SECONDS"
}
