/* test_classify.c - each rule classifies the code that it describes; the table of rules is sound,
 * and the page that lists them is up to date. Rules for code that il_builder can't make are shown
 * by tests/e2e/test_branch_rules.sh alone. */
#include "coverage/branches/classify.h"

#include <stdio.h>
#include <stdlib.h>

#include "coverage/branches/guard.h"
#include "coverage/branches/rules.h"
#include "tests/support/check.h"
#include "tests/support/il_builder.h"

static const char page[] = "docs/branch-rules.md";

/* The way out of a state machine that waits. */
#define SUSPEND "ldarg.0; ldc.i4.0; stfld int32 <>1__state; call void(); ret;"

static const struct {
    const char *rule;
    enum language language;
    bool is_state_machine, is_optimised;
    const char *signature, *text;
} bodies[] = {
    {"constant: only one outcome", LANGUAGE_CSHARP, false, false, "void()",
     ".point 2; ldc.i4.1; brtrue.s E; .point 3; call void(); E: .point 4; call void(); ret"},
    {"await in finally: pending exception", LANGUAGE_CSHARP, true, true, "this:void()",
     ".locals object; .point 3; call void(); .hidden; ldloc.0; brfalse.s E; ldloc.0; isinst;"
     "brtrue.s D; ldloc.0; throw; D: call void(); E: .point 5; call void(); .point 6 1-2; ret"},
    {"compiler: boxed default value", LANGUAGE_CSHARP, false, true, "void(object)",
     ".locals object; .point 2; ldloca.s 0; initobj; ldloc.0; box; brtrue.s E; ldarg.0; pop; E: "
     ".point 3; call void(); ret"},
    {"interpolated string: is it wanted", LANGUAGE_CSHARP, false, false, "void(object)",
     ".locals object bool; .point 2; ldarg.0; ldloca.s 1; newobj this:void(object,bool) .ctor;"
     "stloc.0; ldloc.1; brfalse.s J; ldloc.0; ldstr; call void(object,string) AppendLiteral;"
     "J: ldloc.0; call void(object); .point 3 1-2; ret"},
    {"state machine: dispatch", LANGUAGE_CSHARP, true, true, "this:bool()",
     ".locals int32; ldarg.0; ldfld int32 <>1__state; stloc.0; .hidden; ldloc.0; brfalse.s A;"
     "ldc.i4.0; ret; A: .point 3; call void(); ldc.i4.1; ret"},
    {"await in finally: how the try was left", LANGUAGE_CSHARP, true, true, "this:void()",
     ".point 3; ldarg.0; ldc.i4.1; stfld int32 <>7__wrap2; .hidden; call void(); ldarg.0;"
     "ldfld int32 <>7__wrap2; ldc.i4.1; bne.un.s E; .hidden; ret; E: .point 5; call void();"
     ".point 6 1-2; ret"},
    /* runtime async */
    {"await in finally: pending exception", LANGUAGE_CSHARP, false, true, "async:object()",
     ".locals object; .hidden; ldnull; stloc.0; .point 3; call void(); .hidden; ldloc.0;"
     "brfalse.s E; ldloc.0; isinst; dup; brtrue.s D; ldloc.0; throw; D: pop; call void();"
     "E: .point 5; ldnull; ret"},
    {"await in finally: how the try was left", LANGUAGE_CSHARP, false, true, "async:object()",
     ".try T H catch H N; .locals int32; .hidden; ldc.i4.0; stloc.0; T: .point 3; call void(); "
     ".hidden;"
     "leave.s N; H: pop; .hidden; ldc.i4.1; stloc.0; leave.s N; N: .hidden; ldloc.0; ldc.i4.1;"
     "bne.un.s E; .point 5; call void(); E: .point 6; ldnull; ret"},
    {"await in finally: how the try was left", LANGUAGE_CSHARP, true, true, "this:void()",
     ".try T H catch H N; .locals int32; .hidden; ldc.i4.0; stloc.0; .hidden; nop; T: .point 3;"
     "call void(); .hidden; leave.s N; H: pop; .hidden; ldc.i4.1; stloc.0; leave.s N; N: .hidden;"
     "ldloc.0; ldc.i4.1; bne.un.s E; .point 5; call void(); E: .point 6; ret"},
    {"user: switch dispatch", LANGUAGE_CSHARP, false, true, "async:object()",
     ".try T H catch H N; .locals int32; .point 2; ldc.i4.0; stloc.0; T: .point 3; call void(); "
     ".hidden;"
     "leave.s N; H: pop; .point 4; ldc.i4.1; stloc.0; leave.s N; N: .hidden; ldloc.0; ldc.i4.1;"
     "bne.un.s E; .point 5; call void(); E: .point 6; ldnull; ret"},
    {"await in catch: rethrow", LANGUAGE_CSHARP, false, true, "async:object()",
     ".locals object; .point 2; ldnull; stloc.0; call void(); .point 3; ldloc.0; isinst; dup;"
     "brtrue.s D;"
     "ldloc.0; throw; D: pop; call void(); ldnull; ret"},
    {"compiler: first time of a Static local", LANGUAGE_VISUAL_BASIC, false, false, "void()",
     ".point 2; ldsfld object $STATIC$M$001$n$Init; brtrue.s I; call void(); I: .point 3 5-12; "
     "ret"},
    {"compiler: On Error", LANGUAGE_VISUAL_BASIC, false, true, "void(object)",
     ".locals int32 int32; .try A B filter F H E; A: .point 2; call void(); ldc.i4.1; stloc.0;"
     ".point 3; call void(); .hidden; leave.s E; B: F: ldc.i4.1; ldloc.0; ldc.i4.0; cgt.un; and;"
     "ldloc.1; ldc.i4.0; ceq; and; endfilter; H: call void(object); leave.s E; E: ldloc.1;"
     "brfalse.s R; call void(); R: .point 4 5-12; ret"},
    {"compiler: first round of a For", LANGUAGE_VISUAL_BASIC, false, true, "void(object)",
     ".point 2; ldarg.0; call bool(object) ForLoopInitObj; brfalse.s E; B: .point 3; call void();"
     ".point 4; ldarg.0; call bool(object) ForNextCheckObj; brtrue.s B; E: .point 5 5-12; ret"},
    {"user: For", LANGUAGE_VISUAL_BASIC, false, true, "void(int32)",
     ".locals int32; .point 2; ldc.i4.1; stloc.0; .hidden; br.s T; B: .point 3; call void();"
     ".point 4 9-13; ldloc.0; ldc.i4.1; add; stloc.0; T: .hidden; ldloc.0; ldarg.0; ble.s B;"
     ".point 5 5-12; ret"},
    {"compiler: null check of RaiseEvent", LANGUAGE_VISUAL_BASIC, false, false, "this:void()",
     ".locals object; .point 2; ldarg.0; ldfld object ClickedEvent; stloc.0; ldloc.0; brfalse.s E;"
     "ldloc.0; ldc.i4.3; callvirt this:void(int32) Invoke; E: .point 3 5-12; ret"},
    {"compiler: cached delegate", LANGUAGE_CSHARP, false, true, "void()",
     ".point 2; ldsfld object <>9__0_0; dup; brtrue.s J; pop; ldnull; J: call void(object);"
     ".point 3 1-2; ret"},
    {"compiler: cached delegate", LANGUAGE_CSHARP, false, true, "void()",
     ".point 2; ldsfld object <0>__M; dup; brtrue.s J; pop; ldnull; J: call void(object);"
     ".point 3 1-2; ret"},
    {"compiler: cached delegate", LANGUAGE_VISUAL_BASIC, false, true, "void()",
     ".point 2; ldsfld object $I3-0; dup; brtrue.s J; pop; ldnull; J: call void(object);"
     ".point 3 5-12; ret"},
    {"compiler: cached call site", LANGUAGE_CSHARP, false, true, "void()",
     ".point 2; ldsfld object <>p__0; brtrue.s J; call void(); J: call void(); .point 3 1-2; ret"},
    {"compiler: array of constants", LANGUAGE_CSHARP, false, true, "void()",
     ".point 2; ldsfld object A of_compiler; dup; brtrue.s J; pop; ldnull; J: call void(object);"
     ".point 3 1-2; ret"},
    {"await in catch: rethrow", LANGUAGE_CSHARP, true, true, "this:void()",
     ".locals object; .point 3; ldarg.0; ldfld object <>7__wrap1; isinst; dup; brtrue.s D; pop;"
     "ldarg.0; ldfld object <>7__wrap1; throw; D: call void(object); .point 5 1-2; ret"},
    {"compiler: generated field", LANGUAGE_CSHARP, true, true, "this:void()",
     ".point 3; call void(); .hidden; ldarg.0; ldfld bool <>w__disposeMode; brtrue.s E; .point 4;"
     "call void(); E: .point 5 1-2; ret"},
    {"interpolated string: is there room", LANGUAGE_CSHARP, false, true, "void(object)",
     ".point 2; ldarg.0; ldstr; call bool(object,string) AppendLiteral; brfalse.s J; call void();"
     "J: ldarg.0; call void(object); .point 3 1-2; ret"},
    {"await: IsCompleted", LANGUAGE_CSHARP, true, true, "this:void()",
     ".locals object; .point 3; call object(); stloc.0; ldloc.0;"
     "call this:bool() get_IsCompleted; brtrue.s D;" SUSPEND
     "D: ldloc.0; call this:void() GetResult; .point 4 1-2; ret"},
    {"F#: copied loop", LANGUAGE_FSHARP, false, false, "void(object)",
     ".point 2; ldarg.0; call void(object); br.s T; B: call void(); T: ldarg.0;"
     "callvirt this:bool() MoveNext; brtrue.s B; .point 3; call void(); ret"},
    {"F#: inlined function", LANGUAGE_FSHARP, false, true, "void(int32,int32)",
     ".point 2; ldarg.0; ldarg.1; bge.s A; ldarg.1; br.s J; A: ldarg.0; J: call void(int32);"
     ".point 3; call void(); ret"},
    {"compiler: HasValue of a lifted operator", LANGUAGE_CSHARP, false, true, "bool(object,object)",
     ".point 2; ldarg.0; call bool(object) get_HasValue; ldarg.1; call bool(object) get_HasValue;"
     "and; brtrue.s V; ldc.i4.0; ret; V: ldarg.0; call int32(object) GetValueOrDefault; ldarg.1;"
     "call int32(object) GetValueOrDefault; call bool(int32,int32) op_GreaterThan; ret"},
    {"compiler: operator of bool?", LANGUAGE_CSHARP, false, true, "void(object)",
     ".locals object; .point 2; ldarg.0; stloc.0; ldloca.s 0; call bool(object) GetValueOrDefault;"
     "brtrue.s N; ldloc.0; br.s J; N: ldloca.s 0; initobj; ldloc.0; J: call void(object);"
     ".point 3 1-2; ret"},
    {"operands: counted where made", LANGUAGE_CSHARP, false, false, "void(bool,bool)",
     ".locals bool; .point 2; ldarg.0; brfalse.s F; ldarg.1; br.s J; F: ldc.i4.0; J: stloc.0;"
     ".hidden; ldloc.0; brfalse.s E; .point 3; call void(); E: .point 4 1-2; ret"},
    {"constant: stored before", LANGUAGE_CSHARP, false, false, "void()",
     ".locals bool; .hidden; br.s C; B: .point 3; call void(); nop; C: .point 2; ldc.i4.1;"
     "stloc.0; .hidden; ldloc.0; brtrue.s B; ret"},
    {"state machine: return to an await", LANGUAGE_CSHARP, true, true, "this:void()",
     ".try T H catch H E; .locals int32 bool; .point 2; T: call void(); leave.s E; H: pop;"
     ".hidden; ldloc.1; brfalse.s B; .point 3; call void(); B: leave.s E; E: .point 4 1-2; ret"},
    {"user: switch dispatch", LANGUAGE_CSHARP, true, true, "this:void()", /* in a `finally` */
     ".try T H finally H E; .locals int32; .point 2; T: call void(); leave.s E; H: .hidden;"
     "ldloc.0; brfalse.s B; .point 3; call void(); endfinally; B: .point 4; call void();"
     "endfinally; E: .point 5 1-2; ret"},
    {"user: switch dispatch", LANGUAGE_CSHARP, true, true, "this:void()", /* after a `catch` */
     ".try T H catch H E; .locals int32; .point 2; T: call void(); leave.s E; H: pop; .point 3;"
     "call void(); leave.s E; E: .hidden; ldloc.0; brfalse.s B; .point 4; call void(); B: .point 5;"
     "call void(); ret"},
    {"exception filter: type test", LANGUAGE_CSHARP, false, true, "void(bool)",
     ".try A F filter F H E; A: .point 2; call void(); leave.s E; F: .hidden; isinst; dup;"
     "brtrue.s G; pop; ldc.i4.0; br.s X; G: pop; .point 5; ldarg.0; ldc.i4.0; cgt.un;"
     "X: endfilter; H: .hidden; pop; .point 6; call void(); leave.s E; E: .point 9 1-2; ret"},
    /* nothing but the filter has a point */
    {"exception filter: type test", LANGUAGE_CSHARP, true, true, "this:void(bool)",
     ".try A F filter F H E; A: nop; leave.s E; F: .hidden; isinst; dup; brtrue.s G; pop;"
     "ldc.i4.0; br.s X; G: pop; .point 5; ldarg.1; ldc.i4.0; cgt.un; X: endfilter; H: .hidden;"
     "pop; leave.s E; E: .point 9 1-2; ret"},
    {"compiler: null check of using", LANGUAGE_CSHARP, false, true, "void(object)",
     ".try T H finally H E; .locals object; .point 2; ldarg.0; stloc.0; T: .point 4; call void();"
     ".point 5 1-2; leave.s E; H: .hidden; ldloc.0; brfalse.s X; ldloc.0;"
     "callvirt this:void() Dispose; .hidden; X: endfinally; E: .point 6 1-2; ret"},
    {"compiler: no statement", LANGUAGE_CSHARP, false, true, "void(bool)",
     "ldarg.0; brtrue.s E; call void(); E: ret"},
    {"user: condition", LANGUAGE_CSHARP, false, true, "void(bool)",
     ".point 2; ldarg.0; brfalse.s E; .point 3; call void(); E: .point 4 1-2; ret"},
    {"user: switch dispatch", LANGUAGE_CSHARP, false, true, "void(int32)",
     ".point 1; call void(); .hidden; ldarg.0; switch A B; br.s E; A: .point 3; call void();"
     "br.s E; B: .point 4; call void(); E: .point 5; call void(); ret"},
    {"user: Select Case", LANGUAGE_VISUAL_BASIC, false, true, "void(string)",
     ".locals string; .point 2; ldarg.0; stloc.0; ldloc.0; ldstr; ldc.i4.0;"
     "call int32(string,string,bool) CompareString; brfalse.s A; ret; A: .point 4; call void();"
     ".point 8 5-12; ret"},
    {"user: switch expression", LANGUAGE_CSHARP, false, true, "void(int32)",
     ".locals object; .point 2 9-60; ldarg.0; ldc.i4.1; beq.s A; br.s D; A: .point 2 18-24; ldstr;"
     "stloc.0; br.s J; D: .point 2 30-40; ldstr; stloc.0; br.s J; J: .hidden; ldloc.0;"
     "call void(object); .point 6 1-2; ret"},
    {"user: match", LANGUAGE_FSHARP, false, true, "void(object)",
     ".point 2; ldarg.0; isinst; brtrue.s A; ldarg.0; isinst; brtrue.s B; .point 3; call void();"
     "ret; A: .point 4; call void(); ret; B: .point 5; call void(); ret"},
    {"compiler: search for a constant", LANGUAGE_CSHARP, false, true, "bool(int32)",
     ".locals bool; .point 2; ldarg.0; ldc.i4.5; bgt.s H; ldarg.0; ldc.i4.1; beq.s T; ldarg.0;"
     "ldc.i4.5; beq.s T; br.s F; H: ldarg.0; ldc.i4.7; beq.s T; ldarg.0; ldc.i4.8; beq.s T;"
     "F: ldc.i4.0; stloc.0; br.s J; T: ldc.i4.1; stloc.0; J: ldloc.0; ret"},
    {"user: table of constants", LANGUAGE_CSHARP, false, true, "bool(int32)",
     ".locals bool; .point 2; ldarg.0; ldc.i4.1; sub; switch T F T; F: ldc.i4.0; stloc.0; br.s J;"
     "T: ldc.i4.1; stloc.0; J: ldloc.0; ret"},
    {"compiler: type of a constant", LANGUAGE_CSHARP, false, true, "bool(object)",
     ".point 2; ldarg.0; isinst; brfalse.s F; ldarg.0; unbox.any; ldc.i4.3; ceq; ret;"
     "F: ldc.i4.0; ret"},
    {"user: one question", LANGUAGE_CSHARP, false, false, "void(bool,bool)",
     ".point 2; ldarg.0; brtrue.s A; .point 2; ldarg.1; brtrue.s B; .point 3; call void(); ret;"
     "A: .point 4; call void(); ret; B: .point 5; call void(); ret"},
};

