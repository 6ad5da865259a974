#include "impact/new_tests.h"

#include "base/sort.h"
#include "metadata/lookup.h"
#include "metadata/names.h"
#include "scope/scope.h"
#include "scope/test_methods.h"

enum {
    BASES_MAX = 32, /* a chain that is longer is a circle */
    TYPE_ABSTRACT = 0x80,
    TYPE_SEALED = 0x100,
};

/* Rows of a class and of a fixture for its tests. */
struct fixture {
    uint32_t class, type;
};

struct test_search {
    struct new_tests *out;
    const struct new_build *build;
    struct list tests;     /* struct new_test */
    struct list *fixtures; /* per module of the build: struct fixture */
    struct arena *arena;
    struct err *err;
};

/* A static class is abstract and sealed. */
static bool is_runnable_class(const struct metadata *md, uint32_t type)
{
    uint32_t flags = tables_get(&md->tables, COL_TypeDef_Flags, type);
    return (flags & TYPE_ABSTRACT) == 0 || (flags & TYPE_SEALED) != 0;
}

/* The tests that `declaring` declares, as those of `class`. */
static bool add_declared_tests(struct test_search *f, struct str class, uint32_t module,
                               uint32_t declaring)
{
    const struct metadata *md = &f->build->modules[module].md;
    const uint8_t *parts = f->build->parts[module];
    struct row_range rows =
        tables_list(&md->tables, COL_TypeDef_MethodList, declaring, TABLE_MethodDef);
    for (uint32_t rid = rows.first; parts != NULL && rid < rows.end; rid++) {
        uint8_t part = parts[rid - 1];
        if (part != TEST_PART_TEST && part != TEST_PART_UNKNOWN)
            continue;
        struct str method = row_string(md, COL_MethodDef_Name, rid);
        struct new_test test = {.class = class,
                                .module = module,
                                .declared = rid,
                                .is_unknown = part == TEST_PART_UNKNOWN};
        if (!text_format(&test.name, f->arena, f->err, "%.*s.%.*s", STR_ARGS(class),
                         STR_ARGS(method)) ||
            !list_put(&f->tests, &test, sizeof test, f->arena, f->err))
            return false;
    }
    return true;
}

static bool add_base(struct test_search *f, struct str class, const struct metadata *md,
                     uint32_t base)
{
    struct test_base added = {.class = class};
    return name_full(&added.base, md, base, f->arena, f->err) &&
           list_put(&f->out->bases, &added, sizeof added, f->arena, f->err);
}

static bool add_wide(struct test_search *f, const struct metadata *md, uint32_t type)
{
    struct str *wide = list_add(&f->out->wide, sizeof *wide, f->arena, f->err);
    return wide != NULL && name_full(wide, md, type, f->arena, f->err);
}

static bool list_fixtures(struct test_search *f, uint32_t module)
{
    const struct metadata *md = &f->build->modules[module].md;
    const struct tables *t = &md->tables;
    for (uint32_t rid = 1; rid <= tables_rows(t, TABLE_InterfaceImpl); rid++) {
        bool is_of_class = false;
        uint32_t fixture = test_methods_fixture(
            &is_of_class, md,
            tables_token(t, CODED_TYPE_DEF_OR_REF, COL_InterfaceImpl_Interface, rid));
        if (fixture == 0 || fixture > tables_rows(t, TABLE_TypeDef))
            continue;
        if (is_of_class) {
            if (!list_put(&f->fixtures[module],
                          &(struct fixture){tables_get(t, COL_InterfaceImpl_Class, rid), fixture},
                          sizeof(struct fixture), f->arena, f->err))
                return false;
        } else if (!add_wide(f, md, fixture)) {
            return false;
        }
    }
    return true;
}

/* Classes with methods that run around tests of others. */
static bool find_wide(struct test_search *f, const struct metadata *md)
{
    const struct tables *t = &md->tables;
    for (uint32_t rid = 1; rid <= tables_rows(t, TABLE_CustomAttribute); rid++) {
        uint32_t on = tables_token(t, CODED_HAS_CUSTOM_ATTRIBUTE, COL_CustomAttribute_Parent, rid);
        uint32_t type = TOKEN_TABLE(on) == TABLE_MethodDef ? owner_of_method(md, TOKEN_RID(on))
                        : TOKEN_TABLE(on) == TABLE_TypeDef ? TOKEN_RID(on)
                                                           : 0;
        if (type != 0 && type <= tables_rows(t, TABLE_TypeDef) && test_methods_is_global(md, rid) &&
            !add_wide(f, md, type))
            return false;
    }
    return true;
}

/* Those that `declaring` asks for. */
static bool add_fixtures(struct test_search *f, struct str class, uint32_t module,
                         uint32_t declaring)
{
    const struct fixture *fixtures = f->fixtures[module].items;
    for (uint32_t i = 0; i < f->fixtures[module].count; i++)
        if (fixtures[i].class == declaring &&
            !add_base(f, class, &f->build->modules[module].md, fixtures[i].type))
            return false;
    return true;
}

/* With what it inherits, also from other assemblies. */
static bool add_test_class(struct test_search *f, uint32_t module, uint32_t type)
{
    struct str class;
    if (!name_full(&class, &f->build->modules[module].md, type, f->arena, f->err))
        return false;
    for (unsigned depth = 0; depth < BASES_MAX && type != 0; depth++) {
        const struct metadata *md = &f->build->modules[module].md;
        if (!add_declared_tests(f, class, module, type) ||
            (depth != 0 && !add_base(f, class, md, type)) || !add_fixtures(f, class, module, type))
            return false;
        type = new_build_type(f->build, &module, base_of_type(md, type));
    }
    return true;
}

static bool add_test_classes(struct test_search *f, uint32_t module)
{
    const struct metadata *md = &f->build->modules[module].md;
    if (!scope_has_tests(&f->build->modules[module]))
        return true;
    for (uint32_t type = 1; type <= tables_rows(&md->tables, TABLE_TypeDef); type++)
        if (is_runnable_class(md, type) && !add_test_class(f, module, type))
            return false;
    return true;
}

ORDER(order_new_tests, struct new_test, BY(name))

bool new_tests_find(struct new_tests *out, const struct new_build *build, struct arena *arena,
                    struct err *err)
{
    uint32_t count = build->facts.module_count;
    struct test_search f = {.out = out,
                            .build = build,
                            .fixtures = ARENA_NEW(arena, struct list, count, err),
                            .arena = arena,
                            .err = err};
    *out = (struct new_tests){.count = 0};
    if (f.fixtures == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (scope_has_tests(&build->modules[i]) &&
            (!list_fixtures(&f, i) || !find_wide(&f, &build->modules[i].md)))
            return false;
    for (uint32_t i = 0; i < count; i++)
        if (!add_test_classes(&f, i))
            return false;
    out->items = f.tests.items;
    out->count =
        (uint32_t)sort_distinct(out->items, f.tests.count, sizeof *out->items, order_new_tests);
    return true;
}

const struct new_test *new_tests_named(const struct new_tests *tests, struct str name)
{
    const struct new_test key = {.name = name};
    return sorted_find(&key, tests->items, tests->count, sizeof key, order_new_tests);
}
