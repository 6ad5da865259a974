#include "cli/settings/settings_table.h"

#include <string.h>

#include "cli/base/option_values.h"
#include "cli/settings/setting_key.h"
#include "cli/settings/settings_file.h"
#include "reporters/json_writer.h"
#include "reporters/legible.h"

/* --- entries ---------------------------------------------------------------------------------- */

static size_t count_verbs(const struct verb *const *verbs)
{
    size_t count = 0;
    while (verbs[count] != NULL)
        count++;
    return count;
}

bool settings_table_open(struct settings_table *out, const struct verb *const *verbs,
                         struct arena *arena, struct err *err)
{
    struct verb_option option;
    *out = (struct settings_table){.verbs = verbs};
    for (; *verbs != NULL; verbs++)
        for (size_t i = 0; verb_option(&option, *verbs, i); i++)
            out->room++;
    out->items = ARENA_NEW(arena, struct setting_entry, out->room, err);
    return out->items != NULL;
}

static bool equal(const struct option_given *a, const struct option_given *b)
{
    if (a->origin != b->origin || a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->values[i], b->values[i]) != 0)
            return false;
    return true;
}

/* What does not repeat has its last value. */
static struct option_given last(const struct option_given *given, const struct option_row *row)
{
    struct option_given out = *given;
    if (!row->repeats && out.count > 1) {
        out.values += out.count - 1;
        out.count = 1;
    }
    return out;
}

static bool name(const char **out, const struct settings_table *table, const struct verb *verb,
                 const struct option_row *row, bool is_own, struct arena *arena, struct err *err)
{
    char key[SETTING_KEY_ROOM];
    struct str text;
    setting_key(key, row);
    bool is_common = !is_own && setting_is_common(table->verbs, row);
    if (!text_format(&text, arena, err, "%s%s%s", is_common ? "" : verb->name, is_common ? "" : ".",
                     key))
        return false;
    *out = text.text;
    return true;
}

static struct setting_entry *find(const struct settings_table *table, const char *key,
                                  const struct option_given *given)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->items[i].key, key) == 0 && equal(&table->items[i].given, given))
            return &table->items[i];
    return NULL;
}

static bool add(struct settings_table *table, const struct verb *verb, const struct option_row *row,
                const struct option_given *given, struct arena *arena, struct err *err)
{
    const char *key;
    if (!name(&key, table, verb, row, given->is_own, arena, err))
        return false;
    struct setting_entry *entry = find(table, key, given);
    if (entry == NULL) {
        entry = &table->items[table->count++];
        *entry = (struct setting_entry){.key = key, .row = row, .given = *given};
        entry->verbs = ARENA_NEW(arena, const struct verb *, count_verbs(table->verbs), err);
    }
    if (entry->verbs == NULL)
        return false;
    entry->verbs[entry->verb_count++] = verb;
    return true;
}

bool settings_table_add(struct settings_table *table, const struct verb *verb,
                        const struct option_values *values, struct arena *arena, struct err *err)
{
    struct verb_option option;
    table->file = values->file;
    for (size_t i = 0; verb_option(&option, verb, i); i++) {
        const struct option_given given = last(&values->given[i], option.row);
        if (option_is_setting(option.row) && !add(table, verb, option.row, &given, arena, err))
            return false;
    }
    return true;
}

/* --- as a table ------------------------------------------------------------------------------- */

static const char *usual(const struct option_row *row)
{
    return row->usual != NULL ? row->usual : row->argument == NULL ? option_bool(false) : "-";
}

/* Returns how many columns it took. */
static size_t print_value(FILE *out, const struct setting_entry *entry)
{
    size_t width = 0;
    if (entry->given.origin == ORIGIN_DEFAULT) {
        (void)fputs(usual(entry->row), out);
        return strlen(usual(entry->row));
    }
    for (size_t i = 0; i < entry->given.count; i++) {
        (void)fputs(i == 0 ? "" : ", ", out);
        legible_put(out, str_of(entry->given.values[i]));
        width += legible_width(str_of(entry->given.values[i])) + (i == 0 ? 0 : 2);
    }
    return width;
}