static void classify(struct branches *out, struct il_method *m, enum language language,
                     bool is_state_machine)
{
    struct seq_points *points = ARENA_NEW(&m->arena, struct seq_points, 1, NULL);
    struct err err;
    *points = il_points(&m->builder);
    struct statements_source source = {
        .flow = &m->flow,
        .points = points,
        .language = language,
        .is_state_machine = is_state_machine,
    };
    if (!branches_classify(out, &source, &m->plan, &m->arena, &err))
        fail_msg("%s", err.text);
}

static void each_rule_judges_what_it_describes(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bodies); i++) {
        struct il_method m;
        struct branches branches;
        bool found = false;
        (bodies[i].is_optimised ? il_method_open_optimised
                                : il_method_open)(&m, bodies[i].signature, bodies[i].text);
        classify(&branches, &m, bodies[i].language, bodies[i].is_state_machine);
        for (uint32_t n = 0; n < m.flow.block_count; n++)
            found |=
                branches.rule[n] != NULL && strcmp(branches.rule[n]->name, bodies[i].rule) == 0;
        if (!found) {
            wrong++;
            print_error("%zu: no branch is \"%s\", but:\n", i, bodies[i].rule);
            for (uint32_t n = 0; n < m.flow.block_count; n++)
                if (branches.rule[n] != NULL)
                    print_error("    block %u: %s\n", n, branches.rule[n]->name);
        }
        il_method_close(&m);
    }
    assert_int_equal(wrong, 0);
}

