# make demo   set up, build, and see the main job done on real data
# make test   set up, build, and run every test
# make python set up, build, and leave the Python package in .venv
# make wheel  a wheel and an sdist in build/dist; make deb: Debian packages; test-wheel and test-deb try them
# make docs   the documentation site in build/site/html
# make mpi    ardent-mpi, for several machines, in build/bin; make test-mpi tries it with mpirun
# make cuda   the same with computations on an NVIDIA card (--device cuda), in build/cuda/bin; needs the CUDA toolkit.
#             make test-cuda runs its tests on the card, and the small ones under compute-sanitizer
# make lock   renew the versions of the Python packages in python/requirements (ONLY="docs onnx": of those)
# make test-newest  run the Python tests with the newest releases instead of those
# make test-devices, test-r, test-onnx, test-arviz, test-integration  exported C on an emulated Cortex-M4; the C interface
#             from R; ONNX; ArviZ; a small real job with each of other people's tools
# make test-dask  rows on the workers of a Dask cluster of two processes
# make test-processes  a little of test-mpi and of test-dask, for CI
# make abi    what changed since BASE (a commit or tag) for programs that are linked with the library
# make soak   10⁸ predictions, 10,000 fits, a LIBSVM text of 10 GB, an image of 20,000²
# make truth  what intervals and probabilities promise, against what they keep
# make coverage  which lines and branches of the library the tests run
# make mutation  small faults in four kernels: do the tests notice?
# make determinism  every command with 1, 2, 4 and 16 threads, twice, and on emulated processors: the same bytes
# make interrupts  how soon Ctrl-C ends every command
# make reproduce  run every experiment of the papers and write docs/results (hours); QUICK=1: minutes
# Each does all its own set-up on a Debian 12 machine. With PRESET=native or PRESET=portable they build
# and test that build, in a folder of its own (CMakePresets.json); OPTIONS are further ones for CMake.

BUILD_PACKAGES = g++ cmake ninja-build ccache libeigen3-dev libtbb-dev libfmt-dev \
                 nlohmann-json3-dev libcli11-dev zlib1g-dev liblzma-dev libbz2-dev libgtest-dev \
                 libgmock-dev libcfitsio-dev libpng-dev
PYTHON_PACKAGES = python3-venv python3-dev
BENCH_PACKAGES = liblinear-tools libdlib-dev libopenblas-dev source-extractor
TEST_PACKAGES = python3 qemu-user pkg-config
MPI_PACKAGES = libopenmpi-dev openmpi-bin
DEVICE_PACKAGES = python3 gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm

PRESET = release
BUILD = $(if $(filter release,$(PRESET)),build,build/$(PRESET))
VENV = $(if $(filter release,$(PRESET)),.venv,$(BUILD)/venv)
# Ninja's one line on a terminal: share done, then what is being compiled.
export NINJA_STATUS = [%p] 

# Debian's, not the first on the PATH; another: make python PYTHON=...
PYTHON = /usr/bin/python3
# The environment of the package is made of python/requirements and of nothing that is set here for other
# work. Pip's index, proxy and certificates stay as the machine has them.
unexport PYTHONPATH PYTHONHOME PYTHONSTARTUP VIRTUAL_ENV PIP_TARGET PIP_PREFIX PIP_ROOT \
         PIP_CONSTRAINT PIP_BUILD_CONSTRAINT PIP_REQUIRE_VIRTUALENV CMAKE_ARGS SKBUILD_CMAKE_ARGS
export PYTHONNOUSERSITE = 1
export PIP_USER = 0

.PHONY: cuda test-cuda build mpi test-mpi demo docs stage python wheel deb lock reproduce format tidy clean packages bench bench-guard
.PHONY: test test-cpp test-python test-packages test-bits test-browser test-calibration test-newest test-sanitize test-tsan \
        test-wheel test-deb test-deb-installed test-devices test-r test-onnx test-arviz test-dask test-processes test-integration bench-devices bench-field \
        bench-skies \
        test-docs test-tools wheels test-wheels abuse torture fuzz abi

build: packages
	@mkdir -p $(BUILD)
	@cmake --preset $(PRESET) $(OPTIONS) > $(BUILD)/configure.log || { cat $(BUILD)/configure.log; exit 1; }
	cmake --build $(BUILD) --target ardent_command ardent_c

