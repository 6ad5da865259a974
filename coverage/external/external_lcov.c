/* The records of an LCOV tracefile that are read; all others are skipped:
 *
 *   SF:<path>                                begins a file
 *   FN:<start>,[<end>,]<name>                a function
 *   FNDA:<count>,<name>                      how often it was called
 *   FNL:<index>,<start>[,<end>]              the same since lcov 2.2, its names in
 *   FNA:<index>,<count>,<name>
 *   DA:<line>,<count>[,<checksum>]
 *   BRDA:<line>,[e|f]<block>,<branch>,<taken>   taken: a count, or - if the block was never
 *                                               reached; U before the block: unreachable, left out
 *   end_of_record                            ends the file; so does the next SF */
#include <string.h>

#include "base/fnv.h"
#include "base/sort.h"
#include "coverage/external/external_formats.h"
#include "coverage/external/external_path.h"
#include "coverage/external/external_text.h"

enum {
    RECORD_LEN_MAX = 1 << 16,
    OUTER_MAX = 64 /* functions skipped because they end before the line, at most */
};

struct calls {
    uint64_t name; /* hash of the function's */
    uint64_t count;
    bool is_known;
};

struct function {
    uint64_t index, start, end; /* end 0: not known */
    uint32_t member;
    uint32_t order;
    struct calls calls;
};

struct lcov {
    struct external_build *build;
    struct external_input *input;
    char *buffer; /* RECORD_LEN_MAX */
    size_t start, filled;
    uint64_t line; /* of the tracefile */
    bool in_file;
    uint32_t first_line;   /* of the current file, in the build */
    struct list functions; /* of the current file; with a name */
    struct list extents;   /* of the current file; FNL, with an index */
    struct list calls;     /* of the current file; struct calls, FNDA */
};

/* --- lines of text ---------------------------------------------------------------------------- */

static bool fail_tracefile(struct lcov *l, const char *what)
{
    return err_set(l->build->err, ERR_FORMAT, "%s, line %llu of the tracefile", what,
                   (unsigned long long)l->line);
}

static void fill_buffer(struct lcov *l)
{
    memmove(l->buffer, l->buffer + l->start, l->filled - l->start);
    l->filled -= l->start;
    l->start = 0;
    for (size_t n = 1; n != 0 && l->filled < RECORD_LEN_MAX; l->filled += n)
        n = external_input_read(l->input, l->buffer + l->filled, RECORD_LEN_MAX - l->filled);
}

/* The next line without its end; false after the last one. */
static bool next_record_line(struct str *out, struct lcov *l, bool *ok)
{
    const char *from = l->buffer + l->start;
    const char *end = memchr(from, '\n', l->filled - l->start);
    if (end == NULL) {
        fill_buffer(l);
        from = l->buffer;
        end = memchr(from, '\n', l->filled);
    }
    size_t len = end != NULL ? (size_t)(end - from) : l->filled - l->start;
    l->line++;
    if (end == NULL && l->filled == RECORD_LEN_MAX)
        *ok =
            err_set(l->build->err, ERR_LIMIT, "line %llu of the tracefile is longer than %d bytes",
                    (unsigned long long)l->line, RECORD_LEN_MAX);
    if (l->input->error != 0)
        *ok = err_set(l->build->err, ERR_IO, "cannot be read: %s", strerror(l->input->error));
    if (memchr(from, '\0', len) != NULL)
        *ok = fail_tracefile(l, "there is a zero byte");
    if (!*ok || (end == NULL && len == 0))
        return false;
    l->start += len + (end != NULL);
    *out = (struct str){from, len};
    while (str_ends(*out, "\r"))
        out->len--;
    return true;
}

/* --- functions -------------------------------------------------------------------------------- */

