# One command to run, one to test; each installs everything that it needs.
# Another Python: make test PYTHON=python3.13, after `make clean`.
export PYTHON := python3
VENV := .venv
# Archives of one commit are the same, whenever they are made.
export SOURCE_DATE_EPOCH := $(shell git log -1 --format=%ct 2>/dev/null || echo 1767225600)
# Without compiled files, each process of a run compiles what it imports, tests and their assertions too.
unexport PYTHONDONTWRITEBYTECODE
BIN := $(VENV)/bin
C_SOURCES := $(wildcard libretro_host/shim*.[ch] libretro_host/shim*.cpp integrator/domain/sweep/*.[ch])
BUILD := $(C_SOURCES) scripts/extensions.py scripts/hatch_build.py pyproject.toml

define MAKE_VENV
@[ -x $(BIN)/python ] || scripts/check-python $(PYTHON)
[ -x $(BIN)/python ] || $(PYTHON) -m venv $(VENV)
@scripts/check-python $(BIN)/python
endef

# pip compiles packages but no editable tree, which each start would compile anew. For tests it compiles
# nothing: most modules of their libraries are never imported, and an import compiles the others once.
COMPILE := $(BIN)/python -m compileall -q integrator libretro_host

# One more than there are processors: tests in a window wait for games that play at their own speed.
WORKERS := $(shell expr $$(nproc) + 1)

# A worker that dies ends the run: the one in its place would wait for ever for its first test
# (pytest-xdist 3.8: LoadScopeScheduling gives it one unit, and a worker keeps its last test back).
TESTS := -m pytest -n $(WORKERS) --dist loadgroup --max-worker-restart 0

.PHONY: run test nightly check bench demo docs translations screenshots wheel release bundle appimage floors cross constraints setup clean

## Open the window on the demo game; without a display, run the demo offscreen.
run: $(VENV)/.ready-run
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
		$(BIN)/integrator data/EmberMoth-Nes-v0; \
	else \
		echo "No display: running 'integrator demo' offscreen."; \
		$(BIN)/integrator demo --out demo-out; \
	fi

## Lint, types, layers, and the tests, real-window tests under Xvfb included.
test: check
	xvfb-run -a -s "-screen 0 1680x1050x24" $(BIN)/python $(TESTS) -m "not nightly"
	@echo "Left to 'make nightly': endurance, benches, whole jobs, slow consoles and cold starts of processes (tests/nightly.py),"
	@echo "and the types of most files as Windows and macOS have them."

## All tests, with new generated examples, each process started as in the program, and all types for other systems: before a release, and by night.
nightly: check
	INTEGRATOR_COLD_CHILDREN=1 INTEGRATOR_EXPLORE=1 xvfb-run -a -s "-screen 0 1680x1050x24" $(BIN)/python $(TESTS)

## Lint, formatting, types, layers.
check: $(VENV)/.ready-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(MAKE) --no-print-directory --jobs --output-sync $(TYPES) $(VENV)/.ready-collected
	$(BIN)/lint-imports

# All three at the same time, since one of them keeps one processor busy.
TYPES := types-here types-win32 types-darwin
# Checked for Windows and macOS, too: the host of cores, and files that ask for the system and import little.
# Code that these import is any value here, since `make nightly` checks all code for them.
export ELSEWHERE ?= libretro_host integrator/domain/files integrator/domain/timeline/pool.py \
	integrator/display.py integrator/commands/desktop.py
nightly: ELSEWHERE := integrator libretro_host
export IMPORTED ?= --follow-imports skip --allow-subclassing-any --allow-untyped-decorators \
	--no-warn-return-any --no-warn-unused-ignores --disable-error-code var-annotated
nightly: IMPORTED :=
.PHONY: $(TYPES)
types-here:
	$(BIN)/mypy
types-win32 types-darwin:
	$(BIN)/mypy --platform $(@:types-%=%) --no-warn-unreachable \
		--cache-dir .mypy_cache/$(@:types-%=%) $(IMPORTED) $(ELSEWHERE)

bench: $(VENV)/.ready-run
	$(BIN)/integrator bench

demo: $(VENV)/.ready-run
	$(BIN)/integrator demo --out demo-out

## The book, in build/site: a broken link, or a picture without words, is an error. Not --quiet, which counts no warnings.
docs: $(VENV)/.ready-test
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

## The window's translations: new texts are listed, what is translated is compiled.
translations: $(VENV)/.ready-test
	$(BIN)/python -m scripts.translations

## The pictures in README and book, taken without a display.
screenshots: $(VENV)/.ready-run
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m scripts.pictures

## One wheel for every Python from 3.11 and every Linux that its dependencies know, and its list of files.
wheel: $(VENV)/.ready-package
	rm -rf build/wheel build/old-glibc
	scripts/libdl-stub build/old-glibc
	LDFLAGS="-L$(CURDIR)/build/old-glibc" $(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir build/wheel .
	rm -f dist/*.whl
	PATH="$(CURDIR)/$(BIN):$$PATH" auditwheel repair --wheel-dir dist build/wheel/*.whl
	$(BIN)/abi3audit --strict dist/retro_integrator-*-abi3-*.whl
	$(BIN)/python -m zipfile --list dist/retro_integrator-*-abi3-*.whl

## What a tag publishes, checked: wheel and source in dist. The tag v1.2.3 is the version; texts have to name it.
release: wheel $(VENV)/.ready-test
	rm -f dist/*.tar.gz
	$(BIN)/uv build --quiet --sdist --out-dir dist
	$(BIN)/twine check --strict dist/*.whl dist/*.tar.gz
	$(BIN)/pyroma --min 9 dist/*.tar.gz
	$(BIN)/validate-pyproject pyproject.toml
	$(BIN)/check-wheel-contents dist/*.whl
	$(BIN)/python -m pytest -q tests/unit/test_release.py

## A folder for people without Python: dist/integrator/integrator, and the same as an archive.
bundle: wheel
	$(PYTHON) -m venv --clear build/bundle
	build/bundle/bin/python -m pip install --quiet --constraint constraints.txt pyinstaller \
		"$$(ls dist/retro_integrator-*-abi3-*.whl)[cores,video]"
	build/bundle/bin/pyinstaller --noconfirm --log-level WARN --workpath build/pyinstaller scripts/bundle/integrator.spec
	XZ_OPT=-T0 tar cJf dist/integrator-$$(uname -m).tar.xz -C dist integrator

## The bundle as one file. appimagetool comes from its project: no registry of packages has it.
appimage: bundle
	rm -rf build/AppDir
	mkdir -p build/AppDir/usr/lib
	cp -a dist/integrator build/AppDir/usr/lib/integrator
	DESTDIR=$(CURDIR)/build/AppDir dist/integrator/integrator desktop install --prefix /usr
	sed -i "/^TryExec=/d" build/AppDir/usr/share/applications/*.desktop
	ln -s usr/lib/integrator/integrator build/AppDir/AppRun
	cp build/AppDir/usr/share/applications/*.desktop build/AppDir/usr/share/icons/hicolor/scalable/apps/*.svg build/AppDir
	appimagetool build/AppDir dist/integrator-$$(uname -m).AppImage

## All tests with the oldest libraries that pyproject.toml allows, in an environment of their own.
floors: $(VENV)/.ready-package
	mkdir -p build
	$(BIN)/uv pip compile --quiet --resolution lowest-direct --extra cores --extra dev \
		--python $(BIN)/python --output-file build/floors.txt pyproject.toml
	[ -x build/floors/bin/python ] || $(PYTHON) -m venv build/floors
	build/floors/bin/python -m pip install --quiet --constraint build/floors.txt --editable ".[cores,dev]"
	xvfb-run -a -s "-screen 0 1680x1050x24" build/floors/bin/python $(TESTS)

## The C and the wheels of Windows and macOS, and what Wine runs of them (`apt-get install wine64`).
cross: $(VENV)/.ready-test
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[cross]"
	$(BIN)/python -m pytest -q -n 0 tests/host/test_other_systems.py

## The newest version of each library that development uses; commit it when `make test` is green with it.
constraints: $(VENV)/.ready-package
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --no-annotate \
		--extra cores --extra dev --extra package --extra cross --custom-compile-command "make constraints" \
		--output-file constraints.txt pyproject.toml

setup: $(VENV)/.ready-test

$(VENV)/.ready-run: $(BUILD) scripts/system-packages
	scripts/system-packages
	$(MAKE_VENV)
	scripts/install-project $(BIN)/python cores,video
	$(COMPILE)
	touch $@

$(VENV)/.ready-test: $(BUILD) scripts/system-packages constraints.txt
	scripts/system-packages test
	$(MAKE_VENV)
	scripts/install-project $(BIN)/python cores,video,dev --constraint constraints.txt --no-compile
	$(COMPILE)
	touch $@ $(VENV)/.ready-run

# Otherwise each worker of the first run compiles all tests for itself.
$(VENV)/.ready-collected: $(VENV)/.ready-test
	@found=$$($(BIN)/python -m pytest --collect-only --quiet) || { echo "$$found"; exit 1; }
	touch $@

$(VENV)/.ready-package: $(VENV)/.ready-run
	scripts/install-project $(BIN)/python cores,video,package --constraint constraints.txt
	touch $@

clean:
	rm -rf $(VENV) build dist demo-out libretro_host/_shim*.so integrator/domain/sweep/_kernel*.so
