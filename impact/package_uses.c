#include "impact/package_uses.h"

#include "metadata/lookup.h"
#include "scope/test_methods.h"

enum {
    BASES_MAX = 16, /* a chain that is longer is a circle */
};

/* Assemblies of .NET itself, which look for no type of the user's on their own. */
static const char runtime_names[] =
    "mscorlib netstandard FSharp.Core Microsoft.CSharp Microsoft.VisualBasic.Core";

/* Attributes of NUnit, MSTest and TUnit for what runs around the tests of one class. */
static const char class_attributes[] =
    "SetUpAttribute TearDownAttribute OneTimeSetUpAttribute OneTimeTearDownAttribute "
    "TestInitializeAttribute TestCleanupAttribute ClassInitializeAttribute "
    "ClassCleanupAttribute";

/* Generators read these while the code is compiled; nobody does at run time. */
static const char generator_attributes[] = "LoggerMessageAttribute RelayCommandAttribute";

static bool is_of_dotnet(struct str assembly)
{
    return str_is_one_of(assembly, runtime_names) || str_is(assembly, "System") ||
           str_starts(assembly, "System.");
}

bool packages_own(const struct build_changes *c, const struct metadata *md, uint32_t type)
{
    uint32_t token = type_definition(md, type);
    for (unsigned depth = 0; depth < BASES_MAX && TOKEN_TABLE(token) == TABLE_TypeRef; depth++)
        token = tables_token(&md->tables, CODED_RESOLUTION_SCOPE, COL_TypeRef_ResolutionScope,
                             TOKEN_RID(token));
    if (TOKEN_TABLE(token) != TABLE_AssemblyRef || TOKEN_RID(token) == 0)
        return false;
    struct str name = row_string(md, COL_AssemblyRef_Name, TOKEN_RID(token));
    return new_build_module(c->build, name) == NO_INDEX && !is_of_dotnet(name);
}

/* --- methods ---------------------------------------------------------------------------------- */

/* The user's own attribute may derive from one of a package. */
static enum seeker seeker_of(const struct build_changes *c, const struct metadata *md,
                             uint32_t attribute)
{
    struct str space, name;
    uint32_t around = 0;
    for (unsigned depth = 0; depth < BASES_MAX && type_parts(&space, &name, &around, md, attribute);
         depth++) {
        if (str_is_one_of(name, class_attributes))
            return SEEKER_CLASS;
        if (packages_own(c, md, attribute))
            return str_is_one_of(name, generator_attributes) ? SEEKER_NONE : SEEKER_ANY;
        if (TOKEN_TABLE(attribute) != TABLE_TypeDef)
            return SEEKER_NONE;
        attribute = tables_token(&md->tables, CODED_TYPE_DEF_OR_REF, COL_TypeDef_Extends,
                                 TOKEN_RID(attribute));
    }
    return SEEKER_NONE;
}

bool packages_find_seekers(uint8_t **seekers, const struct build_changes *c, uint32_t head_module)
{
    const struct metadata *md = &c->build->modules[head_module].md;
    const struct tables *t = &md->tables;
    uint32_t methods = tables_rows(t, TABLE_MethodDef);
    uint8_t *parts = NULL;
    if (!test_methods_find(&parts, md, c->arena))
        return err_set(c->err, ERR_MEMORY, "out of memory: the tests need more");
    *seekers = ARENA_NEW(c->arena, uint8_t, (size_t)methods + 1, c->err);
    for (uint32_t rid = 1; *seekers != NULL && rid <= tables_rows(t, TABLE_CustomAttribute);
         rid++) {
        uint32_t on = tables_token(t, CODED_HAS_CUSTOM_ATTRIBUTE, COL_CustomAttribute_Parent, rid);
        uint32_t method = TOKEN_RID(on);
        if (TOKEN_TABLE(on) != TABLE_MethodDef || method == 0 || method > methods ||
            (parts != NULL && parts[method - 1] == TEST_PART_TEST))
            continue;
        enum seeker seeker = parts != NULL && parts[method - 1] == TEST_PART_UNKNOWN
                                 ? SEEKER_CLASS
                                 : seeker_of(c, md, type_of_attribute(md, rid));
        if (seeker > (*seekers)[method - 1])
            (*seekers)[method - 1] = (uint8_t)seeker;
    }
    return *seekers != NULL;
}