static bool add_function(struct lcov *l, uint64_t start, uint64_t end, struct str name,
                         struct calls calls)
{
    struct external_build *b = l->build;
    uint32_t order = l->functions.count;
    struct str whole, class_name, method_name, signature;
    struct function *function = list_add(&l->functions, sizeof *function, b->arena, b->err);
    if (function == NULL || !str_copy(&whole, name, b->arena, b->err))
        return false;
    external_split_method(&class_name, &method_name, &signature, whole);
    if (!external_build_member(b, class_name, method_name, signature))
        return false;
    calls.name = fnv_bytes(FNV_START, name.text, name.len);
    *function = (struct function){0, start, end, b->member, order, calls};
    return true;
}

static bool read_function(struct lcov *l, struct str rest)
{
    uint64_t start, end;
    if (!external_number(&start, str_take_until(&rest, ',')))
        return fail_tracefile(l, "FN has no line");
    struct str name = rest, second = str_take_until(&rest, ',');
    if (rest.len != 0 && external_number(&end, second))
        name = rest;
    else
        end = 0;
    return add_function(l, start, end, name, (struct calls){0});
}

static bool read_extent(struct lcov *l, struct str rest)
{
    struct function extent = {0};
    if (!external_number(&extent.index, str_take_until(&rest, ',')) ||
        !external_number(&extent.start, str_take_until(&rest, ',')))
        return fail_tracefile(l, "FNL has no index or no line");
    if (!external_number(&extent.end, str_take_until(&rest, ',')))
        extent.end = 0;
    return list_put(&l->extents, &extent, sizeof extent, l->build->arena, l->build->err);
}

/* A function's FNL comes before its FNA, and indexes ascend from 0. */
static bool read_alias(struct lcov *l, struct str rest)
{
    uint64_t index;
    const struct function *extents = l->extents.items, *found = NULL;
    if (!external_number(&index, str_take_until(&rest, ',')))
        return fail_tracefile(l, "FNA has no index");
    struct calls calls = {0};
    calls.is_known = external_number(&calls.count, str_take_until(&rest, ','));
    if (index < l->extents.count && extents[index].index == index)
        found = &extents[index];
    else if (l->extents.count != 0 && extents[l->extents.count - 1].index == index)
        found = &extents[l->extents.count - 1];
    return found == NULL || add_function(l, found->start, found->end, rest, calls);
}

static bool read_calls(struct lcov *l, struct str rest)
{
    struct calls calls = {.is_known = true};
    if (!external_number(&calls.count, str_take_until(&rest, ',')))
        return true;
    calls.name = fnv_bytes(FNV_START, rest.text, rest.len);
    return list_put(&l->calls, &calls, sizeof calls, l->build->arena, l->build->err);
}

ORDER(by_start, struct function, BY(start) BY(order))

/* The function that starts last before the line and does not end before it; none if it starts there
 * and shares the line by its calls (share_lines). */
static uint32_t function_at(void *context, uint32_t number)
{
    const struct list *list = context;
    const struct function *functions = list->items, after = {.start = (uint64_t)number + 1};
    size_t end = sorted_place(&after, functions, list->count, sizeof after, by_start);
    for (size_t i = end; i > 0 && end - i < OUTER_MAX; i--) {
        const struct function *function = &functions[i - 1];
        if (function->start == number && function->calls.is_known)
            return 0;
        if (function->end == 0 || function->end >= number)
            return function->member;
    }
    return 0;
}

ORDER(by_name, struct calls, BY(name))

static void count_calls(struct lcov *l)
{
    struct function *functions = l->functions.items;
    sort_unless_sorted(l->calls.items, l->calls.count, sizeof(struct calls), by_name);
    for (uint32_t i = 0; i < l->functions.count; i++) {
        const struct calls *found = sorted_find(&functions[i].calls, l->calls.items, l->calls.count,
                                                sizeof *found, by_name);
        if (found != NULL)
            functions[i].calls = *found;
    }
}

/* So that of several on one line each has its calls. */
static bool share_lines(struct lcov *l)
{
    const struct function *functions = l->functions.items;
    for (uint32_t i = 0; i < l->functions.count; i++)
        if (functions[i].calls.is_known &&
            !external_build_share(l->build, functions[i].start, functions[i].member,
                                  functions[i].calls.count))
            return false;
    return true;
}