static void every_branch_is_classified_and_nothing_else(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bodies); i++) {
        struct il_method m;
        struct branches branches;
        il_method_open(&m, bodies[i].signature, bodies[i].text);
        classify(&branches, &m, bodies[i].language, bodies[i].is_state_machine);
        for (uint32_t n = 0; n < m.flow.block_count; n++) {
            assert_true((branches.rule[n] != NULL) == branches_has(&branches, n));
            if (branches.rule[n] != NULL)
                assert_int_equal(branches.class[n], branches.rule[n]->class);
            /* what is counted stands on a statement */
            if (branches.class[n] != BRANCH_NONE)
                assert_true(branches.statement[n] < m.builder.point_count);
        }
        il_method_close(&m);
    }
}

/* The names are what users read, and what scripts may look for. */
static void rules_have_names_of_their_own(void **state)
{
    size_t count = 0;
    const struct rule *rules = branch_rules(&count);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        assert_non_null(strstr(rules[i].name, ": "));
        assert_true(strlen(rules[i].description) > 10);
        assert_true(rules[i].languages != 0);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(rules[i].name, rules[k].name);
    }
}

/* --- the page --------------------------------------------------------------------------------- */

static const char *languages_of(const struct rule *rule)
{
    unsigned fsharp = 1u << LANGUAGE_FSHARP, vb = 1u << LANGUAGE_VISUAL_BASIC;
    return rule->languages == fsharp         ? "F#"
           : rule->languages == vb           ? "Visual Basic"
           : (rule->languages & fsharp) == 0 ? "all but F#"
                                             : "all";
}

