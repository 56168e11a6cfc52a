#!/usr/bin/env bash
# Bring up a real Keystone and a real Neutron on loopback, and write a clouds.yaml for them.
# The last line of output is the path of that clouds.yaml.  README.md says more.
#
#   ./up.sh                     SQLite
#   DB=mariadb ./up.sh          MariaDB, with Neutron's own migrations
#   ROOT=/some/dir ./up.sh      another instance beside the first (default: ../.work/openstack)
#   FRESH=1 ./up.sh             drop the databases first
#
# More: VENV (default: ../.work/venv, shared by all ROOTs), KEYSTONE_PORT, NEUTRON_PORT (default:
# any free one), OS_PASSWORD (admin's), BCRYPT_ROUNDS, WORKERS, PYTHON.
# Idempotent: what is there and alive is kept.  ./down.sh stops it.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
WORK=$(cd "$HERE/.." && pwd)/.work
mkdir -p "${ROOT:=$WORK/openstack}"
ROOT=$(cd "$ROOT" && pwd)
VENV=${VENV:-$WORK/venv}
DB=${DB:-sqlite}
PYTHON=${PYTHON:-python3}
BCRYPT_ROUNDS=${BCRYPT_ROUNDS:-4}
OS_PASSWORD=${OS_PASSWORD:-admin-secret}
WORKERS=${WORKERS:-1}

ETC=$ROOT/etc RUN=$ROOT/run VAR=$ROOT/var LOG=$ROOT/log
# shellcheck source=../lib/processes.sh
. "$HERE/../lib/processes.sh"
# shellcheck source=config.sh
. "$HERE/config.sh"

# Without compiled modules every start would take ten seconds more.
unset PYTHONDONTWRITEBYTECODE

fail() { echo "up.sh: $*" >&2; exit 1; }
now() { date +%s%3N; }
took() { # took WHAT SINCE: print and keep how long it took
    printf '%-40s %7.2f s\n' "$1" "$(($(now) - $2))e-3" | tee -a "$RUN/timings.txt"
}
apt_install() {
    command -v apt-get >/dev/null || fail "install $* first (no apt-get here)"
    apt-get update -qq >/dev/null
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

case $DB in sqlite | mariadb) ;; *) fail "DB is '$DB': it must be sqlite or mariadb" ;; esac
mkdir -p "$ETC/keystone" "$ETC/neutron" "$RUN" "$VAR/neutron/lock" "$LOG" "$(dirname "$VENV")"
: >"$RUN/timings.txt"
BEGIN=$(now)

