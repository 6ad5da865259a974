/* test_comments.c - comments that speak to ilcov are found wherever comments are, and nowhere
 * else. */
#include "coverage/source/comments.h"

#include <stdio.h>

#include "tests/support/check.h"

#define CS LANGUAGE_CSHARP
#define VB LANGUAGE_VISUAL_BASIC
#define FS LANGUAGE_FSHARP

static const struct {
    const char *name;
    enum language language;
    const char *expected; /* LINE KIND[=REASON]; */
    const char *source;
} sources[] = {
    {"of a line", CS, "1 ignore;", "f(); // ilcov:ignore"},
    {"with a reason", CS, "1 ignore=unreachable by design;",
     "f(); //  ilcov:ignore  unreachable by design \t\r\n"},
    {"behind a colon", CS, "1 ignore=so;", "//ilcov:ignore: so"},
    {"start and end", CS, "2 start=why; 4 end;",
     "\n// ilcov:ignore-start why\n\n// ilcov:ignore-end\n"},
    {"in a block", CS, "1 ignore=a b;", "f(); /* ilcov:ignore a b */ g();"},
    {"of a block's first line", CS, "2 ignore=a;", "\n/* ilcov:ignore a\nb */"},
    {"behind a block", CS, "3 ignore;", "/*\n\n*/ // ilcov:ignore"},
    {"a block without an end", CS, "1 ignore=a;", "/* ilcov:ignore a"},
    {"an unknown word", CS, "1 unknown=ilcov:ignored; 2 unknown=ilcov:ignore-next x;",
     "// ilcov:ignored\n// ilcov:ignore-next x"},
    {"not at the beginning", CS, "", "// see ilcov:ignore"},
    {"not of documentation", CS, "", "/// ilcov:ignore"},
    {"all ends of lines", CS, "2 ignore; 3 ignore; 4 ignore; 5 ignore; 6 ignore; 7 ignore;",
     "\n// ilcov:ignore\r// ilcov:ignore\r\n// ilcov:ignore\xC2\x85// ilcov:ignore"
     "\xE2\x80\xA8// ilcov:ignore\xE2\x80\xA9// ilcov:ignore"},
    {"a byte order mark", CS, "2 ignore;", "\xEF\xBB\xBF#region '\n// ilcov:ignore"},

    {"in a string", CS, "", "\"// ilcov:ignore\""},
    {"behind an escaped quote", CS, "", "\"\\\"// ilcov:ignore\""},
    {"behind a string", CS, "1 ignore;", "\"\\\\\" // ilcov:ignore"},
    {"behind the empty string", CS, "1 ignore;", "f(\"\") // ilcov:ignore"},
    {"a string ends with its line", CS, "2 ignore;", "don\"t\n// ilcov:ignore"},
    {"a character", CS, "1 ignore;", "'\"' '\\'' '\\\\' // ilcov:ignore"},
    {"a character ends with its line", CS, "2 ignore;", "don't\n// ilcov:ignore"},
    {"in a verbatim string", CS, "4 ignore;",
     "@\"\n// ilcov:ignore \"\"\n// ilcov:ignore\n\\\"// ilcov:ignore"},
    {"a verbatim name", CS, "1 ignore;", "@class // ilcov:ignore"},
    {"in a raw string", CS, "3 ignore;", "\"\"\"\n\"\" // ilcov:ignore\n\"\"\" // ilcov:ignore"},
    {"in a raw string of more quotes", CS, "1 ignore=b;",
     "\"\"\"\" \"\"\" // ilcov:ignore \"\"\"\" // ilcov:ignore b"},
    {"around a hole", CS, "1 ignore=b;", "$\"{a} // ilcov:ignore {b}\" // ilcov:ignore b"},
    {"in a hole", CS, "2 ignore=b;", "$\"{a\n// ilcov:ignore b\n} // ilcov:ignore\""},
    {"a string in a hole", CS, "1 ignore=b;", "$\"{f(\"}\")} // ilcov:ignore\" // ilcov:ignore b"},
    {"a hole in a hole", CS, "1 ignore=b;",
     "$\"{$\"{a}\" + '}'} // ilcov:ignore\" // ilcov:ignore b"},
    {"braces in a hole", CS, "1 ignore=b;",
     "$\"{new[] { 1 }[0]} // ilcov:ignore\" // ilcov:ignore b"},
    {"doubled braces", CS, "1 ignore=b;", "$\"{{ // ilcov:ignore\" // ilcov:ignore b"},
    {"a format", CS, "1 ignore=b;", "$\"{x:// ilcov:ignore}\" // ilcov:ignore b"},
    {"no format", CS, "1 ignore=b;", "$\"{global::X.Y} \\\" // ilcov:ignore\" // ilcov:ignore b"},
    {"a hole in a verbatim string", CS, "2 ignore=b;",
     "$@\"\\{a}\n// ilcov:ignore\" /*\"*/ // ilcov:ignore b"},
    {"the other way round", CS, "1 ignore=b;", "@$\"\\{a}// ilcov:ignore\" // ilcov:ignore b"},
    {"a hole in a raw string", CS, "1 ignore=b;",
     "$\"\"\"{f(\"\"\"}\"\"\")} // ilcov:ignore\"\"\" // ilcov:ignore b"},
    {"fewer braces than dollars", CS, "1 ignore=b;",
     "$$\"\"\"{ {{a}} } // ilcov:ignore\"\"\" // ilcov:ignore b"},

    {"behind a directive", CS, "2 ignore;", "  #error don't \" /*\n// ilcov:ignore"},
    {"no directive", CS, "1 ignore;", "f(#) // ilcov:ignore"},
    {"behind #line", CS, "5 ignore;",
     "#line 7 \"a.cs\"\n// ilcov:ignore\n#line hidden\n#line default\n// ilcov:ignore"},

    {"Basic", VB, "1 ignore=why;", "F() ' ilcov:ignore why"},
    {"Basic's strings", VB, "1 ignore=b;", "F(\"a \"\" ' ilcov:ignore \\\") ' ilcov:ignore b"},
    {"Basic's strings have lines", VB, "2 ignore=b;", "\"a\n' ilcov:ignore\" ' ilcov:ignore b"},
    {"Basic's holes", VB, "1 ignore=b;", "$\"it's {F(\"}\"c)} ' ilcov:ignore\" ' ilcov:ignore b"},
    {"Basic knows no blocks", VB, "1 ignore;", "F() /* ' ilcov:ignore"},
    {"Basic's directives", VB, "2 ignore;", "#Region \"it's\"\n' ilcov:ignore\n#End Region"},

    {"F#", FS, "1 ignore=why;", "f () // ilcov:ignore why"},
    {"F#'s blocks", FS, "1 ignore=a; 1 ignore=b;",
     "(* ilcov:ignore a *) (* (* *) // ilcov:ignore *) // ilcov:ignore b"},
    {"a string in a block", FS, "1 ignore=b;", "(* \"*)\" // ilcov:ignore *) // ilcov:ignore b"},
    {"an operator", FS, "1 ignore;", "(*) a b // ilcov:ignore"},
    {"F#'s strings have lines", FS, "2 ignore=b;",
     "\"a\\\n// ilcov:ignore\\\"\" // ilcov:ignore b"},
    {"F#'s long strings", FS, "1 ignore=b;", "\"\"\"a\" // ilcov:ignore\"\"\" // ilcov:ignore b"},
    {"F#'s holes", FS, "1 ignore=b;",
     "$\"\"\"{{ {f (x :> obj)} {x:N2} // ilcov:ignore\"\"\" // ilcov:ignore b"},
    {"a type variable", FS, "1 ignore;", "f<'a> 'b' x' '\"' '\\'' '\xC3\xA4' // ilcov:ignore"},
    {"a quoted name", FS, "1 ignore;", "``it's \" // no``  // ilcov:ignore"},
    {"a flexible type", FS, "1 ignore;", "f (x: #seq<int>) // ilcov:ignore"},

    {"nothing", CS, "", ""},
    {"a slash", CS, "", "/"},
    {"a quote", FS, "", "'"},
    {"a hole without an end", CS, "", "$\"{"},
    {"nested too deep", CS, "",
     "$\"{$\"{$\"{$\"{$\"{$\"{$\"{$\"{$\"{$\"{$\"{$\"{$\"{$\"{$\"{$\"{$\"{$\"{$\"{$\"{$\"{$\"{"
     "$\"{$\"{$\"{$\"{$\"{$\"{$\"{$\"{$\"{$\"{$\"{$\"{$\"{ // ilcov:ignore"},
};