static void write_rows(FILE *out)
{
    static const char *const counted[] = {
        [BRANCH_NONE] = "no", [BRANCH_CONDITION] = "yes", [BRANCH_DISPATCH] = "as one decision"};
    size_t count = 0;
    const struct rule *rules = branch_rules(&count);
    fprintf(out, "| rule | counted | language | what the branch is |\n| --- | --- | --- | --- |\n");
    for (size_t i = 0; i < count; i++)
        fprintf(out, "| %s | %s | %s | %s |\n", rules[i].name, counted[rules[i].class],
                languages_of(&rules[i]), rules[i].description);
}

static char *read_page(void)
{
    static char text[32768];
    FILE *file = fopen(page, "r");
    assert_non_null(file);
    size_t len = fread(text, 1, sizeof text - 1, file);
    assert_int_equal(fclose(file), 0);
    assert_true(len < sizeof text - 1);
    text[len] = '\0';
    return text;
}

/* UPDATE_GOLDEN=1 writes it anew. */
static void page_lists_the_rules_in_their_order(void **state)
{
    static const char begin[] = "<!-- begin: rules.def -->\n", end[] = "<!-- end: rules.def -->";
    char *rows = NULL, *text = read_page();
    size_t len = 0;
    (void)state;
    FILE *out = open_memstream(&rows, &len);
    assert_non_null(out);
    write_rows(out);
    assert_int_equal(fclose(out), 0);
    char *first = strstr(text, begin), *last = strstr(text, end);
    assert_true(first != NULL && last != NULL && first < last);
    first += sizeof begin - 1;
    if (getenv("UPDATE_GOLDEN") != NULL) {
        FILE *file = fopen(page, "w");
        assert_non_null(file);
        fprintf(file, "%.*s%s%s", (int)(first - text), text, rows, last);
        assert_int_equal(fclose(file), 0);
    } else {
        *last = '\0';
        assert_string_equal(first, rows);
    }
    free(rows);
}

