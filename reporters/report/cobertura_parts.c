/* A Cobertura report in files of limited size, because GitLab refuses larger ones:
 *
 *   coverage.cobertura.xml                                   if it fits; else
 *   coverage.cobertura.1.xml, coverage.cobertura.2.xml ...   consecutive classes in each
 *
 * Each part is a document of its own: its packages have the classes that are in it, and all totals
 * are those of what is in it. A line is in one class of a package, so the totals of the parts add
 * up to those of the report. A class is never divided.
 *
 * Files of an earlier report under the same name are removed, since a consumer's glob would find
 * them beside the new ones: parts that this report does not have, and the whole one of a report
 * that is now split. Only what ilcov wrote is removed. */
#include <string.h>

#include "base/list.h"
#include "base/path.h"
#include "base/version.h"
#include "coverage/report/report_read.h"
#include "reporters/report/cobertura.h"
#include "reporters/report/report_formats.h"

#define PART_MARK "of a split report"

enum {
    /* Of a part's own totals: a rate may have five digits more than that of the whole. The comment
     * is what only a part has. */
    PACKAGE_SLACK = 32,
    REPORT_SLACK = 128
};

/* What a class takes, and its package without classes. */
struct piece {
    uint64_t size, package_size;
};

struct splitting {
    const struct format_job *job;
    const char *path;
    struct report_files classes;
    struct piece *pieces; /* likewise */
    uint32_t next;        /* of them, while they are measured or written */
    struct list starts;   /* uint32_t: the first piece of each part */
    /* Of the part that is written: its number, from 1, and the piece after its last. */
    uint32_t part, end;
    struct str part_path;
    struct cobertura_writer document;
    struct destination destination;
    bool is_open;
    struct err *err;
};

/* --- what an earlier report left -------------------------------------------------------------- */

struct sweep_parts {
    struct str name; /* without the folder */
    uint32_t keeps;  /* parts up to this one */
};

static bool is_stale_part(void *context, struct str file)
{
    const struct sweep_parts *sweep = context;
    uint32_t number;
    return format_is_part(&number, file, sweep->name) && number > sweep->keeps;
}

static bool is_whole_name(void *context, struct str file)
{
    const struct str *name = context;
    return str_eq(file, *name);
}

/* Removes parts after the first so many, and the whole report if there are any. */
static void sweep_parts(const char *path, uint32_t part_count)
{
    struct str name = path_file(str_of(path));
    struct sweep_parts stale = {.name = name, .keeps = part_count};
    destination_remove_beside(path, STR(PART_MARK " -->"), is_stale_part, &stale);
    if (part_count != 0)
        destination_remove_beside(path, STR("<!-- ilcov "), is_whole_name, &name);
}

void cobertura_tidy(const char *path)
{
    sweep_parts(path, 0);
}

/* --- which classes are in which part ---------------------------------------------------------- */

static bool starts_package(const struct splitting *s, uint32_t piece)
{
    const struct report_file *class = &s->classes.files[piece];
    return piece == 0 || class[-1].package != class->package;
}

static bool measure_class(void *context, const struct report_file *files, uint32_t count)
{
    struct splitting *s = context;
    for (uint32_t i = 0; i < count; i++) {
        struct cobertura_size size = cobertura_put(&s->document, files[i].classes[0]);
        uint32_t piece = s->next++;
        s->pieces[piece].size = size.class;
        for (bool any = size.package != 0; any; any = !starts_package(s, piece + 1))
            s->pieces[piece--].package_size = size.package;
    }
    return true;
}

/* How many bytes the whole has, and all of it but its packages. */
static bool measure_whole(uint64_t *whole, uint64_t *rest, struct splitting *s)
{
    s->pieces = ARENA_NEW(s->job->arena, struct piece, s->classes.count, s->err);
    cobertura_begin(&s->document, NULL, s->job->report, STR(""));
    if (s->pieces == NULL ||
        !report_read(s->job->report, s->classes.files, s->classes.count, measure_class, s, s->err))
        return false;
    *rest = *whole = cobertura_end(&s->document);
    for (uint32_t i = 0; i < s->classes.count; i++)
        *rest -= s->pieces[i].size + (starts_package(s, i) ? s->pieces[i].package_size : 0);
    return true;
}

/* How much longer a part gets by the piece. */
static uint64_t added_size(const struct splitting *s, uint32_t piece, bool is_first)
{
    const struct piece *p = &s->pieces[piece];
    return p->size + (is_first || starts_package(s, piece) ? p->package_size + PACKAGE_SLACK : 0);
}

static bool start_part(struct splitting *s, uint32_t piece)
{
    return list_put(&s->starts, &piece, sizeof piece, s->job->arena, s->err);
}

static bool pack_parts(struct splitting *s, uint64_t rest)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < s->classes.count; i++) {
        uint64_t more = added_size(s, i, false);
        bool starts = i == 0 || more > s->job->part_bytes || size > s->job->part_bytes - more;
        if (starts && !start_part(s, i))
            return false;
        size = starts ? rest + REPORT_SLACK : size;
        size += added_size(s, i, starts);
    }
    return true;
}

/* --- parts ------------------------------------------------------------------------------------ */

