#!/usr/bin/env bash
# Run a program as in a container: a root directory of its own with little in it, the rights asked for and no more.
# Called by sandbox.rs inside a new mount namespace and a new PID namespace.
#
#   sandbox.sh ROOT ro|rw [SOURCE:TARGET:ro|rw]... -- SETPRIV-ARGUMENTS... -- COMMAND...
#
# ROOT is an empty folder. The image's base is the host's /usr, which brings a shell; each SOURCE, a file or a
# folder, appears as TARGET. SETPRIV-ARGUMENTS say who COMMAND runs as.
set -euo pipefail

root=$1 mode=$2
shift 2

bind() { # bind SOURCE TARGET ro|rw
    if [ -d "$1" ]; then mkdir -p "$root$2"; else mkdir -p "$root${2%/*}" && touch "$root$2"; fi
    mount --bind "$1" "$root$2"
    [ "$3" = rw ] || mount -o remount,bind,ro "$root$2"
}

mount -t tmpfs -o mode=755,size=16m sandbox "$root"
mkdir -p "$root"/{etc,proc,dev,tmp,run,var}
ln -s usr/bin usr/sbin usr/lib "$root/"
[ ! -e /usr/lib64 ] || ln -s usr/lib64 "$root/"
ln -s ../run "$root/var/run"
bind /usr /usr ro
for file in /etc/ssl /etc/resolv.conf /etc/hosts; do bind "$file" "$file" ro; done
for file in null zero random urandom; do bind "/dev/$file" "/dev/$file" rw; done
mount -t proc proc "$root/proc"
while [ "$1" != -- ]; do
    IFS=: read -r source target how <<<"$1"
    bind "$source" "$target" "$how"
    shift
done
shift
[ "$mode" = rw ] || mount -o remount,ro "$root"

rights=()
while [ "$1" != -- ]; do
    rights+=("$1")
    shift
done
shift
cd /
# Not exec: as tini in the image, the first process is another one. It ends with COMMAND, and the kernel then ends what
# COMMAND left; and unlike COMMAND it keeps the order to end with whoever started it, which a change of user revokes.
# env: bash adds variables of its own.
chroot "$root" /usr/bin/setpriv "${rights[@]}" \
    /usr/bin/env --unset=OLDPWD --unset=PWD --unset=SHLVL --unset=_ "$@" &
wait $!
