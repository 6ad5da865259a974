/* fuzz_control.c - what the library in a process answers on its control socket, where everything
 * may be broken: lines, and of them stacks. */
#include <string.h>

#include "cli/process/stack_text.h"
#include "tests/fuzz/fuzz.h"

/* Of no process, so that no path that the answer names is opened. */
static const struct process nobody = {.inner_pid = 1};
static const struct stack_source source = {&nobody, "/nonexistent", {"/", 1}};

static bool is_printable(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (((unsigned char)text.text[i] < 0x20 && text.text[i] != '\n') || text.text[i] == 0x7F)
            return false;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct control_answer answer;
    struct str text;
    struct arena *arena = fuzz_arena();
    struct err err = {.code = ERR_NONE};
    if (!control_parse(&answer, (struct str){(const char *)data, size}, arena, &err)) {
        fuzz_check_err(&err);
        return 0;
    }
    FUZZ_ASSERT(answer.line_count <= CONTROL_LINES_LIMIT, "%u lines", answer.line_count);
    for (uint32_t i = 0; i < answer.line_count; i++)
        for (uint32_t k = 0; k < answer.lines[i].field_count; k++)
            fuzz_read((struct view){(const uint8_t *)answer.lines[i].fields[k].text,
                                    answer.lines[i].fields[k].len});
    if (!stack_text(&text, &answer, &source, arena, &err)) {
        fuzz_check_err(&err);
        return 0;
    }
    FUZZ_ASSERT(is_printable(text), "the stacks talk to the terminal");
    return 0;
}

static void add_text(fuzz_add *add, const char *name, const char *text)
{
    add(name, (struct view){(const uint8_t *)text, strlen(text)});
}

#define FRAME                                                                                      \
    "frame\t/app/A.dll\t00112233445566778899aabbccddeeff\t0x06000001\t12\tN.T.M(System.Int32)\n"

void fuzz_seeds(fuzz_add *add)
{
    add_text(add, "end", "end\t0x00000000\n");
    add_text(add, "refused", "instrumented\t12\nend\t0x80131370\n");
    add_text(add, "stacks",
             "thread\t12\t0x00000000\n" FRAME
             "native\ndynamic\tlambda_\\t\\\\\\n\nthread\t13\t0x80004005\n"
             "thread\t14\t0x00000000\n" FRAME "native\nthread\t15\t0x80131388\nend\t0x00000000\n");
    add_text(add, "no-file",
             "thread\t1\t0x00000000\nframe\t\t00112233445566778899aabbccddeeff\t0x06000001\t-1\t\n"
             "end\t0x00000000\n");
}
