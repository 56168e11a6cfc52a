#!/bin/sh
# Makes the static, stripped x86_64 binaries that the image ships: one for each folder in hooks/.
#
#   build.sh FOLDER               puts them into FOLDER, which is theirs alone: other programs in it go
#   LIBC=glibc build.sh FOLDER    with glibc, 0.9 MB more; the default is musl, or glibc if Rust has no musl here
#
# `make dist` and the Dockerfile both run this: what is proved is what is shipped. Needs cargo, and a C compiler
# for musl (ring, the cryptography of TLS, is C in part).
set -eu

case ${1:-} in
'' | -*) echo "usage: $0 FOLDER" >&2; exit 2 ;;
esac
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
cargo=${CARGO:-cargo}
built_in=${CARGO_TARGET_DIR:-target}
for there in "$out"/*; do
    # What this wrote is a program; a folder with anything else was not meant.
    if [ -d "$there" ] || { [ -e "$there" ] && [ ! -x "$there" ]; }; then
        echo "$out is not a folder for binaries alone: it holds ${there##*/}" >&2
        exit 1
    fi
done
musl=x86_64-unknown-linux-musl
glibc=x86_64-unknown-linux-gnu

has_target() { [ -d "$(rustc --print target-libdir --target "$1")" ]; }

libc=${LIBC:-}
if [ -z "$libc" ]; then
    libc=musl
    if ! has_target "$musl" && ! { command -v rustup >/dev/null && rustup target add "$musl"; }; then
        echo "Rust's standard library for $musl is not here, and rustup cannot bring it: using glibc" >&2
        libc=glibc
    fi
fi

case $libc in
musl)
    target=$musl
    has_target "$target" || { echo "no Rust for $target: rustup target add $target" >&2; exit 1; }
    case $(rustc -vV) in
    *"host: "*-musl*) ;; # as in Alpine: the C compiler is one for musl
    *)
        if ! command -v musl-gcc >/dev/null; then
            echo "musl-gcc is missing: apt-get install musl-tools (or LIBC=glibc for binaries with glibc)" >&2
            exit 1
        fi
        ;;
    esac
    ;;
glibc)
    target=$glibc
    # With --target this is not for build scripts and macros, which cannot be static.
    RUSTFLAGS="${RUSTFLAGS:-} -C target-feature=+crt-static"
    export RUSTFLAGS
    ;;
*) echo "LIBC is musl or glibc, not '$libc'" >&2; exit 2 ;;
esac

set --
for manifest in hooks/*/Cargo.toml; do
    set -- "$@" "$(basename "$(dirname "$manifest")")"
done
packages=
for hook in "$@"; do packages="$packages --package $hook"; done
# shellcheck disable=SC2086 # several arguments
"$cargo" build --release --locked --target "$target" --target-dir "$built_in" $packages

# A binary that is running, or about to be started, is not disturbed: each is replaced at once, and only by another.
for hook in "$@"; do
    built=$built_in/$target/release/$hook
    cmp -s "$built" "$out/$hook" && [ -x "$out/$hook" ] && continue
    install -m 0755 "$built" "$out/.$hook.new"
    mv -fT "$out/.$hook.new" "$out/$hook"
done
# Hooks of former times, which shell-operator would run.
for old in "$out"/*; do
    case " $* " in *" ${old##*/} "*) ;; *) rm -f "$old" ;; esac
done
echo "static binaries with $libc in $out: $*"
