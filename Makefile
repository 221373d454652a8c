# Every target sets up what it needs: `make demo` and `make test` work on a fresh clone.
SHELL := /bin/bash
VENV ?= .venv
BIN := $(VENV)/bin
DEMO ?= lantern-demo
JOBS ?= 2
READY := $(VENV)/.ready
BENCHMARKS := $(filter-out benchmarks/_%,$(sort $(wildcard benchmarks/*.py)))

.DEFAULT_GOAL := help
.PHONY: help demo setup widgets test lint test-python bench prove format constraints clean distclean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(READY) ## the whole story in one command, into ./lantern-demo (or DEMO=path)
	@VENV=$(VENV) scripts/system.sh check
	$(BIN)/lantern demo "$(DEMO)"

setup: $(READY) ## make .venv with everything in it
	@VENV=$(VENV) scripts/system.sh check --tests

widgets: setup ## bundle the widgets' browser halves again, if they changed
	@$(BIN)/python hatch_build.py

$(READY): pyproject.toml constraints.txt
	@scripts/setup.sh $(VENV)
	@touch $@

test: lint test-python ## the whole check: lint, format, types, layers, tests

lint: widgets ## lint, format, types and layers only
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@scripts/npm.sh run check
	@scripts/npm.sh test

test-python: widgets ## the tests only
	$(BIN)/pytest -n $(JOBS)

bench: setup ## every benchmark, one JSON object each
	@set -e; for benchmark in $(BENCHMARKS); do echo "== $$benchmark"; $(BIN)/python $$benchmark --json; done

prove: setup ## the slow proofs, and ten times the examples of every property test
	LANTERN_HYPOTHESIS=prove $(BIN)/pytest -n $(JOBS) -m "prove or hypothesis"

format: setup ## put the code in order
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

constraints: setup ## write the versions in use to constraints.txt
	$(BIN)/python scripts/constraints.py > constraints.new
	mv constraints.new constraints.txt
	touch $(READY)

clean: ## remove what builds and checks leave behind
	rm -rf build dist .pytest_cache .hypothesis .mypy_cache .ruff_cache .import_linter_cache benchmarks/out *.egg-info
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

distclean: clean ## remove the environment too
	rm -rf $(VENV)
