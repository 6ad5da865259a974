/* fuzz_session_config.c - the config of a session that somebody collects: what is read is written
 * the same again. */
#include <string.h>

#include "coverage/session/session_config.h"
#include "tests/fuzz/fuzz.h"

static struct str write_config(const struct session_config *config, struct arena *arena)
{
    struct str text;
    struct err err = {.code = ERR_NONE};
    bool ok = session_config_write(&text, config, arena, &err);
    FUZZ_ASSERT(ok, "what was read cannot be written: %s", err.text);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct session_config config, again;
    struct arena *arena = fuzz_arena();
    struct err err = {.code = ERR_NONE};
    if (!session_config_parse(&config, (struct str){(const char *)data, size}, arena, &err)) {
        fuzz_check_err(&err);
        return 0;
    }
    struct str text = write_config(&config, arena);
    bool ok = session_config_parse(&again, text, arena, &err);
    FUZZ_ASSERT(ok, "what was written cannot be read: %s", err.text);
    FUZZ_ASSERT(again.include_count == config.include_count &&
                    again.exclude_count == config.exclude_count && again.started == config.started,
                "it is another config");
    struct str same = write_config(&again, arena);
    FUZZ_ASSERT(str_eq(text, same), "it is written in two ways");
    return 0;
}

static void add_text(fuzz_add *add, const char *name, const char *text)
{
    add(name, (struct view){(const uint8_t *)text, strlen(text)});
}

#define ID "id=00112233445566778899aabbccddeeff\nstarted=1764000000\n"

void fuzz_seeds(fuzz_add *add)
{
    add_text(add, "plain", "version=1\nmode=count\n" ID);
    add_text(add, "all",
             "version=1\nmode=exact\ninclude=[App*]*\ninclude=[Lib]N.*\nexclude=[*]*.Generated\n"
             "include-tests=1\ncontrol=1\nlater=what\n" ID);
    add_text(add, "hit", ID "mode=hit\nversion=1\n");
}
