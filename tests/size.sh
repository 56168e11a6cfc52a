#!/usr/bin/env bash
# Prints the size of each binary and fails above the limit: 3.3 MB; the target is 3.0.
set -euo pipefail
limit=3300000
bad=0
for binary in "$@"; do
    size=$(stat -c %s "$binary")
    awk -v s="$size" -v n="$(basename "$binary")" 'BEGIN { printf "%-20s %.2f MB\n", n, s / 1e6 }'
    if [ "$size" -gt "$limit" ]; then
        echo "$binary is larger than 3.3 MB" >&2
        bad=1
    fi
done
exit "$bad"
