# A thin front over Meson. Every target prepares what it needs.
BUILD ?= build
SANITIZED ?= build-sanitized
DEMO ?= demo

.PHONY: all setup install demo test test-sanitized bench fuzz format lint clean

all: $(BUILD)/build.ninja
	ninja -C $(BUILD)
	@ln -sf src/warpbound $(BUILD)/warpbound

$(BUILD)/build.ninja: | setup
	meson setup $(BUILD)

$(SANITIZED)/build.ninja: | setup
	meson setup $(SANITIZED) -Dbuildtype=debugoptimized -Db_ndebug=false \
	  -Db_sanitize=address,undefined -Db_lundef=false

setup:
	@scripts/install-dependencies

install: all
	meson install -C $(BUILD)

# The main job on the bundled kernel.
demo: all
	@scripts/demo $(BUILD)/warpbound $(DEMO)

test: all
	@scripts/run-tests $(BUILD)

test-sanitized: $(SANITIZED)/build.ninja
	ninja -C $(SANITIZED)
	@WARPBOUND_CROSS_RUNS=2000 WARPBOUND_TABLE_MIB=1 scripts/run-tests $(SANITIZED)

bench: all
	@bench/run $(BUILD)

fuzz: setup
	@scripts/fuzz

format:
	clang-format -i $$(git ls-files --cached --others --exclude-standard '*.c' '*.h' | grep -v '^tests/fixtures/')

lint: $(BUILD)/build.ninja
	@scripts/lint $(BUILD)

clean:
	rm -rf $(BUILD) $(SANITIZED) build-fuzz $(DEMO)