static bool end_source_file(struct lcov *l)
{
    if (l->functions.count != 0) {
        sort_unless_sorted(l->functions.items, l->functions.count, sizeof(struct function),
                           by_start);
        count_calls(l);
        external_build_assign(l->build, l->first_line, function_at, &l->functions);
        if (!share_lines(l))
            return false;
    }
    l->functions.count = l->extents.count = l->calls.count = 0;
    l->in_file = false;
    l->build->record++;
    return true;
}

/* --- lines and branches ----------------------------------------------------------------------- */

static bool begin_source_file(struct lcov *l, struct str name)
{
    struct external_build *b = l->build;
    struct str path;
    if (!end_source_file(l))
        return false;
    l->first_line = b->lines.count;
    l->in_file = true;
    return external_path(&path, name, NULL, 0, b->arena, b->err) &&
           external_build_file(b, STR(""), path);
}

static bool read_line_record(struct lcov *l, struct str rest)
{
    uint64_t number, hits;
    if (!external_number(&number, str_take_until(&rest, ',')))
        return fail_tracefile(l, "DA has no line");
    if (!external_number(&hits, str_take_until(&rest, ',')))
        return fail_tracefile(l, "DA has no count");
    return external_build_line(l->build, number, hits, 0, 0);
}

/* A block or branch that is not a number is identified by its text. */
static uint64_t branch_place_of(struct str s)
{
    uint64_t number;
    return external_number(&number, s) ? number : fnv_bytes(FNV_START, s.text, s.len);
}

/* The branch may be any text, with commas. */
static bool read_branch(struct lcov *l, struct str rest)
{
    uint64_t number, hits = 0;
    if (!external_number(&number, str_take_until(&rest, ',')))
        return fail_tracefile(l, "BRDA has no line");
    struct str block = str_take_until(&rest, ',');
    const char *comma = rest.len != 0 ? memrchr(rest.text, ',', rest.len) : NULL;
    if (comma == NULL)
        return fail_tracefile(l, "BRDA has no count");
    struct str branch = {rest.text, (size_t)(comma - rest.text)};
    struct str taken = {comma + 1, rest.len - branch.len - 1};
    if (!str_is(taken, "-") && !external_number(&hits, taken))
        return fail_tracefile(l, "BRDA has no count");
    if (!str_take(&block, "e"))
        (void)str_take(&block, "f");
    if (str_starts(block, "U"))
        return true;
    return external_build_outcome(l->build, number, branch_place_of(block), branch_place_of(branch),
                                  hits);
}

/* --- the walk --------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    bool (*read)(struct lcov *l, struct str rest);
} records[] = {
    {"FN:", read_function}, {"FNL:", read_extent},     {"FNA:", read_alias},
    {"FNDA:", read_calls},  {"DA:", read_line_record}, {"BRDA:", read_branch},
};

static bool read_record(struct lcov *l, struct str text)
{
    if (str_take(&text, "SF:"))
        return begin_source_file(l, text);
    if (str_is(text, "end_of_record"))
        return end_source_file(l);
    for (size_t i = 0; i < ARRAY_LEN(records); i++) {
        if (!str_take(&text, records[i].name))
            continue;
        if (!l->in_file)
            return fail_tracefile(l, "a record comes before the SF that it belongs to");
        return records[i].read(l, text);
    }
    return true;
}

bool external_read_lcov(struct external *out, struct external_build *b,
                        struct external_input *input)
{
    struct lcov l = {.build = b, .input = input};
    struct str text;
    bool ok = true;
    out->format = STR("LCOV");
    b->adds = true;
    l.buffer = arena_raw(b->arena, RECORD_LEN_MAX, 1, b->err);
    if (l.buffer == NULL)
        return false;
    while (next_record_line(&text, &l, &ok)) {
        if (l.line == 1)
            (void)str_take(&text, "\xEF\xBB\xBF");
        if (!read_record(&l, text))
            return false;
    }
    return end_source_file(&l) && ok;
}