static void describe(char *out, size_t room, const struct comments *comments)
{
    static const char *const kinds[] = {"ignore", "start", "end", "unknown"};
    size_t len = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < comments->count; i++) {
        const struct comment *comment = &comments->items[i];
        int n = snprintf(out + len, room - len, "%s%u %s%s%.*s;", i != 0 ? " " : "", comment->line,
                         kinds[comment->kind], comment->reason.len != 0 ? "=" : "",
                         STR_ARGS(comment->reason));
        len += n > 0 && (size_t)n < room - len ? (size_t)n : 0;
    }
}

static void comments_are_found_and_nothing_else(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(sources); i++) {
        char got[512];
        struct comments comments;
        struct view source = exact_copy(
            (struct view){(const uint8_t *)sources[i].source, strlen(sources[i].source)});
        assert_true(comments_find(&comments, source, sources[i].language, &arena, NULL));
        describe(got, sizeof got, &comments);
        if (strcmp(got, sources[i].expected) != 0)
            fail_msg("%s: \"%s\" instead of \"%s\"", sources[i].name, got, sources[i].expected);
        exact_free(source);
    }
    arena_free(&arena);
}

/* Nor is anything read behind the end. */
static void every_truncation_is_a_source(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(sources); i++)
        for (size_t len = 0; len <= strlen(sources[i].source); len++)
            for (enum language language = CS; language <= FS; language++) {
                struct comments comments;
                struct view source =
                    exact_copy((struct view){(const uint8_t *)sources[i].source, len});
                assert_true(comments_find(&comments, source, language, &arena, NULL));
                exact_free(source);
                arena_reset(&arena);
            }
    arena_free(&arena);
}

