# ilcov: code coverage for .NET. ARCHITECTURE.md is the map of the rooms; `make help` explains the targets.
VERSION := 0.1.0

# Before it is released, each commit has a version of its own, and what this make starts has the same. `make VERSION_SUFFIX=` makes a release.
ifeq ($(origin VERSION_SUFFIX),undefined)
VERSION_SUFFIX := $(shell packaging/version.sh)
endif
export VERSION_SUFFIX
FULL_VERSION := $(VERSION)$(VERSION_SUFFIX)

# --- the house: each room is a folder, and every .c file in it belongs to it ---------------------------------------
files_in = $(basename $(sort $(shell find $(1) -name '*.c')))

LAZY    := system/libxml # in the program alone, not in its tests
SHARED  := $(filter-out $(LAZY),$(call files_in,base system contract scope metadata rewriter)) # what both need; libc only
LIBRARY := $(call files_in,profiler)
PROGRAM := $(call files_in,coverage impact reporters cli)

# tests: one cmocka program (tests/unit/unit.c), what they share, and programs that scripts use
UNIT_WITHOUT := # tests that a platform cannot build
UNIT_FILES := $(filter-out $(addprefix %/,$(UNIT_WITHOUT)),$(call files_in,tests/unit))
FUZZERS    := $(patsubst tests/fuzz/fuzz_%,%,$(filter tests/fuzz/fuzz_%,$(call files_in,tests/fuzz)))
TOOLS      := expect_coverage check_cobertura read_cobertura dump_metadata display_names shards_used debugger make_shards make_solution attach_library read_settings make_data
SUPPORT    := $(filter-out $(TOOLS:%=tests/support/%) tests/support/large_pages tests/support/fast_clock,$(call files_in,tests/support))

# What runs in the target and its tests: with TARGET_ONLY=1, for a compiler without the libraries of the program (tests/platforms), and
# for ThreadSanitizer.
ifneq ($(TARGET_ONLY)$(filter thread,$(SAN)),)
PROGRAM :=
UNIT_FILES := tests/unit/unit $(call files_in,$(wildcard $(addprefix tests/unit/,base system contract scope metadata rewriter profiler)))
SUPPORT := $(addprefix tests/support/,assembly_builder check_rewrite child data_maker fake_clr golden il_builder image interposed \
                                      measured_app metadata_fixture reasons scenario signed_image temporary version walk)
endif

# What several threads use at once is all that ThreadSanitizer watches; in the target, where the runtime's own races are many:
# tests/e2e/test_sanitized.sh.
THREADED := test_attach test_callback test_counter_file test_shard_windows
ifeq ($(SAN),thread)
UNIT_FILES := $(filter $(addprefix %/,unit $(THREADED)),$(UNIT_FILES))
endif

# --- tools and flags ---------------------------------------------------------------------------------------------
CC  := $(if $(filter default,$(origin CC)),gcc,$(CC))
SAN :=
comma := ,
BUILD := build$(if $(SAN),/$(subst $(comma),-,$(SAN)))$(if $(filter clang%,$(CC)),/clang)

CSTD     := -std=c17 -D_GNU_SOURCE -I.
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes -Wmissing-prototypes \
            -Wcast-qual -Wwrite-strings -Wformat=2 -Wundef -Wvla -Wswitch-enum -Wnull-dereference \
            $(if $(filter clang%,$(CC)),,-Wimplicit-fallthrough=5 -Wlogical-op -Wcast-align=strict) $(if $(WERROR),-Werror)
