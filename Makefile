# ilcov: code coverage for .NET. The lists below are the map of the project; `make help` explains the targets.
VERSION := 0.1.0

# --- the house, in the order data flows through it (ARCHITECTURE.md) ---------------------------------------------
BASE      := err arena bytes utf16 text path list pattern proc_stat
METADATA  := pe heaps tables sig names pdb module deps packages scope
SYMBOLS   := embedded symbols
REWRITER  := opcodes body il stack flow plan rewrite restore
PROFILER  := entry callback instance instrument method kept_image attach control walk thread signatures reflection folder counter_file windows config host record
FOREIGN   := foreign foreign_build foreign_path foreign_xml foreign_cobertura foreign_lcov foreign_opencover
COVERAGE  := digest facts sums unite same_code fold_builds pairing align transplant diff_views fate diff gate foreign_facts carry merge merge_counts plain identity packed store store_write store_read output copies lines report ownership session session_config baseline session_files orphans paths checksum source_link language no_return reach statements made_vb made_fsharp inlined made_code compiler_made cover lifted operands dispatch select judge guard match decide username userview exclusions comments ignored patch_name patch source module_facts collect excluded $(FOREIGN)
REPORTERS := destination reporter cobertura json_writer json legible text diff_writer findings methods summary diff_text diff_markdown diff_json diff_github diff_gitlab diff_sarif
CLI       := ilcov options say run target process process_session peer diagnostics hresult candidate attach detach control frame stack_text hang stacks environment rivals dotnet git measurement results explain report compare sources diff merge shell env collect snapshot inspect inspect_data doctor

# tests: one cmocka program a module, what they share, and programs that scripts use
UNIT    := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/test_*.c))
FUZZERS := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
TOOLS   := expect_coverage check_cobertura read_cobertura dump_metadata shards_used debugger make_shards attach_library
SUPPORT := $(filter-out $(TOOLS),$(patsubst tests/support/%.c,%,$(wildcard tests/support/*.c)))

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

# `make V=1` shows the commands
Q   := $(if $(V),,@)
say  = @$(if $(V),:,echo "  $(1)  $(2)")

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
.PHONY: all demo check test unit unit-threads e2e conformance differential compare campaign fuzz fuzz-run fuzz-strict fuzz-guided golden bench valgrind lint layers format format-check install clean help
all: $(BUILD)/ilcov $(BUILD)/libilcov.so ## the program and, beside it, the library that it loads into its targets

$(BUILD)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CSTD) $(WARNINGS) $(CFLAGS) $(pkg_cflags) -MMD -MP -c $< -o $@

$(BUILD)/libilcov.so: $(shared_objects) $(library_objects) profiler/profiler.map
	$(call say,LINK,$@)
	$(Q)$(CC) -shared $(LDFLAGS) -Wl,-z,defs,-z,relro,-z,now,--version-script=profiler/profiler.map -o $@ \
	    $(filter %.o,$^) && chmod go-w $@

$(BUILD)/ilcov: $(main_object) $(program_objects) $(shared_objects)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(pkg_libs)

# --- demo --------------------------------------------------------------------------------------------------------
demo: ## installs what is missing, builds, and measures the tests of fixtures/sample
	@./setup && $(MAKE) --no-print-directory all
	@mkdir -p build/demo && cd fixtures/sample && ../../build/ilcov run --data ../../build/demo/coverage.ilcov \
	    --format cobertura=../../build/demo/cobertura.xml --format text \
	    -- dotnet test --artifacts-path ../../build/demo/artifacts

# --- tests -------------------------------------------------------------------------------------------------------
check: ## everything that CI runs; the last line is `N passed, N failed`
	@./setup --check && tests/check.sh

# ThreadSanitizer watches the library alone.
$(BUILD)/tests.a: $(shared_objects) $(library_objects) $(if $(filter thread,$(SAN)),,$(program_objects)) $(call objects,tests/support,$(SUPPORT))
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(BUILD)/unit/%: $(BUILD)/obj/tests/unit/%.o $(BUILD)/tests.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(pkg_libs) -lcmocka -ldl

# What a test takes away from the code that it tests.
$(BUILD)/unit/test_callback: LDFLAGS += -Wl,--wrap=malloc,--wrap=calloc,--wrap=free
$(BUILD)/unit/test_callback_stack: LDFLAGS += -Wl,--wrap=pthread_create
$(BUILD)/unit/test_memory $(BUILD)/unit/test_memory_merge $(BUILD)/unit/test_memory_cli: LDFLAGS += -Wl,--wrap=malloc,--wrap=calloc,--wrap=arena_raw,--wrap=arena_alloc,--wrap=arena_copy_text
$(BUILD)/unit/test_memory_cli: LDFLAGS += -Wl,--wrap=opendir,--wrap=fdopendir,--wrap=fdopen,--wrap=environment_library,--wrap=target_start,--wrap=target_wait
$(BUILD)/unit/test_counter_file: LDFLAGS += -Wl,--wrap=mmap

$(TOOLS:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/obj/tests/support/%.o $(BUILD)/tests.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(pkg_libs)

# A profiler that asks what a runtime allows; of what it includes it needs no code.
$(BUILD)/libprobe.so: $(BUILD)/obj/tests/probe/probe.o profiler/profiler.map
	$(call say,LINK,$@)
	$(Q)$(CC) -shared $(LDFLAGS) -Wl,-z,defs,--version-script=profiler/profiler.map -o $@ $(filter %.o,$^)

$(BUILD)/rewrite_all: $(BUILD)/obj/tests/conformance/rewrite_all.o $(BUILD)/tests.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(pkg_libs)

.PHONY: programs
programs: all $(UNIT:%=$(BUILD)/unit/%) $(TOOLS:%=$(BUILD)/%) $(BUILD)/libprobe.so $(BUILD)/rewrite_all # everything that is linked

test: unit ## unit and golden tests; needs no .NET

# A fuzz target's main is driver.c, or libFuzzer's in a build for `make fuzz-guided`.
FUZZ_MAIN    := driver mutate
FUZZ_SUPPORT := fuzz store_file il_context il_script
fuzz_main     = $(call objects,tests/fuzz,$(FUZZ_MAIN))

$(BUILD)/fuzz.a: $(shared_objects) $(library_objects) $(call objects,metadata,$(SYMBOLS)) $(call objects,coverage,digest facts sums unite same_code fold_builds pairing align transplant diff_views fate diff foreign_facts plain identity copies lines report excluded username userview packed store store_read store_write output session session_config baseline session_files language comments ignored patch_name patch paths $(FOREIGN)) $(call objects,cli,control peer diagnostics process process_session rivals stack_text frame hresult say) \
    $(call objects,tests/fuzz,$(FUZZ_SUPPORT)) $(call objects,tests/support,image il_builder check_rewrite walk facts_fixture random_facts temporary)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(BUILD)/fuzz/%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(fuzz_main) $(BUILD)/fuzz.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(pkg_libs) -lcmocka -ldl

# A real assembly for the tests that want one, where .NET is installed.
unit: export ILCOV_TEST_DLL ?= $(lastword $(wildcard $(patsubst %,%/shared/Microsoft.NETCore.App/*/System.Collections.dll,\
    $(DOTNET_ROOT) /usr/lib/dotnet /usr/share/dotnet)))

