# Every target does its own set-up: `make run` and `make test` work in a fresh clone.

PYTEST = .venv/bin/python -m pytest

.PHONY: help install install-dev run test bundle test-bundle test-slow test-contract test-web screens test-lan bench guard guard-full check lock clean

help: ## Show what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile

install: ## Make .venv with the server, the companion and the `ira` command
	@packaging/setup.sh server
	@packaging/clients.sh

install-dev: ## Make .venv with the tools of development as well
	@packaging/setup.sh dev

run: install ## Run the demo household, with this computer paired to it; PORT=19443 HTTP_PORT=18080 take other ports
	@exec .venv/bin/ira demo --companion $(if $(PORT),--port $(PORT)) $(if $(HTTP_PORT),--http-port $(HTTP_PORT))

test: install-dev ## Run all fast tests
	@packaging/test.sh "not slow and not bench and not bundle and not lan and not web"

bundle: ## Make the bundle, a folder that needs no Python, in dist/ira
	@packaging/bundle.sh

test-bundle: install-dev bundle ## Start the bundle and look into it
	$(PYTEST) -m bundle tests/bundle

test-slow: install-dev ## Run the tests that take long
	@packaging/test.sh "slow"

test-contract: install-dev ## Ask every operation of the HTTP interface for anything with every credential; EXAMPLES=9000 times
	IRA_EXAMPLES=$(or $(EXAMPLES),5000) $(PYTEST) tests/web/test_contract.py

test-web: install-dev ## Walk through every page and the whole house in a browser, in both languages and themes
	@packaging/test.sh "web"

screens: install-dev ## Take a picture of every screen in both languages and themes, on phone and desktop, in build/screens; SCREENS=chat for some
	@command -v $${CHROMIUM:-chromium} >/dev/null || packaging/apt.sh chromium
	@.venv/bin/python -m tests.pages.screens $(SCREENS)

test-lan: install-dev ## Find the server, with avahi, on a network that the tests make themselves; as root on Linux
	@packaging/test-lan.sh

bench: install-dev ## Measure speed and memory against a bare server; BENCH=--write puts them into the docs
	@.venv/bin/python -m tests.bench $(BENCH)

guard: install-dev ## Attack the house with a brain that obeys everything it reads
	@.venv/bin/python -m tests.guard

guard-full: install-dev ## The same with every pair of the cases; CASES=FILE takes another file
	@.venv/bin/python -m tests.guard --plan full $(if $(CASES),--cases "$(CASES)")

check: install-dev ## Check format, style, types and architecture
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy
	$(PYTEST) tests/architecture

lock: ## Choose and pin the newest versions that pyproject.toml allows
	@packaging/lock.sh

clean: ## Remove .venv, the caches and what was built
	rm -rf ira_home/web/downloads .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist *.egg-info
	find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +
