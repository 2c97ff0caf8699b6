# Needs Python 3.11 or later with pip, and make. Everything else goes into .venv.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
KAGGLE := .venv-kaggle
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.DEFAULT_GOAL := help
.PHONY: help demo serve test test-page test-rest test-kaggle fast browser check format docs screenshots bench faults wheel clean

# The browser of the tests; the tests look at the same variable.
CHROMIUM ?= $(or $(shell command -v chromium),/usr/bin/chromium)
export CHROMIUM

help:  ## Say what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(VENV)/.base  ## The main job in one go: install, train a player by self-play, measure it by perfect play, write demo/report.md
	$(BIN)/connectlab demo

serve: $(VENV)/.web  ## The lab as a page on this machine: play, analyse, look inside, train
	$(BIN)/connectlab serve

# The tests of the page run beside all others: with two cores that saves a third of the time.
test: check browser  ## Checks and all tests
	@$(MAKE) --no-print-directory --keep-going -j2 test-page test-rest

# A busy machine can make a browser miss a moment, so what failed here (exit code 1, no other) is asked
# once more, alone and with a server of its own; both reports are printed, and twice is a failure.
PAGE := $(BIN)/python -m pytest -o cache_dir=.pytest_cache/page tests/web
test-page: $(VENV)/.dev
	@echo "$(PAGE)"; $(PAGE); code=$$?; if [ $$code = 1 ]; then \
		echo "== once more, what failed in tests/web"; \
		$(PAGE) --last-failed --last-failed-no-failures none; \
	else exit $$code; fi

test-rest: $(VENV)/.dev
	$(BIN)/python -m pytest --ignore tests/web

test-kaggle: $(KAGGLE)/.ready  ## Tests against the real ConnectX of kaggle-environments
	$(KAGGLE)/bin/python -m pytest --kaggle tests/kaggle

fast: $(VENV)/.dev  ## The tests that take seconds
	$(BIN)/python -m pytest -m "not slow"

browser:  ## Install Debian's Chromium for the tests of the page, if it is missing and you are root
	@if [ -x "$(CHROMIUM)" ]; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
		apt-get update -q && apt-get install -qy --no-install-recommends chromium fonts-dejavu-core; \
	else echo "No Chromium, so the tests of the page are skipped: apt-get install chromium" \
		"fonts-dejavu-core as root, or set CHROMIUM to where it is"; fi

check: $(VENV)/.dev  ## Format, lint, types and architecture
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest --quiet tests/test_architecture.py

format: $(VENV)/.dev  ## Rewrite the sources in the house format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

screenshots: $(VENV)/.dev browser  ## Take the pictures of the page for the documentation
	$(BIN)/python scripts/screenshots.py

docs: $(VENV)/.dev  ## Refresh what the documentation takes from the program
	$(BIN)/python scripts/write_cli_docs.py

bench: $(VENV)/.dev  ## Short runs of every benchmark (each takes options for longer ones)
	@set -e; for file in $(wildcard benchmarks/*.py); do \
		echo "== $$file"; $(BIN)/python "$$file"; done

faults: $(VENV)/.dev  ## Plant small faults and see that the tests notice each (takes a while)
	$(BIN)/python tests/faults/plant.py

wheel: $(VENV)/.dev  ## Build a wheel into dist/
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

clean:  ## Remove everything that was made
	rm -rf $(VENV) $(KAGGLE) build dist demo src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "connectlab needs Python 3.11 or later; try make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)

# An editable installation is made again only when what it depends on changes.
$(VENV)/.base: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable .
	@touch $@

$(VENV)/.web: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable '.[web]'
	@touch $@ $(VENV)/.base

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable '.[cluster,env,web,test,check]'
	@touch $@ $(VENV)/.base $(VENV)/.web

# All of kaggle-environments weighs 1.6 GB, for dozens of games. ConnectX needs the package itself and
# two others, so these are installed alone; what another game misses is told when that game is loaded.
$(KAGGLE)/.ready: pyproject.toml constraints.txt constraints-kaggle.txt
	$(PYTHON) -m venv $(KAGGLE)
	$(KAGGLE)/bin/python -m pip install --quiet --disable-pip-version-check \
		-c constraints.txt -c constraints-kaggle.txt \
		--editable . hypothesis pytest pytest-timeout jsonschema requests
	$(KAGGLE)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
		-c constraints-kaggle.txt kaggle-environments
	@touch $@
