#include "scope/test_methods.h"

#include <string.h>

#include "metadata/lookup.h"
#include "metadata/sig.h"

enum {
    BASES_MAX = 32, /* a chain that is longer is a circle */
    METHOD_VIRTUAL = 0x40,
    METHOD_NEW_SLOT = 0x100,
    METHOD_ABSTRACT = 0x400,
};

/* Ends of the names of attributes that make a method a test: of xunit, NUnit, MSTest, TUnit, and of
 * packages that extend them. */
static const char *const test_endings[] = {
    "FactAttribute",          "TheoryAttribute",   "TestAttribute",
    "TestMethodAttribute",    "TestCaseAttribute", "TestCaseSourceAttribute",
    "CombinatorialAttribute", "PairwiseAttribute", "SequentialAttribute"};

/* A type argument of one of these is a fixture. */
static const char fixture_interfaces[] = "IClassFixture`1 ICollectionFixture`1 IAssemblyFixture`1";

/* Of MSTest, TUnit and NUnit. */
static const char global_attributes[] =
    "AssemblyInitializeAttribute AssemblyCleanupAttribute "
    "GlobalTestInitializeAttribute GlobalTestCleanupAttribute BeforeEveryAttribute "
    "AfterEveryAttribute SetUpFixtureAttribute";

/* Of NUnit, MSTest and TUnit, beside these: what runs around the tests of one class. */
static const char around_attributes[] =
    "SetUpAttribute TearDownAttribute OneTimeSetUpAttribute OneTimeTearDownAttribute "
    "TestInitializeAttribute TestCleanupAttribute ClassInitializeAttribute ClassCleanupAttribute "
    "BeforeAttribute AfterAttribute";

/* TUnit's HookType, the first argument of [Before] and [After]: those after it are of assemblies
 * and sessions. */
enum {
    HOOK_OF_CLASS = 1
};

/* What frameworks call on a class of tests without an attribute; also as I.Name. */
static const char *const called_by_name[] = {".ctor", "Dispose", "DisposeAsync", "InitializeAsync"};

/* --- attributes ------------------------------------------------------------------------------- */

static bool is_runtime_namespace(struct str space)
{
    return str_is(space, "System") || str_starts(space, "System.");
}

static bool is_test_name(struct str space, struct str name)
{
    for (size_t i = 0; i < ARRAY_LEN(test_endings); i++)
        if (str_ends(name, test_endings[i]))
            return !is_runtime_namespace(space);
    return false;
}

static bool is_test_attribute(const struct metadata *md, uint32_t token)
{
    struct str space, name;
    uint32_t around = 0;
    for (unsigned depth = 0; depth < BASES_MAX && type_parts(&space, &name, &around, md, token);
         depth++) {
        if (is_test_name(space, name))
            return true;
        if (TOKEN_TABLE(token) != TABLE_TypeDef)
            return false;
        token = base_of_type(md, TOKEN_RID(token));
    }
    return false;
}

/* Does a framework look for it? Compilers and analysers write attributes of the runtime. */
static bool is_foreign(const struct metadata *md, uint32_t token)
{
    struct str space, name;
    uint32_t around = 0;
    token = type_definition(md, token);
    return type_parts(&space, &name, &around, md, token) && TOKEN_TABLE(token) == TABLE_TypeRef &&
           !is_runtime_namespace(space);
}

static bool is_around_attribute(const struct metadata *md, uint32_t token)
{
    struct str space, name;
    uint32_t around = 0;
    return type_parts(&space, &name, &around, md, token) &&
           (str_is_one_of(name, around_attributes) || str_is_one_of(name, global_attributes));
}

bool test_methods_is_attribute(const struct metadata *md, uint32_t type)
{
    return is_test_attribute(md, type) || is_around_attribute(md, type);
}

bool test_methods_is_global(const struct metadata *md, uint32_t attribute_rid)
{
    struct str space, name;
    uint32_t around = 0;
    if (!type_parts(&space, &name, &around, md, type_of_attribute(md, attribute_rid)) ||
        is_runtime_namespace(space))
        return false;
    if (str_is_one_of(name, global_attributes))
        return true;
    if (!str_is(name, "BeforeAttribute") && !str_is(name, "AfterAttribute"))
        return false;
    struct reader value = rd_view(row_blob(md, COL_CustomAttribute_Value, attribute_rid));
    (void)rd_u16(&value); /* II.23.3: the prolog */
    uint32_t hook = rd_u32(&value);
    return value.failed || hook > HOOK_OF_CLASS;
}

