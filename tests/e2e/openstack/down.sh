#!/usr/bin/env bash
# Stop what up.sh started under the same ROOT.  CLEAN=1 also removes databases, keys and logs.
set -u
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT=${ROOT:-$(cd "$HERE/.." && pwd)/.work/openstack}
RUN=$ROOT/run
# shellcheck source=../lib/processes.sh
. "$HERE/../lib/processes.sh"

for name in neutron keystone mariadb; do stop "$name"; done
if [ -s "$RUN/mariadb.socket" ]; then
    rmdir "$(dirname "$(cat "$RUN/mariadb.socket")")" 2>/dev/null
    rm -f "$RUN/mariadb.socket"
fi
# Only in a folder that up.sh made: never the /etc or /var of ROOT=/
if [ "${CLEAN:-}" = 1 ] && [ -e "$RUN/timings.txt" ]; then
    rm -rf "${ROOT:?}"/{var,log,etc,run,clouds.yaml}
fi
exit 0