unit: $(UNIT:%=$(BUILD)/unit/%)
	@set -e; for t in $^; do $(RUN) "$$t"; done

# What several threads use at once; in the target, where the runtime's own races are many: tests/e2e/test_sanitized.sh.
THREADED := test_attach test_callback test_counter_file test_windows
unit-threads: ## the tests of what several threads use at once, under ThreadSanitizer
	$(MAKE) --no-print-directory SAN=thread $(THREADED:%=build/thread/unit/%)
	@set -e; for t in $(THREADED); do build/thread/unit/$$t; done

e2e: all $(TOOLS:%=$(BUILD)/%) $(BUILD)/libprobe.so ## programs of fixtures/ under ilcov, in Debug and Release
	@set -e; for t in tests/e2e/test_*.sh; do ILCOV=$(BUILD)/ilcov EXPECT=$(BUILD)/expect_coverage bash "$$t"; done

conformance: $(BUILD)/dump_metadata $(BUILD)/rewrite_all ## every assembly of the shared frameworks: metadata against an oracle, rewriting against its properties
	tests/conformance/oracle/run.sh
	tests/conformance/rewrite_framework.sh

differential: all $(BUILD)/expect_coverage ## random programs that know their own coverage
	tests/conformance/differential/run.sh

compare: all $(BUILD)/expect_coverage $(BUILD)/read_cobertura ## each construct under ilcov and two others: writes the table in ARCHITECTURE.md
	tests/conformance/compare/run.sh

campaign: programs ## everything rewritten, every proof, faults, fuzzing, soak: hours; writes docs/reliability.md
	tests/campaign/run.sh

# A few seconds each: own seeds and kept findings, cut at every byte and changed (tests/fuzz/driver.c).
FUZZ_SAN     := address,undefined
fuzz_folder  := $(subst $(comma),-,$(FUZZ_SAN))
FUZZ_SECONDS := 3
fuzz: ## fuzz targets without coverage guidance: kept findings, truncations, mutations; FUZZ_SECONDS each
	$(MAKE) --no-print-directory fuzz-run SAN=$(FUZZ_SAN)
fuzz-strict:
	$(MAKE) --no-print-directory $(FUZZERS:%=build/$(fuzz_folder)/fuzz/%) SAN=$(FUZZ_SAN)
