#include "cli/options/settings_schema.h"

#include <string.h>

#include "cli/options/setting_key.h"
#include "reporters/json_writer.h"

struct schema {
    struct json_writer w;
    const struct verb *const *verbs;
    struct arena *arena;
    struct err *err;
};

/* "write a report; ..." as a sentence, and what the manual adds. */
static bool write_description(struct schema *s, const struct verb_option *option)
{
    struct str help, text;
    if (!verb_option_help(&help, option, s->arena, s->err) ||
        !text_format(&text, s->arena, s->err, "--%s%s%s: %.*s.%s%s", option->row->name,
                     option->row->argument != NULL ? " " : "",
                     option->row->argument != NULL ? option->row->argument : "", STR_ARGS(help),
                     option->more != NULL ? " " : "", option->more != NULL ? option->more : ""))
        return false;
    jw_text(&s->w, "description", text);
    return true;
}

static void write_type(struct schema *s, const char *type)
{
    jw_text_c(&s->w, "type", type);
}

/* A string; editors complete its words, which for a format may be followed by "=FILE". */
static void write_string(struct schema *s, const struct option_row *row)
{
    struct option_word word;
    bool has_file = row->completes == COMPLETE_WORD_FILE;
    if (row->word == NULL || has_file)
        write_type(s, "string");
    if (row->word == NULL)
        return;
    if (has_file) {
        jw_begin(&s->w, "anyOf", '[');
        jw_begin_line(&s->w, NULL, '{');
    }
    jw_begin_line(&s->w, "enum", '[');
    for (size_t i = 0; row->word(&word, i); i++)
        jw_text_c(&s->w, NULL, word.name);
    jw_end(&s->w, ']');
    if (has_file) {
        jw_end(&s->w, '}');
        jw_begin_line(&s->w, NULL, '{');
        jw_text_c(&s->w, "pattern", "^[a-z-]+=.+$");
        jw_end(&s->w, '}');
        jw_end(&s->w, ']');
    }
}

static void write_value(struct schema *s, const struct option_row *row)
{
    if (row->argument == NULL) {
        write_type(s, "boolean");
        return;
    }
    if (!row->repeats && !row->is_number) {
        write_string(s, row);
        return;
    }
    jw_begin(&s->w, "anyOf", '[');
    jw_begin(&s->w, NULL, '{');
    write_string(s, row);
    jw_end(&s->w, '}');
    jw_begin(&s->w, NULL, '{');
    write_type(s, row->repeats ? "array" : "number");
    if (row->repeats) {
        jw_begin(&s->w, "items", '{');
        write_string(s, row);
        jw_end(&s->w, '}');
    }
    jw_end(&s->w, '}');
    jw_end(&s->w, ']');
}

static bool write_option(struct schema *s, const struct verb_option *option)
{
    char key[SETTING_KEY_ROOM];
    setting_key(key, option->row);
    jw_begin(&s->w, key, '{');
    bool fine = write_description(s, option);
    write_value(s, option->row);
    jw_end(&s->w, '}');
    return fine;
}

/* Those that no earlier verb has. */
static bool write_common(struct schema *s, const struct verb *verb)
{
    struct verb_option option;
    char key[SETTING_KEY_ROOM];
    for (size_t i = 0; verb_option(&option, verb, i); i++) {
        setting_key(key, option.row);
        if (option_is_setting(option.row) && setting_first(s->verbs, key) == verb &&
            !write_option(s, &option))
            return false;
    }
    return true;
}

static bool write_section(struct schema *s, const struct verb *verb)
{
    struct verb_option option;
    struct str text;
    if (!text_format(&text, s->arena, s->err, "Settings for 'ilcov %s' only.", verb->name))
        return false;
    jw_begin(&s->w, verb->name, '{');
    jw_text(&s->w, "description", text);
    write_type(s, "object");
    jw_bool(&s->w, "additionalProperties", false);
    jw_begin(&s->w, "properties", '{');
    for (size_t i = 0; verb_option(&option, verb, i); i++)
        if (option_is_setting(option.row) && !write_option(s, &option))
            return false;
    jw_end(&s->w, '}');
    jw_end(&s->w, '}');
    return true;
}

static bool write_properties(struct schema *s)
{
    const struct verb *const *verb;
    jw_begin(&s->w, "properties", '{');
    jw_begin_line(&s->w, "$schema", '{');
    write_type(s, "string");
    jw_end(&s->w, '}');
    for (verb = s->verbs; *verb != NULL; verb++)
        if (!write_common(s, *verb))
            return false;
    for (verb = s->verbs; *verb != NULL; verb++)
        if (verb_has_settings(*verb) && !write_section(s, *verb))
            return false;
    jw_end(&s->w, '}');
    return true;
}

bool settings_schema_print(FILE *out, const struct verb *const *verbs, struct arena *arena,
                           struct err *err)
{
    struct schema s = {.verbs = verbs, .arena = arena, .err = err};
    jw_open(&s.w, out);
    jw_begin(&s.w, NULL, '{');
    jw_text_c(&s.w, "$schema", "http://json-schema.org/draft-07/schema#");
    jw_text_c(&s.w, "title", "Settings of ilcov: ilcov.json");
    jw_text_c(
        &s.w, "description",
        "Each key is an option of ilcov, for all verbs that have it. Sections named after verbs "
        "are for one verb only. Comments are allowed. Generated by 'ilcov config --schema'.");
    write_type(&s, "object");
    jw_bool(&s.w, "allowComments", true);
    jw_bool(&s.w, "additionalProperties", false);
    bool fine = write_properties(&s);
    jw_end(&s.w, '}');
    jw_finish(&s.w);
    return fine;
}
