# nbrevive: every task of this repository is a target here; `make` alone lists them.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

STUDY    ?= study/mle-modernizer/study.toml
STORE    ?= .nbrevive/study
NBREVIVE := target/release/nbrevive

.PHONY: help
help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 20

.PHONY: setup
setup: ## install what is missing: bubblewrap, uv (system packages where that is allowed)
	@scripts/setup

.PHONY: build
build: setup ## build the program, optimised (ARCHITECTURE.md says how)
	cargo build --locked --quiet --release -p nbrevive

.PHONY: quick
quick: setup ## build the program as the tests have it, hardly optimised, in half of the time: a study waits for Python, not for us
	scripts/cargo-for-tests build --quiet

.PHONY: study
study: quick ## run the bundled study under its conditions and print the tables
	$(NBREVIVE) study prepare $(STUDY)
	$(NBREVIVE) study run $(STUDY) --store $(STORE)
	$(NBREVIVE) tables --data $(STORE)/data --published study/mle-modernizer/published --out $(STORE)
	$(NBREVIVE) report --data $(STORE)/data --published study/mle-modernizer/published --out $(STORE)/report.html

.PHONY: gpu-test
gpu-test: setup ## run on this machine's GPU, and attack what is passed of it; `make test` leaves this out
	scripts/cargo-for-tests nextest run --run-ignored only -E 'test(/^gpu::/)'

.PHONY: smoke
smoke: quick ## run eight versions of the bundled study under all conditions, for a first look in a few minutes
	$(NBREVIVE) study prepare $(STUDY)
	$(NBREVIVE) study run $(STUDY) --smoke
	$(NBREVIVE) tables --data .nbrevive/smoke/data --published study/mle-modernizer/published --out .nbrevive/smoke

.PHONY: reproduce-tables
reproduce-tables: quick ## rebuild every table and figure from the committed data/, and write report.html (not committed)
	$(NBREVIVE) tables --data data --published study/mle-modernizer/published --out .
	$(NBREVIVE) report --data data --published study/mle-modernizer/published --out report.html
	$(NBREVIVE) tables --data study/containers/data --published study/containers/published --out study/containers >/dev/null
	$(NBREVIVE) tables --data study/executability/data --published study/executability/published --out study/executability >/dev/null
	$(NBREVIVE) tables --data study/executability/with-model/data --published study/executability/published --out study/executability/with-model >/dev/null
	$(NBREVIVE) tables --data study/order/data --published study/order/published --out study/order >/dev/null
	$(NBREVIVE) tables --data study/examples/data --out study/examples >/dev/null
	$(NBREVIVE) tables --data study/examples/aside/data --out study/examples/aside >/dev/null
	@scripts/splice-readme

.PHONY: release-data
release-data: study ## replace the committed data/, tables/ and figures/ by those of `make study`, every condition three times (flake rates)
	$(NBREVIVE) study run $(STUDY) --store $(STORE) --repeat 3
	$(NBREVIVE) export --store $(STORE) --out data
	$(MAKE) reproduce-tables notebooks

.PHONY: notebooks
notebooks: quick ## run the notebooks over the committed data/ again, in the sandbox, and keep their outputs
	for name in polars pandas duckdb; do \
		$(NBREVIVE) execute notebooks/$$name.ipynb --environment notebooks/dataset.lock --data data --out notebooks/$$name.new && \
			mv notebooks/$$name.new notebooks/$$name.ipynb; \
	done

.PHONY: targets
targets: quick ## measure the target scores of the bundled corpus again, in the environments of their dates
	$(NBREVIVE) study prepare $(STUDY)
	$(NBREVIVE) study measure-targets $(STUDY)

.PHONY: test
test: ## format, lints, tests, documentation, generated files, dependencies: what has to hold before a commit
	@scripts/setup --for-tests
	@scripts/test

.PHONY: fuzz
fuzz: ## try to break every parser: FUZZ_SECONDS=600 each after inputs of up to 50 MB, FUZZ_SEED to try others (FUZZ_ONLY=part)
	FUZZ_SECONDS=$${FUZZ_SECONDS:-600} scripts/cargo-for-tests nextest run --no-fail-fast \
		-E 'test(/(^|::)fuzz::/) & test(/$(FUZZ_ONLY)/)'

.PHONY: bench
bench: build ## measure against public tools: one cell, imports, plans, histories, environments, Meta Kaggle, packing, the cluster, packed environments, checks, comparisons, sandbox, grading, statistics, the page, tables, export (BENCH_ONLY=part)
	scripts/bench

.PHONY: bench-smoke
bench-smoke: ## every part of the benches once, at its smallest size: whether it still works (BENCH_ONLY=part)
	@scripts/setup --for-tests
	@scripts/bench-smoke

.PHONY: chaos
chaos: quick ## disturb runs of the golden corpus: kills, full disks, a clock that jumps; no row may change (CHAOS="--kills 50")
	scripts/chaos $(CHAOS)

.PHONY: cluster-test
cluster-test: quick ## run the golden corpus and the bundled study on a Slurm of its own and disturb both 40 times; no row may change (CLUSTER="--seed 2"; root, slurm-wlm, munge)
	scripts/cluster-test $(CLUSTER)

.PHONY: mine-demo
mine-demo: quick ## mine a server of our own by every source, select, execute three of the mined notebooks
	@scripts/mine-demo

.PHONY: doctor
doctor: quick ## say what is missing on this machine, and the command that installs it
	$(NBREVIVE) doctor

.PHONY: clean
clean: ## remove the build and the store (environments stay in the cache)
	cargo clean
	rm -rf .nbrevive

.PHONY: wheel
wheel: setup ## build dist/nbrevive-*.whl for pip: the program, manual pages, completions (WHEEL_PROFILE=dev for a quick one)
	@scripts/setup --for-packages
	scripts/wheel

.PHONY: image
image: wheel ## make an OCI image with the program, bubblewrap, uv and interpreters (IMAGE_PYTHONS="3.12 3.9")
	@scripts/setup --for-image
	scripts/image

.PHONY: test-packages
test-packages: setup ## build wheel and image, and use both as somebody would who has nothing else of this repository
	@scripts/setup --for-packages
	@scripts/setup --for-image
	scripts/test-packages
