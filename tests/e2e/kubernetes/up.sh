#!/usr/bin/env bash
# Bring up a real control plane on loopback: etcd and kube-apiserver, with TLS, RBAC, service
# accounts and an audit log; no controllers, no nodes.  The last line of output is its folder:
#
#   kubeconfig   of an admin
#   ca.crt       who signed the server's certificate
#   server       a file with the URL
#   audit.log    a JSON line per request, see audit-policy.yaml
#
#   ./up.sh                     in ../.work/kubernetes
#   ROOT=/some/dir ./up.sh      another one beside the first
#   FRESH=1 ./up.sh             without the objects of last time
#
# More: E2E_TOOLS (default: ../.work/tools; built if they are not there), SERVER_PORT (default: any
# free one), PYTHON.  Idempotent: what is there and alive is kept.  ./down.sh stops it.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "${ROOT:=$HERE/../.work/kubernetes}"
ROOT=$(cd "$ROOT" && pwd)
export E2E_TOOLS=${E2E_TOOLS:-$HERE/../.work/tools}
PYTHON=${PYTHON:-python3}

RUN=$ROOT/run VAR=$ROOT/var LOG=$ROOT/log PKI=$ROOT/pki
# shellcheck source=../lib/processes.sh
. "$HERE/../lib/processes.sh"

fail() { echo "up.sh: $*" >&2; exit 1; }
now() { date +%s%3N; }
took() { printf '%-40s %7.2f s\n' "$1" "$(($(now) - $2))e-3"; } # took WHAT SINCE

for program in openssl kubectl "$PYTHON"; do
    command -v "$program" >/dev/null || fail "install $program first"
done
for tool in etcd kube-apiserver; do
    [ -x "$E2E_TOOLS/$tool" ] || "$HERE/../tools/build.sh" "$tool"
done
mkdir -p "$RUN" "$VAR" "$LOG" "$PKI"
BEGIN=$(now)
# One at a time: a second one would stop what the first is starting. Not for the servers to inherit.
exec 8>"$ROOT/.lock"
flock 8

# What an earlier run started goes on, whatever becomes of this one.
if alive etcd && alive kube-apiserver; then
    [ "${FRESH:-}" != 1 ] || fail "FRESH=1: run ./down.sh first"
else
    trap '[ $? = 0 ] || ROOT=$ROOT "$HERE/down.sh" >&2' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    # The one is of no use without the other: etcd has another port each time.
    stop kube-apiserver
    stop etcd
    [ "${FRESH:-}" != 1 ] || rm -rf "$VAR/etcd" "$ROOT/audit.log"
fi

# --- 1. keys, a port, a kubeconfig: kept from run to run ------------------------------------
t=$(now)
"$HERE/certificates.sh" "$PKI"
cp "$PKI/ca.crt" "$ROOT/ca.crt"
took "certificates" "$t"

WANT_PORT=${SERVER_PORT:-}
# shellcheck source=/dev/null
if [ -s "$RUN/ports" ]; then . "$RUN/ports"; fi
alive kube-apiserver || SERVER_PORT=$("$PYTHON" "$HERE/../lib/net.py" port "${WANT_PORT:-${SERVER_PORT:-0}}")
echo "SERVER_PORT=$SERVER_PORT" >"$RUN/ports"
echo "https://127.0.0.1:$SERVER_PORT" >"$ROOT/server"

kubeconfig() {
    cat <<CONFIG
apiVersion: v1
kind: Config
current-context: admin
contexts:
  - name: admin
    context: {cluster: e2e, user: admin}
clusters:
  - name: e2e
    cluster:
      server: https://127.0.0.1:$SERVER_PORT
      certificate-authority-data: $(base64 -w0 "$PKI/ca.crt")
users:
  - name: admin
    user:
      client-certificate-data: $(base64 -w0 "$PKI/admin.crt")
      client-key-data: $(base64 -w0 "$PKI/admin.key")
CONFIG
}
(umask 077 && kubeconfig >"$ROOT/kubeconfig")

# --- 2. etcd --------------------------------------------------------------------------------
start() { # start NAME ARGUMENTS...
    local name=$1
    shift
    setsid "$E2E_TOOLS/$name" "$@" >"$LOG/$name.log" 2>&1 </dev/null 8>&- &
    remember "$name" $!
}
wait_until() { # wait_until NAME COMMAND...: until COMMAND succeeds, for five minutes at most
    local name=$1 end=$((SECONDS + 300))
    shift
    until "$@" >"$LOG/$name.wait" 2>&1; do
        if ! alive "$name" || [ $SECONDS -ge $end ]; then
            tail -n 20 "$LOG/$name.log" "$LOG/$name.wait" >&2
            fail "$name did not come up: see $LOG/$name.log"
        fi
        sleep 0.1
    done
}
t=$(now)
if ! alive etcd; then
    rm -f "$RUN/etcd.url"
    start etcd --data-dir "$VAR/etcd" --url-file "$RUN/etcd.url"
    wait_until etcd test -s "$RUN/etcd.url"
fi
took "etcd" "$t"

# --- 3. kube-apiserver ----------------------------------------------------------------------
t=$(now)
if ! alive kube-apiserver; then
    flags=(
        --etcd-servers="$(cat "$RUN/etcd.url")"
        --bind-address=127.0.0.1 --secure-port="$SERVER_PORT"
        # Nobody looks for this server in the Service "kubernetes", which may not have a loopback address.
        --advertise-address=127.0.0.1 --endpoint-reconciler-type=none
        --service-cluster-ip-range=10.96.0.0/16
        --tls-cert-file="$PKI/server.crt" --tls-private-key-file="$PKI/server.key"
        --client-ca-file="$PKI/ca.crt"
        --authorization-mode="Node,RBAC"
        --service-account-issuer=https://kubernetes.default.svc.cluster.local
        --service-account-key-file="$PKI/service-accounts.pub"
        --service-account-signing-key-file="$PKI/service-accounts.key"
        --audit-policy-file="$HERE/audit-policy.yaml" --audit-log-path="$ROOT/audit.log"
        # For servers behind an APIService.
        --requestheader-client-ca-file="$PKI/front-proxy-ca.crt"
        --requestheader-allowed-names=front-proxy-client
        --requestheader-username-headers=X-Remote-User
        --requestheader-group-headers=X-Remote-Group
        --requestheader-extra-headers-prefix=X-Remote-Extra-
        --proxy-client-cert-file="$PKI/front-proxy.crt" --proxy-client-key-file="$PKI/front-proxy.key"
        --profiling=false
    )
    start kube-apiserver "${flags[@]}"
fi
wait_until kube-apiserver kubectl --kubeconfig "$ROOT/kubeconfig" get --raw /readyz
took "kube-apiserver" "$t"

took "all" "$BEGIN"
echo "kube-apiserver $(cat "$ROOT/server") (pid $(pid_of kube-apiserver)), etcd (pid $(pid_of etcd)); logs in $LOG"
echo "$ROOT"
