#include "coverage/affected/test_framework.h"

#include "scope/scope.h"

static bool refers_to(const struct metadata *md, const char *assembly)
{
    for (uint32_t rid = 1; rid <= tables_rows(&md->tables, TABLE_AssemblyRef); rid++)
        if (str_is(heap_string(md, tables_get(&md->tables, COL_AssemblyRef_Name, rid)), assembly))
            return true;
    return false;
}

/* NUnit takes its own expression as a setting, which the platform only reads from a file. */
static enum filter_kind filter_of(const struct metadata *md, bool is_platform)
{
    if (refers_to(md, "TUnit.Core"))
        return FILTER_TREENODE;
    if (refers_to(md, "xunit.v3.core") && is_platform)
        return FILTER_MTP;
    return refers_to(md, "nunit.framework") && !is_platform ? FILTER_NUNIT : FILTER_VSTEST;
}

enum filter_kind test_framework_filter(const struct new_build *build, bool is_platform)
{
    enum filter_kind all = FILTER_NONE;
    for (uint32_t i = 0; i < build->facts.module_count; i++) {
        if (!scope_has_tests(&build->modules[i]))
            continue;
        enum filter_kind kind = filter_of(&build->modules[i].md, is_platform);
        bool are_vstests = !is_platform && kind != FILTER_TREENODE && all != FILTER_TREENODE;
        if (all == FILTER_NONE)
            all = kind;
        else if (all != kind && !are_vstests)
            return FILTER_NONE;
        else if (all != kind)
            all = FILTER_VSTEST; /* which NUnit knows, too */
    }
    return all;
}
