/* test_hresult.c - the HRESULTs that messages explain have the values and names of the runtime's,
 * and docs/attach-and-detach.md has the same table. With UPDATE_GOLDEN=1 it is written there. */
#include "cli/process/hresult.h"

#include <stdio.h>

#include "contract/protocol.h"
#include "profiler/cor.h"
#include "tests/support/check.h"

#define DOCUMENT "docs/attach-and-detach.md"
#define BEGIN    "<!-- hresults: written by `make golden` -->\n"
#define END      "<!-- end of hresults -->"

/* --- names and values ------------------------------------------------------------------------- */

static void rows_have_the_values_of_the_interface(void **state)
{
    /* Those that cor.h and protocol.h have. */
    static const struct {
        const char *name;
        uint32_t value;
    } known[] = {
#define KNOWN(name) {#name, (uint32_t)(name)}
        KNOWN(CORPROF_E_PROFILER_DETACHING),
        KNOWN(CORPROF_E_PROFILER_NOT_ATTACHABLE),
        KNOWN(CORPROF_E_PROFILER_ALREADY_ACTIVE),
        KNOWN(CORPROF_E_PROFILEE_INCOMPATIBLE_WITH_TRIGGER),
        KNOWN(CORPROF_E_CALLBACK3_REQUIRED),
        KNOWN(CORPROF_E_UNSUPPORTED_FOR_ATTACHING_PROFILER),
        KNOWN(CORPROF_E_IRREVERSIBLE_INSTRUMENTATION_PRESENT),
        KNOWN(CORPROF_E_RUNTIME_UNINITIALIZED),
        KNOWN(CORPROF_E_IMMUTABLE_FLAGS_SET),
        KNOWN(CORPROF_E_PROFILER_NOT_YET_INITIALIZED),
        KNOWN(CORPROF_E_PROFILER_CANCEL_ACTIVATION),
        KNOWN(CORPROF_E_CONCURRENT_GC_NOT_PROFILABLE),
        KNOWN(CORPROF_E_TIMEOUT_WAITING_FOR_CONCURRENT_GC),
        KNOWN(CORPROF_E_NOT_YET_AVAILABLE),
        KNOWN(CORPROF_E_INCONSISTENT_WITH_FLAGS),
        KNOWN(CORPROF_E_SUSPENSION_IN_PROGRESS),
        KNOWN(CONTROL_E_TIMEOUT),
        KNOWN(CORPROF_E_STACKSNAPSHOT_INVALID_TGT_THREAD),
        KNOWN(CORPROF_E_STACKSNAPSHOT_UNMANAGED_CTX),
        KNOWN(CORPROF_E_STACKSNAPSHOT_UNSAFE),
        KNOWN(CORPROF_E_STACKSNAPSHOT_ABORTED),
        KNOWN(CORPROF_E_ASYNCHRONOUS_UNSAFE),
        KNOWN(CORPROF_E_UNSUPPORTED_CALL_SEQUENCE),
        KNOWN(CORPROF_E_FUNCTION_IS_COLLECTIBLE),
        KNOWN(CORPROF_E_MODULE_IS_DYNAMIC),
        KNOWN(CORPROF_E_MODULE_IS_ENC),
        KNOWN(CORPROF_E_REJIT_NOT_ENABLED),
        KNOWN(E_NOTIMPL),
        KNOWN(E_NOINTERFACE),
        KNOWN(E_FAIL),
        KNOWN(E_OUTOFMEMORY),
        KNOWN(E_INVALIDARG),
        KNOWN(CLASS_E_CLASSNOTAVAILABLE),
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(known); i++) {
        const struct hresult *row = hresult_find(known[i].value);
        if (row == NULL || strcmp(row->name, known[i].name) != 0)
            fail_msg("%s: %s", known[i].name, row != NULL ? row->name : "not in the table");
    }
}

/* What cor.h does not have are those of the protocol and of loading a library. */
static void no_value_appears_twice(void **state)
{
    (void)state;
    for (size_t i = 0; i < hresult_count; i++) {
        assert_ptr_equal(hresult_find(hresults[i].value), &hresults[i]);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(hresults[i].name, hresults[j].name);
    }
}

static void texts_are_clauses_of_one_line(void **state)
{
    char text[HRESULT_TEXT_ROOM];
    (void)state;
    for (size_t i = 0; i < hresult_count; i++) {
        const char *parts[] = {hresults[i].meaning, hresults[i].advice};
        for (size_t j = 0; j < ARRAY_LEN(parts); j++) {
            size_t len = strlen(parts[j]);
            if (len == 0 || parts[j][len - 1] == '.' || strpbrk(parts[j], "\n\t|") != NULL)
                fail_msg("%s: '%s'", hresults[i].name, parts[j]);
        }
        assert_true(strlen(hresult_text(text, hresults[i].value)) < HRESULT_TEXT_ROOM - 1);
    }
    assert_string_equal(hresult_text(text, 0x8badf00d), "the runtime answers 0x8badf00d");
}

/* --- the document ----------------------------------------------------------------------------- */

static struct str read_document(struct arena *arena)
{
    struct str out;
    char chunk[4096];
    size_t len = 0;
    FILE *file = fopen(DOCUMENT, "rb");
    assert_non_null(file);
    struct text text = text_in(arena);
    while ((len = fread(chunk, 1, sizeof chunk, file)) > 0)
        text_add(&text, (struct str){chunk, len});
    (void)fclose(file);
    assert_true(text_take(&out, &text, NULL));
    return out;
}

static struct str make_table(struct arena *arena)
{
    struct str out;
    struct text text = text_in(arena);
    text_add_c(&text, "\n| HRESULT | name | what it means | what to do |\n|---|---|---|---|\n");
    for (size_t i = 0; i < hresult_count; i++)
        text_addf(&text, "| `0x%08x` | `%s` | %s | %s |\n", (unsigned)hresults[i].value,
                  hresults[i].name, hresults[i].meaning, hresults[i].advice);
    text_add_c(&text, "\n");
    assert_true(text_take(&out, &text, NULL));
    return out;
}

static void write_document(struct str before, struct str table, struct str after)
{
    FILE *file = fopen(DOCUMENT, "wb");
    assert_non_null(file);
    assert_true(fprintf(file, "%.*s%.*s%.*s", STR_ARGS(before), STR_ARGS(table), STR_ARGS(after)) >
                0);
    assert_int_equal(fclose(file), 0);
}

static void document_has_the_table(void **state)
{
    struct arena arena;
    const char *wanted = getenv("UPDATE_GOLDEN");
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    struct str document = read_document(&arena), table = make_table(&arena);
    const char *begin = strstr(document.text, BEGIN), *end = strstr(document.text, END);
    assert_non_null(begin);
    assert_non_null(end);
    begin += strlen(BEGIN);
    struct str before = {document.text, (size_t)(begin - document.text)}, after = str_of(end);
    assert_true(begin <= end);
    if (wanted != NULL && strcmp(wanted, "1") == 0)
        write_document(before, table, after);
    else if (!str_eq((struct str){begin, (size_t)(end - begin)}, table))
        fail_msg("%s",
                 "the table in " DOCUMENT " is not that of cli/process/hresult.def: `make golden`");
    arena_free(&arena);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(rows_have_the_values_of_the_interface),
    cmocka_unit_test(no_value_appears_twice),
    cmocka_unit_test(texts_are_clauses_of_one_line),
    cmocka_unit_test(document_has_the_table),
};
UNIT_TESTS(tests);
