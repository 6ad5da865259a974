/* test_store_version4.c - sentences of data files of version 4 are the reasons that they meant. */
#include "coverage/store/store_version4.h"
#include "tests/support/check.h"
#include "tests/support/reasons.h"
#include "tests/support/test_arena.h"

static void sentences_are_reasons(void **state)
{
    static const struct {
        const char *text;
        uint32_t code;
        const char *subject, *remark;
    } cases[] = {
        {"excluded by -x", REASON_EXCLUDED, "", ""},
        {"not named by -i", REASON_NOT_INCLUDED, "", ""},
        {"its exception clauses are malformed", REASON_VERDICT + VERDICT_REFUSED_ODD_EH, "", ""},
        {"ilcov:ignore", REASON_COMMENT, "", ""},
        {"ilcov:ignore: a: b", REASON_COMMENT, "", "a: b"},
        {"[Obsolete]", REASON_ATTRIBUTE, "Obsolete", ""},
        {"[Obsolete]: made by [a]: tool", REASON_ATTRIBUTE, "Obsolete", "made by [a]: tool"},
        {"[Odd]name]", REASON_ATTRIBUTE, "Odd]name", ""},
        {"[unclosed", REASON_ERROR, "[unclosed", ""},
        {"excluded by -xy", REASON_ERROR, "excluded by -xy", ""},
        {"metadata ends at byte 7", REASON_ERROR, "metadata ends at byte 7", ""},
    };
    const struct reason *reason = reason_of(REASON_EXCLUDED);
    (void)state;
    assert_true(version4_reason(&reason, STR(""), &arena, NULL));
    assert_null(reason);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_true(version4_reason(&reason, str_of(cases[i].text), &arena, NULL));
        assert_int_equal(reason->code, cases[i].code);
        assert_str(reason->subject, cases[i].subject);
        assert_str(reason->remark, cases[i].remark);
    }
}

static void verdicts_of_processes_are_numbers_or_reasons(void **state)
{
    static const struct {
        const char *text;
        uint32_t modules;
        uint64_t methods;
        uint32_t code;
    } cases[] = {
        {"0 modules, 0 methods instrumented", 0, 0, REASON_NONE},
        {"1 module, 1 method instrumented", 1, 1, REASON_NONE},
        {"3 modules, 120 methods instrumented", 3, 120, REASON_NONE},
        {"4294967296 modules, 1 method instrumented", 0, 0, REASON_ERROR},
        {"1 modules, 1 method instrumented", 0, 0, REASON_ERROR},
        {"a build tool", 0, 0, REASON_BUILD_TOOL},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct fact_process process = {.run = 0};
        assert_true(version4_verdict(&process, str_of(cases[i].text), &arena, NULL));
        assert_int_equal(process.module_count, cases[i].modules);
        assert_int_equal(process.method_count, cases[i].methods);
        assert_int_equal(process.declined != NULL ? process.declined->code : REASON_NONE,
                         cases[i].code);
    }
}

static void labels_of_runs_that_began_in_the_middle_are_reasons(void **state)
{
    struct fact_run attached = {.kind = RUN_PARTIAL}, reset = attached, named = attached;
    struct fact_run foreign = {.kind = RUN_FOREIGN};
    (void)state;
    assert_true(version4_label(&attached, STR("attached at 2026-05-01T12:00:00Z"), &arena, NULL));
    assert_true(reason_is(attached.reason, REASON_ATTACHED));
    assert_str(attached.reason->subject, "2026-05-01T12:00:00Z");
    assert_int_equal(attached.label.len, 0);
    assert_true(version4_label(&reset, STR("reset at x"), &arena, NULL));
    assert_true(reason_is(reset.reason, REASON_RESET));
    assert_true(version4_label(&named, STR("nightly"), &arena, NULL));
    assert_null(named.reason);
    assert_str(named.label, "nightly");
    assert_true(version4_label(&foreign, STR("attached at x"), &arena, NULL));
    assert_null(foreign.reason);
    assert_str(foreign.label, "attached at x");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_are_reasons),
        cmocka_unit_test(verdicts_of_processes_are_numbers_or_reasons),
        cmocka_unit_test(labels_of_runs_that_began_in_the_middle_are_reasons),
    };
    return cmocka_run_group_tests_name("store_version4", tests, open_arena, close_arena);
}
