#include "coverage/affected/test_framework.h"

#include "scope/scope.h"

static bool refers_to(const struct metadata *md, const char *assembly)
{
    for (uint32_t rid = 1; rid <= tables_rows(&md->tables, TABLE_AssemblyRef); rid++)
        if (str_is(heap_string(md, tables_get(&md->tables, COL_AssemblyRef_Name, rid)), assembly))
            return true;
    return false;
}

/* NUnit takes its own expression as a setting, which the platform reads from a file only. */
static enum filter_kind filter_of(const struct metadata *md, bool is_platform)
{
    if (refers_to(md, "TUnit.Core"))
        return FILTER_TREENODE;
    if (refers_to(md, "xunit.v3.core") && is_platform)
        return FILTER_MTP;
    if (refers_to(md, "nunit.framework"))
        return is_platform ? FILTER_LOOSE : FILTER_NUNIT;
    return FILTER_VSTEST;
}

/* Does the framework also take VSTest's expressions? */
static bool knows_vstests(enum filter_kind kind)
{
    return kind != FILTER_TREENODE && kind != FILTER_MTP;
}

enum filter_kind test_framework_filter(const struct new_build *build, bool is_platform)
{
    enum filter_kind all = FILTER_NONE;
    for (uint32_t i = 0; i < build->facts.module_count; i++) {
        if (!scope_has_tests(&build->modules[i]))
            continue;
        enum filter_kind kind = filter_of(&build->modules[i].md, is_platform);
        if (all == FILTER_NONE)
            all = kind;
        else if (all != kind && (!knows_vstests(all) || !knows_vstests(kind)))
            return FILTER_NONE;
        else if (all != kind)
            all = FILTER_LOOSE;
    }
    return all;
}
