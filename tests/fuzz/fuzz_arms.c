/* fuzz_arms.c - the arms of a switch in the text of a source. The first byte says of which language
 * and how they are looked for; the next four are two offsets in the text. */
#include "coverage/source/fsharp_rules.h"
#include "coverage/source/switch_arms.h"
#include "coverage/source/vb_cases.h"
#include "tests/fuzz/fuzz.h"

enum {
    HEAD_LEN = 5
};

static void check_arms(const struct switch_arms *arms, struct str text)
{
    if (!arms->is_known)
        return;
    FUZZ_ASSERT(arms->subject_start <= arms->subject_end && arms->subject_end <= text.len,
                "a subject that is not of the text");
    for (uint32_t i = 0; i < arms->count; i++) {
        const struct switch_arm *arm = &arms->items[i];
        FUZZ_ASSERT(arm->label_start <= arm->label_end && arm->label_end <= text.len,
                    "arm %u: a label that is not of the text", (unsigned)i);
        FUZZ_ASSERT(arm->start_count <= SWITCH_STARTS_MAX, "arm %u: starts", (unsigned)i);
        for (uint32_t k = 0; k < arm->start_count; k++)
            FUZZ_ASSERT(arm->starts[k] <= text.len, "arm %u: a start", (unsigned)i);
    }
}

static bool find_rule(struct str text, uint32_t offset, struct arena *arena, struct err *err)
{
    struct tokens tokens;
    struct fsharp_rule rule;
    if (!tokens_find(&tokens, text, LANGUAGE_FSHARP, arena, err))
        return false;
    if (fsharp_rule_before(&rule, &tokens, offset))
        FUZZ_ASSERT(rule.start <= rule.end && rule.end <= offset &&
                        rule.function_start <= rule.function_end && rule.function_end <= text.len,
                    "a rule that is not before its code");
    return true;
}

static bool find_arms(uint8_t kind, struct str text, uint32_t first, uint32_t second,
                      struct err *err)
{
    struct switch_arms arms;
    struct tokens tokens;
    uint32_t start = first < second ? first : second, end = first < second ? second : first;
    struct arena *arena = fuzz_arena();
    bool done;
    if (kind % 4 == 0)
        return find_rule(text, first, arena, err);
    if (kind % 4 == 2)
        done = tokens_find(&tokens, text, LANGUAGE_VISUAL_BASIC, arena, err) &&
               vb_cases_find(&arms, &tokens, start, end, arena, err);
    else
        done = tokens_find(&tokens, text, LANGUAGE_CSHARP, arena, err) &&
               (kind % 4 == 1 ? switch_arms_find(&arms, &tokens, start, end, arena, err)
                              : switch_arms_around(&arms, &tokens, first, arena, err));
    if (done)
        check_arms(&arms, text);
    return done;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err err = {.code = ERR_NONE};
    if (size < HEAD_LEN)
        return 0;
    struct str text = {(const char *)data + HEAD_LEN, size - HEAD_LEN};
    uint32_t room = (uint32_t)text.len + 1;
    uint32_t first = (data[1] | (uint32_t)data[2] << 8) % room;
    uint32_t second = (data[3] | (uint32_t)data[4] << 8) % room;
    if (!find_arms(data[0], text, first, second, &err))
        fuzz_check_err(&err);
    return 0;
}

static void add_text(fuzz_add *add, const char *name, const char *text, size_t len)
{
    add(name, (struct view){(const uint8_t *)text, len});
}

#define ADD(name, text) add_text(add, name, text, sizeof text - 1)

void fuzz_seeds(fuzz_add *add)
{
    ADD("fsharp",
        "\0\x31\0\0\0match n with\n| 1 | 2 -> F ()\n| Some x when x > 0 -> G x\n| _ -> 0\n");
    ADD("statement", "\1\x08\0\x09\0switch (n) { case 1: case 2 when F(n): G(); break; default: "
                     "{ break; } }");
    ADD("expression", "\1\0\0\1\0n switch { 1 or 2 => G(), > 3 when a => throw b, _ => 0 }");
    ADD("basic",
        "\2\0\0\x0d\0Select Case n\n  Case 1, 2 To 4\n    F()\n  Case Is > 3\n  Case Else\n"
        "    G()\nEnd Select\n");
    ADD("around", "\3\x1e\0\0\0switch (n) { case 1: { G(); break; } case \"a\": return; }");
}
