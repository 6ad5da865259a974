#include "coverage/session/test_hits.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/sort.h"
#include "coverage/facts/index_set.h"
#include "metadata/lookup.h"
#include "metadata/names.h"

/* --- tests ----------------------------------------------------------------------------------- */

static uint32_t add_context_test(struct session_tests *tests, const struct session_context *context,
                                 struct arena *arena, struct err *err)
{
    struct fact_test *test = list_add(&tests->tests, sizeof *test, arena, err);
    struct test_member *member = list_add(&tests->members, sizeof *member, arena, err);
    if (test == NULL || member == NULL)
        return NO_INDEX;
    *test = (struct fact_test){.kind = (enum test_kind)context->kind,
                               .end = (enum test_end)context->end,
                               .ns = context->ns < INT64_MAX ? context->ns : INT64_MAX,
                               .rows = context->rows < INT64_MAX ? context->rows : INT64_MAX};
    *member = (struct test_member){context->mvid, context->rid, context->type};
    return tests->tests.count - 1;
}

bool session_tests_make(struct session_tests *out, const struct session *session,
                        struct arena *arena, struct err *err)
{
    static const struct session_context outside = {.mvid = {0}};
    *out = (struct session_tests){.outside = NO_INDEX};
    if (session->hits_count == 0)
        return true;
    out->of_context = ARENA_NEW(arena, uint32_t *, session->hits_count, err);
    out->outside = add_context_test(out, &outside, arena, err);
    if (out->of_context == NULL || out->outside == NO_INDEX)
        return false;
    ((struct fact_test *)out->tests.items)[out->outside].kind = TEST_OUTSIDE;
    for (uint32_t i = 0; i < session->hits_count; i++) {
        const struct session_hits *hits = &session->hits[i];
        out->of_context[i] = ARENA_NEW(arena, uint32_t, hits->context_count, err);
        if (out->of_context[i] == NULL)
            return false;
        for (uint32_t n = 0; n < hits->context_count; n++) {
            out->of_context[i][n] = add_context_test(out, &hits->contexts[n], arena, err);
            if (out->of_context[i][n] == NO_INDEX)
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

/* --- hits of a module ------------------------------------------------------------------------- */

bool test_hits_find(uint32_t *process, uint32_t *number, const struct session *session,
                    const struct session_counters *file)
{
    struct str name = path_file(file->file);
    for (uint32_t i = 0; i < session->hits_count; i++)
        for (uint32_t n = 0; n < session->hits[i].counts_count; n++)
            if (str_eq(session->hits[i].counts[n].name, name)) {
                *process = i;
                *number = n;
                return true;
            }
    return false;
}

static bool add_logged_hit(struct test_hits *out, const struct session_vector *vector,
                           uint32_t test, struct arena *arena, struct err *err)
{
    return list_put(&out->logged, &(struct logged_hit){vector->rid, test, vector->runs},
                    sizeof(struct logged_hit), arena, err);
}

/* What outlived its test may have been for others, so it is outside, too. */
static bool add_logged(struct test_hits *out, const struct session_tests *tests,
                       const struct session *session, uint32_t process, uint32_t number,
                       struct arena *arena, struct err *err)
{
    const struct session_hits *hits = &session->hits[process];
    for (uint32_t i = 0; i < hits->hit_count; i++) {
        const struct session_vector *vector = &hits->vectors[hits->hits[i].vector];
        if (vector->counts != number)
            continue;
        uint32_t context = hits->hits[i].context;
        if (!add_logged_hit(out, vector, tests->of_context[process][context], arena, err) ||
            (hits->contexts[context].outlives &&
             !add_logged_hit(out, vector, tests->outside, arena, err)))
            return false;
    }
    return true;
}

static struct module_marks *marks_of(struct test_hits *out, uint32_t test, uint32_t counter_count,
                                     struct arena *arena, struct err *err)
{
    struct module_marks *marks = out->marks.items;
    for (uint32_t i = 0; i < out->marks.count; i++)
        if (marks[i].test == test)
            return &marks[i];
    marks = list_add(&out->marks, sizeof *marks, arena, err);
    if (marks == NULL)
        return NULL;
    *marks = (struct module_marks){test, ARENA_NEW(arena, uint8_t, counter_count, err)};
    return marks->hit != NULL ? marks : NULL;
}

static bool add_shard_hits(struct test_hits *out, uint32_t test,
                           const struct session_counters *file, uint32_t shard, struct arena *arena,
                           struct err *err)
{
    struct module_marks *marks = marks_of(out, test, file->counter_count, arena, err);
    return marks != NULL && session_add_hits(marks->hit, file, shard, err);
}

static bool add_shards(struct test_hits *out, const struct session_tests *tests,
                       const struct session_hits *hits, const uint32_t *of_context, bool is_unsure,
                       const struct session_counters *file, struct arena *arena, struct err *err)
{
    for (uint32_t shard = 0; shard < file->shard_count; shard++) {
        uint32_t context = hits != NULL && !is_unsure ? hits->of_shard[shard] : 0;
        if (context == CONTEXT_OF_KEPT)
            continue;
        bool outlives = context != 0 && hits->contexts[context - 1].outlives;
        if (!add_shard_hits(out, context == 0 ? tests->outside : of_context[context - 1], file,
                            shard, arena, err) ||
            (outlives && !add_shard_hits(out, tests->outside, file, shard, arena, err)))
            return false;
    }
    return true;
}

ORDER(order_logged, struct logged_hit, BY(rid) BY(test))

bool test_hits_gather(struct test_hits *out, const struct session_tests *tests,
                      const struct session *session, const struct session_counters *files,
                      uint32_t file_count, struct arena *arena, struct err *err)
{
    *out = (struct test_hits){.next = 0};
    if (tests->outside == NO_INDEX)
        return true;
    for (uint32_t i = 0; i < file_count; i++) {
        uint32_t process = 0, number = 0;
        bool found = test_hits_find(&process, &number, session, &files[i]);
        const struct session_hits *hits = found ? &session->hits[process] : NULL;
        if (found && !add_logged(out, tests, session, process, number, arena, err))
            return false;
        if (!add_shards(out, tests, hits, found ? tests->of_context[process] : NULL,
                        found && hits->counts[number].is_unsure, &files[i], arena, err))
            return false;
    }
    sort_unless_sorted(out->logged.items, out->logged.count, sizeof(struct logged_hit),
                       order_logged);
    return true;
}

/* --- a method --------------------------------------------------------------------------------- */

/* What one test hits in a method. */
struct test_vector {
    uint32_t test;
    uint8_t *hit;
};

static struct test_vector *add_test_vector(struct list *vectors, uint32_t test, uint32_t count,
                                           struct arena *arena, struct err *err)
{
    struct test_vector *added = list_add(vectors, sizeof *added, arena, err);
    if (added == NULL)
        return NULL;
    *added = (struct test_vector){test, ARENA_NEW(arena, uint8_t, (size_t)count + 1, err)};
    return added->hit != NULL ? added : NULL;
}

static struct test_vector *find_test_vector(struct list *vectors, uint32_t test, uint32_t count,
                                            struct arena *arena, struct err *err)
{
    struct test_vector *items = vectors->items;
    for (uint32_t i = vectors->count; i != 0; i--) /* most come one after another */
        if (items[i - 1].test == test)
            return &items[i - 1];
    return add_test_vector(vectors, test, count, arena, err);
}

static bool add_method_hits(struct list *vectors, struct test_hits *hits, uint32_t rid,
                            uint32_t first, uint32_t count, struct arena *arena, struct err *err)
{
    const struct logged_hit *logged = hits->logged.items;
    const struct module_marks *marks = hits->marks.items;
    struct test_vector *last = NULL;
    while (hits->next < hits->logged.count && logged[hits->next].rid < rid)
        hits->next++;
    for (; hits->next < hits->logged.count && logged[hits->next].rid == rid; hits->next++) {
        const struct logged_hit *hit = &logged[hits->next];
        if (last == NULL || last->test != hit->test)
            last = add_test_vector(vectors, hit->test, count, arena, err);
        if (last == NULL || !session_hits_runs(last->hit, count, hit->runs, err))
            return false;
    }
    for (uint32_t i = 0; i < hits->marks.count; i++) {
        if (memchr(marks[i].hit + first, 1, count) == NULL)
            continue;
        struct test_vector *vector = find_test_vector(vectors, marks[i].test, count, arena, err);
        if (vector == NULL)
            return false;
        for (uint32_t n = 0; n < count; n++)
            vector->hit[n] |= marks[i].hit[first + n];
    }
    return true;
}

static int order_vectors(const void *left, const void *right, void *context)
{
    const struct test_vector *a = left, *b = right;
    int order = memcmp(a->hit, b->hit, *(const uint32_t *)context);
    return order != 0 ? order : (a->test > b->test) - (a->test < b->test);
}

bool test_hits_of_method(struct list *out, struct test_hits *hits, uint32_t rid, uint32_t first,
                         uint32_t count, struct arena *arena, struct err *err)
{
    struct list vectors = {0};
    *out = (struct list){0};
    if (count == 0)
        return true;
    if (!add_method_hits(&vectors, hits, rid, first, count, arena, err))
        return false;
    struct test_vector *items = vectors.items;
    if (vectors.count > 1)
        qsort_r(items, vectors.count, sizeof *items, order_vectors, &count);
    for (uint32_t i = 0, end; i < vectors.count; i = end) {
        struct method_vector *vector = list_add(out, sizeof *vector, arena, err);
        uint32_t *tests = ARENA_NEW(arena, uint32_t, vectors.count - i, err);
        uint64_t *counters = ARENA_NEW(arena, uint64_t, count, err);
        if (vector == NULL || tests == NULL || counters == NULL)
            return false;
        for (end = i; end < vectors.count && memcmp(items[i].hit, items[end].hit, count) == 0;
             end++)
            tests[end - i] = items[end].test;
        for (uint32_t n = 0; n < count; n++)
            counters[n] = items[i].hit[n];
        struct writer w = wr_in(arena);
        index_set_write_list(&w, tests, end - i);
        if (w.failed)
            return err_set(err, ERR_MEMORY, "out of memory: the tests need more");
        *vector = (struct method_vector){counters, {w.data, w.len}};
    }
    return true;
}