/* --- methods ---------------------------------------------------------------------------------- */

enum {
    OF_FRAMEWORK = 1,
    OF_TEST = 2,
    OF_AROUND = 4,
};

struct test_finder {
    const struct metadata *md;
    uint8_t *parts;
    uint8_t *attributes; /* by row: of which kinds it has attributes */
    bool *classes;       /* by row of TypeDef: a class of tests; one more at each end */
};

/* The type has it, and so each test below its namespace runs between its methods. */
static bool is_set_up(const struct metadata *md, uint32_t token)
{
    struct str space, name;
    uint32_t around = 0;
    return type_parts(&space, &name, &around, md, token) && str_is(name, "SetUpFixtureAttribute");
}

static bool has_code(const struct metadata *md, uint32_t rid)
{
    return tables_get(&md->tables, COL_MethodDef_RVA, rid) != 0 &&
           (tables_get(&md->tables, COL_MethodDef_Flags, rid) & METHOD_ABSTRACT) == 0;
}

static bool mark_tests(struct test_finder *f)
{
    const struct tables *t = &f->md->tables;
    bool any = false;
    for (uint32_t rid = 1; rid <= tables_rows(t, TABLE_CustomAttribute); rid++) {
        uint32_t on = row_token(f->md, CODED_HAS_CUSTOM_ATTRIBUTE, COL_CustomAttribute_Parent, rid);
        uint32_t method = TOKEN_RID(on);
        if (TOKEN_TABLE(on) == TABLE_TypeDef && method <= tables_rows(t, TABLE_TypeDef))
            f->classes[method] |= is_set_up(f->md, type_of_attribute(f->md, rid));
        if (TOKEN_TABLE(on) != TABLE_MethodDef || method == 0 ||
            method > tables_rows(t, TABLE_MethodDef))
            continue;
        uint32_t attribute = type_of_attribute(f->md, rid);
        if (is_foreign(f->md, attribute))
            f->attributes[method - 1] |= OF_FRAMEWORK;
        if (is_around_attribute(f->md, attribute))
            f->attributes[method - 1] |= OF_AROUND;
        if (!is_test_attribute(f->md, attribute))
            continue;
        any = true;
        f->attributes[method - 1] |= OF_TEST;
        f->classes[owner_of_method(f->md, method)] = true;
        if (has_code(f->md, method))
            f->parts[method - 1] = TEST_PART_TEST;
    }
    return any;
}

uint32_t test_methods_fixture(bool *is_of_class, const struct metadata *md, uint32_t interface)
{
    struct str space, name;
    uint32_t around = 0;
    if (TOKEN_TABLE(interface) != TABLE_TypeSpec)
        return 0;
    struct reader r = rd_view(row_blob(md, COL_TypeSpec_Signature, TOKEN_RID(interface)));
    bool is_instance = rd_u8(&r) == ELEMENT_GENERICINST;
    (void)rd_u8(&r); /* CLASS */
    uint32_t generic = coded_to_token(CODED_TYPE_DEF_OR_REF, rd_compressed(&r));
    (void)rd_compressed(&r); /* 1 */
    bool is_class = rd_u8(&r) == ELEMENT_CLASS;
    uint32_t argument = coded_to_token(CODED_TYPE_DEF_OR_REF, rd_compressed(&r));
    if (!is_instance || !is_class || r.failed || TOKEN_TABLE(argument) != TABLE_TypeDef ||
        !type_parts(&space, &name, &around, md, generic))
        return 0;
    *is_of_class = str_is(name, "IClassFixture`1");
    return str_is_one_of(name, fixture_interfaces) ? TOKEN_RID(argument) : 0;
}

