#include "impact/lookers.h"

#include <string.h>

#include "base/ascii.h"
#include "base/sort.h"
#include "metadata/lookup.h"
#include "metadata/sig.h"

enum {
    NESTING_MAX = 16, /* a chain that is longer is a circle */
    TOKEN_LEN = 8,    /* II.6.2.1.3: of a public key */
    METHOD_ABSTRACT = 0x400,
    METHOD_PINVOKE = 0x2000,
    IMPL_CODE_KIND = 0x3, /* II.23.1.11: 0 is IL; the runtime makes other code, as for delegates */
};

/* --- assemblies ------------------------------------------------------------------------------- */

struct maker {
    uint64_t key; /* token, as .NET shows it; 0: any */
    const char *names, *start;
    bool is_framework;
};

#define DOTNET_NAMES                                                                               \
    "System mscorlib netstandard FSharp.Core Microsoft.CSharp Microsoft.VisualBasic "              \
    "Microsoft.VisualBasic.Core Microsoft.Win32.Primitives Microsoft.Win32.Registry"

static const struct maker makers[] = {
    {UINT64_C(0xb03f5f7f11d50a3a), DOTNET_NAMES, "System.", false},
    {UINT64_C(0xb77a5c561934e089), DOTNET_NAMES, "System.", false},
    {UINT64_C(0x7cec85d7bea7798e), DOTNET_NAMES, "System.", false},
    {UINT64_C(0xcc7b13ffcd2ddd51), DOTNET_NAMES, "System.", false},
    {UINT64_C(0x8d05b1bb7a6fdb6c), "", "xunit.", true},
    {UINT64_C(0x2638cd05610744eb), "", "nunit.", true},
    {UINT64_C(0x4cb40d35494691ac), "", "NUnit3.", true},
    {UINT64_C(0xb8d4030011dbd70c), "", "TUnit.", true},
    {UINT64_C(0xb03f5f7f11d50a3a), "", "Microsoft.VisualStudio.TestPlatform.", true},
    {UINT64_C(0xb03f5f7f11d50a3a), "", "MSTest.", true},
    {UINT64_C(0xb03f5f7f11d50a3a), "testhost", "Microsoft.TestPlatform.", true},
    {UINT64_C(0xb03f5f7f11d50a3a), "", "Microsoft.Testing.", true},
    {0, "FluentAssertions AwesomeAssertions Shouldly", NULL, false},
};

static const struct maker *maker_of(const struct metadata *md, uint32_t assembly)
{
    struct view key = row_blob(md, COL_AssemblyRef_PublicKeyOrToken, assembly);
    struct str name = row_string(md, COL_AssemblyRef_Name, assembly);
    uint64_t token = 0;
    for (size_t i = 0; key.len == TOKEN_LEN && i < TOKEN_LEN; i++)
        token = token << 8 | key.data[i];
    for (size_t i = 0; i < ARRAY_LEN(makers); i++)
        if ((makers[i].key == 0 || makers[i].key == token) &&
            (str_is_one_of(name, makers[i].names) ||
             (makers[i].start != NULL && str_starts(name, makers[i].start))))
            return &makers[i];
    return NULL;
}

/* The AssemblyRef row of a type, any token; 0: it is of the module itself, or no type. */
static uint32_t assembly_of(const struct metadata *md, uint32_t type)
{
    uint32_t token = type_definition(md, type);
    for (unsigned depth = 0; depth < NESTING_MAX && TOKEN_TABLE(token) == TABLE_TypeRef; depth++)
        token =
            row_token(md, CODED_RESOLUTION_SCOPE, COL_TypeRef_ResolutionScope, TOKEN_RID(token));
    return TOKEN_TABLE(token) == TABLE_AssemblyRef ? TOKEN_RID(token) : 0;
}

bool lookers_know_framework(const void *context, const struct metadata *md, uint32_t type)
{
    (void)context;
    uint32_t assembly = assembly_of(md, type);
    const struct maker *maker = assembly != 0 ? maker_of(md, assembly) : NULL;
    return maker != NULL && maker->is_framework;
}

/* --- members ---------------------------------------------------------------------------------- */

struct known_look {
    const char *start, *names;
    uint8_t looks;
};

static const struct known_look known_looks[] = {
#define LOOK(start, names, looks) {start, names, looks},
#include "impact/looks.def"
};

/* "`1" behind a name is of a generic method: "Parse 1(" in the text. */
static bool is_listed(const char *names, struct str text)
{
    size_t len = 0;
    char generic[64];
    while (len < text.len &&
           (ascii_is_letter(text.text[len]) || ascii_is_digit(text.text[len]) ||
            strchr("_.", text.text[len]) != NULL) &&
           (text.text[len] != '.' || len == 0))
        len++;
    struct str name = {text.text, len};
    if (names[0] == '\0' || str_is_one_of(name, names))
        return true;
    if (len + sizeof "`1" > sizeof generic || !str_starts(str_from(text, len), " 1("))
        return false;
    memcpy(generic, name.text, len);
    memcpy(generic + len, "`1", sizeof "`1");
    return str_is_one_of(str_of(generic), names);
}

static uint8_t look_of_member(struct str text)
{
    for (size_t i = 0; i < ARRAY_LEN(known_looks); i++)
        if (str_starts(text, known_looks[i].start) &&
            is_listed(known_looks[i].names, str_from(text, strlen(known_looks[i].start))))
            return known_looks[i].looks;
    return 0;
}

