# Short recipes; CI calls the same. `make run` and `make test` do all their own set-up.

.PHONY: run test check shots bench lighthouse sim chaos crowd proofs

# Starts the server on SQLite and prints the address to open.
run:
	@scripts/run

# All tests, Chromium and Postgres included.
test:
	@scripts/test

# Formatting, lints, documentation, types.
check:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --all-features --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
	npm --prefix client/web run check

# Photographs of every screen to look at, and one sheet of all: client/web/shots/index.html
shots:
	@scripts/shots

# Ratios against something in the same run.
bench:
	@scripts/bench

# What Lighthouse says of the page on a phone on slow 4G, and what a race costs to load.
lighthouse:
	@scripts/lighthouse
	@scripts/budget

# Simulated rooms, and the real server over a simulated network: make sim SEEDS=100000 SERVER_SEEDS=5000
SEEDS ?= 2000
SERVER_SEEDS ?= 50
sim:
	SIM_SEEDS=$(SEEDS) cargo test --locked --package sprint-shared --test it -- --nocapture sim::
	SIM_SERVER_SEEDS=$(SERVER_SEEDS) cargo test --locked --package sprint-server --features simulation --test it -- --nocapture sim::

# One room that thousands watch: make crowd VIEWERS=5000; and before some who never read: make crowd VIEWERS=20 SILENT=500
VIEWERS ?= 5000
SILENT ?= 0
crowd:
	@scripts/crowd $(VIEWERS) $(SILENT)

# Rounds that are played, stored and proven: make proofs ROUNDS=1000
ROUNDS ?= 1000
proofs:
	@scripts/proofs $(ROUNDS)

# Real servers killed under load: make chaos KILLS=300 [DATABASE=postgres]
KILLS ?= 15
DATABASE ?= sqlite
chaos:
	@scripts/chaos $(DATABASE) $(KILLS)