/* Generated code has literals of a million equal letters; looking for the end of the run at each of
 * them took minutes. */
static void a_long_run_in_a_literal_takes_linear_time(void **state)
{
    enum {
        RUN_LEN = 1 << 20
    };
    static const struct {
        const char *before, *after;
        char c;
    } literals[] = {{"\"", "\" // ilcov:ignore", 'A'},
                    {"@\"", "\" // ilcov:ignore", '"'}, /* an even number, so all are doubled */
                    {"$\"", "\" // ilcov:ignore", '{'}, /* likewise */
                    {"\"\"\"\n", "\n\"\"\" // ilcov:ignore", 'A'}};
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(literals); i++) {
        struct comments comments;
        size_t before = strlen(literals[i].before), after = strlen(literals[i].after);
        uint8_t *text = arena_alloc(&arena, before + RUN_LEN + after, 1, NULL);
        assert_non_null(text);
        memcpy(text, literals[i].before, before);
        memset(text + before, literals[i].c, RUN_LEN);
        memcpy(text + before + RUN_LEN, literals[i].after, after);
        assert_true(comments_find(&comments, (struct view){text, before + RUN_LEN + after}, CS,
                                  &arena, NULL));
        assert_int_equal(comments.count, 1);
        arena_reset(&arena);
    }
    arena_free(&arena);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(comments_are_found_and_nothing_else),
    cmocka_unit_test(every_truncation_is_a_source),
    cmocka_unit_test(a_long_run_in_a_literal_takes_linear_time),
};
UNIT_TESTS(tests);
