# Every habit of this repository has a target; `make help` lists them.

CARGO ?= cargo
# One hook is one folder; its name is the crate's and the binary's.
HOOKS := $(notdir $(wildcard hooks/*))
# What the image ships, and its name.
DIST := $(or $(CARGO_TARGET_DIR),target)/dist
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
IMAGE ?= ghcr.io/rackerlabs/understack/openstack-sync-operator:$(VERSION)
DOCKER ?= docker
export SNAPSHOTS ?= verify

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build the hook binaries for release (target/release)
	$(CARGO) build --release --locked $(addprefix -p ,$(HOOKS))

.PHONY: test
test: ## Run all tests that need nothing but this repository
	$(CARGO) test --workspace --locked

.PHONY: lint
lint: ## Check format, lints and docs; warnings are errors
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked --document-private-items
	./tests/lint.sh

.PHONY: demo
demo: ## Show the main job on loopback: flavors appear, change and go (no root, network or Docker)
	@echo "Building; the first time that takes a minute or more."
	$(CARGO) build --quiet --locked $(addprefix -p ,$(HOOKS))
	$(CARGO) run --quiet --locked -p openstack-sync-tests --bin demo

.PHONY: demo-templates
demo-templates: ## Show objects of OpenShift Templates come, change and go on loopback: by the library, then by the hook
	@echo "Building; the first time that takes a minute or more."
	$(CARGO) build --quiet --locked $(addprefix -p ,$(HOOKS))
	$(CARGO) build --quiet --locked -p openshift-templates --example job
	$(CARGO) run --quiet --locked -p openstack-sync-tests --bin demo -- templates

.PHONY: e2e-openstack
e2e-openstack: ## Run the scenarios against a real Keystone and Neutron, on SQLite and on MariaDB
	./tests/e2e/run-openstack.sh

.PHONY: e2e-kubernetes
e2e-kubernetes: ## Run under a real control plane and the real shell-operator
	./tests/e2e/run-kubernetes.sh

.PHONY: tools
tools: ## Build the Go tools for the runs against a real control plane
	./tests/e2e/tools/build.sh

.PHONY: bench
bench: build ## Print sizes, --config latency and the cost of typical runs
	$(CARGO) run --quiet --release --locked -p openstack-sync-tests --bin bench

.PHONY: golden
golden: ## Write the golden files anew; look at the difference before you commit it
	SNAPSHOTS=overwrite $(CARGO) test --locked -p openstack-sync-tests --test config
	@if [ -n "$(HELM)" ] || command -v helm >/dev/null; then SNAPSHOTS=overwrite ./tests/chart.sh golden; \
	else echo "there is no helm, so those of the chart stay: make chart SNAPSHOTS=overwrite (which builds it)"; fi

.PHONY: chart
chart: ## Check the chart: helm lint, golden files, values that must be refused (HELM=path)
	@./tests/chart.sh

# No target for users: `make dist` proves what it built as well.
.PHONY: static
static:
	@CARGO="$(CARGO)" ./components/openstack-sync-image/build.sh "$(DIST)"

.PHONY: dist
dist: static ## Build the static binaries for the image (target/dist) and prove that they need nothing
	@CARGO="$(CARGO)" ./tests/dist.sh

.PHONY: size
size: static ## Fail if a static binary is larger than 3.3 MB
	@./tests/size.sh $(addprefix "$(DIST)"/,$(HOOKS))

.PHONY: image
image: ## Build the container image with Docker (IMAGE=name:tag; DOCKER=podman)
	@command -v "$(DOCKER)" >/dev/null || { echo "make image needs $(DOCKER), which is not here; make dist makes the binaries without it" >&2; exit 1; }
	"$(DOCKER)" build --file components/openstack-sync-image/Dockerfile --build-arg VERSION="$(VERSION)" --tag "$(IMAGE)" .

.PHONY: clean
clean: ## Remove what was built, and stopped e2e servers' folders
	$(CARGO) clean
	rm -rf tests/e2e/.work
