#!/usr/bin/env bash
# Stop what up.sh started under the same ROOT.  CLEAN=1 also removes objects, keys and logs.
set -u
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT=${ROOT:-$(cd "$HERE/.." && pwd)/.work/kubernetes}
RUN=$ROOT/run
# shellcheck source=../lib/processes.sh
. "$HERE/../lib/processes.sh"

for name in kube-apiserver etcd; do stop "$name"; done
# Only in a folder that up.sh made: never the /var of ROOT=/
if [ "${CLEAN:-}" = 1 ] && [ -e "$RUN/ports" ]; then
    rm -rf "${ROOT:?}"/{var,log,pki,run,kubeconfig,ca.crt,server,audit.log}
fi
exit 0