packages:
	@scripts/install-packages $(BUILD_PACKAGES)

# An executable of its own: the plain one and the library's archives link no MPI.
mpi: packages
	@scripts/install-packages $(MPI_PACKAGES)
	@mkdir -p $(BUILD)
	@cmake --preset $(PRESET) $(OPTIONS) -DARDENT_MPI=ON > $(BUILD)/configure.log || { cat $(BUILD)/configure.log; exit 1; }
	cmake --build $(BUILD) --target ardent_command ardent_mpi_command

# The CUDA toolkit (12 or later) is NVIDIA's own: nvcc is looked for on the PATH and in /usr/local/cuda.
cuda: export CUDACXX ?= $(or $(shell command -v nvcc),/usr/local/cuda/bin/nvcc)
cuda:
	$(MAKE) build PRESET=cuda

test-cuda: cuda
	cmake --build build/cuda --target ardent_cuda_tests
	build/cuda/bin/ardent_cuda_tests
	scripts/sanitize-cuda build/cuda/bin/ardent_cuda_tests

DEATHS = 10
test-mpi: mpi test-tools
	tests/mpi/ranks.py $(BUILD)/bin/ardent $(BUILD)/bin/ardent-mpi . $(BUILD)/mpi-test/ranks
	tests/mpi/killed.py $(BUILD)/bin/ardent $(BUILD)/bin/ardent-mpi . $(BUILD)/mpi-test/killed --kills $(DEATHS)
	tests/mpi/killed.py $(BUILD)/bin/ardent $(BUILD)/bin/ardent-mpi . $(BUILD)/mpi-test/killed --kills $(DEATHS) --ranks 1

# A little of each kind, in CI time: real mpiruns, and a real cluster one of whose workers is killed.
test-processes: mpi test-tools python
	tests/mpi/ranks.py $(BUILD)/bin/ardent $(BUILD)/bin/ardent-mpi . $(BUILD)/mpi-test/ranks --short
	tests/mpi/killed.py $(BUILD)/bin/ardent $(BUILD)/bin/ardent-mpi . $(BUILD)/mpi-test/killed --kills 1 --engine path
	VENV=$(VENV) scripts/install-extra dask
	$(VENV)/bin/python -m pytest --quiet tests/python/test_dask.py -k "killed or bag_of_files or auto or signals"

demo: build
	$(BUILD)/bin/ardent demo -o $(BUILD)/demo.model

# The library is not compiled again: the package links what is built already.
stage: build
	@scripts/install-packages $(PYTHON_PACKAGES)
	cmake --install $(BUILD) --prefix $(BUILD)/stage > $(BUILD)/stage.log

python: stage
	scripts/install-python $(BUILD) $(VENV) "$(PYTHON)"

# The documentation site, in build/site/html; a link that leads nowhere is an error (LINKCHECK=1: to other sites, too).
docs: python
	@scripts/install-packages doxygen
	VENV=$(VENV) scripts/install-extra docs
	$(VENV)/bin/python scripts/make-docs $(BUILD)

# The site in Chromium, from its files, without a network: no complaints, nothing too wide, its search finds.
test-docs: docs
	@scripts/install-packages chromium fonts-dejavu-core
	ARDENT_SITE="$(CURDIR)/$(BUILD)/site/html" $(VENV)/bin/python -m pytest --quiet -p no:cacheprovider tests/site

# The wheel (manylinux, with the command) and the sdist, in build/dist.
wheel: python
	VENV=$(VENV) scripts/install-extra wheel
	scripts/make-wheel $(BUILD) $(VENV)

# Debian packages of the command and of the library, in build/dist, and what the command is made of, as SPDX.
deb: build
	@scripts/install-packages dpkg-dev
	cmake --build $(BUILD) --target ardent_command
	scripts/make-deb $(BUILD)
	scripts/make-sbom $(BUILD)

# Both as a user has them: the wheel in an empty environment without a compiler, the sdist built, the Debian
# packages unpacked and looked at by lintian.
test-wheel: wheel
	tests/packages/try-wheel $(BUILD) $(VENV) "$(PYTHON)"

# Wheels for other interpreters, in PYTHONS, beside the one of `make wheel`: one for each version before 3.12, and the
# oldest from 3.12 on for all that follow. TRIED are those that the wheels are tried with.
wheels: wheel
	scripts/make-wheels $(BUILD) $(VENV) $(PYTHONS)

TRIED = $(PYTHON) $(PYTHONS)
test-wheels: wheels
	tests/packages/try-wheels $(BUILD) $(TRIED)

test-deb: deb
	@scripts/install-packages lintian man-db pkg-config devscripts
	tests/packages/try-deb $(BUILD)

# The same packages installed by apt, and removed again: for a machine that may be changed (scripts/try-on-bare-debian).
test-deb-installed: deb
	@scripts/install-packages g++ pkg-config
	tests/packages/try-installed-deb $(BUILD)

lock:
	@scripts/install-packages $(PYTHON_PACKAGES)
	scripts/lock-requirements "$(PYTHON)" $(ONLY)

# Goes on where it was stopped: records of what is done are in build/reproduce.
reproduce: python
	scripts/install-extra reproduce
	.venv/bin/python -m experiments.run $(if $(QUICK),--quick)

test-tools:
	@scripts/install-packages $(TEST_PACKAGES)

# With -j2 the second begins while the first compiles its tests.
test: test-cpp test-python

# Configured again: tests that need the packages are defined where these are found.
test-cpp: build test-tools
	@cmake $(BUILD) > $(BUILD)/configure.log || { cat $(BUILD)/configure.log; exit 1; }
	cmake --build $(BUILD)
	ctest --test-dir $(BUILD) --output-on-failure -j2

test-python: python
	ARDENT_COMMAND="$(CURDIR)/$(BUILD)/bin/ardent" $(VENV)/bin/python -m pytest --quiet --numprocesses 2

# What the portable build promises: its own bits, the same on every x86-64 processor.
test-bits: build test-tools
	@cmake $(BUILD) > $(BUILD)/configure.log || { cat $(BUILD)/configure.log; exit 1; }
	ctest --test-dir $(BUILD) --output-on-failure -R '^bits'

# Reports in Chromium; KEEP_PAGES=FOLDER leaves pages and pictures there to be looked at.
test-browser: python
	@scripts/install-packages chromium fonts-dejavu-core
	$(VENV)/bin/python -m pytest --quiet -p no:cacheprovider tests/browser

# Exported models on an emulated Cortex-M4.
test-devices: build
	@scripts/install-packages $(DEVICE_PACKAGES)
	python3 tests/devices/devices.py $(BUILD)/bin/ardent . $(BUILD)/devices

# The C interface from C and from R.
test-r: stage
	@scripts/install-packages r-base-core pkg-config python3
	python3 tests/consumer/c_interface.py $(BUILD)/stage . $(BUILD)/c_interface

# ONNX graphs under onnxruntime.
test-onnx: python
	scripts/install-extra onnx
	$(VENV)/bin/python -m pytest --quiet tests/python/test_onnx.py

# A Dask cluster of two worker processes, one of which is killed in the middle of a fit.
test-dask: python
	VENV=$(VENV) scripts/install-extra dask
	$(VENV)/bin/python -m pytest --quiet tests/python/test_dask.py

# A small real job with each of the tools that users of Python have: scikit-learn's, SHAP, MLflow, skops,
# pandas, polars, Dask, ArviZ, astropy, onnxruntime; in an environment of their own, build/integration.
test-integration: python
	scripts/install-integration $(BUILD) $(VENV) "$(PYTHON)"
	$(BUILD)/integration/bin/python -m pytest --quiet -p no:cacheprovider tests/integration

# The draws of doubly sparse models under ArviZ.
test-arviz: python
	scripts/install-extra arviz
	$(VENV)/bin/python -m pytest --quiet tests/python/test_fitted_attributes.py -k arviz

# Exported code beside emlearn's and m2cgen's: docs/devices.md.
bench-devices: python
	@scripts/install-packages $(DEVICE_PACKAGES)
	scripts/install-extra devices
	.venv/bin/python bench/devices.py

# A real field through ardent, SExtractor and photutils: the tables of docs/field.md and its picture.
FIELD = $(or $(ARDENT_DATA),../shared/data)/eso_ntt_emmi_field.fits
bench-field: python
	@scripts/install-packages source-extractor
	scripts/install-extra bench
	.venv/bin/python bench/field.py $(BUILD)/bin/ardent $(FIELD)

