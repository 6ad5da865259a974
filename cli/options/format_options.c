#include "cli/options/format_options.h"

#include <string.h>

#include "base/path.h"
#include "cli/options/option_values.h"
#include "reporters/report/report_formats.h"
#include "system/output_path.h"

/* The formats, and "none". */
static bool format_word(struct option_word *out, size_t index)
{
    size_t count = 0;
    while (report_formats[count].name != NULL)
        count++;
    const struct format *format = &report_formats[index < count ? index : count];
    *out = index < count
               ? (struct option_word){format->name, format->summary, format_default_file(format)}
               : (struct option_word){"none", "no report, only the data file", NULL};
    return index <= count;
}

/* The part before '='. */
static struct str format_name_of(const char *value)
{
    return (struct str){value, strcspn(value, "=")};
}

/* "cobertura:x.xml", as other tools want it. */
static bool has_colon(const struct format *known, const char *value)
{
    struct str name = {value, strcspn(value, ":=")};
    return value[name.len] == ':' && value[name.len + 1] != '\0' &&
           format_find(known, name) != NULL;
}

bool format_options_add_of(struct format_options *formats, const struct format *known,
                           bool (*word_of)(struct option_word *, size_t), const char *value,
                           const struct option_context *context, struct err *err)
{
    struct str name = format_name_of(value);
    const char *path = value[name.len] == '=' ? value + name.len + 1 : NULL;
    const struct format *format = format_find(known, name);
    if (path != NULL && *path == '\0')
        return err_set(err, ERR_USAGE, "format '%s' names no file after '='", value);
    if (format == NULL && has_colon(known, value))
        return err_set(err, ERR_USAGE, "unknown format '%s'; did you mean '%.*s=%s'?", value,
                       (int)strcspn(value, ":"), value, strchr(value, ':') + 1);
    size_t comma = strcspn(value, ",");
    if (format == NULL && comma < name.len)
        return err_set(err, ERR_USAGE, "unknown format '%s'; repeat the option: -f %.*s -f %s",
                       value, (int)comma, value, value + comma + 1);
    if (format == NULL)
        return option_refuse_word("format", name, word_of, context, err);
    if (formats->items == NULL)
        formats->items = ARENA_NEW(context->arena, struct option_format, context->room, err);
    if (formats->items == NULL)
        return false;
    formats->items[formats->count++] =
        (struct option_format){format, path != NULL ? path : format->default_path};
    return true;
}

/* "NAME" or "NAME=FILE", or "none" */
static bool take_report_format(void *field, const char *value, const struct option_context *context,
                               struct err *err)
{
    static const char none[] = "none";
    struct format_options *formats = field;
    struct str name = format_name_of(value);
    const char *file = value[name.len] == '=' ? value + name.len + 1 : NULL;
    if (str_is(name, none) && file == NULL) {
        formats->is_none = true;
        return true;
    }
    if (str_is(name, none) && file != NULL && *file != '\0')
        return err_set(err, ERR_USAGE, "format 'none' writes no file: '%s'", file);
    bool is_path = memchr(name.text, '.', name.len) != NULL || path_dir(name).len != 0;
    if (is_path && !has_colon(report_formats, value) && (file == NULL || *file != '\0'))
        return err_set(err, ERR_USAGE, "unknown format '%.*s'; did you mean 'cobertura=%.*s'?",
                       STR_ARGS(name), STR_ARGS(name));
    return format_options_add_of(formats, report_formats, format_word, value, context, err);
}

bool format_options_default(struct format_options *formats, const char *name,
                            const struct option_context *context, struct err *err)
{
    return formats->count != 0 || formats->is_none ||
           take_report_format(formats, name, context, err);
}

const struct option_row format_rows[] = {
    {.letter = 'f',
     .name = "format",
     .argument = "NAME[=FILE]",
     .take = take_report_format,
     .help = "write a report; default cobertura; 'ilcov report --list-formats' lists all",
     .more = "May be repeated. If FILE is -, the report goes to standard output; if it is the file "
             "that $GITHUB_STEP_SUMMARY names, the report is appended to it.",
     .completes = COMPLETE_WORD_FILE,
     .writes = true,
     .word = format_word,
     .repeats = true,
     .default_text = "cobertura"},
    {.name = "split",
     .argument = "SIZE",
     .take = option_take_size,
     .field = offsetof(struct format_options, split),
     .help = "write Cobertura in files of at most SIZE, such as 10MiB, GitLab's limit",
     .more = "A larger report is split into NAME.1.xml, NAME.2.xml and so on in place of NAME.xml, "
             "each a complete report with its own totals. In GitLab, its path is then "
             "coverage.cobertura*.xml.",
     .advanced = true,
     .is_number = true},
    {.name = NULL},
};

void format_options_list(FILE *out)
{
    struct option_word format;
    for (size_t i = 0; format_word(&format, i); i++)
        (void)fprintf(out, "%-11s%-24s%s\n", format.name, format.file != NULL ? format.file : "",
                      format.summary);
}

bool format_options_show_changes(const struct format_options *formats)
{
    bool show = false;
    for (uint32_t i = 0; i < formats->count; i++)
        show = show || formats->items[i].format->shows_changes;
    return show;
}

bool format_options_check_usual(const char *path, const char *option, struct err *err)
{
    return destination_is_plain(path) ||
           err_set(err, ERR_USAGE,
                   "%s is a link, a pipe or a device; to write there, name it with %s", path,
                   option);
}

static bool check_usual(const struct option_format *format, struct err *err)
{
    return format->path == NULL || format->path != format->format->default_path ||
           format_is_stream(format->path) ||
           format_options_check_usual(format->path, "--format NAME=FILE", err);
}

bool format_options_check(const struct format_options *formats, struct err *err)
{
    if (formats->is_none && formats->count != 0)
        return err_set(err, ERR_USAGE, "--format none cannot be combined with another format");
    for (uint32_t i = 0; i < formats->count; i++) {
        const char *path = formats->items[i].path;
        if (!check_usual(&formats->items[i], err))
            return false;
        for (uint32_t j = 0; j < i && path != NULL; j++) {
            const char *other = formats->items[j].path;
            if (other != NULL && same_file(path, other) && !destination_appends(path))
                return err_set(err, ERR_USAGE, "two reports would be written to %s%s%s", other,
                               strcmp(path, other) != 0 ? ", which is also " : "",
                               strcmp(path, other) != 0 ? path : "");
        }
    }
    return true;
}
