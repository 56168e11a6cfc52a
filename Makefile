# Every habit of this repository has a target; `make help` lists them.

CARGO ?= cargo
# One hook is one folder; its name is the crate's and the binary's.
HOOKS := $(notdir $(wildcard hooks/*))
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
	$(CARGO) build --quiet --locked $(addprefix -p ,$(HOOKS))
	$(CARGO) run --quiet --locked -p openstack-sync-tests --bin demo

.PHONY: e2e-openstack
e2e-openstack: ## Run the scenarios against a real Keystone and Neutron, on SQLite and on MariaDB
	./tests/e2e/run-openstack.sh

.PHONY: e2e-kubernetes
e2e-kubernetes: ## (not there yet) Run under a real control plane and the real shell-operator
	@echo "there is no run against a real control plane yet; see CHANGELOG.md" >&2; exit 1

.PHONY: bench
bench: build ## Print sizes, --config latency and the cost of typical runs
	$(CARGO) run --quiet --release --locked -p openstack-sync-tests --bin bench

.PHONY: golden
golden: ## Write the golden files anew; look at the difference before you commit it
	SNAPSHOTS=overwrite $(CARGO) test --locked -p openstack-sync-tests --test config

.PHONY: size
size: build ## Fail if a hook binary is larger than 3.3 MB
	@./tests/size.sh $(addprefix $(or $(CARGO_TARGET_DIR),target)/release/,$(HOOKS))

.PHONY: clean
clean: ## Remove what was built, and stopped e2e servers' folders
	$(CARGO) clean
	rm -rf tests/e2e/.work
