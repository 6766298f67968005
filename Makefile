# Everything is done by scripts/; this file only gives the commands short names.
PYTHON ?= python3
BOOTSTRAP = @command -v $(PYTHON) >/dev/null || { echo "Bartizan needs Python 3.11 or later, and there is no $(PYTHON)." >&2; exit 2; }; \
	exec $(PYTHON) -B -m scripts.bootstrap
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help play test env client lint format generated bench openspiel docs screenshots balance baselines wheel lock clean

help: ## this list
	@echo "Bartizan: a table for siege games."
	@echo
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-20s %s\n", $$1, $$2 }'
	@echo
	@echo "Settings: PYTHON=python3.12, ARGS=\"…\" for play, bench, screenshots, balance, baselines and lock, SKIP_BROWSER=1 and BARTIZAN_CHROMIUM=… for test."

play: ## set everything up (once), start the server and open the games
	$(BOOTSTRAP) play $(ARGS)

test: ## format, lint, types, generated files, client, tests, browser tests
	$(BOOTSTRAP) test

env: ## make the Python environment in .venv with what the tests need
	$(BOOTSTRAP) env

client: ## build the browser client
	$(BOOTSTRAP) client

lint: ## check format, lint and types only, including the client
	$(BOOTSTRAP) lint

format: ## format the code, including the client, and fix what can be fixed
	$(BOOTSTRAP) format

generated: ## write web/openapi.json, the client's types and defaults, and the generated pages of docs/
	$(BOOTSTRAP) generated

docs: ## build the documentation site into .build/site
	$(BOOTSTRAP) docs

bench: ## measure simulation and server, beside OpenSpiel and Pgx where they are installed
	$(BOOTSTRAP) run benchmarks $(ARGS)

openspiel: ## install OpenSpiel and Pgx for make bench to measure beside ours
	$(BOOTSTRAP) openspiel

screenshots: ## retake the pictures in docs/ from the real page
	$(BOOTSTRAP) screenshots $(ARGS)

balance: ## remake the balance sheets in docs/balance (ARGS=GAME for one)
	$(BOOTSTRAP) balance $(ARGS)

baselines: ## train a policy for every game, rate and ship it (ARGS=GAME for one; needs PyTorch)
	$(BOOTSTRAP) baselines $(ARGS)

wheel: ## build a wheel with the client in it, into dist/
	$(BOOTSTRAP) wheel

lock: ## refresh the lock files (ARGS=--upgrade for the newest versions)
	$(BOOTSTRAP) lock $(ARGS)

clean: ## delete everything that was made, including the environment
	rm -rf .venv .build dist bartizan/server/static web/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +
