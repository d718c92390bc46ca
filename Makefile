# A thin front over Meson. Every target prepares what it needs.
BUILD ?= build
SANITIZED ?= build-sanitized
DEMO ?= demo
RUNS ?= 5
TIME_LIMIT ?= 10
EVERY ?= 1
TIMES ?= 1
# The system's Python, for which scripts/install-dependencies looks; another where a caller says so.
export PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)

# Folder of the Debian packages.
PACKAGES ?= packages

.PHONY: all setup install uninstall packages demo test test-quick test-sanitized test-many test-mutants test-browser test-packages test-aarch64 bench bench-brackets \
  bench-many-loops bench-many-blocks bench-warp-graphs bench-meanings bench-rivals bench-wcet bench-launch-simulation bench-disassembly \
  bench-large-code bench-fits bench-fit-rivals bench-hardware bench-kept-data fuzz format lint clean

# Program, library, manual, completion; each other target builds what it needs.
all: $(BUILD)/build.ninja
	ninja -C $(BUILD) product
	@ln -sf src/warpbound $(BUILD)/warpbound

$(BUILD)/build.ninja: | setup
	meson setup $(BUILD)

# Undefined behaviour traps: half the code and a twentieth of the data of messages, which each start
# of the program would read; the address sanitizer's handler names the line (handle_sigill). So no
# program is linked with that sanitizer's library, whose own memory is a fifth of each start.
$(SANITIZED)/build.ninja: | setup
	meson setup $(SANITIZED) -Doptimization=1 -Ddebug=false \
	  "-Dc_args=-g1 -fsanitize=undefined -fsanitize-undefined-trap-on-error" -Db_ndebug=false \
	  -Db_sanitize=address -Db_lundef=false $(if $(shell command -v ld.gold),-Dc_link_args=-fuse-ld=gold)

setup:
	@scripts/install-dependencies

# Under PREFIX (default /usr/local, or what the build has); DESTDIR is put before it.
install: all
	$(if $(PREFIX),@meson configure $(BUILD) --prefix $(abspath $(PREFIX)) && ninja -C $(BUILD) product)
	meson install -C $(BUILD) --no-rebuild

# What the last `make install` of this build wrote.
uninstall:
	ninja -C $(BUILD) uninstall

# The Debian packages, in the folder PACKAGES; what they need is in debian/control.
packages:
	packaging/build-packages $(PACKAGES)

# The main job on the bundled kernel.
demo: all
	@scripts/demo $(BUILD)/warpbound $(DEMO)

test: all
	@scripts/run-tests $(BUILD)

# Unit tests and command lines: under a minute.
test-quick: all
	@scripts/run-tests $(BUILD) --suite unit --suite golden

# Everything again under the sanitizers of addresses and undefined behaviour.
test-sanitized: $(SANITIZED)/build.ninja
	@ASAN_OPTIONS=handle_sigill=1:abort_on_error=1:quarantine_size_mb=64 scripts/run-tests $(SANITIZED)

# All that usual runs take a part of: random instances against brute force, all fixtures. For long;
# TIMES=N: N times as many instances, SEED chooses others.
test-many: all
	@WARPBOUND_TIMES=$(TIMES) WARPBOUND_SEED=$(SEED) scripts/run-tests $(BUILD) --suite many

# Each deliberate mistake in tests/mutants must make the oracle's test fail.
test-mutants: all
	@scripts/test-mutants $(BUILD)

# The page of `warpbound analyze --report` in a headless Chromium (installed where it is missing);
# screenshots go to PICTURES.
test-browser: all
	@scripts/test-browser --install $(BUILD) $(PICTURES)

# As root: the Debian packages, built in a bare Debian 12 and installed in another one, pip, containers, CI actions.
test-packages:
	@tests/packages/run

# As root: the program for aarch64 by a cross compiler in a bare Debian 12, and its tests under qemu-user.
test-aarch64:
	@tests/packages/run aarch64

bench: all
	@bench/run $(BUILD) bench $(RUNS)

# How tight the brackets of 200 random strings are: each TIME_LIMIT seconds, the first of EVERY.
bench-brackets: all
	@bench/run $(BUILD) brackets $(TIME_LIMIT) $(EVERY)

# The abstract interpretation on random programs of 10^3 to 10^5 instructions and on the fixtures.
bench-warp-graphs: all
	@bench/run $(BUILD) warp-graphs

# The opcodes of real code whose meaning no analysis knows, of the fixtures or of the listings in FOLDER.
bench-meanings: all
	@bench/run $(BUILD) meanings $(FOLDER)

# The WCET of one warp: IPET beside GLPK, and what each part of the analysis is worth.
bench-wcet: all
	@bench/run $(BUILD) wcet

# How many warp instructions a second the simulator of whole launches runs.
bench-launch-simulation: all
	@bench/run $(BUILD) launch-simulation $(RUNS)

# Integer programming on the same instances, with PYTHON and its packages ortools and highspy.
bench-rivals: all
	@bench/run $(BUILD) rivals

# The listing of a cubin of a million instructions, beside NVDISASM (the one on the path).
bench-disassembly: all
	@bench/run $(BUILD) disassembly $(if $(NVDISASM),--nvdisasm $(NVDISASM))

# `analyze` of generated kernels of 100 loops, beside that of another program, BEFORE.
bench-many-loops: all
	@bench/run $(BUILD) many-loops $(if $(BEFORE),--before $(BEFORE))

# The control flow of generated kernels of 10^4 blocks, beside that of another program, BEFORE.
bench-many-blocks: all
	@bench/run $(BUILD) many-blocks $(if $(BEFORE),--before $(BEFORE))

# The control flow of a cubin of a million instructions, beside that of another program, BEFORE.
bench-large-code: all
	@bench/run $(BUILD) large-code $(if $(BEFORE),--before $(BEFORE))

# Size and power of goodness of fit, coverage of intervals, over RUNS samples of known distributions.
bench-fits: all
	@bench/run $(BUILD) fits $(RUNS)

# Public measurements of GPUs beside the bounds of the same launches.
bench-hardware: all
	@bench/hardware.py $(BUILD)/warpbound

# Upper ends without and with buffers that L2 keeps (doc/launches/caches.md; needs nvcc).
bench-kept-data: all
	@bench/kept_data/run.py $(BUILD)/warpbound

# Fits beside R's evd and PYTHON's SciPy on 200 generated samples.
bench-fit-rivals: all
	@bench/run $(BUILD) fit-rivals

fuzz: setup
	@scripts/fuzz

format:
	clang-format -i $$(git ls-files --cached --others --exclude-standard '*.c' '*.h' | grep -v '^tests/fixtures/')

lint: $(BUILD)/build.ninja
	@scripts/lint $(BUILD)

clean:
	rm -rf $(BUILD) $(SANITIZED) build-fuzz $(DEMO) $(PACKAGES)
