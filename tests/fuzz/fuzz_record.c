/* fuzz_record.c - the text of a process record, as a killed process may have left it; the first
 * line is the file's name. */
#include <string.h>

#include "coverage/session/session.h"
#include "tests/fuzz/fuzz.h"

static void read_str(struct str s)
{
    fuzz_read((struct view){(const uint8_t *)s.text, s.len});
}

static void read_reason(const struct reason *reason, struct arena *arena)
{
    struct str text;
    struct err err = {.code = ERR_NONE};
    FUZZ_ASSERT(reason->code == REASON_NONE || reason_is_known(reason->code), "reason %u",
                reason->code);
    if (reason_text(&text, reason->code != REASON_NONE ? reason : NULL, arena, &err))
        read_str(text);
    else
        fuzz_check_err(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct session_process process;
    struct arena *arena = fuzz_arena(); /* asked for again it is empty */
    struct err err = {.code = ERR_NONE};
    const uint8_t *end = size != 0 ? memchr(data, '\n', size) : NULL;
    if (end == NULL)
        return 0;
    struct str name = {(const char *)data, (size_t)(end - data)};
    struct view record = {end + 1, size - name.len - 1};
    if (!session_parse_process(&process, name, record, arena, &err)) {
        fuzz_check_err(&err);
        return 0;
    }
    read_str(process.program);
    read_str(process.runtime);
    read_str(process.runtime_dir);
    read_reason(&process.declined, arena);
    for (uint32_t i = 0; i < process.instrumented_count; i++) {
        read_str(process.instrumented[i].name);
        read_str(process.instrumented[i].path);
    }
    for (uint32_t i = 0; i < process.skip_count; i++) {
        read_str(process.skips[i].name);
        read_str(process.skips[i].path);
        read_reason(&process.skips[i].reason, arena);
    }
    for (uint32_t i = 0; i < process.warning_count; i++)
        read_str(process.warnings[i]);
    return 0;
}

static void add_text(fuzz_add *add, const char *name, const char *text)
{
    add(name, (struct view){(const uint8_t *)text, strlen(text)});
}

void fuzz_seeds(fuzz_add *add)
{
    add_text(add, "instrumented",
             "process-4711-1234567\nilcov-process\t0.1.0\nprogram\t/app/a\\tb.dll\n"
             "runtime\t10.0.0\t/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.0\n"
             "instrumented\tApp\t/app/App.dll\t00112233445566778899aabbccddeeff\t12\t1\n"
             "skipped\tLib\t/app/Lib.dll\t13\t\nskipped\tBad\t/app/Bad.dll\t37\tnot a \\\\ "
             "DLL\ntrouble\tout of \\\\ space\\n\n");
    add_text(add, "declined", "process-1-2\nilcov-process\t0.1.0\ndeclined\t3\t\n");
    add_text(add, "exec",
             "process-1-2\nilcov-process\t0.1.0\ndeclined\t65535\tx\nilcov-process\t0.1."
             "0\nprogram\ty\n");
    add_text(add, "empty", "process-1-2\n");
}
