#!/usr/bin/env bash
# Run the tests of the chart with the real Helm: that of HELM, else one on the path, else one that is built (needs Go).
#
#   tests/chart.sh            all of them
#   tests/chart.sh golden     those whose name holds this word
# SNAPSHOTS=overwrite writes the golden files anew.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${HELM:-}" ] && ! HELM=$(command -v helm); then
    tests/e2e/tools/build.sh helm
    HELM=$(cd "${E2E_TOOLS:-tests/e2e/.work/tools}" && pwd)/helm
fi
export HELM
exec "${CARGO:-cargo}" test --locked -p openstack-sync-tests --test chart -- --include-ignored "$@"
