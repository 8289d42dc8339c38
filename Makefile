# make demo   set up, build, and see the main job done on real data
# make test   set up, build, and run every test
# make python set up, build, and leave the Python package in .venv
# make reproduce  run every experiment of the papers and write docs/results (hours); QUICK=1: minutes
# Each does all its own set-up on a Debian 12 machine.

BUILD_PACKAGES = g++ cmake ninja-build ccache pkg-config libeigen3-dev libtbb-dev libfmt-dev \
                 nlohmann-json3-dev libcli11-dev zlib1g-dev liblzma-dev libbz2-dev libgtest-dev \
                 libgmock-dev libcfitsio-dev libpng-dev
PYTHON_PACKAGES = python3-venv python3-dev
BENCH_PACKAGES = liblinear-tools python3

.PHONY: build demo python reproduce test test-dev test-tsan bench format tidy clean packages

build: packages
	cmake --preset release
	cmake --build build --target ardent_command

packages:
	@scripts/install-packages $(BUILD_PACKAGES)

demo: build
	build/bin/ardent demo -o build/demo.model

# The library is not compiled again: the package links what is built already.
python: build
	@scripts/install-packages $(PYTHON_PACKAGES)
	cmake --install build --prefix build/stage > build/stage.log
	scripts/install-python build/stage

# Goes on where it was stopped: records of what is done are in build/reproduce.
reproduce: python
	scripts/install-extra reproduce
	.venv/bin/python -m experiments.run $(if $(QUICK),--quick)

test: build
	cmake --build build
	ctest --test-dir build --output-on-failure -j2
	$(MAKE) python
	.venv/bin/python -m pytest --quiet

# The same tests under the address and undefined-behaviour sanitizers, warnings as errors.
test-dev: packages
	cmake --preset dev
	cmake --build build/dev
	ctest --test-dir build/dev --output-on-failure -j2

# oneTBB is not instrumented; ardent/base/parallel.cpp says what the sanitizer cannot see of it, and
# leaves out what it does with its own memory. Loops' bodies are checked on all threads.
test-tsan: packages
	cmake --preset tsan
	cmake --build build/tsan
	ctest --test-dir build/tsan --output-on-failure -j2

bench: packages
	@scripts/install-packages $(BENCH_PACKAGES)
	cmake --preset bench
	cmake --build build/bench
	bench/run build/bench

format:
	@scripts/install-packages clang-format
	git ls-files '*.h' '*.cpp' | xargs clang-format -i

tidy: build
	@scripts/install-packages clang-tidy
	git ls-files 'ardent/*.cpp' 'cli/*.cpp' | xargs clang-tidy -p build --quiet

clean:
	rm -rf build .venv