/* With points that fit nothing, such as those of another build, a guard may lead here. */
static void branch_that_is_not_in_the_source_has_no_twin(void **state)
{
    struct il_method m;
    struct branches branches;
    (void)state;
    il_method_open_optimised(&m, "void()",
                             ".point 2; ldsfld object <>9__0_0; brtrue.s J; call void();"
                             "J: .point 2; ldsfld object f; brtrue.s E; call void(); E: ret");
    classify(&branches, &m, LANGUAGE_CSHARP, false);
    uint32_t found[2] = {0}, count = 0;
    for (uint32_t n = 0; n < m.flow.block_count; n++)
        if (branches_has(&branches, n) && count < ARRAY_LEN(found))
            found[count++] = n;
    assert_int_equal(count, 2);
    uint32_t cache = found[0], written = found[1];
    struct way_out way = {1, written, false, false};
    assert_int_equal(branches.class[cache], BRANCH_NONE);
    assert_int_equal(branches.class[written], BRANCH_CONDITION);
    assert_false(branches_leads_to_twin(&branches, cache, way));
    il_method_close(&m);
}

/* Twelve points of thirty conditions, each of which leads to the next point: more ways than can be
 * walked. */
static void conditions_in_a_row_are_asked_once_whether_they_are_guards(void **state)
{
    enum {
        POINTS = 12,
        CONDITIONS = 30
    };
    char text[16384];
    size_t len = 0;
    struct il_method m;
    struct branches branches;
    (void)state;
    for (unsigned point = 0; point < POINTS; point++) {
        len +=
            (size_t)snprintf(text + len, sizeof text - len, "P%u: .point %u; ", point, point + 2);
        for (unsigned i = 0; i < CONDITIONS; i++)
            len +=
                (size_t)snprintf(text + len, sizeof text - len, "ldarg.0; brtrue P%u; ", point + 1);
    }
    (void)snprintf(text + len, sizeof text - len, "P%u: .point 90; ret", (unsigned)POINTS);
    il_method_open_optimised(&m, "void(bool)", text);
    classify(&branches, &m, LANGUAGE_FSHARP, false);
    branches.statement[0] = 0; /* as that of a match */
    for (uint32_t point = 1; point + 1 < branches.points->count; point++) {
        struct way_out way = {point, guard_block(&branches, point), false, false};
        assert_false(guard_is(&branches, 0, way));
    }
    il_method_close(&m);
}