static void mark_fixtures(struct test_finder *f)
{
    const struct tables *t = &f->md->tables;
    for (uint32_t rid = 1; rid <= tables_rows(t, TABLE_InterfaceImpl); rid++) {
        uint32_t interface =
            row_token(f->md, CODED_TYPE_DEF_OR_REF, COL_InterfaceImpl_Interface, rid);
        bool is_of_class;
        uint32_t fixture = test_methods_fixture(&is_of_class, f->md, interface);
        if (fixture <= tables_rows(t, TABLE_TypeDef))
            f->classes[fixture] = true;
    }
    f->classes[0] = false;
}

/* The TypeDef row of the type's base in this assembly, or 0. */
static uint32_t base_here(const struct metadata *md, uint32_t type)
{
    uint32_t base = base_of_type(md, type);
    bool is_here = TOKEN_TABLE(base) == TABLE_TypeDef &&
                   TOKEN_RID(base) <= tables_rows(&md->tables, TABLE_TypeDef);
    return is_here ? TOKEN_RID(base) : 0;
}

/* Is a base of the type a class of tests? Marks bases if the type is one. */
static bool follow_bases(struct test_finder *f, uint32_t type)
{
    bool is_test = f->classes[type];
    uint32_t base = base_here(f->md, type);
    for (unsigned depth = 0; depth < BASES_MAX && base != 0; depth++) {
        if (is_test)
            f->classes[base] = true;
        else if (f->classes[base])
            return true;
        base = base_here(f->md, base);
    }
    return is_test;
}

/* First the bases of all classes that declare tests, then what derives from any of them. */
static void find_relatives(struct test_finder *f)
{
    uint32_t types = tables_rows(&f->md->tables, TABLE_TypeDef);
    for (uint32_t type = 1; type <= types; type++)
        if (f->classes[type])
            (void)follow_bases(f, type);
    for (uint32_t type = 1; type <= types; type++)
        if (!f->classes[type] && follow_bases(f, type))
            f->classes[type] = true;
}

static bool is_called_by_name(struct str name)
{
    for (size_t i = 0; i < ARRAY_LEN(called_by_name); i++) {
        size_t len = strlen(called_by_name[i]);
        if (str_is(name, called_by_name[i]) ||
            (name.len > len && str_ends(name, called_by_name[i]) &&
             name.text[name.len - len - 1] == '.'))
            return true;
    }
    return false;
}

/* The method of that name and signature that the type declares; 0: none. */
static uint32_t find_same(const struct test_finder *f, uint32_t type, uint32_t method)
{
    const struct tables *t = &f->md->tables;
    struct str name = row_string(f->md, COL_MethodDef_Name, method);
    struct view blob = row_blob(f->md, COL_MethodDef_Signature, method);
    struct row_range rows = tables_list(t, COL_TypeDef_MethodList, type, TABLE_MethodDef);
    for (uint32_t rid = rows.first; rid < rows.end; rid++) {
        struct view other = row_blob(f->md, COL_MethodDef_Signature, rid);
        if (str_eq(row_string(f->md, COL_MethodDef_Name, rid), name) && other.len == blob.len &&
            (blob.len == 0 || memcmp(other.data, blob.data, blob.len) == 0))
            return rid;
    }
    return 0;
}

/* An override has the attributes of what it overrides, as far as that is in this assembly. */
static void find_overrides(struct test_finder *f)
{
    const struct tables *t = &f->md->tables;
    for (uint32_t rid = 1; rid <= tables_rows(t, TABLE_MethodDef); rid++) {
        uint32_t flags = tables_get(t, COL_MethodDef_Flags, rid);
        if ((flags & METHOD_VIRTUAL) == 0 || (flags & METHOD_NEW_SLOT) != 0 ||
            !has_code(f->md, rid))
            continue;
        uint32_t base = base_here(f->md, owner_of_method(f->md, rid));
        for (unsigned depth = 0; depth < BASES_MAX && base != 0; depth++) {
            uint32_t overridden = find_same(f, base, rid);
            if (overridden != 0 && f->attributes[overridden - 1] != 0)
                f->attributes[rid - 1] |= f->attributes[overridden - 1];
            base = base_here(f->md, base);
        }
        if ((f->attributes[rid - 1] & OF_TEST) != 0)
            f->parts[rid - 1] = TEST_PART_TEST;
    }
}