# Another database than last time needs new contents.
if [ -s "$RUN/db" ] && [ "$(cat "$RUN/db")" != "$DB" ]; then FRESH=1; fi
if [ "${FRESH:-}" = 1 ]; then
    if alive keystone || alive neutron; then fail "FRESH=1 or another DB: run ./down.sh first"; fi
    stop mariadb
    rm -rf "$VAR"/*.db "$VAR"/*.db-* "$VAR/mysql" "$VAR/bootstrapped" "$VAR/keystone-keys"
fi
echo "$DB" >"$RUN/db"

# --- 1. programs: one instance at a time installs them ----------------------------------
install_venv() {
    [ ! -e "$VENV/.complete" ] || return 0
    local t; t=$(now)
    rm -rf "$VENV"
    "$PYTHON" -c 'import ensurepip, venv' 2>/dev/null || apt_install python3-venv
    "$PYTHON" -m venv "$VENV"
    # uv unpacks the 145 packages in seconds; pip alone takes over a minute.
    "$VENV/bin/python" -m pip install -q --disable-pip-version-check uv
    # uv trusts roots of its own unless told
    local bundle=/etc/ssl/certs/ca-certificates.crt
    [ ! -e $bundle ] || export SSL_CERT_FILE=${SSL_CERT_FILE:-$bundle}
    "$VENV/bin/uv" --no-config pip install -q --python "$VENV/bin/python" -r "$HERE/requirements.lock"
    touch "$VENV/.complete"
    took "virtual environment" "$t"
}
install_mariadb() {
    # PATH of a plain user lacks the folder of the server's program
    PATH=$PATH:/usr/sbin
    ! command -v mariadbd >/dev/null || return 0
    local t; t=$(now)
    # -core: the programs alone, so that apt starts no service
    apt_install mariadb-server-core mariadb-client-core
    took "apt-get mariadb" "$t"
}
exec 9>"$VENV.lock"
flock 9
install_venv
[ "$DB" = sqlite ] || install_mariadb
exec 9>&-

# --- 2. a database ------------------------------------------------------------------------
start_mariadb() {
    local t; t=$(now)
    if [ ! -e "$VAR/mysql/.complete" ]; then
        rm -rf "$VAR/mysql"
        mariadb-install-db --no-defaults --auth-root-authentication-method=normal --skip-test-db \
            --datadir="$VAR/mysql" --user="$(id -un)" >"$LOG/mariadb-install.log" 2>&1 ||
            fail "mariadb-install-db failed: see $LOG/mariadb-install.log"
        touch "$VAR/mysql/.complete"
    fi
    if ! alive mariadb; then
        # A socket's path may have 107 characters; a ROOT may be deeper than that.
        SOCKET_DIR=$(mktemp -d)
        echo "$SOCKET_DIR/s" >"$RUN/mariadb.socket"
        setsid mariadbd --no-defaults --user="$(id -un)" --datadir="$VAR/mysql" \
            --socket="$SOCKET_DIR/s" --skip-networking --pid-file="$RUN/mariadb.own.pid" \
            --innodb-flush-log-at-trx-commit=0 --innodb-doublewrite=0 --skip-log-bin \
            --character-set-server=utf8mb3 >"$LOG/mariadb.log" 2>&1 </dev/null &
        remember mariadb $!
    fi
    SOCKET=$(cat "$RUN/mariadb.socket")
    for _ in $(seq 300); do
        if sql '' 2>/dev/null; then break; fi
        alive mariadb || fail "mariadbd ended: see $LOG/mariadb.log"
        sleep 0.1
    done
    sql 'CREATE DATABASE IF NOT EXISTS keystone CHARACTER SET utf8mb3;
         CREATE DATABASE IF NOT EXISTS neutron CHARACTER SET utf8mb3;'
    took "mariadb" "$t"
}
sql() { mariadb --no-defaults -uroot -S "$SOCKET" -e "$1"; }

# What an earlier run started goes on, whatever becomes of this one.
{ alive keystone && alive neutron; } || trap '[ $? = 0 ] || ROOT=$ROOT "$HERE/down.sh" >&2' EXIT
if [ "$DB" = mariadb ]; then
    start_mariadb
    KEYSTONE_DB="mysql+pymysql://root@localhost/keystone?unix_socket=$SOCKET&charset=utf8"
    NEUTRON_DB="mysql+pymysql://root@localhost/neutron?unix_socket=$SOCKET&charset=utf8"
else
    KEYSTONE_DB="sqlite:///$VAR/keystone.db"
    NEUTRON_DB="sqlite:///$VAR/neutron.db"
fi

# --- 3. ports and configuration -------------------------------------------------------------
# Kept from run to run, so that a clouds.yaml already handed out stays true.
WANT_KEYSTONE=${KEYSTONE_PORT:-} WANT_NEUTRON=${NEUTRON_PORT:-}
# shellcheck source=/dev/null
if [ -s "$RUN/ports" ]; then . "$RUN/ports"; fi
alive keystone || KEYSTONE_PORT=$("$PYTHON" "$HERE/../lib/net.py" port "${WANT_KEYSTONE:-${KEYSTONE_PORT:-0}}")
alive neutron || NEUTRON_PORT=$("$PYTHON" "$HERE/../lib/net.py" port "${WANT_NEUTRON:-${NEUTRON_PORT:-0}}")
printf 'KEYSTONE_PORT=%s\nNEUTRON_PORT=%s\n' "$KEYSTONE_PORT" "$NEUTRON_PORT" >"$RUN/ports"
KEYSTONE_URL=http://127.0.0.1:$KEYSTONE_PORT
NEUTRON_URL=http://127.0.0.1:$NEUTRON_PORT

keystone_conf >"$ETC/keystone/keystone.conf"
neutron_conf >"$ETC/neutron/neutron.conf"
cp "$VENV/etc/neutron/api-paste.ini" "$ETC/neutron/api-paste.ini"

# --- 4. both servers at once, since each spends seconds on imports ---------------------------
export KEYSTONE_URL NEUTRON_URL NEUTRON_DB OS_PASSWORD
start() { # start NAME PORT
    ! alive "$1" || return 0
    setsid "$VENV/bin/python" "$HERE/launch.py" "$1" "$ROOT" "$2" "$WORKERS" \
        >"$LOG/$1.out" 2>&1 </dev/null &
    remember "$1" $!
}
wait_for() { # wait_for NAME URL
    "$PYTHON" "$HERE/../lib/net.py" wait "$2" "$(pid_of "$1")" && return
    tail -n 20 "$LOG/$1.out" >&2
    fail "$1 did not come up: see $LOG/$1.out and $LOG/$1.log"
}
t=$(now)
start keystone "$KEYSTONE_PORT"
start neutron "$NEUTRON_PORT"
wait_for keystone "$KEYSTONE_URL/v3"
took "keystone: database, bootstrap, start" "$t"
t2=$(now)
"$PYTHON" "$HERE/seed.py"
took "keystone: users, roles, endpoints" "$t2"
wait_for neutron "$NEUTRON_URL/"
took "neutron: database, start (meanwhile)" "$t"
touch "$VAR/bootstrapped"

# Passwords of a throwaway server, but a clouds.yaml is private all the same.
(umask 077 && clouds_yaml >"$ROOT/clouds.yaml")
took "all" "$BEGIN"
echo "keystone $KEYSTONE_URL (pid $(pid_of keystone)), neutron $NEUTRON_URL (pid $(pid_of neutron)), $DB; logs in $LOG"
echo "$ROOT/clouds.yaml"
