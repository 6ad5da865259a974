#include "coverage/affected/test_framework.h"

/* FILTER_NONE: the assembly is no test framework. NUnit takes its own expression as a setting,
 * which the platform reads from a file only. */
static enum filter_kind filter_of(struct str assembly, bool is_platform)
{
    if (str_is(assembly, "TUnit.Core"))
        return FILTER_TREENODE;
    if (str_is(assembly, "xunit.v3.core"))
        return is_platform ? FILTER_MTP : FILTER_VSTEST;
    if (str_is(assembly, "nunit.framework"))
        return is_platform ? FILTER_LOOSE : FILTER_NUNIT;
    return str_is(assembly, "xunit.core") || str_is(assembly, "MSTest.TestFramework") ||
                   str_is(assembly, "Microsoft.VisualStudio.TestPlatform.TestFramework")
               ? FILTER_VSTEST
               : FILTER_NONE;
}

/* Does the framework also take VSTest's expressions? */
static bool knows_vstests(enum filter_kind kind)
{
    return kind != FILTER_TREENODE && kind != FILTER_MTP && kind != FILTER_CONSOLE;
}

/* Programs of xunit.v3 load the platform itself in any case, and its parts if they use it, which
 * their project decides. */
static bool used_platform(const struct facts *run)
{
    for (uint32_t i = 0; i < run->module_count; i++)
        if (str_starts(run->modules[i].name, "Microsoft.Testing.Extensions."))
            return true;
    return false;
}

enum filter_kind test_framework_filter(const struct facts *run, bool is_platform)
{
    enum filter_kind all = FILTER_NONE;
    for (uint32_t i = 0; i < run->module_count; i++) {
        enum filter_kind kind = filter_of(run->modules[i].name, is_platform);
        if (kind == FILTER_MTP && !used_platform(run))
            kind = FILTER_CONSOLE;
        if (kind == FILTER_NONE || kind == all)
            continue;
        if (all != FILTER_NONE && (!knows_vstests(all) || !knows_vstests(kind)))
            return FILTER_NONE;
        all = all == FILTER_NONE ? kind : FILTER_LOOSE;
    }
    return all;
}