/* Does the branch at the end of the block only find out which constant may be equal? `tests` lead
 * to T, where the pattern matches, or to F. */
static bool only_searches(const char *tests, uint32_t n)
{
    struct il_method m;
    struct branches branches;
    char text[1024];
    (void)snprintf(text, sizeof text,
                   ".locals bool; .point 2; %s; br.s F; T: ldc.i4.1; stloc.0; br.s J;"
                   "F: ldc.i4.0; stloc.0; J: ldloc.0; ret",
                   tests);
    il_method_open_optimised(&m, "bool(int32,int32)", text);
    classify(&branches, &m, LANGUAGE_CSHARP, false);
    bool searches = strcmp(branches.rule[n]->name, "compiler: search for a constant") == 0;
    il_method_close(&m);
    return searches;
}

static void comparisons_of_the_user_are_not_a_search(void **state)
{
    (void)state;
    assert_false(only_searches("ldarg.0; ldc.i4.s 10; blt.s N; ldarg.0; ldc.i4.s 20; ble.s T;"
                               "N: ldarg.0; ldc.i4.s 40; blt.s F; ldarg.0; ldc.i4.s 50; ble.s T",
                               0));
    /* nothing asks for 6 */
    assert_false(only_searches("ldarg.0; ldc.i4.6; bgt.s H; ldarg.0; ldc.i4.1; beq.s T; ldarg.0;"
                               "ldc.i4.5; beq.s T; br.s F; H: ldarg.0; ldc.i4.7; beq.s T; ldarg.0;"
                               "ldc.i4.8; beq.s T",
                               0));
    /* one half asks for another variable */
    assert_false(only_searches("ldarg.0; ldc.i4.5; bgt.s H; ldarg.0; ldc.i4.1; beq.s T; ldarg.0;"
                               "ldc.i4.5; beq.s T; br.s F; H: ldarg.1; ldc.i4.7; beq.s T; ldarg.1;"
                               "ldc.i4.8; beq.s T",
                               0));
}