/* A report of the classes of the part. */
static bool make_part(struct report *out, struct splitting *s, uint32_t from)
{
    struct list packages = {.items = NULL};
    *out = *s->job->report;
    out->totals = (struct report_totals){0};
    for (uint32_t i = from; i < s->end; i++) {
        const struct report_file *class = &s->classes.files[i];
        if (i == from || starts_package(s, i)) {
            struct report_package *package =
                list_add(&packages, sizeof *package, s->job->arena, s->err);
            if (package == NULL)
                return false;
            *package = *class->package;
            package->class_count = 0;
            package->totals = (struct report_totals){0};
        }
        struct report_package *last = (struct report_package *)packages.items + packages.count - 1;
        last->class_count++;
        report_add_totals(&last->totals, &class->totals);
        report_add_totals(&out->totals, &class->totals);
    }
    out->packages = packages.items;
    out->package_count = packages.count;
    return true;
}

/* Nobody named it (format_options.h). */
static bool check_part_path(const struct splitting *s)
{
    return destination_is_plain(s->part_path.text) ||
           err_set(s->err, ERR_IO, "%s is a link, a pipe or a device, so no part is written to it",
                   s->part_path.text);
}

static bool name_xml_part(struct str *comment, struct splitting *s)
{
    return format_part_path(&s->part_path, s->path, s->part, s->job->arena, s->err) &&
           text_format(comment, s->job->arena, s->err, " ilcov %s, part %u of %u " PART_MARK " ",
                       ilcov_version, s->part, s->starts.count) &&
           check_part_path(s);
}

/* The only part is the whole. */
static bool begin_part(struct splitting *s)
{
    const uint32_t *starts = s->starts.items;
    uint32_t from = starts[s->part++];
    struct report part = *s->job->report;
    struct str comment = STR("");
    s->end = s->part < s->starts.count ? starts[s->part] : s->classes.count;
    if ((s->starts.count > 1 && (!name_xml_part(&comment, s) || !make_part(&part, s, from))) ||
        !destination_open(&s->destination, s->part_path.text, DESTINATION_FILE, s->err))
        return false;
    s->is_open = true;
    cobertura_begin(&s->document, s->destination.file, &part, comment);
    return true;
}

static void say_remark_of(const struct splitting *s, struct str line)
{
    if (s->job->remarks != NULL)
        s->job->remarks->say(s->job->remarks->context, line);
}

/* A class that alone is larger than a file may be. */
static bool remark_large(const struct splitting *s, uint64_t size)
{
    struct str line;
    if (size <= s->job->part_bytes || s->end == 0)
        return true;
    const struct report_file *class = &s->classes.files[s->end - 1];
    if (!text_format(&line, s->job->arena, s->err,
                     "%s has %llu bytes, more than --split allows: a class is never divided, and "
                     "%.*s in %.*s takes so many",
                     s->part_path.text, (unsigned long long)size, STR_ARGS(class->classes[0]->name),
                     STR_ARGS(class->path)))
        return false;
    say_remark_of(s, line);
    return true;
}

static bool end_part(struct splitting *s)
{
    uint64_t size = cobertura_end(&s->document);
    s->is_open = false;
    return destination_commit(&s->destination, s->err) && remark_large(s, size);
}

static bool write_part_class(void *context, const struct report_file *files, uint32_t count)
{
    struct splitting *s = context;
    for (uint32_t i = 0; i < count; i++) {
        if (!s->is_open && !begin_part(s))
            return false;
        (void)cobertura_put(&s->document, files[i].classes[0]);
        if (++s->next == s->end && !end_part(s))
            return false;
    }
    return true;
}

/* A file that could not be removed would be found beside the parts. */
static bool remark_whole(struct splitting *s)
{
    struct str line;
    if (!destination_exists(s->path))
        return true;
    if (!text_format(&line, s->job->arena, s->err,
                     "%s is still there beside the parts of the report; remove it, or what reads "
                     "them may count it as well",
                     s->path))
        return false;
    say_remark_of(s, line);
    return true;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Parts of which one is missing are no report. */
static bool write_parts(struct splitting *s)
{
    uint32_t count = s->starts.count;
    s->next = 0;
    bool ok = s->classes.count == 0 ? begin_part(s) && end_part(s)
                                    : report_read(s->job->report, s->classes.files,
                                                  s->classes.count, write_part_class, s, s->err);
    if (ok) {
        sweep_parts(s->path, count > 1 ? count : 0);
        return count == 1 || remark_whole(s);
    }
    if (s->is_open)
        destination_abandon(&s->destination);
    err_prefix(s->err, "%s", s->part_path.text);
    if (count > 1)
        sweep_parts(s->path, 0);
    return false;
}

bool cobertura_write_parts(const struct format_job *job, const char *path, struct err *err)
{
    struct splitting s = {.job = job, .path = path, .part_path = str_of(path), .err = err};
    uint64_t whole, rest;
    if (!report_files_ordered(&s.classes, job->report, REPORT_BY_CLASS, job->arena, err) ||
        !measure_whole(&whole, &rest, &s))
        return false;
    bool fits = whole <= job->part_bytes || s.classes.count < 2;
    return (fits ? start_part(&s, 0) : pack_parts(&s, rest)) && write_parts(&s);
}
