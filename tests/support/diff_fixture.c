#include "tests/support/diff_fixture.h"
#include "tests/support/no_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    TEXT_ROOM = 256,
    HUGE_LINES = 10
};

/* clang-format off */
/* STR for what is static. */
#define LIT(literal) {(literal), sizeof(literal) - 1}
/* number, state, in the patch, hits now and before */
#define L(number, state, in_patch, hits, base_hits) \
    {(number), (state), (in_patch), (base_hits) != 0, (hits), (base_hits), NULL}
/* and its outcomes: [state] = how many */
#define B(number, state, in_patch, hits, base_hits, ...) \
    {(number), (state), (in_patch), (base_hits) != 0, (hits), (base_hits), \
     (const uint32_t[DIFF_STATE_COUNT]){__VA_ARGS__}}
#define F(package, path, lines) {LIT(package), LIT(path), (lines), ARRAY_LEN(lines)}
/* clang-format on */

/* All states; runs that a gap ends, and runs that blank lines do not. */
static struct diff_line order_lines[] = {
    L(3, DIFF_KEPT, false, 7, 6),
    B(5, DIFF_KEPT, false, 7, 6, [DIFF_KEPT] = 1, [DIFF_LOST] = 1),
    L(6, DIFF_LOST, false, 0, 2),
    L(7, DIFF_LOST, false, 0, 2),
    L(9, DIFF_LOST, true, 0, 2),
    L(20, DIFF_LOST, false, 0, 1),
    L(21, DIFF_STILL_MISSED, false, 0, 0),
    L(22, DIFF_STILL_MISSED, true, 0, 0),
    L(23, DIFF_GAINED, false, 4, 0),
    B(24, DIFF_NEW_COVERED, true, UINT64_MAX, 0, [DIFF_NEW_COVERED] = 1, [DIFF_NEW_MISSED] = 1),
    L(25, DIFF_NEW_MISSED, true, 0, 0),
    L(26, DIFF_NEW_MISSED, true, 0, 0),
    B(30, DIFF_KEPT, true, 1, 1, [DIFF_GAINED] = 1, [DIFF_STILL_MISSED] = 1),
    B(UINT32_MAX, DIFF_NEW_MISSED, false, 0, 0, [DIFF_NEW_MISSED] = 2),
};

static struct diff_line odd_lines[] = {
    L(1, DIFF_LOST, false, 0, 1),
    L(2, DIFF_NEW_MISSED, false, 0, 0),
};

static struct diff_line quiet_lines[] = {
    L(1, DIFF_KEPT, false, 1, 1),
    L(2, DIFF_STILL_MISSED, false, 0, 0),
};

static struct diff_line not_run_lines[] = {
    L(10, DIFF_NOT_RUN, false, 0, 3),
    L(11, DIFF_CARRIED, false, 5, 5),
    B(12, DIFF_NOT_RUN, true, 0, 0, [DIFF_NOT_RUN] = 2, [DIFF_CARRIED] = 2),
};

static struct diff_line unknown_lines[] = {
    L(4, DIFF_LOST, false, 0, 1),
    L(14, DIFF_LOST, false, 0, 1),
};

#define ODD_NAME                                                                                   \
    "a|b<c>&\"d'`e*_~[f](g){h}\\#1@i:j,k%l!$m "                                                    \
    "\xC3\x9C\xE6\x97\xA5\xE2\x80\xAE\x1B[2J\x7F\xFF\r\nn"

static struct diff_file files[] = {
    F("Shop.Core", "src/Core/Order.cs", order_lines),
    F("Shop.Core", "src/Core/Quiet.cs", quiet_lines),
    F("Shop.Core", "src/unknown.cs", unknown_lines),
    F("Shop.Data", "src/Data/Store.cs", not_run_lines),
    F("\xC3\x9C" ODD_NAME, "src/" ODD_NAME ".cs", odd_lines),
    F("\xC3\x9C" ODD_NAME, "/_/out of the root.cs", odd_lines),
};

