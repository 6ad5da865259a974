# ilcov: code coverage for .NET. The lists below are the map of the project; `make help` explains the targets.
VERSION := 0.1.0

# --- the house, in the order data flows through it (ARCHITECTURE.md) ---------------------------------------------
BASE      := err arena bytes utf16 text list pattern
METADATA  := pe heaps tables sig names pdb module deps scope
SYMBOLS   := embedded symbols
REWRITER  := opcodes body il stack flow plan rewrite
PROFILER  := entry callback instance instrument signatures counter_file windows config host record
COVERAGE  := facts store output lines report session session_files paths checksum statements decide userview module_facts collect
REPORTERS := reporter cobertura text
CLI       := ilcov options say run target environment dotnet results explain report inspect doctor

UNIT := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/test_*.c))

# --- tools and flags ---------------------------------------------------------------------------------------------
CC  := $(if $(filter default,$(origin CC)),gcc,$(CC))
SAN :=
comma := ,
BUILD := build$(if $(SAN),/$(subst $(comma),-,$(SAN)))$(if $(filter clang%,$(CC)),/clang)

CSTD     := -std=c17 -D_GNU_SOURCE -DILCOV_VERSION='"$(VERSION)"' -I.
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes -Wmissing-prototypes \
            -Wcast-qual -Wwrite-strings -Wformat=2 -Wundef -Wvla -Wswitch-enum -Wnull-dereference \
            $(if $(filter clang%,$(CC)),,-Wimplicit-fallthrough=5 -Wlogical-op -Wcast-align=strict) $(if $(WERROR),-Werror)
HARDEN   := -fvisibility=hidden -fstack-protector-strong $(if $(SAN),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
OPTIMISE := $(if $(SAN),-O1 -g -fno-omit-frame-pointer -fsanitize=$(SAN) -fno-sanitize-recover=all -DILCOV_DEBUG_ARENA,-O2 -g)
CFLAGS   := $(OPTIMISE) $(HARDEN) -fPIC -pthread $(EXTRA_CFLAGS)
LDFLAGS  := $(if $(SAN),-fsanitize=$(SAN)) -pthread

LIBRARIES    := libxml-2.0 sqlite3 libgcrypt zlib
pkg_cflags    = $(shell pkg-config --cflags $(LIBRARIES) 2>/dev/null)
pkg_libs      = $(shell pkg-config --libs $(LIBRARIES) 2>/dev/null)

objects = $(patsubst %,$(BUILD)/obj/$(1)/%.o,$(2))
shared_objects  := $(call objects,base,$(BASE)) $(call objects,metadata,$(METADATA)) $(call objects,rewriter,$(REWRITER))
library_objects := $(call objects,profiler,$(PROFILER))
program_objects := $(call objects,metadata,$(SYMBOLS)) $(call objects,coverage,$(COVERAGE)) \
                   $(call objects,reporters,$(REPORTERS)) $(call objects,cli,$(filter-out ilcov,$(CLI)))
main_object     := $(call objects,cli,ilcov)

.DEFAULT_GOAL := all
.PHONY: all
all: $(BUILD)/ilcov $(BUILD)/libilcov.so

$(BUILD)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(WARNINGS) $(CFLAGS) $(pkg_cflags) -MMD -MP -c $< -o $@

$(BUILD)/libilcov.so: $(shared_objects) $(library_objects) profiler/profiler.map
	$(CC) -shared $(LDFLAGS) -Wl,-z,defs,-z,relro,-z,now,--version-script=profiler/profiler.map -o $@ \
	    $(filter %.o,$^)

$(BUILD)/ilcov: $(main_object) $(program_objects) $(shared_objects)
	$(CC) $(LDFLAGS) -o $@ $^ $(pkg_libs)

# --- unit tests: one cmocka program a module ---------------------------------------------------------------------
$(BUILD)/unit/%: $(BUILD)/obj/tests/unit/%.o $(BUILD)/tests.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(pkg_libs) -lcmocka

$(BUILD)/tests.a: $(shared_objects) $(library_objects) $(program_objects) $(call objects,tests/support,$(SUPPORT))
	rm -f $@; $(AR) rcs $@ $^

.PHONY: unit
unit: $(UNIT:%=$(BUILD)/unit/%)
	@set -e; for t in $^; do ./$$t; done

.PHONY: clean
clean:
	rm -rf build

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
