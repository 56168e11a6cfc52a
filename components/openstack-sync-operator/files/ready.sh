#!/bin/sh
# Whether shell-operator watches for its hooks. It does not while a CRD or a right is missing; then it also holds
# back every hook behind the one in trouble, in a pod that looks healthy.
#
# usage: ready.sh PATH...
# PATH... are hooks that must be watching by now; of others it is only asked whether they failed to.
# POSIX sh; needs `curl` and `grep`. What is wrong is said on standard output, then the exit code is 1.
set -u
hooks=${SHELL_OPERATOR_HOOKS_DIR:-/hooks}
failed=0
complain() {
    echo "not ready: $*"
    failed=1
}

# The pod itself is asked, never a proxy.
metrics=$(curl --silent --show-error --fail --max-time 4 --noproxy '*' http://localhost:9115/metrics 2>&1) || {
    complain "$metrics"
    exit 1
}
# One line for each hook with bindings to Kubernetes: ...{hook="<path below the hooks' folder>"} 1, or 0 if it failed.
watches=$(printf '%s\n' "$metrics" | grep -F 'hook_enable_kubernetes_bindings_success{')
if failing=$(printf '%s\n' "$watches" | grep ' 0$'); then
    complain "shell-operator cannot watch; is the CRD there, may the service account list its resources? $failing"
fi
for hook in "$@"; do
    name=${hook#"$hooks"/}
    printf '%s\n' "$watches" | grep -qF "hook=\"$name\"" || complain "$name is not watching yet"
done
exit "$failed"
