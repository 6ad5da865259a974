/* Names that compilers give, without what they number. */
#include "coverage/names/method_hash.h"
#include "tests/support/check.h"

static const struct {
    const char *name, *plain;
} cases[] = {
    {"N.C", "N.C"},
    {"", ""},
    {"N.C/<>c__DisplayClass3_0`1", "N.C/<>c__DisplayClass`1"},
    {"N.C/<>c__DisplayClass3_0::<M>b__1", "N.C/<>c__DisplayClass::<>b__"},
    {"N.C/<>c.<M>b__3_1", "N.C/<>c.<>b__"},
    {"N.C/<>c.<.ctor>b__0_0", "N.C/<>c.<>b__"},
    {"N.C/<>c::<>9__3_1", "N.C/<>c::<>9__"},
    {"N.C/<>c__12`2::<>9__12_0", "N.C/<>c__`2::<>9__"},
    {"N.C::<M>g__Local|3_0", "N.C::<>g__Local"},
    {"N.C::<M>g__Local|3_0`1", "N.C::<>g__Local`1"},
    {"N.C/<>o__5`1::<>p__0", "N.C/<>o__`1::<>p__0"},
    {"N.C/<M>d__5::MoveNext", "N.C/<>d__::MoveNext"},
    {"N.C/<<M>b__3_1>d", "N.C/<<>b__>d"},
    {"N.C/<<M>g__Local|3_1>d", "N.C/<<>g__Local>d"},
    {"N.C/<>O::<0>__Name", "N.C/<>O::<>__Name"},
    {"N.C/<M>O__3_0", "N.C/<>O__"},
    {"<>f__AnonymousType12`2", "<>f__AnonymousType`2"},
    {"<>f__AnonymousDelegate0", "<>f__AnonymousDelegate"},
    {"N.<File>F0123456789abcdef0123456789ABCDEF0123456789abcdef0123456789ABCDEF__T", "N.T"},
    /* a user's generic interface, and what has numbers within its method */
    {"System.Collections.Generic.IEnumerable<System.Int32>.GetEnumerator",
     "System.Collections.Generic.IEnumerable<System.Int32>.GetEnumerator"},
    {"N.C/<M>d__5::<x>5__2", "N.C/<>d__::<x>5__2"},
    {"N.C::<Name>k__BackingField", "N.C::<Name>k__BackingField"},
    {"N.C/<M>d__5::<>1__state", "N.C/<>d__::<>1__state"},
    {"N.C/<>c__DisplayClass3_1::CS$<>8__locals1", "N.C/<>c__DisplayClass::CS$<>8__locals1"},
    {"<PrivateImplementationDetails>/__StaticArrayInitTypeSize=12",
     "<PrivateImplementationDetails>/__StaticArrayInitTypeSize=12"},
    /* F# */
    {"M/sum@12-1::Invoke", "M/sum@::Invoke"},
    {"M/sum@12", "M/sum@"},
    {"M/sum@12T", "M/sum@T"},
    {"main@", "main@"},
    {"@1", "@1"},
    {"a@b-1", "a@b-1"},
    /* Visual Basic */
    {"N.C/_Closure$__3-0::_Lambda$__1", "N.C/_Closure$__::_Lambda$__"},
    {"N.C/_Closure$__::_Lambda$__R3-1", "N.C/_Closure$__::_Lambda$__"},
    {"N.C/_Closure$__::$I3-0", "N.C/_Closure$__::$I"},
    {"N.C/VB$StateMachine_3_M", "N.C/VB$StateMachine__M"},
    {"VB$AnonymousDelegate_1`2", "VB$AnonymousDelegate_`2"},
    {"$VB$Local_x", "$VB$Local_x"},
    /* not closed, cut short */
    {"<M", "<M"},
    {"<M>", "<M>"},
    {"<M>g__", "<>g__"},
    {"<M>b__", "<>b__"},
    {"<>F0123__T", "<>F0123__T"},
    {">b__1", ">b__1"},
};

static void numbers_of_compilers_are_not_part_of_a_name(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct str plain;
        assert_true(compiler_name_strip(&plain, str_of(cases[i].name), &arena, NULL));
        if (!str_is(plain, cases[i].plain))
            fail_msg("%s is %.*s, not %s", cases[i].name, STR_ARGS(plain), cases[i].plain);
    }
    arena_free(&arena);
}

static void plain_name_is_plain(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct str plain;
        assert_true(compiler_name_strip(&plain, str_of(cases[i].plain), &arena, NULL));
        assert_true(str_is(plain, cases[i].plain));
    }
    arena_free(&arena);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(numbers_of_compilers_are_not_part_of_a_name),
    cmocka_unit_test(plain_name_is_plain),
};
UNIT_TESTS(tests);
