/* test_nettrace.c - what a runtime says of profilers is found in its stream, and no stream does
 * harm. */
#include "cli/process/nettrace.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/nettrace_stream.h"

enum {
    MESSAGE = 299,
    ROOM = 8192,
};

static uint8_t bytes[ROOM];
static char said[NETTRACE_MESSAGE_ROOM];

static struct writer begin(void)
{
    struct writer w = wr_over(bytes, sizeof bytes);
    stream_begin(&w);
    return w;
}

static bool reads(const struct writer *w)
{
    assert_false(w->failed);
    return nettrace_message(said, (struct view){w->data, w->len});
}

static void put_attach(struct writer *w)
{
    stream_add_metadata(w, 7, NETTRACE_PROVIDER, MESSAGE);
    stream_add_event(w, 7, "The CLR received a request to attach a profiler.  And more.");
    stream_add_event(w, 7, "Loading profiler failed.  HRESULT: 0x8007007e.\n  Process ID: 1.");
    stream_end(w);
}

static void first_sentence_of_the_last_message_is_taken(void **state)
{
    struct writer w = begin();
    (void)state;
    put_attach(&w);
    assert_true(reads(&w));
    assert_string_equal(said, "Loading profiler failed.");
}

static void events_of_others_are_passed_over(void **state)
{
    struct writer w = begin();
    (void)state;
    stream_add_event(&w, 7, "not described");
    stream_add_metadata(&w, 1, "Microsoft-DotNETCore-EventPipe", MESSAGE);
    stream_add_metadata(&w, 2, NETTRACE_PROVIDER, MESSAGE - 1);
    stream_add_metadata(&w, 3, NETTRACE_PROVIDER "-More", MESSAGE);
    for (uint32_t id = 0; id < 4; id++)
        stream_add_event(&w, id, "another's");
    stream_end(&w);
    assert_false(reads(&w));
    assert_string_equal(said, "");
}

static void text_is_printable_and_bounded(void **state)
{
    char text[900];
    struct writer w = begin();
    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[0] = '\033';
    text[sizeof text - 1] = '\0';
    stream_add_metadata(&w, 7, NETTRACE_PROVIDER, MESSAGE);
    stream_add_event(&w, 7, text);
    stream_end(&w);
    assert_true(reads(&w));
    assert_true(strlen(said) < sizeof said);
    assert_int_equal(said[0], ' ');
}

/* In a copy of their own size, so that a sanitizer sees the first byte behind. */
static bool reads_copy(const uint8_t *data, size_t len)
{
    uint8_t *copy = malloc(len + 1);
    assert_non_null(copy);
    memcpy(copy + 1, data, len);
    bool found = nettrace_message(said, (struct view){copy + 1, len});
    assert_non_null(memchr(said, '\0', sizeof said));
    free(copy);
    return found;
}

static void every_truncation_and_every_wrong_byte_ends_well(void **state)
{
    static const uint8_t values[] = {0x00, 0x7F, 0x80, 0xFF};
    struct writer w = begin();
    (void)state;
    put_attach(&w);
    for (size_t len = 0; len < w.len; len++)
        (void)reads_copy(w.data, len);
    for (size_t at = 0; at < w.len; at++) {
        uint8_t right = w.data[at];
        for (size_t i = 0; i < ARRAY_LEN(values); i++) {
            w.data[at] = values[i];
            (void)reads_copy(w.data, w.len);
        }
        w.data[at] = right;
    }
}

static void message_before_the_stream_breaks_counts(void **state)
{
    struct writer w = begin();
    (void)state;
    stream_add_metadata(&w, 7, NETTRACE_PROVIDER, MESSAGE);
    stream_add_event(&w, 7, "Loading profiler failed.");
    wr_bytes(&w, "\5\5\1\377\377\377\377", 7);
    assert_true(reads(&w));
    assert_string_equal(said, "Loading profiler failed.");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(first_sentence_of_the_last_message_is_taken),
    cmocka_unit_test(events_of_others_are_passed_over),
    cmocka_unit_test(text_is_printable_and_bounded),
    cmocka_unit_test(every_truncation_and_every_wrong_byte_ends_well),
    cmocka_unit_test(message_before_the_stream_breaks_counts),
};
UNIT_TESTS(tests);
