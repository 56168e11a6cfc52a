#!/usr/bin/env bash
# Build the Go programs of the runs against a real control plane, each from its own module here.
#
#   ./build.sh                 all of them: etcd helm shell-operator kube-apiserver
#   ./build.sh etcd helm       these
#
# They go to $E2E_TOOLS (default: ../.work/tools).  What is up to date is left alone; several of
# these may run at once.  Prints the seconds that each took.  Exits with 1 if one could not be built.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "${E2E_TOOLS:=$HERE/../.work/tools}"
TOOLS=$(cd "$E2E_TOOLS" && pwd)

fail() { echo "build.sh: $*" >&2; exit 1; }

PATH=$PATH:/usr/local/go/bin
command -v go >/dev/null || fail "there is no go on PATH or in /usr/local/go/bin: install Go 1.26.4 or later"
# No cgo: programs that run anywhere.  readonly: go.mod and go.sum are the word, nothing amends them.
export CGO_ENABLED=0 GOWORK=off GOFLAGS="-mod=readonly -trimpath -buildvcs=false"

version_of() { awk -v module="$1" '$1 == module { print $2 }' go.mod; } # version_of MODULE

# Which package a tool is, and what its own Makefile tells the linker: without a version,
# kube-apiserver says v0.0.0, and Helm renders charts for Kubernetes 1.20.
describe() { # describe TOOL: sets PACKAGE and FLAGS; runs in the tool's folder
    local version minor where
    case $1 in
    etcd)
        PACKAGE=. FLAGS=''
        ;;
    helm)
        PACKAGE=helm.sh/helm/v3/cmd/helm
        minor=$(version_of k8s.io/client-go | cut -d. -f2)
        FLAGS="-X helm.sh/helm/v3/internal/version.version=$(version_of helm.sh/helm/v3)"
        for where in pkg/chartutil pkg/lint/rules; do
            FLAGS+=" -X helm.sh/helm/v3/$where.k8sVersionMajor=1 -X helm.sh/helm/v3/$where.k8sVersionMinor=$minor"
        done
        ;;
    shell-operator)
        PACKAGE=github.com/flant/shell-operator/cmd/shell-operator
        FLAGS="-X github.com/flant/shell-operator/pkg/app.Version=$(version_of github.com/flant/shell-operator)"
        ;;
    kube-apiserver)
        PACKAGE=k8s.io/kubernetes/cmd/kube-apiserver
        version=$(version_of k8s.io/kubernetes)
        minor=$(cut -d. -f2 <<<"$version")
        FLAGS=
        for where in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
            FLAGS+=" -X $where.gitVersion=$version -X $where.gitMajor=1 -X $where.gitMinor=$minor"
            FLAGS+=" -X $where.gitCommit=unknown"
        done
        ;;
    esac
}

build() { # build TOOL
    local tool=$1 begin=$SECONDS stamp PACKAGE FLAGS sources=(go.mod go.sum)
    cd "$HERE/$tool"
    [ ! -e main.go ] || sources+=(main.go)
    describe "$tool"
    stamp=$(cat "${sources[@]}" <(echo "$PACKAGE $FLAGS $GOFLAGS"; go version) | sha256sum)
    if [ -x "$TOOLS/$tool" ] && [ "$(cat "$TOOLS/.$tool.stamp" 2>/dev/null)" = "$stamp" ]; then
        printf '%-16s up to date\n' "$tool"
        return
    fi
    # Beside it, then renamed: a running program's file cannot be written to.
    go build -ldflags "-s -w $FLAGS" -o "$TOOLS/.$tool.new" "$PACKAGE" ||
        fail "$tool could not be built: see above. Its modules come from GOPROXY=$(go env GOPROXY)"
    mv "$TOOLS/.$tool.new" "$TOOLS/$tool"
    echo "$stamp" >"$TOOLS/.$tool.stamp"
    printf '%-16s %5d s  %4d MB\n' "$tool" $((SECONDS - begin)) $(($(stat -c %s "$TOOLS/$tool") / 1000000))
}

# The small ones first: a mistake shows early.
[ $# -gt 0 ] || set -- etcd helm shell-operator kube-apiserver
for tool in "$@"; do
    case $tool in etcd | helm | shell-operator | kube-apiserver) ;; *) fail "there is no tool '$tool'" ;; esac
done
exec 9>"$TOOLS/.lock"
flock --nonblock 9 || { echo "another build is going on: waiting for it"; flock 9; }
for tool in "$@"; do build "$tool"; done
