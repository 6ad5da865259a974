/* scope.h - which modules are the user's own, judged by what is cheap to see of a module: its name,
 * location, debug record and references. The profiler asks about each module that loads, the
 * program about those that never did. Documents and types decide later what is reported
 * (docs/decisions/08-scope-twice.md). */
#pragma once

#include "contract/reason.h"
#include "metadata/module.h"
#include "scope/packages.h"
#include "scope/pattern.h"

struct scope {
    const struct pattern *include, *exclude;
    uint32_t include_count, exclude_count; /* any -i replaces the default rules; -x always wins */
    bool include_tests;
    struct packages *packages; /* NULL: no file counts as part of a package */
};

/* Can a pattern of -i match an assembly of the .NET installation? */
bool scope_may_include_framework(const struct scope *scope);

/* Does a pattern of -i match the assembly? */
bool scope_names(const struct scope *scope, struct str assembly);

/* Why a module is left out, or REASON_NONE when it is in scope. `path` is absolute, or empty for a
 * module without a file; `framework_dir` is the directory of System.Private.CoreLib, or empty. A
 * module that another coverage tool has rewritten is not what was compiled, and never counted,
 * whatever -i says. */
enum reason_code scope_skip_reason(const struct scope *scope, const struct module *module,
                                   struct str path, struct str framework_dir);

/* Does it refer to a test framework? */
bool scope_has_tests(const struct module *module);

/* To one whose tests are values, not methods, so that --per-test cannot tell them apart? */
bool scope_has_values_as_tests(const struct module *module);

/* Are its tests told apart by --per-test although it is left out for this reason: the user's choice
 * of what is reported? */
bool scope_may_have_contexts(enum reason_code reason);

/* Is it a test assembly of the user's, whatever -i and -x say? Packages may refer to a test
 * framework, too, such as its runner. */
bool scope_is_tests_of_user(const struct scope *scope, const struct module *module, struct str path,
                            struct str framework_dir);

/* As far as the path alone shows, so that the framework's modules need not even be opened. */
enum reason_code scope_skip_by_path(const struct scope *scope, struct str path,
                                    struct str framework_dir);

/* Is the path below the .NET installation that `framework_dir` (<root>/shared/<name>/<version>)
 * belongs to? Never for a self-contained application, whose framework is beside it. */
bool scope_is_installation(struct str path, struct str framework_dir);
