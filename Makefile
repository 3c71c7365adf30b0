# Everything here needs Python 3.11 or later, make and a package index; nothing else.
# `make demo` runs the main job on the built-in account, `make test` passes the tests. Each makes its own .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TEST_ARGS ?=
EXAMPLES ?= 1000

.PHONY: demo test test-all lint format bench docs clean check-python

demo: $(STAMP)
	@$(BIN)/auditor scan --demo --fail-on none

test: $(STAMP)
	$(BIN)/pytest -n 2 --dist loadgroup $(TEST_ARGS)

# What needs a browser, a cluster or the AWS CLI would come here as well; so far nothing does.
test-all: test

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Speed of what comes after the reading, then the property tests with many more examples than `make test` takes.
bench: $(STAMP)
	$(BIN)/python -m benchmarks
	$(BIN)/python benchmarks/judge.py
	PROPERTY_EXAMPLES=$(EXAMPLES) $(BIN)/pytest -n 2 tests/derive/test_properties.py

docs: $(STAMP)
	$(BIN)/python docs/generate.py

check-python:
	@command -v $(PYTHON) >/dev/null 2>&1 || { echo "make: $(PYTHON) was not found; name a Python 3.11 or later with PYTHON=..." >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "make: $(PYTHON) is older than Python 3.11; name a newer one with PYTHON=..." >&2; exit 2; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "make: $(PYTHON) cannot make virtual environments; install its venv package (on Debian python3-venv)" >&2; exit 2; }

$(STAMP): pyproject.toml | check-python
	@echo "Setting up $(VENV) (once, about a minute) ..." >&2
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[demo,dev]'
	@touch $(STAMP)

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