/* clang-format off */
static struct diff_method methods[] = {
    {LIT("Shop.Core"), LIT("Shop.Order"), LIT("Name"), LIT("()"), LIT("src/Core/Order.cs"), {LIT("Shop.Order"), LIT("Name"), LIT("()")}, 20,
     DIFF_MOVED, LIT("Shop.Old.Name()"), LIT("Shop.Old.Name()"), {[DIFF_LOST] = 1, [DIFF_STILL_MISSED] = 2, [DIFF_GAINED] = 1}},
    {LIT("Shop.Core"), LIT("Shop.Order"), LIT("Old"), LIT("(System.Int32)"), LIT("src/Core/Order.cs"), {LIT("Shop.Order"), LIT("Old"), LIT("(int)")}, 40,
     DIFF_REMOVED, LIT(""), LIT(""), {[DIFF_KEPT] = 2, [DIFF_STILL_MISSED] = 1}},
    {LIT("Shop.Core"), LIT("Shop.Order"), LIT("Small"), LIT("()"), LIT("src/Core/Order.cs"), {LIT("Shop.Order"), LIT("Small"), LIT("()")}, 30,
     DIFF_EDITED, LIT(""), LIT(""), {[DIFF_KEPT] = 1, [DIFF_NEW_MISSED] = 1}},
    {LIT("Shop.Core"), LIT("Shop.Order"), LIT("Total"), LIT("(System.Boolean,System.Boolean)"), LIT("src/Core/Order.cs"), {LIT("Shop.Order"), LIT("Total"), LIT("(bool, bool)")}, 5,
     DIFF_UNCHANGED, LIT(""), LIT(""), {[DIFF_KEPT] = 2, [DIFF_LOST] = 3}},
    {LIT("Shop.Core"), LIT("Shop.Order"), LIT("Twice"), LIT("()"), LIT("src/Core/Order.cs"), {LIT("Shop.Order"), LIT("Twice"), LIT("()")}, 24,
     DIFF_ADDED, LIT(""), LIT(""), {[DIFF_NEW_COVERED] = 1, [DIFF_NEW_MISSED] = 2}},
    {LIT("Shop.Core"), LIT("Shop.Order"), LIT("Well"), LIT("()"), LIT("src/Core/Quiet.cs"), {LIT("Shop.Order"), LIT("Well"), LIT("()")}, 1,
     DIFF_ADDED, LIT(""), LIT(""), {[DIFF_NEW_COVERED] = 4}},
    {LIT("Shop.Data"), LIT("Shop.Store"), LIT("Load"), LIT("()"), LIT("src/Data/Store.cs"), {LIT("Shop.Store"), LIT("Load"), LIT("()")}, 10,
     DIFF_EDITED, LIT(""), LIT(""), {[DIFF_NOT_RUN] = 2, [DIFF_CARRIED] = 1}},
    {LIT("\xC3\x9C" ODD_NAME), LIT("N<T>." ODD_NAME), LIT(ODD_NAME), LIT("(T|U)"), LIT("src/" ODD_NAME ".cs"), {LIT("N<T>." ODD_NAME), LIT(ODD_NAME), LIT("(T|U)")}, 1,
     DIFF_MOVED, LIT("src/|" ODD_NAME), LIT("src/|" ODD_NAME), {[DIFF_LOST] = 1, [DIFF_NEW_MISSED] = 1}},
};
/* clang-format on */

static struct diff_package packages[] = {
    {.name = LIT("Shop.Core"), .is_in_base = true},
    {.name = LIT("Shop.Data"), .is_in_base = true},
    {.name = LIT("\xC3\x9C" ODD_NAME)},
};

static bool is_covered(const struct diff_line *line)
{
    return line->state == DIFF_KEPT || line->state == DIFF_GAINED ||
           line->state == DIFF_NEW_COVERED;
}

static void add_line(struct diff_totals *totals, const struct diff_line *line)
{
    totals->lines[line->state]++;
    totals->patch_owed += line->in_patch;
    totals->patch_covered += line->in_patch && is_covered(line);
    for (int i = 0; i < DIFF_STATE_COUNT; i++) {
        uint32_t count = diff_line_outcomes(line, (enum diff_state)i);
        bool taken = i == DIFF_KEPT || i == DIFF_GAINED || i == DIFF_NEW_COVERED;
        totals->outcomes[i] += count;
        totals->patch_branches_owed += line->in_patch ? count : 0;
        totals->patch_branches_covered += line->in_patch && taken ? count : 0;
    }
}

/* What is in the lines and methods of a package, or of all when `name` is NULL. */
static void add_up(struct diff_totals *totals, const struct diff *diff, const struct str *name)
{
    for (uint32_t i = 0; i < diff->file_count; i++)
        for (uint32_t k = 0; k < diff->files[i].line_count; k++)
            if (name == NULL || str_eq(*name, diff->files[i].package))
                add_line(totals, &diff->files[i].lines[k]);
    for (uint32_t i = 0; i < diff->method_count; i++) {
        const struct diff_method *method = &diff->methods[i];
        if (name != NULL && !str_eq(*name, method->package))
            continue;
        totals->methods[method->kind]++;
        if (method->kind == DIFF_ADDED || method->kind == DIFF_EDITED)
            totals->new_missed += method->lines[DIFF_LOST] + method->lines[DIFF_STILL_MISSED] +
                                  method->lines[DIFF_NEW_MISSED];
        if (method->kind == DIFF_REMOVED) {
            totals->removed_covered += method->lines[DIFF_KEPT];
            totals->removed_missed += method->lines[DIFF_STILL_MISSED];
        }
    }
}