uint8_t lookers_of_token(const struct lookers *l, const struct metadata *md, uint32_t token,
                         struct str text)
{
    bool is_member = TOKEN_TABLE(token) == TABLE_MemberRef;
    if (TOKEN_TABLE(token) == TABLE_MethodSpec)
        return lookers_of_token(
            l, md, row_token(md, CODED_METHOD_DEF_OR_REF, COL_MethodSpec_Method, TOKEN_RID(token)),
            text);
    if (sorted_find(&text, l->functions, l->function_count, sizeof text, str_order) != NULL)
        return LOOKS_AT_ALL;
    uint32_t assembly = assembly_of(md, is_member ? type_of_member(md, token) : token);
    if (assembly == 0 ||
        new_build_module(l->build, row_string(md, COL_AssemblyRef_Name, assembly)) != NO_INDEX)
        return 0;
    if (maker_of(md, assembly) == NULL)
        return LOOKS_AT_ALL;
    return is_member ? look_of_member(text) : 0;
}

/* --- functions without code ------------------------------------------------------------------- */

static bool is_function(const struct tables *t, uint32_t rid)
{
    uint64_t flags = tables_get(t, COL_MethodDef_Flags, rid);
    return (flags & METHOD_PINVOKE) != 0 ||
           (tables_get(t, COL_MethodDef_RVA, rid) == 0 && (flags & METHOD_ABSTRACT) == 0 &&
            (tables_get(t, COL_MethodDef_ImplFlags, rid) & IMPL_CODE_KIND) == 0);
}

static bool add_functions(struct list *functions, struct method_hasher *hasher, struct arena *arena,
                          struct err *err)
{
    const struct tables *t = &hasher->md->tables;
    for (uint32_t rid = 1; rid <= tables_rows(t, TABLE_MethodDef); rid++) {
        struct str text;
        if (is_function(t, rid) &&
            (!method_hash_token(&text, hasher, TOKEN(TABLE_MethodDef, rid), err) ||
             !list_put(functions, &text, sizeof text, arena, err)))
            return false;
    }
    return true;
}

bool lookers_open(struct lookers *out, const struct new_build *build, struct arena *arena,
                  struct err *err)
{
    struct list functions = {0};
    for (uint32_t i = 0; i < build->facts.module_count; i++)
        if (!add_functions(&functions, &build->hashers[i], arena, err))
            return false;
    sort_unless_sorted(functions.items, functions.count, sizeof(struct str), str_order);
    *out = (struct lookers){build, functions.items, functions.count};
    return true;
}

/* --- what test frameworks look at ------------------------------------------------------------- */

static bool is_of_looker(const void *lookers, const struct metadata *md, uint32_t type)
{
    return lookers_of_token(lookers, md, type, STR("")) != 0;
}

/* Or an argument of it: IClassFixture<PackageFixture>. */
static bool names_looker(const void *lookers, const struct metadata *md, uint32_t type)
{
    if (TOKEN_TABLE(type) != TABLE_TypeSpec)
        return is_of_looker(lookers, md, type);
    struct reader r = rd_view(row_blob(md, COL_TypeSpec_Signature, TOKEN_RID(type)));
    while (rd_left(&r) != 0) {
        uint8_t element = rd_u8(&r);
        if ((element == ELEMENT_CLASS || element == ELEMENT_VALUETYPE) &&
            is_of_looker(lookers, md, coded_to_token(CODED_TYPE_DEF_OR_REF, rd_compressed(&r))))
            return true;
    }
    return false;
}

/* The type that an attribute is on, or on a member of; 0: of the assembly; NO_INDEX: of none. */
static uint32_t type_with_attribute(const struct metadata *md, uint32_t on)
{
    return TOKEN_TABLE(on) == TABLE_TypeDef     ? TOKEN_RID(on)
           : TOKEN_TABLE(on) == TABLE_MethodDef ? owner_of_method(md, TOKEN_RID(on))
           : TOKEN_TABLE(on) == TABLE_Assembly  ? 0
                                                : NO_INDEX;
}

/* Only WebApplicationFactory, whoever calls it, reads this attribute of an assembly. */
static const char read_by_callers[] =
    "Microsoft.AspNetCore.Mvc.Testing.WebApplicationFactoryContentRootAttribute";

void lookers_find_marked(bool *marked, const struct lookers *l, uint32_t head_module)
{
    const struct metadata *md = &l->build->modules[head_module].md;
    const struct tables *t = &md->tables;
    uint32_t types = tables_rows(t, TABLE_TypeDef);
    for (uint32_t rid = 1; rid <= tables_rows(t, TABLE_CustomAttribute); rid++) {
        uint32_t attribute = type_of_attribute(md, rid);
        uint32_t type = type_with_attribute(
            md, row_token(md, CODED_HAS_CUSTOM_ATTRIBUTE, COL_CustomAttribute_Parent, rid));
        if (type <= types && !marked[type] && !type_is(md, attribute, read_by_callers))
            marked[type] = new_build_has_base(l->build, head_module, attribute, is_of_looker, l);
    }
    for (uint32_t rid = 1; rid <= tables_rows(t, TABLE_InterfaceImpl); rid++) {
        uint32_t type = tables_get(t, COL_InterfaceImpl_Class, rid);
        if (type <= types && !marked[type])
            marked[type] = names_looker(
                l, md, row_token(md, CODED_TYPE_DEF_OR_REF, COL_InterfaceImpl_Interface, rid));
    }
    for (uint32_t type = 1; type <= types; type++)
        if (!marked[type])
            marked[type] = new_build_has_base(l->build, head_module, TOKEN(TABLE_TypeDef, type),
                                              names_looker, l);
}