static void find_around(struct test_finder *f)
{
    const struct tables *t = &f->md->tables;
    for (uint32_t type = 1; type <= tables_rows(t, TABLE_TypeDef); type++) {
        struct row_range rows = tables_list(t, COL_TypeDef_MethodList, type, TABLE_MethodDef);
        for (uint32_t rid = rows.first; f->classes[type] && rid < rows.end; rid++) {
            struct str name = row_string(f->md, COL_MethodDef_Name, rid);
            uint8_t attributes = f->attributes[rid - 1];
            if (f->parts[rid - 1] == TEST_PART_NONE && has_code(f->md, rid) &&
                (attributes != 0 || is_called_by_name(name)))
                f->parts[rid - 1] = attributes == OF_FRAMEWORK && !is_called_by_name(name)
                                        ? TEST_PART_UNKNOWN
                                        : TEST_PART_AROUND;
        }
    }
}

bool test_methods_find(uint8_t **parts, const struct metadata *md, struct arena *arena)
{
    uint32_t methods = tables_rows(&md->tables, TABLE_MethodDef);
    struct test_finder f = {
        .md = md,
        .parts = ARENA_NEW(arena, uint8_t, methods + 1, NULL),
        .attributes = ARENA_NEW(arena, uint8_t, methods + 1, NULL),
        .classes = ARENA_NEW(arena, bool, tables_rows(&md->tables, TABLE_TypeDef) + 1, NULL),
    };
    *parts = NULL;
    if (f.parts == NULL || f.attributes == NULL || f.classes == NULL)
        return false;
    if (!mark_tests(&f))
        return true;
    find_overrides(&f);
    mark_fixtures(&f);
    find_relatives(&f);
    find_around(&f);
    *parts = f.parts;
    return true;
}

bool test_methods_declare(const uint8_t *parts, const struct metadata *md, uint32_t type)
{
    struct row_range rows = tables_list(&md->tables, COL_TypeDef_MethodList, type, TABLE_MethodDef);
    for (uint32_t rid = rows.first; parts != NULL && rid < rows.end; rid++)
        if (parts[rid - 1] != TEST_PART_NONE)
            return true;
    return false;
}

/* --- what frameworks look for ----------------------------------------------------------------- */

static void count_own_foreign(uint32_t *counts, const struct metadata *md)
{
    const struct tables *t = &md->tables;
    uint32_t types = tables_rows(t, TABLE_TypeDef);
    for (uint32_t rid = 1; rid <= tables_rows(t, TABLE_CustomAttribute); rid++) {
        uint32_t on = row_token(md, CODED_HAS_CUSTOM_ATTRIBUTE, COL_CustomAttribute_Parent, rid);
        if (TOKEN_TABLE(on) == TABLE_TypeDef && TOKEN_RID(on) <= types)
            counts[TOKEN_RID(on)] += is_foreign(md, type_of_attribute(md, rid));
    }
    for (uint32_t rid = 1; rid <= tables_rows(t, TABLE_InterfaceImpl); rid++) {
        uint32_t type = tables_get(t, COL_InterfaceImpl_Class, rid);
        if (type <= types)
            counts[type] += is_foreign(
                md, row_token(md, CODED_TYPE_DEF_OR_REF, COL_InterfaceImpl_Interface, rid));
    }
    for (uint32_t type = 1; type <= types; type++)
        counts[type] += is_foreign(md, base_of_type(md, type));
}

bool test_methods_count_foreign(uint32_t **counts, const struct metadata *md, struct arena *arena)
{
    uint32_t types = tables_rows(&md->tables, TABLE_TypeDef);
    uint32_t *own = ARENA_NEW(arena, uint32_t, types + 1, NULL);
    uint8_t *parts;
    *counts = ARENA_NEW(arena, uint32_t, types + 1, NULL);
    if (own == NULL || *counts == NULL || !test_methods_find(&parts, md, arena))
        return false;
    if (parts == NULL)
        return true;
    count_own_foreign(own, md);
    for (uint32_t type = 1; type <= types; type++) {
        uint32_t base = test_methods_declare(parts, md, type) ? 0 : type;
        for (unsigned depth = 0; depth < BASES_MAX && base != 0; depth++) {
            (*counts)[type] += own[base];
            base = base_here(md, base);
        }
    }
    return true;
}
