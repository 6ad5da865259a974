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
    struct list tests; /* struct new_test */
    const struct metadata *md;
    const uint8_t *parts; /* test_methods.h */
    uint32_t module;
    struct list fixtures; /* struct fixture, of this module */
    struct arena *arena;
    struct err *err;
};

/* 0: it is of another assembly. */
static uint32_t base_of(const struct metadata *md, uint32_t type)
{
    uint32_t base = base_of_type(md, type);
    return TOKEN_TABLE(base) == TABLE_TypeDef &&
                   TOKEN_RID(base) <= tables_rows(&md->tables, TABLE_TypeDef)
               ? TOKEN_RID(base)
               : 0;
}

/* A static class is abstract and sealed. */
static bool is_runnable_class(const struct test_search *f, uint32_t type)
{
    uint32_t flags = tables_get(&f->md->tables, COL_TypeDef_Flags, type);
    return (flags & TYPE_ABSTRACT) == 0 || (flags & TYPE_SEALED) != 0;
}

/* The tests that `declaring` declares, as those of `class`. */
static bool add_declared_tests(struct test_search *f, struct str class, uint32_t declaring)
{
    const struct tables *t = &f->md->tables;
    struct row_range rows = tables_list(t, COL_TypeDef_MethodList, declaring, TABLE_MethodDef);
    for (uint32_t rid = rows.first; rid < rows.end; rid++) {
        if (f->parts[rid - 1] != TEST_PART_TEST)
            continue;
        struct str method = row_string(f->md, COL_MethodDef_Name, rid);
        struct new_test test = {.class = class, .module = f->module, .declared = rid};
        if (!text_format(&test.name, f->arena, f->err, "%.*s.%.*s", STR_ARGS(class),
                         STR_ARGS(method)) ||
            !list_put(&f->tests, &test, sizeof test, f->arena, f->err))
            return false;
    }
    return true;
}

static bool add_base(struct test_search *f, struct str class, uint32_t base)
{
    struct test_base added = {.class = class};
    return name_full(&added.base, f->md, base, f->arena, f->err) &&
           list_put(&f->out->bases, &added, sizeof added, f->arena, f->err);
}

static bool add_wide(struct test_search *f, uint32_t type)
{
    struct str *wide = list_add(&f->out->wide, sizeof *wide, f->arena, f->err);
    return wide != NULL && name_full(wide, f->md, type, f->arena, f->err);
}

static bool list_fixtures(struct test_search *f)
{
    const struct tables *t = &f->md->tables;
    f->fixtures.count = 0;
    for (uint32_t rid = 1; rid <= tables_rows(t, TABLE_InterfaceImpl); rid++) {
        bool is_of_class = false;
        uint32_t fixture = test_methods_fixture(
            &is_of_class, f->md,
            tables_token(t, CODED_TYPE_DEF_OR_REF, COL_InterfaceImpl_Interface, rid));
        if (fixture == 0 || fixture > tables_rows(t, TABLE_TypeDef))
            continue;
        if (is_of_class) {
            if (!list_put(&f->fixtures,
                          &(struct fixture){tables_get(t, COL_InterfaceImpl_Class, rid), fixture},
                          sizeof(struct fixture), f->arena, f->err))
                return false;
        } else if (!add_wide(f, fixture)) {
            return false;
        }
    }
    return true;
}

/* Classes with methods that run around tests of others. */
static bool find_wide(struct test_search *f)
{
    const struct tables *t = &f->md->tables;
    for (uint32_t rid = 1; rid <= tables_rows(t, TABLE_CustomAttribute); rid++) {
        uint32_t on = tables_token(t, CODED_HAS_CUSTOM_ATTRIBUTE, COL_CustomAttribute_Parent, rid);
        uint32_t type = TOKEN_TABLE(on) == TABLE_MethodDef ? owner_of_method(f->md, TOKEN_RID(on))
                        : TOKEN_TABLE(on) == TABLE_TypeDef ? TOKEN_RID(on)
                                                           : 0;
        if (type != 0 && type <= tables_rows(t, TABLE_TypeDef) &&
            test_methods_is_global(f->md, rid) && !add_wide(f, type))
            return false;
    }
    return true;
}

/* Those that `declaring` asks for. */
static bool add_fixtures(struct test_search *f, struct str class, uint32_t declaring)
{
    const struct fixture *fixtures = f->fixtures.items;
    for (uint32_t i = 0; i < f->fixtures.count; i++)
        if (fixtures[i].class == declaring && !add_base(f, class, fixtures[i].type))
            return false;
    return true;
}

static bool add_test_class(struct test_search *f, uint32_t type)
{
    struct str class;
    if (!name_full(&class, f->md, type, f->arena, f->err))
        return false;
    for (unsigned depth = 0, at = type; depth < BASES_MAX && at != 0; depth++) {
        if (!add_declared_tests(f, class, at) || (at != type && !add_base(f, class, at)) ||
            !add_fixtures(f, class, at))
            return false;
        at = base_of(f->md, at);
    }
    return true;
}

ORDER(order_new_tests, struct new_test, BY(name))

bool new_tests_find(struct new_tests *out, const struct new_build *build, struct arena *arena,
                    struct err *err)
{
    struct test_search f = {.out = out, .arena = arena, .err = err};
    *out = (struct new_tests){.count = 0};
    for (uint32_t i = 0; i < build->facts.module_count; i++) {
        uint8_t *parts = NULL;
        f.md = &build->modules[i].md;
        f.module = i;
        if (!scope_has_tests(&build->modules[i]))
            continue;
        if (!test_methods_find(&parts, f.md, arena))
            return err_set(err, ERR_MEMORY, "out of memory: the tests need more");
        f.parts = parts;
        if (!list_fixtures(&f) || !find_wide(&f))
            return false;
        for (uint32_t type = 1; parts != NULL && type <= tables_rows(&f.md->tables, TABLE_TypeDef);
             type++)
            if (is_runnable_class(&f, type) && !add_test_class(&f, type))
                return false;
    }
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