HARDEN   := -fvisibility=hidden -fstack-protector-strong $(if $(SAN),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
OPTIMISE := $(if $(SAN),-O0 -g -fno-omit-frame-pointer -fsanitize=$(SAN) -fno-sanitize-recover=all -DILCOV_DEBUG_ARENA,-O2 -g)
CFLAGS   := $(OPTIMISE) $(HARDEN) -fPIC -pthread $(EXTRA_CFLAGS)
LDFLAGS  := $(if $(SAN),-fsanitize=$(SAN)) -pthread

# gold, where it is, links a test in half the time; what is installed comes from the usual linker.
test_linker := $(if $(shell command -v ld.gold),-fuse-ld=gold)

# `make V=1` shows the commands
Q   := $(if $(V),,@)
say  = @$(if $(V),:,echo "  $(1)  $(2)")

PACKAGES     := libxml-2.0 sqlite3 libgcrypt zlib jansson
pkg_cflags   := $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null)
pkg_libs     := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null)

# Where the linker finds libxml2 as a shared library, the program loads it when it first reads XML (system/libxml.c). `make LAZY=`
# links with it, as where it is an archive.
LIBXML_SONAME := $(if $(and $(LAZY),$(filter file,$(origin pkg_libs)),$(if $(SAN),,lazy)),$(shell \
    readelf -d "$$($(CC) -print-file-name=libxml2.so)" 2>/dev/null | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p'))
program_libs  := $(if $(LIBXML_SONAME),$(filter-out -lxml2,$(pkg_libs)) -ldl,$(pkg_libs))

objects          = $(1:%=$(BUILD)/obj/%.o)
shared_objects  := $(call objects,$(SHARED))
library_objects := $(call objects,$(LIBRARY))
main_object     := $(call objects,cli/ilcov)
program_objects := $(filter-out $(main_object),$(call objects,$(PROGRAM)))
lazy_objects    := $(if $(LIBXML_SONAME),$(call objects,$(LAZY)))

.DEFAULT_GOAL := all
.PHONY: all demo check test unit unit-threads e2e conformance differential twins roslyn compare mutants campaign check-html fuzz fuzz-run fuzz-strict fuzz-guided golden bench valgrind lint layers format format-check install uninstall clean help
all: $(BUILD)/ilcov $(BUILD)/libilcov.so ## the program and, beside it, the library that it loads into its targets

.PHONY: packages
packages:
	@for p in $(PACKAGES); do pkg-config --exists $$p && continue; \
	    echo "pkg-config does not find $$p: ./setup installs what the build needs" >&2; exit 1; done

$(BUILD)/obj/%.o: %.c Makefile | packages
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CSTD) $(WARNINGS) $(CFLAGS) $(pkg_cflags) -MMD -MP -c $< -o $@

# A version is compiled into one file.
version_object := $(call objects,base/version)
$(version_object): CSTD += -DILCOV_VERSION='"$(FULL_VERSION)"'
$(version_object): $(BUILD)/version
$(BUILD)/version: always
	@mkdir -p $(@D)
	@echo $(FULL_VERSION) | cmp -s - $@ || echo $(FULL_VERSION) >$@
.PHONY: always

# The assembler copies them.
$(BUILD)/obj/reporters/html/site_folder.o: reporters/html/style.css reporters/html/script.js
$(BUILD)/obj/cli/verbs/completion.o: $(addprefix cli/verbs/completion.,bash zsh fish)
$(BUILD)/obj/profiler/contexts.o: profiler/contexts/contexts.dll

# With sanitizers gcc takes twice as long to optimise. It pays only for what tests call millions of times.
ifeq ($(if $(SAN),$(origin OPTIMISE)),file)
$(BUILD)/obj/base/%.o $(BUILD)/obj/metadata/%.o $(BUILD)/obj/rewriter/%.o: CFLAGS += -O1
endif

# The library takes functions out of these files, not all that stand beside them: its imports are a closed list.
$(shared_objects) $(library_objects): CFLAGS += -ffunction-sections -fdata-sections

# An archive, so that neither the library nor the program holds what it does not use.
$(BUILD)/shared.a: $(shared_objects)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(BUILD)/libilcov.so: $(library_objects) $(BUILD)/shared.a profiler/profiler.map
	$(call say,LINK,$@)
	$(Q)$(CC) -shared $(LDFLAGS) -Wl,-z,defs,-z,relro,-z,now,--gc-sections,--version-script=profiler/profiler.map -o $@ \
	    $(filter %.o %.a,$^) $(library_libs) && chmod go-w $@

$(lazy_objects): CSTD += -DLIBXML_SONAME='"$(LIBXML_SONAME)"'

$(BUILD)/ilcov: $(main_object) $(program_objects) $(lazy_objects) $(BUILD)/shared.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(program_libs)

# The managed half of --per-test (profiler/contexts/contexts.cs) is compiled when it changes, not where ilcov is built.
.PHONY: owners
owners: ## compiles profiler/contexts/contexts.cs to the owners.dll beside it
	@dotnet build profiler/contexts/contexts.csproj --nologo -v quiet --artifacts-path $(BUILD)/owners
	@cp $(BUILD)/owners/bin/contexts/debug/ilcov-owners.dll profiler/contexts/contexts.dll

# --- demo --------------------------------------------------------------------------------------------------------
demo: ## installs what is missing, builds, and measures the tests of fixtures/sample
	@./setup && $(MAKE) --no-print-directory all
	@mkdir -p build/demo && cd fixtures/sample && ../../build/ilcov run --data ../../build/demo/coverage.ilcov \
	    --format cobertura=../../build/demo/cobertura.xml --format text \
	    -- dotnet test --artifacts-path ../../build/demo/artifacts

# --- tests -------------------------------------------------------------------------------------------------------
check: ## everything that CI runs; the last line is `N passed, N failed`
	@./setup --check && tests/check.sh

.PHONY: recheck
recheck: ## what failed, or did not end, in the last `make check`
	@tests/check.sh --failed

# Tests have a version of their own.
$(BUILD)/tests.a: $(filter-out $(version_object),$(shared_objects)) $(library_objects) $(program_objects) $(call objects,$(SUPPORT))
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

# What a test may put something else in the place of (tests/support/interposed.h).
INTERPOSED := malloc calloc free read pread mmap sysconf pthread_create opendir fdopendir fdopen \
              arena_raw arena_alloc arena_copy_text arena_grow environment_library target_start command_wait \
              interruption_signal

# All of the archive: what is only called in this way is wanted, too.
$(BUILD)/unit: $(call objects,$(UNIT_FILES)) $(BUILD)/tests.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) $(INTERPOSED:%=-Wl,--wrap=%) $(test_linker) -o $@ $(filter %.o,$^) \
	    -Wl,--whole-archive $(filter %.a,$^) -Wl,--no-whole-archive $(pkg_libs) -lcmocka -ldl

