# Two commands for a newcomer: `make demo` and `make test`. `make check` is for the working day.
PYTHON ?= python3
export HF_HUB_OFFLINE = 1
export PIP_DISABLE_PIP_VERSION_CHECK = 1
# Where it is set, every worker and every command that a test starts compiles again what it imports.
unexport PYTHONDONTWRITEBYTECODE

BASE := .venv
FULL := .venv-lighteval
MATHVERIFY := .venv-math-verify

.PHONY: demo check lint quick test docs patches bench clean

demo: $(BASE)/.base
	$(BASE)/bin/lighteval-fix regrade examples/run || [ $$? -eq 1 ]  # 1: without bubblewrap the programs are skipped

# Both at once: the tests wait for programs and time limits half a minute in all, and the lint fills that.
check: $(BASE)/.dev
	$(MAKE) --no-print-directory -j2 lint quick

lint: $(BASE)/.dev
	$(BASE)/bin/ruff check .
	$(BASE)/bin/ruff format --check .
	$(BASE)/bin/mypy
	$(BASE)/bin/lint-imports

# LAWS=few: a fifth of the examples of each law (tests/laws.py); `make test` tries them all.
quick: $(BASE)/.dev
	LAWS=few $(BASE)/bin/python -m pytest -n auto -m "not slow and not lighteval and not browser and not sandbox"

test: $(FULL)/.done $(MATHVERIFY)/.done
	$(FULL)/bin/ruff check .
	$(FULL)/bin/ruff format --check .
	$(FULL)/bin/mypy
	$(FULL)/bin/lint-imports
	$(FULL)/bin/python -m pytest

docs: $(FULL)/.done
	$(FULL)/bin/python -m tools.docs

patches: $(FULL)/.done
	$(FULL)/bin/lighteval-fix patch export --out patches

bench: $(FULL)/.done $(MATHVERIFY)/.done
	$(FULL)/bin/python -m bench

# The libraries are not compiled ahead: most modules of sympy are never imported, and compiling them is half the time.
$(BASE)/.base: pyproject.toml
	test -x $(BASE)/bin/python || $(PYTHON) -m venv $(BASE)
	$(BASE)/bin/pip install -q -e .
	# Compiled here, since some environments forbid Python to do it at the first import, and then every start pays.
	$(BASE)/bin/python -m compileall -q src
	touch $@

$(BASE)/.dev: $(BASE)/.base
	$(BASE)/bin/pip install -q -e '.[test,dev]'
	touch $@

# torch first and pinned, so that pip takes the CPU build that it already knows and not gigabytes of CUDA.
$(FULL)/.done: pyproject.toml
	test -x $(FULL)/bin/python || $(PYTHON) -m venv $(FULL)
	$(FULL)/bin/pip install -q torch==2.13.0
	$(FULL)/bin/pip install -q -e '.[lighteval,ray,test,dev]'
	touch $@

# math-verify 0.9.0 and LightEval 0.13.0 pin different latex2sympy2_extended versions: it lives alone.
$(MATHVERIFY)/.done:
	test -x $(MATHVERIFY)/bin/python || $(PYTHON) -m venv $(MATHVERIFY)
	$(MATHVERIFY)/bin/pip install -q math-verify==0.9.0 antlr4-python3-runtime==4.13.2
	touch $@

clean:
	rm -rf $(BASE) $(FULL) $(MATHVERIFY) build dist
