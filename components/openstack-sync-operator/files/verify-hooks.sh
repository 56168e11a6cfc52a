#!/bin/sh
# Checks the enabled hooks before shell-operator starts them, because there a hook that is missing or not executable
# is passed over in silence, and one that does not answer stops all the others.
#
# usage: verify-hooks.sh PATH...
# POSIX sh; needs `timeout`, `mktemp`, `head` and `grep`. Every hook that fails is named on standard error, then the
# exit code is 1.
set -u
hooks=${SHELL_OPERATOR_HOOKS_DIR:-/hooks}
failed=0

complain() {
    echo "verify-hooks: $*" >&2
    failed=1
}

# Whether the kernel can run this file: a script that says by what, or an ELF binary. A shell would run others too;
# shell-operator cannot.
runs() {
    case $(head -c 4 "$1") in
    '#!'* | ?ELF) ;;
    *) false ;;
    esac
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
    elif ! runs "$hook"; then
        complain "$hook: is neither a script with #! in its first line nor an ELF binary"
    else
        # A file, since a pipe would stay open as long as some child of the hook has it. What the hook itself says on
        # standard error is passed on.
        answer=$(mktemp) || exit 1
        timeout -k 5 30 "$hook" --config </dev/null >"$answer"
        code=$?
        if [ "$code" -ne 0 ]; then
            complain "$hook: --config ended with exit code $code, or took more than 30 seconds"
        elif ! grep -q . "$answer"; then
            complain "$hook: --config printed nothing"
        fi
        rm -f "$answer"
    fi
done
exit "$failed"