fuzz-run: $(FUZZERS:%=$(BUILD)/fuzz/%)
	@set -e; for t in $^; do "$$t" --seconds $(FUZZ_SECONDS) --mutations 10000000 $$(ls -d tests/fuzz/corpus/$${t##*/} 2>/dev/null); done
	@echo "$(words $(FUZZERS)) passed, 0 failed"

.PHONY: sanitized
sanitized: # what runs under sanitizers, linked
	$(MAKE) --no-print-directory SAN=$(FUZZ_SAN) all $(UNIT:%=build/$(fuzz_folder)/unit/%) $(FUZZERS:%=build/$(fuzz_folder)/fuzz/%)
	$(MAKE) --no-print-directory SAN=thread build/thread/libilcov.so $(THREADED:%=build/thread/unit/%)

# What proves must not cost what is proven its speed, nor lead the search: no coverage, no sanitizer.
build/guided/obj/tests/support/%.o build/guided/obj/tests/fuzz/il_script.o build/guided/obj/tests/fuzz/fuzz.o: CFLAGS += -fno-sanitize=all
# Nor is there a magic number to find by watching comparisons, which takes half the time.
build/guided/obj/rewriter/%.o build/guided/obj/base/%.o: CFLAGS += -fno-sanitize-coverage=trace-cmp

# Without ILCOV_DEBUG_ARENA: a malloc an item would halve their speed. What they keep goes through `make fuzz` as well.
fuzz-guided: ## the fuzz targets with clang's libFuzzer, into build/guided/fuzz; tests/campaign/fuzz.sh runs them
	$(MAKE) --no-print-directory CC=clang BUILD=build/guided SAN=fuzzer-no-link,$(FUZZ_SAN) FUZZ_MAIN= \
	    OPTIMISE="-O2 -g -fsanitize=fuzzer-no-link,$(FUZZ_SAN) -fno-sanitize-recover=all" LDFLAGS=-fsanitize=fuzzer,$(FUZZ_SAN) \
	    $(FUZZERS:%=build/guided/fuzz/%)

.SECONDARY: $(FUZZERS:%=$(BUILD)/obj/tests/fuzz/fuzz_%.o) $(fuzz_main)

GOLDEN := test_cobertura test_json test_text_report test_diff_writers test_hresult
golden: ## writes tests/golden anew: read the diff
	$(MAKE) --no-print-directory $(GOLDEN:%=$(BUILD)/unit/%)
	@set -e; for t in $(GOLDEN); do UPDATE_GOLDEN=1 $(BUILD)/unit/$$t; done

# Not those that repeat themselves thousands of times, nor the one that looks at stacks that were left.
valgrind: ## the unit tests under memcheck, but for four that are not made for it
	$(MAKE) --no-print-directory unit UNIT="$(filter-out test_memory test_memory_merge test_memory_cli test_callback_stack,$(UNIT))" RUN="env ILCOV_TEST_BRIEF=1 valgrind -q --error-exitcode=9 --leak-check=full --suppressions=tests/valgrind.supp"

bench: all $(BUILD)/make_shards ## what coverage costs: paired runs, medians, ratios; and what merging costs
	bench/run.sh
	bench/merge.sh
	bench/attach.sh

# --- the house ---------------------------------------------------------------------------------------------------
sources = $(shell git ls-files '*.c' '*.h' 2>/dev/null || find . -name '*.[ch]')

layers: ## do the includes keep to the arrows of ARCHITECTURE.md?
	tests/layers.sh

# objectIndex is off: cppcheck takes a pointer into the middle of an array (&il.targets[first]) for one to a single item, and
# each index behind it for a mistake. ASan watches those.
lint: ## cppcheck and gcc's analyzer
	cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
	    --suppress=missingIncludeSystem --suppress=preprocessorErrorDirective --suppress=objectIndex \
	    -I . '-DILCOV_VERSION="$(VERSION)"' base metadata rewriter profiler coverage reporters cli
	$(MAKE) --no-print-directory all BUILD=build/analyzer EXTRA_CFLAGS=-fanalyzer OPTIMISE=-O0 HARDEN= WERROR=1

format: ## clang-format 14 over everything
	clang-format -i $(sources)

format-check:
	clang-format --dry-run -Werror $(sources)

PREFIX ?= /usr/local
install: all ## into PREFIX (/usr/local): the program and the library beside each other in lib/ilcov, a link in bin
	install -d "$(DESTDIR)$(PREFIX)/lib/ilcov" "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/man/man1" "$(DESTDIR)$(PREFIX)/share/ilcov"
	install -m 755 $(BUILD)/ilcov $(BUILD)/libilcov.so "$(DESTDIR)$(PREFIX)/lib/ilcov"
	ln -sf ../lib/ilcov/ilcov "$(DESTDIR)$(PREFIX)/bin/ilcov"
	install -m 644 docs/ilcov.1 "$(DESTDIR)$(PREFIX)/share/man/man1"
	install -m 644 docs/report.schema.json "$(DESTDIR)$(PREFIX)/share/ilcov"

clean: ## removes build/
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-z][a-z0-9-]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 16

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
