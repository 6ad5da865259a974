/* fuzz_conditions.c - the conditions in the text of a statement, and what they mean. The first byte
 * says how it is read. */
#include "coverage/source/condition_meaning.h"
#include "coverage/source/conditions.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text_conditions found;
    struct err err = {.code = ERR_NONE};
    if (size == 0)
        return 0;
    struct str text = {(const char *)data + 1, size - 1};
    if (!conditions_find(&found, text, (enum text_reading)(data[0] & 3),
                         (struct conditions_options){(data[0] & 4) != 0, (data[0] & 8) != 0},
                         fuzz_arena(), &err)) {
        fuzz_check_err(&err);
        return 0;
    }
    FUZZ_ASSERT(found.count <= CONDITIONS_MAX && (found.is_known || found.count == 0),
                "%u conditions", (unsigned)found.count);
    for (uint32_t i = 0; i < found.count; i++) {
        const struct text_condition *condition = &found.items[i];
        FUZZ_ASSERT(condition->start < condition->end && condition->end <= text.len,
                    "a condition that is not of the text");
        const struct node *node = condition->node;
        struct condition_meaning meaning =
            condition_meaning_of(&found.tokens, node->first, node->end, node->is_pattern);
        FUZZ_ASSERT(meaning.relation <= RELATION_CONSTANT, "a relation that there is not");
        for (int k = 0; k < 2; k++)
            FUZZ_ASSERT(
                condition->next[k] == CONDITION_END ||
                    (condition->next[k] > (int32_t)i && condition->next[k] < (int32_t)found.count),
                "condition %u leads to %d", (unsigned)i, (int)condition->next[k]);
    }
    return 0;
}

static void add_text(fuzz_add *add, const char *name, const char *text, size_t len)
{
    add(name, (struct view){(const uint8_t *)text, len});
}

#define ADD(name, text) add_text(add, name, text, sizeof text - 1)

void fuzz_seeds(fuzz_add *add)
{
    ADD("if", "\0if (!(a || b) && (c ? d : e?.F(g && h)?.i[0] == 3) && await j) // k");
    ADD("value", "\0int? x = new A<B, C>(d) { E = f ?? g, H = { i, .. j } }?.k switch { _ => l };");
    ADD("pattern",
        "\0if (o is not (> 3 or 'a') and < 'z' && p is List<int?> { } q && (r, s) is T)");
    ADD("lambda", "\0F(x => x && y, (int? a, b) => { return a && b; }, n: delegate { }, $\"{a}\" + "
                  "@\"\"\"\");");
    ADD("basic",
        "\2If Not a = b AndAlso If(TypeOf c Is D, e?.F, g?(0)) IsNot Nothing OrElse h And i Then");
    ADD("basic lambda", "\3F(Function(x) x <> 3, n:=$\"{If(a, b)}\", New A With {.B = c})");
    ADD("stored", "\10x = o is 3;");
    ADD("joined", "\4if (a == b && c || !d)");
    ADD("loop", "\1i < n && F(i, typeof(T?), a < b, c > (d))");
}
