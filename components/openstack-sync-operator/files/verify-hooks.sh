#!/bin/sh
# Checks the enabled hooks before shell-operator starts them, because there a hook that is missing or not executable
# is passed over in silence, and one that does not answer stops all the others.
#
# usage: verify-hooks.sh PATH...
# POSIX sh; needs `timeout`. Every hook that fails is named on standard error, then the exit code is 1.
set -u
hooks=${SHELL_OPERATOR_HOOKS_DIR:-/hooks}
failed=0

complain() {
    echo "verify-hooks: $*" >&2
    failed=1
}

for hook in "$@"; do
    case $hook in
    "$hooks"/*) ;;
    *)
        complain "$hook: is not below $hooks, where shell-operator looks for hooks"
        continue
        ;;
    esac
    if [ ! -f "$hook" ]; then
        complain "$hook: is not in the image"
    elif [ ! -x "$hook" ]; then
        complain "$hook: is not executable"
    else
        # What the hook itself says on standard error is passed on.
        answer=$(timeout 30 "$hook" --config </dev/null)
        code=$?
        if [ "$code" -ne 0 ]; then
            complain "$hook: --config ended with exit code $code, or took more than 30 seconds"
        elif [ -z "$answer" ]; then
            complain "$hook: --config printed nothing"
        fi
    fi
done
exit "$failed"
