#include "cli/options/json_output.h"

#include <stdlib.h>

#include "base/version.h"
#include "cli/options/option_values.h"
#include "cli/options/say.h"

const struct option_row json_rows[] = {
    {.name = "json",
     .take = option_take_flag,
     .help = "print JSON to standard output, for programs",
     .more = "It contains what is otherwise printed; messages go to standard error. After an "
             "error, nothing is printed. The schema is share/ilcov/VERB.schema.json.",
     .cli_only = true},
    {.name = NULL},
};

bool json_output_open(struct json_output *out, const char *schema, struct err *err)
{
    out->text = NULL;
    out->file = open_memstream(&out->text, &out->len);
    if (out->file == NULL)
        return err_set(err, ERR_MEMORY, "out of memory");
    jw_open(&out->json, out->file);
    jw_begin(&out->json, NULL, '{');
    jw_text_c(&out->json, "schema", schema);
    jw_begin_line(&out->json, "generator", '{');
    jw_text(&out->json, "name", STR("ilcov"));
    jw_text(&out->json, "version", str_of(ilcov_version));
    jw_end(&out->json, '}');
    return true;
}

void json_output_drop(struct json_output *out)
{
    (void)fclose(out->file);
    free(out->text);
}

int json_output_end(struct json_output *out, bool ok, int status, const struct err *err)
{
    struct err own = *err;
    jw_end(&out->json, '}');
    jw_finish(&out->json);
    bool failed = ferror(out->file) != 0, closed = fclose(out->file) == 0;
    if (ok && (failed || !closed))
        ok = err_set(&own, ERR_MEMORY, "out of memory: the JSON is too long");
    if (ok)
        (void)fwrite(out->text, 1, out->len, stdout);
    free(out->text);
    return ok ? status : say_error(&own);
}
