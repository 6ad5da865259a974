/* fuzz_settings.c - a settings file that somebody checked in: an error in one line that names the
 * file, or settings whose values options take or refuse. */
#include <string.h>

#include "cli/options/settings_file.h"
#include "cli/verbs/verbs.h"
#include "tests/fuzz/fuzz.h"

#define PATH "/r/ilcov.json"

static void take(const struct setting *setting, struct arena *arena)
{
    enum {
        FIELD_ROOM = 4096
    };
    _Alignas(max_align_t) uint8_t field[FIELD_ROOM] = {0};
    const struct option_context context = {
        .name = setting->row->name, .arena = arena, .room = setting->count + 1};
    for (size_t i = 0; i < setting->count; i++) {
        struct err err = {.code = ERR_NONE};
        fuzz_read((struct view){(const uint8_t *)setting->values[i], strlen(setting->values[i])});
        if (!setting->row->take(field, setting->row->argument != NULL ? setting->values[i] : NULL,
                                &context, &err))
            fuzz_check_err(&err);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct settings_file file;
    struct err err = {.code = ERR_NONE};
    struct arena *arena = fuzz_arena();
    if (!settings_file_parse(&file, (struct str){(const char *)data, size}, PATH, verbs, arena,
                             &err)) {
        FUZZ_ASSERT(strncmp(err.text, PATH ":", sizeof PATH) == 0, "no file: %s", err.text);
        return 0;
    }
    uint32_t line = 1;
    for (size_t i = 0; i < file.count; i++) {
        FUZZ_ASSERT(file.items[i].line >= line, "line %u after %u", file.items[i].line, line);
        line = file.items[i].line;
        take(&file.items[i], arena);
    }
    return 0;
}

static void add_text(fuzz_add *add, const char *name, const char *text)
{
    add(name, (struct view){(const uint8_t *)text, strlen(text)});
}

void fuzz_seeds(fuzz_add *add)
{
    add_text(add, "all",
             "\xef\xbb\xbf// c\n{\"$schema\": \"x\", /* \xc3\xa9 */\n\"failUnder\": 79.95, "
             "\"format\": [\"cobertura\", \"html=site\"],\n\"exclude\": \"[A.*]*\", \"quiet\": "
             "true, \"gate\": [\"line>=80\", \"[A]lost=0\"], \"hangTimeout\": 60, \"mode\": "
             "\"hit\", \"patch\": \"main...HEAD\", \"run\": {\"mode\": \"exact\"}, \"diff\": "
             "{\"format\": \"json=-\"}, \"excludeAttribute\": \"N.\\u0041\"}\n");
    add_text(add, "wrong", "{\"fail-under\": 1}");
    add_text(add, "report", "{\"schema\": \"1.5.0\", \"generator\": {}}");
}