$(TOOLS:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/obj/tests/support/%.o $(BUILD)/tests.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) $(test_linker) -o $@ $^ $(pkg_libs)

# A profiler that asks what a runtime allows; of what it includes it needs no code.
$(BUILD)/libprobe.so: $(BUILD)/obj/tests/probe/probe.o profiler/profiler.map
	$(call say,LINK,$@)
	$(Q)$(CC) -shared $(LDFLAGS) -Wl,-z,defs,--version-script=profiler/profiler.map -o $@ $(filter %.o,$^)

# Preloaded into a program: larger pages, as libilcov.so sees them, and a fast clock.
$(BUILD)/liblarge_pages.so $(BUILD)/libfast_clock.so: $(BUILD)/lib%.so: $(BUILD)/obj/tests/support/%.o
	$(call say,LINK,$@)
	$(Q)$(CC) -shared $(LDFLAGS) -Wl,-z,defs -o $@ $^ -ldl

$(BUILD)/rewrite_all: $(BUILD)/obj/tests/conformance/rewrite_all.o $(BUILD)/tests.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) $(test_linker) -o $@ $^ $(pkg_libs)

# Test code is not hot; without optimisation it compiles in half the time.
$(BUILD)/obj/tests/unit/%.o: CFLAGS += $(if $(SAN),,-O0 -U_FORTIFY_SOURCE)

