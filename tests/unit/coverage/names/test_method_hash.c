/* test_method_hash.c - the hash of an instruction can be made without the body that had it, from
 * inside its type and from outside. */
#include "coverage/names/method_hash.h"

#include "coverage/merge/align.h"
#include "tests/support/check.h"
#include "tests/support/metadata_fixture.h"

enum {
    CODE_LDSFLD = 0x7E,
    CODE_STSFLD = 0x80,
};

/* { ldsfld N.Outer::number; stsfld N.Outer::number; ret } */
static const uint8_t code[] = {11 << 2 | 2, CODE_LDSFLD, 1, 0, 0, 4, CODE_STSFLD, 1, 0, 0, 4, 0x2A};

static struct metadata_fixture *fixture;
static struct module module;
static struct method_hasher hasher;

static int open_hasher(void **state)
{
    (void)state;
    fixture = metadata_fixture_sample();
    module = (struct module){.md = fixture->md};
    return method_hash_open(&hasher, &module, &fixture->arena, NULL) ? 0 : -1;
}

static int close_hasher(void **state)
{
    (void)state;
    method_hash_close(&hasher);
    metadata_fixture_end(fixture);
    return 0;
}

/* Of the two instructions with a token, in a method of that type. */
static void hash_code(struct aligned_body *out, uint32_t type)
{
    struct il_body body;
    struct il il;
    struct body_hash hash;
    struct err err = {0};
    assert_int_equal(body_parse(&body, (struct view){code, sizeof code}, &fixture->arena),
                     VERDICT_OK);
    assert_int_equal(il_decode(&il, &body, &fixture->arena), VERDICT_OK);
    assert_true(
        method_hash_body(&hash, &hasher, SAMPLE_CONVERT, type, &body, &il, &fixture->arena, &err));
    assert_true(align_read(out, hash.instructions, &fixture->arena, &err));
    assert_int_equal(out->count, 3);
}

static uint32_t hash_alone(uint8_t opcode, const char *type)
{
    uint32_t hash = 0;
    assert_true(method_hash_instruction(&hash, &hasher, opcode,
                                        TOKEN(TABLE_Field, SAMPLE_FIELD_OUTER), str_of(type),
                                        &fixture->arena, NULL));
    return hash;
}

static void instruction_has_the_hash_that_it_has_in_a_body(void **state)
{
    struct aligned_body inside, outside;
    (void)state;
    hash_code(&inside, SAMPLE_OUTER);
    hash_code(&outside, SAMPLE_ATTRIBUTE);
    assert_int_equal(inside.hashes[0], hash_alone(CODE_LDSFLD, "N.Outer`2"));
    assert_int_equal(inside.hashes[1], hash_alone(CODE_STSFLD, "N.Outer`2"));
    assert_int_equal(outside.hashes[0], hash_alone(CODE_LDSFLD, "N.MarkAttribute"));
    assert_int_equal(outside.hashes[1], hash_alone(CODE_STSFLD, "N.MarkAttribute"));
    assert_int_not_equal(inside.hashes[0], outside.hashes[0]);
    assert_int_not_equal(inside.hashes[0], inside.hashes[1]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(instruction_has_the_hash_that_it_has_in_a_body, open_hasher,
                                    close_hasher),
};
UNIT_TESTS(tests);
