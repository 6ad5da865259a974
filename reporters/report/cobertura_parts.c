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
#include "reporters/report/cobertura.h"
#include "reporters/report/report_formats.h"

#define PART_MARK "of a split report"

enum {
    /* Of a part's own totals: a rate may have five digits more than that of the whole. The comment
     * is what only a part has. */
    PACKAGE_SLACK = 32,
    REPORT_SLACK = 128
};

/* A class, in the order of the report. */
struct piece {
    uint32_t package, class;
    uint64_t size, package_size;
};

struct splitting {
    const struct format_job *job;
    const char *path;
    struct piece *pieces;
    uint32_t piece_count;
    uint64_t rest;      /* of a document without packages */
    struct list starts; /* uint32_t: the first piece of each part */
    struct progress_count classes;
    struct arena arena; /* of all */
    struct err *err;
};

/* --- what an earlier report left -------------------------------------------------------------- */

struct sweep {
    struct str name; /* without the folder */
    uint32_t keeps;  /* parts up to this one */
};

static bool is_stale_part(void *context, struct str file)
{
    const struct sweep *sweep = context;
    uint32_t number;
    return format_is_part(&number, file, sweep->name) && number > sweep->keeps;
}

static bool is_name(void *context, struct str file)
{
    const struct str *name = context;
    return str_eq(file, *name);
}

/* Removes parts after the first so many, and the whole report if there are any. */
static void sweep(struct splitting *s, uint32_t part_count)
{
    struct str name = path_file(str_of(s->path));
    struct sweep stale = {.name = name, .keeps = part_count};
    destination_remove_beside(s->path, STR(PART_MARK " -->"), is_stale_part, &stale);
    if (part_count != 0)
        destination_remove_beside(s->path, STR("<!-- ilcov "), is_name, &name);
}

/* --- parts ------------------------------------------------------------------------------------ */

static bool list_pieces(struct splitting *s, const struct cobertura_sizes *sizes)
{
    const struct report *report = s->job->report;
    const uint64_t *package_size = sizes->packages;
    s->rest = sizes->whole;
    s->pieces = ARENA_NEW(&s->arena, struct piece, sizes->class_count, s->err);
    for (uint32_t p = 0; s->pieces != NULL && p < report->package_count; p++) {
        uint32_t count = report->packages[p].class_count;
        for (uint32_t c = 0; c < count; c++) {
            uint64_t size = sizes->classes[s->piece_count];
            s->pieces[s->piece_count++] = (struct piece){p, c, size, *package_size};
            s->rest -= size;
        }
        s->rest -= count != 0 ? *package_size++ : 0;
    }
    return s->pieces != NULL;
}

/* How much longer a part gets by the piece. */
static uint64_t added_size(const struct splitting *s, uint32_t piece, bool is_first)
{
    const struct piece *p = &s->pieces[piece];
    bool opens = is_first || piece == 0 || s->pieces[piece - 1].package != p->package;
    return p->size + (opens ? p->package_size + PACKAGE_SLACK : 0);
}

static bool pack(struct splitting *s)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < s->piece_count; i++) {
        uint64_t more = added_size(s, i, false);
        bool starts = i == 0 || more > s->job->part_bytes || size > s->job->part_bytes - more;
        if (starts) {
            uint32_t *start = list_add(&s->starts, sizeof *start, &s->arena, s->err);
            if (start == NULL)
                return false;
            *start = i;
            size = s->rest + REPORT_SLACK;
        }
        size += added_size(s, i, starts);
    }
    return true;
}

/* A report of the classes from one piece to before another. */
static bool make_part(struct report *out, struct splitting *s, uint32_t from, uint32_t to)
{
    const struct report *report = s->job->report;
    struct list packages = {.items = NULL};
    *out = *report;
    out->totals = (struct report_totals){0};
    for (uint32_t i = from; i < to; i++) {
        const struct piece *piece = &s->pieces[i];
        const struct report_package *whole = &report->packages[piece->package];
        struct report_package *package = packages.items;
        if (i != from && s->pieces[i - 1].package == piece->package) {
            package += packages.count - 1;
        } else {
            package = list_add(&packages, sizeof *package, &s->arena, s->err);
            if (package == NULL)
                return false;
            *package = *whole;
            package->classes = whole->classes + piece->class;
            package->class_count = 0;
            package->totals = (struct report_totals){0};
        }
        package->class_count++;
        report_add_totals(&package->totals, &whole->classes[piece->class].totals);
        report_add_totals(&out->totals, &whole->classes[piece->class].totals);
    }
    out->packages = packages.items;
    out->package_count = packages.count;
    return true;
}