# Planted stars under noise that is not white and skies that are not even, SCENES of each kind.
SCENES = 2
bench-skies: python
	.venv/bin/python bench/skies.py $(BUILD)/bin/ardent --scenes $(SCENES)

# All that needs minutes and tools of its own, before a release: docs/releasing.md.
test-packages: test-devices test-r test-onnx test-arviz test-integration test-browser test-docs test-wheel test-deb

# Ranks of true parameters among a chain's draws, 2,000 replicates (`make test`: 150): minutes.
test-calibration: build test-tools
	@cmake $(BUILD) > $(BUILD)/configure.log || { cat $(BUILD)/configure.log; exit 1; }
	cmake --build $(BUILD) --target ardent_inference_tests
	ARDENT_CALIBRATION=2000 $(BUILD)/bin/ardent_inference_tests --gtest_filter='Calibration.*'

test-newest: stage
	scripts/install-python --newest $(BUILD) $(BUILD)/newest "$(PYTHON)"
	ARDENT_COMMAND="$(CURDIR)/$(BUILD)/bin/ardent" $(BUILD)/newest/bin/python -m pytest --quiet --numprocesses 2

# The same tests under the address and undefined-behaviour sanitizers (but for those
# that tests/CMakeLists.txt leaves out). The next `make build` is without sanitizers again.
test-sanitize: packages
	@cmake --preset $(PRESET) $(OPTIONS) -DARDENT_SANITIZED=ON > $(BUILD)/configure.log || \
	  { cat $(BUILD)/configure.log; exit 1; }
	cmake --build $(BUILD)
	ctest --test-dir $(BUILD) --output-on-failure -j2 -R '^sanitized\.'

# oneTBB is not instrumented; ardent/base/parallel.cpp says what the sanitizer cannot see of it, and
# leaves out what it does with its own memory. Loops' bodies are checked on all threads.
test-tsan: packages
	cmake --preset tsan
	cmake --build build/tsan
	ctest --test-dir build/tsan --output-on-failure -j2

# Lines and branches of ardent/ that the tests run; fails below 90% of the lines. SHOW=ardent/data lists those of
# a folder that never ran.
.PHONY: coverage
coverage: test-tools packages
	@mkdir -p build/coverage
	@cmake --preset coverage > build/coverage/configure.log || { cat build/coverage/configure.log; exit 1; }
	cmake --build build/coverage
	@scripts/install-packages $(PYTHON_PACKAGES)
	@scripts/install-tool coverage build/coverage/venv "$(PYTHON)"
	tests/coverage/run.py build/coverage "$(CURDIR)/build/coverage/venv/bin/gcovr" $(if $(SHOW),--show $(SHOW))

# Small faults in four kernels, MUTANTS of each, one at a time: the tests notice at least 85% of them.
.PHONY: mutation
MUTANTS = 25
mutation: packages test-tools
	@mkdir -p build/mutation
	@cmake --preset release -B build/mutation "-DARDENT_ALONE=$$(tests/mutation/run.py --kernels)" \
	  > build/mutation/configure.log || { cat build/mutation/configure.log; exit 1; }
	cmake --build build/mutation --target ardent_inference_tests ardent_data_tests
	tests/mutation/run.py build/mutation --mutants $(MUTANTS)

# Problems that numerical work stumbles over, through every engine, map and estimator: TIMES as many as in
# the tests, from seed SEED on.
TIMES = 20
SEED = 1
abuse: build
	@cmake $(BUILD) > $(BUILD)/configure.log || { cat $(BUILD)/configure.log; exit 1; }
	cmake --build $(BUILD) --target ardent_abuse_tests
	ARDENT_ABUSE=$(TIMES) ARDENT_ABUSE_SEED=$(SEED) $(BUILD)/bin/ardent_abuse_tests --gtest_brief=1

# Kills at random moments, failing disks, signals, closed pipes: nothing is lost.
KILLS = 200
torture: build test-tools
	@cmake $(BUILD) > $(BUILD)/configure.log || { cat $(BUILD)/configure.log; exit 1; }
	cmake --build $(BUILD) --target failing_files
	tests/torture/torture.py $(BUILD)/bin/ardent . $(BUILD)/tests/libfailing_files.so --kills $(KILLS)

