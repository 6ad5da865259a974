#include <string.h>

#include "cli/settings/import.h"
#include "reporters/json_writer.h"
#include "reporters/legible.h"

/* A comment ends with its line, so nothing in it may end the line. */
static void print_comment(FILE *out, const struct import_value *value)
{
    (void)fputs(" // ", out);
    legible_put(out, value->from);
    if (value->note != NULL)
        (void)fprintf(out, "; %s", value->note);
    (void)fputc('\n', out);
}

static void print_setting(FILE *out, const struct import_setting *setting, bool is_last)
{
    const struct import_value *values = setting->values.items;
    const char *comma = is_last ? "" : ",";
    (void)fprintf(out, "    \"%s\": ", setting->key);
    if (setting->kind != IMPORT_LIST) {
        if (setting->kind == IMPORT_FLAG)
            (void)fprintf(out, "%.*s", STR_ARGS(values->value));
        else
            json_put_string(out, values->value);
        (void)fputs(comma, out);
        print_comment(out, values);
        return;
    }
    (void)fputs("[\n", out);
    for (uint32_t i = 0; i < setting->values.count; i++) {
        (void)fputs("        ", out);
        json_put_string(out, values[i].value);
        (void)fputs(i + 1 < setting->values.count ? "," : "", out);
        print_comment(out, &values[i]);
    }
    (void)fprintf(out, "    ]%s\n", comma);
}

static void print_rest(FILE *out, const struct import_rest *rest)
{
    (void)fputs("    // ", out);
    legible_put(out, rest->from);
    (void)fprintf(out, "\n    //     %s", rest->why);
    if (rest->nearest.len != 0) {
        (void)fputs("; near, but not the same: ", out);
        json_put_string(out, rest->nearest);
    }
    (void)fputc('\n', out);
}

void import_print(FILE *out, const struct import *import)
{
    const struct import_setting *settings = import->settings.items;
    const struct import_rest *rest = import->rest.items;
    (void)fputs("// made by 'ilcov config --from ", out);
    legible_put(out, str_of(import->path));
    (void)fputs("'\n// ilcov leaves generated code out, which other tools count: "
                "\"includeGenerated\": true\n"
                "{\n",
                out);
    for (uint32_t i = 0; i < import->settings.count; i++)
        print_setting(out, &settings[i], i + 1 == import->settings.count);
    if (import->rest.count != 0)
        (void)fputs("\n    // What has no counterpart:\n", out);
    for (uint32_t i = 0; i < import->rest.count; i++)
        print_rest(out, &rest[i]);
    (void)fputs("}\n", out);
}