static void print_from(FILE *out, const struct setting_entry *entry)
{
    if (entry->given.origin == ORIGIN_DEFAULT)
        (void)fputs("default", out);
    else if (entry->given.from != NULL)
        legible_put(out, str_of(entry->given.from));
    else
        (void)fprintf(out, "--%s", entry->row->name);
}

static void print_entry(FILE *out, const struct setting_entry *entry, int key_width)
{
    enum {
        VALUE_WIDTH = 30
    };
    (void)fprintf(out, "%-*s  ", key_width, entry->key);
    size_t width = print_value(out, entry);
    (void)fprintf(out, "%*s  ", width < VALUE_WIDTH ? (int)(VALUE_WIDTH - width) : 0, "");
    print_from(out, entry);
    (void)fputc('\n', out);
}

void settings_table_print(FILE *out, const struct settings_table *table)
{
    int width = 0;
    for (size_t i = 0; i < table->count; i++)
        if ((int)strlen(table->items[i].key) > width)
            width = (int)strlen(table->items[i].key);
    (void)fputs("settings file: ", out);
    legible_put(out, str_of(table->file != NULL ? table->file : "none"));
    (void)fputc('\n', out);
    for (size_t i = 0; i < table->count; i++)
        print_entry(out, &table->items[i], width);
}

/* --- as JSON ---------------------------------------------------------------------------------- */

static void write_value(struct json_writer *w, const struct setting_entry *entry)
{
    static const char key[] = "value";
    const struct option_given *given = &entry->given;
    if (entry->row->repeats) {
        jw_begin_line(w, key, '[');
        for (size_t i = 0; i < given->count; i++)
            jw_text_c(w, NULL, given->values[i]);
        jw_end(w, ']');
    } else if (entry->row->argument == NULL) {
        jw_bool(w, key, given->count != 0 && strcmp(given->values[0], option_bool(true)) == 0);
    } else if (given->count != 0) {
        jw_text_c(w, key, given->values[0]);
    } else {
        jw_null(w, key);
    }
}

static void write_entry(struct json_writer *w, const struct setting_entry *entry)
{
    static const char *const sources[] = {[ORIGIN_DEFAULT] = "default",
                                          [ORIGIN_FILE] = "file",
                                          [ORIGIN_ENVIRONMENT] = "environment",
                                          [ORIGIN_TYPED] = "option"};
    jw_begin(w, NULL, '{');
    jw_text_c(w, "key", entry->key);
    write_value(w, entry);
    jw_text_c(w, "source", sources[entry->given.origin]);
    if (entry->given.from != NULL)
        jw_text_c(w, "from", entry->given.from);
    if (entry->given.origin == ORIGIN_DEFAULT && entry->row->usual != NULL)
        jw_text_c(w, "default", entry->row->usual);
    jw_text_c(w, "option", entry->row->name);
    jw_begin_line(w, "verbs", '[');
    for (size_t i = 0; i < entry->verb_count; i++)
        jw_text_c(w, NULL, entry->verbs[i]->name);
    jw_end(w, ']');
    jw_end(w, '}');
}

void settings_table_print_json(FILE *out, const struct settings_table *table)
{
    struct json_writer w;
    jw_open(&w, out);
    jw_begin(&w, NULL, '{');
    jw_text_c(&w, "schema", "1.0.0");
    if (table->file != NULL)
        jw_text_c(&w, "file", table->file);
    else
        jw_null(&w, "file");
    jw_begin(&w, "settings", '[');
    for (size_t i = 0; i < table->count; i++)
        write_entry(&w, &table->items[i]);
    jw_end(&w, ']');
    jw_end(&w, '}');
    jw_finish(&w);
}