static bool write_file(struct splitting *s, uint64_t *size, const char *path,
                       const struct report *report, struct str comment)
{
    struct destination destination;
    if (!destination_open(&destination, path, DESTINATION_FILE, s->err))
        return false;
    *size = cobertura_write_report(destination.file, report, comment, &s->classes);
    return destination_commit(&destination, s->err);
}

static void remark(struct splitting *s, struct str line)
{
    if (s->job->remarks != NULL)
        s->job->remarks->say(s->job->remarks->context, line);
}

/* A class that alone is larger than a file may be. */
static bool remark_large(struct splitting *s, uint32_t piece, uint64_t size, const char *path)
{
    struct str line;
    const struct piece *p = &s->pieces[piece];
    const struct report_class *class = &s->job->report->packages[p->package].classes[p->class];
    if (size <= s->job->part_bytes)
        return true;
    if (!text_format(&line, &s->arena, s->err,
                     "%s has %llu bytes, more than --split allows: a class is never divided, and "
                     "%.*s in %.*s takes so many",
                     path, (unsigned long long)size, STR_ARGS(class->name), STR_ARGS(class->file)))
        return false;
    remark(s, line);
    return true;
}

/* Nobody named it (format_options.h). */
static bool check_part(const struct splitting *s, const char *path)
{
    return destination_is_plain(path) ||
           err_set(s->err, ERR_IO, "%s is a link, a pipe or a device, and no part is written to it",
                   path);
}

static bool write_part(struct splitting *s, uint32_t number, struct str *path)
{
    const uint32_t *starts = s->starts.items;
    uint32_t from = starts[number - 1];
    uint32_t to = number < s->starts.count ? starts[number] : s->piece_count;
    struct report part;
    struct str comment;
    uint64_t size = 0;
    if (!format_part_path(path, s->path, number, &s->arena, s->err) ||
        !text_format(&comment, &s->arena, s->err, " ilcov %s, part %u of %u " PART_MARK " ",
                     ilcov_version, number, s->starts.count) ||
        !check_part(s, path->text) || !make_part(&part, s, from, to) ||
        !write_file(s, &size, path->text, &part, comment))
        return false;
    return remark_large(s, from, size, path->text);
}

/* A file that could not be removed would be found beside the parts. */
static bool remark_whole(struct splitting *s)
{
    struct str line;
    if (!destination_exists(s->path))
        return true;
    if (!text_format(&line, &s->arena, s->err,
                     "%s is still there beside the parts of the report; remove it, or what reads "
                     "them may count it as well",
                     s->path))
        return false;
    remark(s, line);
    return true;
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool write_whole(struct splitting *s)
{
    uint64_t size = 0;
    if (!write_file(s, &size, s->path, s->job->report, STR(""))) {
        err_prefix(s->err, "%s", s->path);
        return false;
    }
    sweep(s, 0);
    return s->piece_count != 1 || remark_large(s, 0, size, s->path);
}

/* Parts of which one is missing are no report. */
static bool write_parts(struct splitting *s)
{
    for (uint32_t i = 1; i <= s->starts.count; i++) {
        struct str path = STR("");
        if (write_part(s, i, &path))
            continue;
        err_prefix(s->err, "%s", path.len != 0 ? path.text : s->path);
        sweep(s, 0);
        return false;
    }
    sweep(s, s->starts.count);
    return remark_whole(s);
}

static bool split(struct splitting *s)
{
    struct cobertura_sizes sizes;
    if (s->job->part_bytes == 0)
        return write_whole(s);
    if (!cobertura_measure(&sizes, s->job->report, &s->classes, &s->arena, s->err) ||
        !list_pieces(s, &sizes))
        return false;
    if (sizes.whole <= s->job->part_bytes || s->piece_count < 2)
        return write_whole(s);
    return pack(s) && write_parts(s);
}

bool cobertura_write_parts(const struct format_job *job, const char *path, struct err *err)
{
    struct splitting s = {.job = job,
                          .path = path,
                          .classes = report_progress(job, "writing classes of Cobertura"),
                          .err = err};
    s.classes.total *= job->part_bytes != 0 ? 2 : 1; /* measured first */
    arena_init(&s.arena, NULL, 0, ARENA_NO_LIMIT);
    bool ok = split(&s);
    arena_free(&s.arena);
    return ok;
}
