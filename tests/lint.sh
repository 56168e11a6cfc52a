#!/usr/bin/env bash
# House rules that no compiler checks. Prints each violation; exits 1 if there is one.
set -euo pipefail
cd "$(dirname "$0")/.."

bad=0
complain() { echo "lint: $*" >&2; bad=1; }

# Modules stay readable: at most 400 lines.
while read -r file; do
    lines=$(wc -l <"$file")
    [ "$lines" -le 400 ] || complain "$file has $lines lines; split it (400 at most)"
done < <(git ls-files --cached --others --exclude-standard '*.rs')

# serde_yaml is called from one module only, so that a successor can replace it in one place.
while read -r file; do
    [ "$file" = crates/rest/src/yaml.rs ] || complain "$file calls serde_yaml; use rest::yaml"
done < <(grep -l 'serde_yaml::' -r crates hooks tests/src tests/tests examples --include '*.rs' || true)

# Arrows point one way: who may depend on whom, of our own crates.
allowed() { # allowed CRATE MANIFEST -> the crates it may name in [dependencies]
    case $2 in hooks/*) echo framework kube openshift-templates openstack openstack-hook rest; return ;; esac
    case $1 in
    rest) ;;
    kube | openstack) echo rest ;;
    framework) echo rest kube ;;
    openshift-templates) echo kube ;;
    openstack-hook) echo framework kube openstack rest ;;
    devcloud) echo rest ;;
    openstack-sync-tests) echo devcloud framework rest kube openstack openstack-hook ;;
    *) echo framework kube ;;
    esac
}
while read -r manifest; do
    crate=$(sed -n 's/^name = "\(.*\)"/\1/p' "$manifest" | head -1)
    deps=$(awk '/^\[/ { on = ($0 == "[dependencies]") } on && /^[a-z]/ { sub(/[ .=].*/, ""); print }' "$manifest")
    for dep in $deps; do
        case $dep in
        rest | kube | openstack | framework | openstack-hook | openshift-templates | devcloud)
            case " $(allowed "$crate" "$manifest" | tr '\n' ' ') " in
            *" $dep "*) ;;
            *) complain "$crate must not depend on $dep (see docs/architecture.md)" ;;
            esac
            ;;
        esac
    done
done < <(git ls-files 'crates/*/Cargo.toml' 'hooks/*/Cargo.toml' 'examples/*/Cargo.toml' tests/Cargo.toml)

# Every dependency says what it is for.
awk '/^\[workspace.dependencies\]/ { on = 1; next } /^\[/ { on = 0 }
     on && /^[a-z]/ && !/ path = / && !/#/ { print "lint: Cargo.toml: say what this is for: " $0; bad = 1 }
     END { exit bad }' Cargo.toml >&2 || bad=1

# Shell scripts parse, and shellcheck finds nothing where it is installed.
while read -r script; do
    bash -n "$script" || complain "$script does not parse"
done < <(git ls-files '*.sh' .ci/run)
if command -v shellcheck >/dev/null; then
    git ls-files '*.sh' .ci/run | xargs shellcheck --severity=warning || bad=1
fi

exit "$bad"
