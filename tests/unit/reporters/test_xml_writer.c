/* test_xml_writer.c - what is written as XML is what a reader finds in it. */
#include "reporters/xml_writer.h"

#include <libxml/parser.h>
#include <stdlib.h>

#include "tests/support/check.h"

#define LITERAL(literal) (literal), sizeof(literal) - 1
#define UNKNOWN          "\xEF\xBF\xBD"

struct output {
    FILE *file;
    char *text;
    size_t len;
};

static void begin(struct output *out, struct xml_writer *w)
{
    out->file = open_memstream(&out->text, &out->len);
    assert_non_null(out->file);
    xw_open(w, out->file);
}

static void end(struct output *out, struct xml_writer *w)
{
    xw_close(w);
    assert_int_equal(fclose(out->file), 0);
    assert_int_equal(xw_position(w), out->len);
}

static void elements_stand_on_lines_of_their_own(void **state)
{
    struct output out;
    struct xml_writer w;
    (void)state;
    begin(&out, &w);
    xw_begin(&w, "a");
    xw_begin(&w, "b");
    xw_number(&w, "n", UINT64_MAX);
    xw_signed(&w, "i", INT64_MIN);
    xw_signed(&w, "j", 7);
    xw_bool(&w, "t", true);
    xw_bool(&w, "f", false);
    xw_begin(&w, "c");
    xw_end(&w);
    xw_leaf(&w, "d", STR(""));
    xw_leaf(&w, "e", STR("x < y"));
    xw_comment(&w, (const struct str[]){STR(" ---")}, 1);
    xw_end(&w);
    xw_end(&w);
    end(&out, &w);
    assert_string_equal(out.text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                  "<a>\n"
                                  "  <b n=\"18446744073709551615\" i=\"-9223372036854775808\" "
                                  "j=\"7\" t=\"true\" f=\"false\">\n"
                                  "    <c/>\n"
                                  "    <d></d>\n"
                                  "    <e>x &lt; y</e>\n"
                                  "    <!-- -\\-\\--->\n"
                                  "  </b>\n"
                                  "</a>\n");
    free(out.text);
}

/* Bytes that are no UTF-8, and characters that XML cannot hold, become U+FFFD. */
static const struct {
    const char *value;
    size_t len;
    const char *read;
} values[] = {
    {LITERAL(""), ""},
    {LITERAL("<a b=\"c\" d='e'>&amp;</a>"), "<a b=\"c\" d='e'>&amp;</a>"},
    {LITERAL("\t\n\r "), "\t\n\r "},
    {LITERAL("a\0b\x01\x1F\x7F"), "a" UNKNOWN "b" UNKNOWN UNKNOWN "\x7F"},
    {LITERAL("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"), "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"},
    {LITERAL("\xEF\xBF\xBD\xEF\xBF\xBE\xEF\xBF\xBF"), UNKNOWN UNKNOWN UNKNOWN},
    {LITERAL("\xFFz\xC3"), UNKNOWN "z" UNKNOWN},
    {LITERAL("\xED\xA0\x80"), UNKNOWN}, /* a surrogate */
};

static void values_come_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(values); i++) {
        struct output out;
        struct xml_writer w;
        struct str value = {values[i].value, values[i].len};
        begin(&out, &w);
        xw_begin(&w, "a");
        xw_text(&w, "of", value);
        xw_leaf(&w, "b", value);
        xw_end(&w);
        end(&out, &w);
        xmlDoc *doc = xmlReadMemory(out.text, (int)out.len, NULL, NULL, XML_PARSE_NONET);
        assert_non_null(doc);
        const xmlNode *a = xmlDocGetRootElement(doc);
        const xmlNode *b = a->children->next;
        assert_string_equal((const char *)a->properties->children->content, values[i].read);
        assert_string_equal(b->children != NULL ? (const char *)b->children->content : "",
                            values[i].read);
        xmlFreeDoc(doc);
        free(out.text);
    }
}

/* Of a piece, two dashes may be at its end and the next one's start. */
static void comment_in_pieces_is_one(void **state)
{
    struct output out;
    struct xml_writer w;
    (void)state;
    begin(&out, &w);
    xw_comment(&w, (const struct str[]){STR("a-"), STR("-\x01"), STR("-b")}, 3);
    end(&out, &w);
    assert_non_null(strstr(out.text, "<!--a-\\-" UNKNOWN "-b-->\n"));
    free(out.text);
}

/* Whatever the lengths, no byte is lost where the buffer is full. */
static void pieces_of_any_length_follow_each_other(void **state)
{
    enum {
        MOST = SINK_ROOM + 3
    };
    char *piece = calloc(MOST, 1), *all = calloc(3, MOST);
    (void)state;
    assert_true(piece != NULL && all != NULL);
    memset(piece, 'p', MOST);
    for (size_t len = SINK_ROOM - 3; len <= MOST; len++) {
        struct output out;
        struct sink sink;
        out.file = open_memstream(&out.text, &out.len);
        assert_non_null(out.file);
        sink_open(&sink, out.file);
        sink_add(&sink, piece, len);
        sink_byte(&sink, 'b');
        sink_spaces(&sink, 200);
        sink_number(&sink, 10);
        sink_add(&sink, piece, len);
        sink_flush(&sink);
        assert_int_equal(fclose(out.file), 0);
        memcpy(all, piece, len);
        int written = sprintf(all + len, "b%200s10", "");
        memcpy(all + len + written, piece, len);
        assert_int_equal(out.len, 2 * len + (size_t)written);
        assert_int_equal(sink_position(&sink), out.len);
        assert_memory_equal(out.text, all, out.len);
        free(out.text);
    }
    free(piece);
    free(all);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(elements_stand_on_lines_of_their_own),
    cmocka_unit_test(values_come_back),
    cmocka_unit_test(comment_in_pieces_is_one),
    cmocka_unit_test(pieces_of_any_length_follow_each_other),
};
UNIT_TESTS(tests);