.PHONY: programs
programs: all $(BUILD)/unit $(TOOLS:%=$(BUILD)/%) $(BUILD)/libprobe.so $(BUILD)/liblarge_pages.so $(BUILD)/libfast_clock.so $(BUILD)/rewrite_all # everything that is linked

test: unit ## unit and golden tests; needs no .NET. TESTS='ROOM[/FILE[/TEST]]...' runs those alone

# A fuzz target's main is driver.c, or libFuzzer's in a build for `make fuzz-guided`.
FUZZ_MAIN    := driver mutate
fuzz_main     = $(call objects,$(FUZZ_MAIN:%=tests/fuzz/%))
fuzz_support := $(call objects,$(filter-out tests/fuzz/fuzz_% tests/fuzz/driver tests/fuzz/mutate,$(call files_in,tests/fuzz)))

$(FUZZERS:%=$(BUILD)/fuzz/%): $(BUILD)/fuzz/%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(fuzz_main) $(fuzz_support) $(BUILD)/tests.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) $(test_linker) -o $@ $^ $(pkg_libs) -lcmocka -ldl

# A real assembly for the tests that want one, where .NET is installed.
unit: export ILCOV_TEST_DLL ?= $(lastword $(wildcard $(patsubst %,%/shared/Microsoft.NETCore.App/*/System.Collections.dll,\
    $(DOTNET_ROOT) /usr/lib/dotnet /usr/share/dotnet)))

unit: $(BUILD)/unit
	@$(RUN) $< $(TESTS)

# For nine tenths of its time, each allocation of one thread fails in turn: every 17th is enough here.
THREADED_BRIEF := test_callback
unit-threads: ## the tests of what several threads use at once, under ThreadSanitizer
	$(MAKE) --no-print-directory unit SAN=thread TESTS="$(filter-out $(THREADED_BRIEF),$(THREADED))"
	ILCOV_TEST_BRIEF=1 build/thread/unit $(THREADED_BRIEF)

e2e: all $(TOOLS:%=$(BUILD)/%) $(BUILD)/libprobe.so $(BUILD)/liblarge_pages.so $(BUILD)/libfast_clock.so ## programs of fixtures/ under ilcov, in Debug and Release
	@set -e; for t in tests/e2e/test_*.sh; do ILCOV=$(BUILD)/ilcov EXPECT=$(BUILD)/expect_coverage bash "$$t"; done

conformance: $(BUILD)/dump_metadata $(BUILD)/rewrite_all ## every assembly of the shared frameworks: metadata against an oracle, rewriting against its properties
	tests/conformance/oracle/run.sh
	tests/conformance/rewrite_framework.sh

differential: all $(BUILD)/expect_coverage ## random programs that know their own coverage
	tests/conformance/differential/run.sh

twins: all ## random programs as users write them, beside twins that count for them
	tests/conformance/twins/run.sh

roslyn: all ## suites that people wrote beside copies that Roslyn made count for them; PUBLIC=PROJECT names one
	tests/conformance/roslyn/run.sh $(PUBLIC)

compare: all $(BUILD)/expect_coverage $(BUILD)/read_cobertura ## each construct under ilcov and two others: writes the table in docs/constructs.md
	tests/conformance/compare/run.sh

mutants: all ## 1,000 changes to solutions, 350 that change nothing, and those of tests/edits: which tests see them, and which `ilcov affected` selects; PUBLIC=PROJECT adds one
	tests/mutants/run.sh $(PUBLIC)
	tests/mutants/run.sh --edits tests/edits/edits.txt tests/edits/Suite/Suite.csproj

campaign: programs ## everything rewritten, every proof, faults, fuzzing, soak: hours; writes docs/reliability.md
	tests/campaign/run.sh

check-html: all $(BUILD)/expect_coverage ## the HTML report in Chromium: keys, themes, print, policies, what axe-core finds; PICTURES=DIR
	tests/campaign/html.sh

# A few seconds each: own seeds and kept findings, cut and changed (tests/fuzz/driver.c).
FUZZ_SAN       := address,undefined
fuzz_folder    := $(subst $(comma),-,$(FUZZ_SAN))
FUZZ_SECONDS   := 3
FUZZ_MUTATIONS := 10000000
FUZZ_CUT_STEP  := 1
fuzz: ## fuzz targets without coverage guidance: kept findings, truncations, mutations; FUZZ_SECONDS each
	$(MAKE) --no-print-directory fuzz-run SAN=$(FUZZ_SAN)
fuzz-strict:
	$(MAKE) --no-print-directory $(FUZZERS:%=build/$(fuzz_folder)/fuzz/%) SAN=$(FUZZ_SAN)
fuzz-run: $(FUZZERS:%=$(BUILD)/fuzz/%)
	@set -e; for t in $^; do "$$t" --seconds $(FUZZ_SECONDS) --mutations $(FUZZ_MUTATIONS) --cut-step $(FUZZ_CUT_STEP) \
	    $$(ls -d tests/fuzz/corpus/$${t##*/} 2>/dev/null); done
	@echo "$(words $(FUZZERS)) passed, 0 failed"

.PHONY: sanitized
sanitized: # what runs under sanitizers, linked
	$(MAKE) --no-print-directory SAN=$(FUZZ_SAN) all build/$(fuzz_folder)/unit $(FUZZERS:%=build/$(fuzz_folder)/fuzz/%)
	$(MAKE) --no-print-directory SAN=thread build/thread/libilcov.so build/thread/unit

# Do not instrument the checker: it slows the fuzzer and misleads its search.
build/guided/obj/tests/support/%.o build/guided/obj/tests/fuzz/il_script.o build/guided/obj/tests/fuzz/fuzz.o: CFLAGS += -fno-sanitize=all
# Nor is there a magic number to find by watching comparisons, which takes half the time.
build/guided/obj/rewriter/%.o build/guided/obj/base/%.o: CFLAGS += -fno-sanitize-coverage=trace-cmp

# clang minds NULL + 0, as for the end of an empty list. C2y defines it, and gcc, which builds the strict run of what is kept, does not
# mind it; there pointers that overflow are found.
# Without ILCOV_DEBUG_ARENA: a malloc an item would halve their speed. What they keep goes through `make fuzz` as well.
fuzz-guided: ## the fuzz targets with clang's libFuzzer, into build/guided/fuzz; tests/campaign/fuzz.sh runs them
	$(MAKE) --no-print-directory CC=clang BUILD=build/guided SAN=fuzzer-no-link,$(FUZZ_SAN) FUZZ_MAIN= \
	    OPTIMISE="-O2 -g -fsanitize=fuzzer-no-link,$(FUZZ_SAN) -fno-sanitize=pointer-overflow -fno-sanitize-recover=all" LDFLAGS=-fsanitize=fuzzer,$(FUZZ_SAN) \
	    $(FUZZERS:%=build/guided/fuzz/%)

GOLDEN := test_cobertura test_json test_markdown_report test_table test_diff_formats test_hresult test_classify test_verbs
golden: $(BUILD)/unit ## writes tests/golden anew: read the diff
	@UPDATE_GOLDEN=1 $< $(GOLDEN)

# Skipped: stress tests; tests that inspect dead stack memory; tests that need low addresses or 64 GiB of them, which memcheck does
# not give: without them bodies have no shards, which test_callback expects; and tests that look at children, which would be memcheck.
VALGRIND_LEAVES_OUT := test_hang test_unreached test_freed_memory test_memory test_memory_merge test_memory_cli test_callback_stack test_callback test_shard_table test_shard_windows test_shards test_test_hooks test_contexts
MEMCHECK            := env ILCOV_TEST_BRIEF=1 valgrind -q --error-exitcode=9 --leak-check=full --suppressions=tests/valgrind.supp
memchecked = $(filter-out $(VALGRIND_LEAVES_OUT),$(notdir $(filter $(1),$(UNIT_FILES:tests/unit/unit=))))
valgrind: ## the unit tests under memcheck, except those that are not made for it
	$(MAKE) --no-print-directory unit TESTS="$(call memchecked,%)" RUN="$(MEMCHECK)"

# AddressSanitizer and UndefinedBehaviorSanitizer see every test; only memcheck sees reads of memory that was never written. They
# matter most in what runs inside a target.
MEMCHECKED      := base system scope metadata rewriter profiler
MEMCHECKED_SLOW := test_reflection # it runs code that the others run, too
.PHONY: valgrind-brief
valgrind-brief: # what `make check` runs of `make valgrind`
	$(MAKE) --no-print-directory unit TESTS="--together $(filter-out $(MEMCHECKED_SLOW),$(call memchecked,$(patsubst %,tests/unit/%/%,$(MEMCHECKED))))" RUN="$(MEMCHECK)"

bench: all $(BUILD)/make_shards $(BUILD)/make_solution ## what coverage costs: interleaved runs, medians, intervals; and what merging costs
	bench/bench.py
	bench/merge.sh
	bench/html.sh
	bench/attach.sh

.PHONY: performance
performance: ## docs/performance.md and its plot, of what `make bench` measured
	bench/bench.py page

# --- distribution ------------------------------------------------------------------------------------------------
.PHONY: dist
dist: ## tarballs for every Linux in build/dist: docs/building.md; ./setup --dist installs what it needs
	packaging/dist.sh $(FULL_VERSION)

.PHONY: deb
deb: ## a Debian package of this tree for this machine, in build/deb
	packaging/deb.sh $(FULL_VERSION)

.PHONY: check-dist check-arm64 check-musl check-glibc
check-dist check-arm64 check-musl check-glibc: check-%: all $(BUILD)/expect_coverage ## what `make dist` built, there: docs/platforms.md
	tests/platforms/$*.sh

.PHONY: check-seam
check-seam: ## does everything outside of system/ compile for another operating system?
	tests/seam.sh

.PHONY: compile_commands.json
compile_commands.json: ## the command that compiles each file, for editors and clangd
	@$(MAKE) -nB --no-print-directory V=1 programs $(FUZZERS:%=$(BUILD)/fuzz/%) | sed -n '/ -c [^ ]*\.c -o /{s/["\\]/\\&/g; s|.* -c \([^ ]*\) .*|{"directory": "$(CURDIR)", "file": "\1", "command": "&"},|;p}' | \
	    sed '1s/^/[/; $$s/,$$/]/' >$@

# --- the house ---------------------------------------------------------------------------------------------------
sources = $(shell git ls-files '*.c' '*.h' 2>/dev/null || find . -name '*.[ch]')

layers: ## do includes keep to tests/rooms.txt, do headers compile alone, do pages name files that exist?
	tests/layers.py
	tests/headers.sh
	tests/links.py

# objectIndex is off: cppcheck takes a pointer into the middle of an array (&il.targets[first]) for one to a single item, and
# each index behind it for a mistake. ASan watches those.
lint: cppcheck ## cppcheck, which `make check` runs, and gcc's analyzer over everything
	$(MAKE) --no-print-directory all $(ANALYZER)

.PHONY: cppcheck warnings
ANALYZER := BUILD=build/analyzer EXTRA_CFLAGS=-fanalyzer OPTIMISE=-O0 HARDEN= WERROR=1
cppcheck:
	cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
	    --suppress=missingIncludeSystem --suppress=preprocessorErrorDirective --suppress=objectIndex \
	    -I . '-DILCOV_VERSION="$(VERSION)"' base system scope metadata rewriter profiler coverage impact reporters cli

# `make warnings CC=clang`: what clang warns of it knows before it generates code, so nothing is generated or linked.
warnings: # every file through the compiler's warnings
	@tests/warnings.sh $(CC) $(CSTD) '-DILCOV_VERSION="$(VERSION)"' $(WARNINGS) -pthread $(pkg_cflags) -- \
	    $(patsubst %,%.c,$(SHARED) $(LIBRARY) $(PROGRAM) $(filter-out tests/platforms/%,$(call files_in,tests))) # musl-gcc compiles those

# Without system/libxml.c: it defines functions of libxml2, whose headers name parameters differently. clang-tidy says of each file how
# many warnings it suppressed, which is not shown.
.PHONY: tidy
tidy: compile_commands.json ## clang-tidy 14 over the product; .clang-tidy says what it looks for
	@printf '%s\n' $(patsubst %,%.c,$(SHARED) $(LIBRARY) $(PROGRAM)) | xargs -n 16 -P "$$(nproc)" clang-tidy --quiet \
	    2>$(BUILD)/tidy.log || { grep -v ' generated' $(BUILD)/tidy.log >&2; exit 1; }

format: ## clang-format 14 over everything
	clang-format -i $(sources)

format-check:
	clang-format --dry-run -Werror $(sources)

# What `make install` puts below PREFIX and `make uninstall` takes away: MODE:FILE:PLACE, or link:TARGET:PLACE.
INSTALLED := 755:$(BUILD)/ilcov:lib/ilcov/ilcov 755:$(BUILD)/libilcov.so:lib/ilcov/libilcov.so \
             link:../lib/ilcov/ilcov:bin/ilcov \
             644:docs/ilcov.1:share/man/man1/ilcov.1 \
             644:$(BUILD)/completion/bash:share/bash-completion/completions/ilcov \
             644:$(BUILD)/completion/zsh:share/zsh/site-functions/_ilcov \
             644:$(BUILD)/completion/fish:share/fish/vendor_completions.d/ilcov.fish \
             $(foreach f,$(notdir $(wildcard docs/*.schema.json)),644:docs/$(f):share/ilcov/$(f) link:../../ilcov/$(f):share/doc/ilcov/$(f)) \
             $(foreach f,LICENSE NOTICE $(wildcard docs/*.md docs/*.png docs/*.svg),644:$(f):share/doc/ilcov/$(notdir $(f))) \
             $(foreach f,$(notdir $(wildcard docs/ci/*)),644:docs/ci/$(f):share/doc/ilcov/ci/$(f))

COMPLETIONS := $(addprefix $(BUILD)/completion/,bash zsh fish)
$(COMPLETIONS): $(BUILD)/completion/%: $(BUILD)/ilcov
	@mkdir -p $(@D)
	$(Q)$< completion $* >$@.new && mv $@.new $@

PREFIX ?= /usr/local
install: all $(COMPLETIONS) ## into PREFIX (/usr/local): the program and the library beside each other in lib/ilcov, a link in bin, manual, completion and docs
	@$(MAKE) --no-print-directory install-files

.PHONY: install-files
install-files: # the same of what is built
	@printf '%s\n' $(INSTALLED) | while IFS=: read -r mode file place; do \
	    place="$(DESTDIR)$(PREFIX)/$$place"; \
	    case $$mode in \
	    link) install -d -m 755 "$${place%/*}" && ln -sfn "$$file" "$$place" ;; \
	    *) install -D -m "$$mode" "$$file" "$$place" ;; \
	    esac || exit; done

uninstall: ## removes from PREFIX what `make install` put there
	@printf '%s\n' $(INSTALLED) | while IFS=: read -r mode file place; do rm -f "$(DESTDIR)$(PREFIX)/$$place" || exit; done
	@for folder in lib/ilcov share/ilcov share/doc/ilcov/ci share/doc/ilcov; do \
	    folder="$(DESTDIR)$(PREFIX)/$$folder"; [ ! -d "$$folder" ] || rmdir --ignore-fail-on-non-empty "$$folder"; done

clean: ## removes build/
	rm -rf build

.PHONY: version
version: ## prints the version of what is built
	@echo $(FULL_VERSION)

help: ## this list
	@sed -n 's/^\([a-z][a-z0-9-]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 16

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