# Load: 10⁸ predictions by eight threads and 10,000 fits in one process, whose memory stays flat; a LIBSVM text of GIGABYTES
# and an image of PIXELS², in a folder that is removed afterwards (SOAK_FOLDER; 2.2 times GIGABYTES must be free).
.PHONY: soak
GIGABYTES = 10
PIXELS = 20000
SOAK_FOLDER = $(BUILD)/soak
soak: build test-tools
	@cmake $(BUILD) > $(BUILD)/configure.log || { cat $(BUILD)/configure.log; exit 1; }
	cmake --build $(BUILD) --target ardent_soak_tests
	ARDENT_SOAK=100 $(BUILD)/bin/ardent_soak_tests --gtest_brief=1
	tests/soak/large_files.py $(BUILD)/bin/ardent $(SOAK_FOLDER) --gigabytes $(GIGABYTES) --pixels $(PIXELS)

# Intervals, probabilities and discoveries against known truth, nominal and attained: the tables of docs/reliability.md.
.PHONY: truth
truth: python
	.venv/bin/python bench/truth/run.py $(if $(ONLY),--only $(ONLY))

# Random files for every reader, SECONDS each, from the corpora in tests/fuzz; what breaks one is left in
# build/fuzz/found. READERS="csv model" tries some, RECORD=1 adds what was run to tests/fuzz/record.csv. The fuzzer and the library are built by clang.
SECONDS = 60
fuzz: packages
	@scripts/install-packages clang libclang-rt-14-dev
	@mkdir -p build
	@CXX=clang++ cmake -S . -B build/fuzz -G Ninja -DCMAKE_BUILD_TYPE=Release -DARDENT_FUZZ=ON \
	  -DCMAKE_CXX_FLAGS_RELEASE="-O1 -g1" -DARDENT_SANITIZE=fuzzer-no-link,address,undefined > build/fuzz-configure.log || \
	  { cat build/fuzz-configure.log; exit 1; }
	cmake --build build/fuzz --target fuzz_readers
	tests/fuzz/run.py build/fuzz/bin/fuzz_readers $(SECONDS) build/fuzz/found $(if $(RECORD),--record) $(READERS)

.PHONY: determinism interrupts
# Every command with several numbers of threads, twice, and on emulated processors (`make test`: 1 and 16 threads).
PROCESSORS = Haswell,EPYC,Skylake-Client
determinism: build test-tools
	tests/bits/threads.py $(BUILD)/bin/ardent . $(BUILD)/determinism --processors $(PROCESSORS)

# Seconds from Ctrl-C at random moments to the end, for every command.
TIMES_EACH = 10
interrupts: build test-tools
	tests/torture/interrupts.py $(BUILD)/bin/ardent --times $(TIMES_EACH) --within 0.5

# Functions and types of the C and C++ interfaces since BASE, by abidiff; fails where programs must be built anew.
BASE = $(shell git describe --tags --abbrev=0 2>/dev/null || git rev-list --max-parents=0 HEAD)
abi:
	@scripts/install-packages abigail-tools g++ libeigen3-dev libfmt-dev nlohmann-json3-dev pkg-config python3
	scripts/compare-abi $(BASE) build/abi

# Every job with its peers on one thread, in one run: docs/performance.md. ONLY=text,dense,... runs some parts.
bench: python
	@scripts/install-packages $(BENCH_PACKAGES)
	scripts/install-extra bench
	cmake build -DARDENT_BENCH=ON > build/configure.log
	cmake --build build --target ardent_bench
	.venv/bin/python bench/performance/run.py build $(if $(ONLY),--only $(ONLY))

# Instructions of eight kernels against bench/guard.json; RENEW=1 records them.
bench-guard: build
	@scripts/install-packages valgrind python3
	cmake build -DARDENT_BENCH=ON > build/configure.log
	cmake --build build --target bench_guard
	bench/guard.py build/bin/guard $(if $(RENEW),--renew)

format:
	@scripts/install-packages clang-format
	git ls-files '*.h' '*.cpp' | xargs clang-format -i

tidy: build
	@scripts/install-packages clang-tidy
	git ls-files 'ardent/*.cpp' 'cli/*.cpp' | xargs clang-tidy -p build --quiet

clean:
	rm -rf build .venv
