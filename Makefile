# Every target does its own set-up: `make run` and `make test` work in a fresh clone.

PYTEST = .venv/bin/python -m pytest

.PHONY: help install install-dev run test test-slow check lock clean

help: ## Show what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile

install: ## Make .venv with the server, the companion and the `ira` command
	@packaging/setup.sh server

install-dev: ## Make .venv with the tools of development as well
	@packaging/setup.sh dev

run: install ## Run the demo household, with this computer paired to it
	@exec .venv/bin/ira demo --companion

test: install-dev ## Run all fast tests
	@packaging/test.sh "not slow and not bench"

test-slow: install-dev ## Run the tests that take long
	@packaging/test.sh "slow"

check: install-dev ## Check format, style, types and architecture
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy
	$(PYTEST) tests/architecture

lock: ## Choose and pin the newest versions that pyproject.toml allows
	@packaging/lock.sh

clean: ## Remove .venv, the caches and what was built
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist *.egg-info
	find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +
