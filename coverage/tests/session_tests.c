#include "coverage/tests/session_tests.h"

#include <string.h>

#include "metadata/lookup.h"
#include "metadata/names.h"

static uint32_t add_test(struct session_tests *tests, const struct session_owner *owner,
                         struct arena *arena, struct err *err)
{
    struct fact_test *test = list_add(&tests->tests, sizeof *test, arena, err);
    struct test_member *member = list_add(&tests->members, sizeof *member, arena, err);
    if (test == NULL || member == NULL)
        return NO_INDEX;
    *test = (struct fact_test){.kind = (enum test_kind)owner->kind,
                               .end = (enum test_end)owner->end,
                               .ns = owner->ns < INT64_MAX ? owner->ns : INT64_MAX,
                               .rows = owner->rows < INT64_MAX ? owner->rows : INT64_MAX};
    *member = (struct test_member){owner->mvid, owner->rid, owner->type};
    return tests->tests.count - 1;
}

bool session_tests_make(struct session_tests *out, const struct session *session,
                        struct arena *arena, struct err *err)
{
    static const struct session_owner outside = {.mvid = {0}};
    *out = (struct session_tests){.outside = NO_INDEX};
    if (session->hits_count == 0)
        return true;
    out->of_owner = ARENA_NEW(arena, uint32_t *, session->hits_count, err);
    out->outside = add_test(out, &outside, arena, err);
    if (out->of_owner == NULL || out->outside == NO_INDEX)
        return false;
    ((struct fact_test *)out->tests.items)[out->outside].kind = TEST_OUTSIDE;
    for (uint32_t i = 0; i < session->hits_count; i++) {
        const struct session_hits *hits = &session->hits[i];
        out->of_owner[i] = ARENA_NEW(arena, uint32_t, hits->owner_count, err);
        if (out->of_owner[i] == NULL)
            return false;
        for (uint32_t n = 0; n < hits->owner_count; n++) {
            out->of_owner[i][n] = add_test(out, &hits->owners[n], arena, err);
            if (out->of_owner[i][n] == NO_INDEX)
                return false;
        }
    }
    return true;
}

/* Type.FullName as --filter has it: without the arguments of a generic type. */
static struct str filter_type(struct str type)
{
    const char *bracket = type.len != 0 ? memchr(type.text, '[', type.len) : NULL;
    return bracket != NULL ? (struct str){type.text, (size_t)(bracket - type.text)} : type;
}

/* A row that the module lacks is a damaged log's. */
static bool type_of_row(struct str *out, const struct metadata *md, uint32_t rid,
                        struct arena *arena, struct err *err)
{
    uint32_t type = owner_of_method(md, rid);
    *out = STR("?");
    return type == 0 || name_full(out, md, type, arena, err);
}

static bool name_test(struct fact_test *test, const struct test_member *member,
                      const struct metadata *md, struct arena *arena, struct err *err)
{
    struct str type = filter_type(member->type);
    struct str method = row_string(md, COL_MethodDef_Name, member->rid);
    if (type.len == 0 && !type_of_row(&type, md, member->rid, arena, err))
        return false;
    if (test->kind != TEST_METHOD)
        return str_copy(&test->name, type, arena, err);
    return text_format(&test->name, arena, err, "%.*s.%.*s", STR_ARGS(type), STR_ARGS(method));
}

bool session_tests_name(struct session_tests *tests, const uint8_t mvid[16],
                        const struct metadata *md, struct arena *arena, struct err *err)
{
    struct fact_test *items = tests->tests.items;
    const struct test_member *members = tests->members.items;
    for (uint32_t i = 0; i < tests->tests.count; i++)
        if (items[i].kind != TEST_OUTSIDE && items[i].name.len == 0 &&
            memcmp(members[i].mvid, mvid, 16) == 0 &&
            !name_test(&items[i], &members[i], md, arena, err))
            return false;
    return true;
}