void fixture_diff(struct diff *out)
{
    *out = (struct diff){
        .base_name = STR("base.ilcov"),
        .head_name = STR("head.ilcov"),
        .base_about = STR("2 runs, the last of 2026-11-20"),
        .head_about = STR("a run of 2026-11-21"),
        .patch_name = STR("main...HEAD, from merge base 1a2b3c4d"),
        .root = STR("/src/shop"),
        .note = STR("Shop.Data was not loaded in head: a job may be missing."),
        .files = files,
        .file_count = ARRAY_LEN(files),
        .methods = methods,
        .method_count = ARRAY_LEN(methods),
        .packages = packages,
        .package_count = ARRAY_LEN(packages),
        .totals = {.methods_valid = 9,
                   .methods_covered = 6,
                   .base.lines_valid = 20,
                   .base.lines_covered = 16,
                   .base.branches_valid = 6,
                   .base.branches_covered = 3,
                   .base.methods_valid = 8,
                   .base.methods_covered = 6},
    };
    add_up(&out->totals, out, NULL);
    for (size_t i = 0; i < ARRAY_LEN(packages); i++) {
        packages[i].totals = (struct diff_totals){0};
        add_up(&packages[i].totals, out, &packages[i].name);
    }
}

void fixture_diff_empty(struct diff *out)
{
    *out = (struct diff){.base_name = STR("a.ilcov"),
                         .head_name = STR("b.ilcov"),
                         .patch_name = STR("fix.patch"),
                         .root = STR("."),
                         .by_line = true};
}

static struct diff_line patched_lines[] = {
    L(1, DIFF_NEW_MISSED, false, 0, 0),
    L(2, DIFF_NEW_MISSED, true, 0, 0),
    L(3, DIFF_NEW_MISSED, true, 0, 0),
    B(4, DIFF_NEW_COVERED, true, 2, 0, [DIFF_NEW_COVERED] = 1, [DIFF_NEW_MISSED] = 1),
    B(5, DIFF_NEW_COVERED, false, 2, 0, [DIFF_NEW_COVERED] = 1, [DIFF_NEW_MISSED] = 1),
    L(6, DIFF_NOT_RUN, true, 0, 0),
};

void fixture_diff_patch(struct diff *out)
{
    static struct diff_file patched[] = {F("Shop.Core", "src/Core/Order.cs", patched_lines)};
    *out = (struct diff){.head_name = STR("head.ilcov"),
                         .patch_name = STR("fix.patch"),
                         .root = STR("."),
                         .files = patched,
                         .file_count = ARRAY_LEN(patched),
                         .totals = {.methods_valid = 2, .methods_covered = 1}};
    add_up(&out->totals, out, NULL);
}

/* --- huge ------------------------------------------------------------------------------------- */

static void *make(struct arena *arena, size_t count, size_t size)
{
    void *items = arena_alloc(arena, count, size, NULL);
    if (items == NULL)
        abort();
    return items;
}

static struct str name_of(struct arena *arena, const char *what, uint32_t number)
{
    struct str name;
    if (!text_format(&name, arena, NULL, "%s/%s/%0*" PRIu32, what, ODD_NAME, (int)number % 300,
                     number))
        abort();
    return name;
}

void fixture_diff_huge(struct diff *out, uint32_t file_count, struct arena *arena)
{
    fixture_diff(out);
    out->files = make(arena, file_count, sizeof *out->files);
    out->methods = make(arena, file_count, sizeof *out->methods);
    out->file_count = out->method_count = file_count;
    out->note = name_of(arena, "note", 299);
    out->base_name = out->head_name = out->patch_name = out->base_about = out->head_about =
        out->note;
    for (uint32_t i = 0; i < file_count; i++) {
        struct diff_file *file = &out->files[i];
        struct diff_line *lines = make(arena, HUGE_LINES, sizeof *lines);
        *file = (struct diff_file){STR("Huge"), name_of(arena, "src", i), lines, HUGE_LINES};
        for (uint32_t k = 0; k < HUGE_LINES; k++)
            lines[k] = (struct diff_line){.number = (k + 1) * 100,
                                          .state = k % 2 == 0 ? DIFF_LOST : DIFF_NEW_MISSED};
        out->methods[i] = (struct diff_method){
            .package = STR("Huge"),
            .type = file->path,
            .name = file->path,
            .signature = STR("()"),
            .file = file->path,
            .first_line = 100,
            .kind = DIFF_EDITED,
            .from = file->path,
            .lines = {[DIFF_LOST] = 5, [DIFF_NEW_MISSED] = 5},
        };
    }
    out->totals = (struct diff_totals){0};
    add_up(&out->totals, out, NULL);
}

static struct str source_line(void *context, struct str package, struct str path, uint32_t number)
{
    static char text[TEXT_ROOM];
    (void)context;
    if (str_is(path, "src/unknown.cs"))
        return (struct str){NULL, 0};
    int len = snprintf(text, sizeof text, "\tline(%" PRIu32 "); // of %.*s \x1B[2J <&|`%s\r",
                       number, STR_ARGS(package),
                       number == 7 ? " and of much else, so that it has to be cut to fit the screen"
                                   : "");
    size_t most = sizeof text - 1;
    return (struct str){text, (size_t)len < most ? (size_t)len : most};
}

const struct sources fixture_sources = {source_line, NULL, false, no_text};