static void search_has_parts_of_every_kind(void **state)
{
    static const char *const first_halves[] = {
        "ldarg.0; brfalse.s T; ldarg.0; ldc.i4.5; beq.s T; br.s F",
        "ldarg.0; ldc.i4.3; beq.s T; ldarg.0; ldc.i4.5; bne.un.s F; br.s T",
        "ldarg.0; ldc.i4.3; sub; ldc.i4.2; ble.un.s T; br.s F",
        "ldarg.0; ldc.i4.3; sub; switch T F T; br.s F",
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(first_halves); i++) {
        char text[512];
        (void)snprintf(text, sizeof text,
                       "ldarg.0; ldc.i4.5; bgt.s H; %s; H: ldarg.0; ldc.i4.7; sub; ldc.i4.2;"
                       "ble.un.s T; ldarg.0; ldc.i4.s 20; sub; switch T F T",
                       first_halves[i]);
        assert_true(only_searches(text, 0));
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_rule_judges_what_it_describes),
    cmocka_unit_test(every_branch_is_classified_and_nothing_else),
    cmocka_unit_test(rules_have_names_of_their_own),
    cmocka_unit_test(page_lists_the_rules_in_their_order),
    cmocka_unit_test(branch_that_is_not_in_the_source_has_no_twin),
    cmocka_unit_test(conditions_in_a_row_are_asked_once_whether_they_are_guards),
    cmocka_unit_test(comparisons_of_the_user_are_not_a_search),
    cmocka_unit_test(search_has_parts_of_every_kind),
};
UNIT_TESTS(tests);
