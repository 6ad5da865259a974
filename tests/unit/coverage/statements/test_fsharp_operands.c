/* test_fsharp_operands.c - operands of && and || of F# that have no sequence point get one, just
 * before the next operand; nothing else does. Each case is F# in words and its IL in the shape that
 * the compiler gives it in Release builds. Expected are all points in the order of the code, as
 * COLUMN or, if it was added, COLUMN>COLUMN OF THE NEXT OPERAND; hidden ones as `-`. */
#include "coverage/statements/fsharp_operands.h"

#include "coverage/statements/point_map.h"
#include "tests/support/check.h"
#include "tests/support/il_builder.h"

struct source {
    const char *name, *signature, *expected, *text;
};

/* g x, of the argument */
#define ASK(argument) "ldarg." #argument "; call bool(bool); "

static const struct source sources[] = {
    {"not (g a) && h b", "bool(bool,bool)", "16>20 20",
     ASK(0) "brtrue.s F; .point 2 20-24; " ASK(1) "ret; F: ldc.i4.0; ret"},
    {"not (g a) || h b", "bool(bool,bool)", "16>20 20",
     ASK(0) "brfalse.s T; .point 2 20-24; " ASK(1) "ret; T: ldc.i4.1; ret"},
    {"not (g a) && not (g b) && h c", "bool(bool,bool,bool)", "12>20 16>20 20",
     ASK(0) "brtrue.s F; " ASK(1) "brtrue.s F; .point 2 20-24; " ASK(2) "ret; F: ldc.i4.0; ret"},
    {"a hidden point is replaced", "bool(bool,bool)", "16>20 20",
     ".hidden; " ASK(0) "brtrue.s F; .point 2 20-24; " ASK(1) "ret; F: ldc.i4.0; ret"},
    {"no column is left of the first", "bool(bool,bool)", "1>3 3",
     ASK(0) "brtrue.s F; .point 2 3-9; " ASK(1) "ret; F: ldc.i4.0; ret"},
    {"in the middle: f a && not (g b) && h c", "bool(bool,bool,bool)", "4 16>20 20",
     ".point 2 4-8; " ASK(0) "brfalse.s F; " ASK(1) "brtrue.s F; .point 2 20-24; " ASK(
         2) "ret; F: ldc.i4.0; ret"},
    {"not x.F && h b", "bool(object,bool)", "16>20 20",
     "ldarg.0; ldfld bool F; brtrue.s F; .point 2 20-24; " ASK(1) "ret; F: ldc.i4.0; ret"},
    {"not (g a) && f b || h c", "bool(bool,bool,bool)", "16>20 20 30",
     ASK(0) "brtrue.s C; .point 2 20-24; " ASK(1) "brtrue.s T; C: .point 2 30-34; " ASK(
         2) "ret;"
            "T: ldc.i4.1; ret"},

    {"x.IsSome && h b", "bool(object,bool)", "16>20 20",
     "ldarg.0; brfalse.s F; .point 2 20-24; " ASK(1) "ret; F: ldc.i4.0; ret"},
    {"isNull x || h b", "bool(object,bool)", "16>20 20",
     "ldarg.0; box object; brfalse.s T; .point 2 20-24; " ASK(1) "ret; T: ldc.i4.1; ret"},
    {"not a && h b, of a variable", "bool(bool,bool)", "16>20 20",
     "ldarg.0; brtrue.s F; .point 2 20-24; " ASK(1) "ret; F: ldc.i4.0; ret"},
    {"a rule of a match gives no constant", "bool(object,bool)", "20 30",
     "ldarg.0; brfalse.s F; .point 2 20-24; " ASK(1) "ret; F: .point 3 30-35; ldc.i4.0; ret"},

    {"an operand with a point keeps it", "bool(bool,bool)", "4 20",
     ".point 2 4-8; " ASK(0) "brfalse.s F; .point 2 20-24; " ASK(1) "ret; F: ldc.i4.0; ret"},
    {"a comparison keeps its point", "bool(int32,bool)", "20",
     "ldarg.0; ldc.i4.3; bgt.s F; .point 2 20-24; " ASK(1) "ret; F: ldc.i4.0; ret"},
    {"a condition between statements is no operand", "void(bool)", "4 8",
     ASK(0) "brtrue.s F; .point 2 4-8; call void(); ret; F: .point 3 8-12; call void(); ret"},
    {"nor is a rule of a match", "bool(object,bool)", "20",
     "ldarg.0; call bool(object) |Even|_|; brtrue.s F; .point 2 20-24; " ASK(
         1) "ret; F: ldc.i4.0; ret"},
    {"nor what leads to one of two results", "bool(bool,bool,bool)", "20 30",
     ASK(0) "brtrue.s C; .point 2 20-24; " ASK(1) "ret; C: .point 3 30-34; " ASK(2) "ret"},
    {"nothing without points", "bool(bool,bool)", "",
     ASK(0) "brtrue.s F; " ASK(1) "ret; F: ldc.i4.0; ret"},
};

static struct str points_of(struct il_method *m, enum language language)
{
    struct seq_points points = il_points(&m->builder);
    struct fsharp_operands operands;
    struct reach reach;
    struct str out;
    struct err err;
    assert_true(reach_make(&reach, &m->flow, NULL, &m->arena, &err));
    const struct statements_source source = {
        .flow = &m->flow, .reach = &reach, .points = &points, .language = language};
    assert_true(fsharp_operands_find(&operands, &source, &m->arena, &err));
    struct text text = text_in(&m->arena);
    for (uint32_t i = 0; i < operands.points.count; i++) {
        const struct seq_point *all = operands.points.points;
        text_addf(&text, "%s", i == 0 ? "" : " ");
        if (i != 0)
            assert_true(all[i - 1].il_offset < all[i].il_offset);
        if (all[i].hidden)
            text_addf(&text, "-");
        else
            text_addf(&text, "%u", (unsigned)all[i].start_column);
        if (operands.next != NULL && operands.next[i] != NO_INDEX) {
            assert_int_equal(all[i].end_column, all[i].start_column);
            text_addf(&text, ">%u", (unsigned)all[operands.next[i]].start_column);
        }
    }
    assert_true(text_take(&out, &text, &err));
    return out;
}

static void operands_without_a_point_get_one(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sources); i++) {
        struct il_method m;
        il_method_open_optimised(&m, sources[i].signature, sources[i].text);
        struct str found = points_of(&m, LANGUAGE_FSHARP);
        if (!str_is(found, sources[i].expected)) {
            print_error("%s: %.*s, expected %s\n", sources[i].name, STR_ARGS(found),
                        sources[i].expected);
            wrong++;
        }
        il_method_close(&m);
    }
    assert_int_equal(wrong, 0);
}

static void other_languages_and_debug_builds_keep_their_points(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open_optimised(&m, sources[0].signature, sources[0].text);
    assert_true(str_is(points_of(&m, LANGUAGE_CSHARP), "20"));
    il_method_close(&m);
    il_method_open(&m, sources[0].signature, sources[0].text);
    assert_true(str_is(points_of(&m, LANGUAGE_FSHARP), "20"));
    il_method_close(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(operands_without_a_point_get_one),
    cmocka_unit_test(other_languages_and_debug_builds_keep_their_points),
};
UNIT_TESTS(tests);
