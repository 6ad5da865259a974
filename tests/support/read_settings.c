/* read_settings.c - reads settings files as ilcov does, for tests/support/settings_oracle.py:
 *
 *     read_settings <INPUT
 *
 * INPUT is, for each file, its length in decimal, a line end and its bytes. For each, a line of
 * JSON: {"error": TEXT}, or {"settings": [[VERB or null, OPTION, LINE, [VALUE...], REFUSED]...]},
 * where REFUSED says whether the option refuses one of the values. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/settings_file.h"
#include "cli/verbs/verbs.h"
#include "reporters/json_writer.h"

static bool is_refused(const struct setting *setting, struct arena *arena)
{
    enum {
        FIELD_ROOM = 4096
    };
    _Alignas(max_align_t) uint8_t field[FIELD_ROOM] = {0};
    const struct option_row *row = setting->row;
    const struct option_context taking = {
        .name = row->name, .arena = arena, .room = setting->count + 1};
    for (size_t i = 0; i < setting->count; i++) {
        struct err err = {0};
        if (row->argument != NULL && !row->take(field, setting->values[i], &taking, &err))
            return true;
    }
    return false;
}

static void write_setting(struct json_writer *w, const struct setting *setting, struct arena *arena)
{
    jw_begin(w, NULL, '[');
    if (setting->verb != NULL)
        jw_text_c(w, NULL, setting->verb->name);
    else
        jw_null(w, NULL);
    jw_text_c(w, NULL, setting->row->name);
    jw_number(w, NULL, setting->line);
    jw_begin(w, NULL, '[');
    for (size_t i = 0; i < setting->count; i++)
        jw_text_c(w, NULL, setting->values[i]);
    jw_end(w, ']');
    jw_bool(w, NULL, is_refused(setting, arena));
    jw_end(w, ']');
}

static void read_one(struct str text, struct arena *arena)
{
    struct json_writer w;
    struct settings_file file;
    struct err err = {0};
    jw_open(&w, stdout);
    jw_begin_line(&w, NULL, '{');
    if (!settings_file_parse(&file, text, "/r/ilcov.json", verbs, arena, &err)) {
        jw_text_c(&w, "error", err.text);
    } else {
        jw_begin(&w, "settings", '[');
        for (size_t i = 0; i < file.count; i++)
            write_setting(&w, &file.items[i], arena);
        jw_end(&w, ']');
    }
    jw_end(&w, '}');
    jw_finish(&w);
}

int main(void)
{
    enum {
        LENGTH_ROOM = 32
    };
    char length[LENGTH_ROOM];
    struct arena arena;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    while (fgets(length, sizeof length, stdin) != NULL) {
        size_t len = strtoul(length, NULL, 10);
        char *text = malloc(len != 0 ? len : 1); /* of its own size, for sanitizers */
        if (text == NULL || fread(text, 1, len, stdin) != len) {
            free(text);
            (void)fputs("read_settings: the input ends within a file\n", stderr);
            return 2;
        }
        read_one((struct str){text, len}, &arena);
        free(text);
        arena_reset(&arena);
    }
    arena_free(&arena);
    return 0;
}
