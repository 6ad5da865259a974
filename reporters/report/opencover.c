/* OpenCover's XML, which SonarQube reads for C# and Visual Basic, with branches. Read by its
 * importer and by ReportGenerator:
 *
 *   CoverageSession
 *     Summary
 *     Modules/Module                    hash: of a build of the assembly
 *       Summary ModulePath ModuleName
 *       Files/File                      uid, the same in all modules; fullPath
 *       Classes/Class
 *         Summary FullName
 *         Methods/Method                visited cyclomaticComplexity sequenceCoverage ...
 *           Summary Name FileRef
 *           SequencePoints/SequencePoint  one for each line: vc uspid ordinal sl sc el ec bec bev
 *           BranchPoints/BranchPoint      one for each outcome: vc uspid ordinal path offset
 *                                         offsetend sl
 *
 * ilcov reports lines, so a point spans a line. SonarQube takes branches for the same, in several
 * reports and modules, if line, offset, offsetend and path are: offset is the condition's place on
 * the line, and path its outcome. A method that is not the first on a line has a sequence point
 * there, but no branch points, so that they count once. The report knows neither return types nor
 * tokens. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hex.h"
#include "base/number.h"
#include "base/path.h"
#include "base/sort.h"
#include "coverage/report/report_files.h"
#include "reporters/report/report_formats.h"
#include "reporters/xml_writer.h"

enum {
    /* SonarQube adds up the hits of a line, over modules and reports, in an int. */
    HITS_MAX = 10000000,
    NUMBER_ROOM = 32
};

struct opencover_session {
    struct xml_writer xml;
    const struct report *report;
    struct report_files files; /* their uid is the index of the first of this path, and 1 */
    uint64_t points;           /* written so far */
    /* The package that is open, or NULL; the class that comes next in it, and how many of its type
     * are still to come. */
    const struct report_package *package;
    uint32_t class, left_of_type;
    struct arena *arena; /* of one class */
    struct err *err;
};

static void put_hundredths(struct opencover_session *s, const char *attribute, uint64_t value)
{
    char text[NUMBER_ROOM];
    (void)snprintf(text, sizeof text, "%" PRIu64 ".%02u", value / 100, (unsigned)(value % 100));
    xw_text_c(&s->xml, attribute, text);
}

/* --- summaries -------------------------------------------------------------------------------- */

struct opencover_summary {
    struct report_totals totals;
    uint64_t class_count, visited_class_count;
    uint64_t max_complexity, min_complexity, max_crap, min_crap; /* of its methods; crap_x100 */
};

static const struct opencover_summary empty = {.min_complexity = UINT64_MAX,
                                               .min_crap = UINT64_MAX};

static void summarise_method(struct opencover_summary *into, const struct report_method *method)
{
    uint64_t complexity = method->totals.complexity, crap = crap_x100(&method->totals);
    into->max_complexity = complexity > into->max_complexity ? complexity : into->max_complexity;
    into->min_complexity = complexity < into->min_complexity ? complexity : into->min_complexity;
    into->max_crap = crap > into->max_crap ? crap : into->max_crap;
    into->min_crap = crap < into->min_crap ? crap : into->min_crap;
}

/* A type in one of its files. */
static void summarise_class(struct opencover_summary *into, const struct report_class *class)
{
    report_add_totals(&into->totals, &class->totals);
    for (uint32_t i = 0; i < class->method_count; i++)
        summarise_method(into, &class->methods[i]);
}

/* How many classes, from the first on, are one type in several files. */
static uint32_t type_group(const struct report_class *classes, uint32_t count)
{
    uint32_t n = 1;
    while (n < count && str_eq(classes[n].name, classes[0].name))
        n++;
    return n;
}

static void summarise_type(struct opencover_summary *into, const struct report_class *classes,
                           uint32_t count)
{
    bool visited = false;
    for (uint32_t i = 0; i < count; i++) {
        summarise_class(into, &classes[i]);
        visited = visited || classes[i].totals.lines_covered != 0;
    }
    into->class_count++;
    into->visited_class_count += visited;
}

static void summarise_package(struct opencover_summary *into, const struct report_package *package)
{
    for (uint32_t c = 0, group; c < package->class_count; c += group) {
        group = type_group(&package->classes[c], package->class_count - c);
        summarise_type(into, &package->classes[c], group);
    }
}

static void put_shares(struct opencover_session *s, const struct report_totals *totals)
{
    put_hundredths(s, "sequenceCoverage",
                   number_percent_x100(totals->lines_covered, totals->lines_valid));
    put_hundredths(s, "branchCoverage",
                   number_percent_x100(totals->branches_covered, totals->branches_valid));
}

static void write_summary(struct opencover_session *s, const struct opencover_summary *summary)
{
    const struct report_totals *totals = &summary->totals;
    bool any = summary->min_complexity != UINT64_MAX;
    xw_begin(&s->xml, "Summary");
    xw_number(&s->xml, "numSequencePoints", totals->lines_valid);
    xw_number(&s->xml, "visitedSequencePoints", totals->lines_covered);
    xw_number(&s->xml, "numBranchPoints", totals->branches_valid);
    xw_number(&s->xml, "visitedBranchPoints", totals->branches_covered);
    put_shares(s, totals);
    xw_number(&s->xml, "maxCyclomaticComplexity", summary->max_complexity);
    xw_number(&s->xml, "minCyclomaticComplexity", any ? summary->min_complexity : 0);
    put_hundredths(s, "maxCrapScore", summary->max_crap);
    put_hundredths(s, "minCrapScore", any ? summary->min_crap : 0);
    xw_number(&s->xml, "visitedClasses", summary->visited_class_count);
    xw_number(&s->xml, "numClasses", summary->class_count);
    xw_number(&s->xml, "visitedMethods", totals->methods_covered);
    xw_number(&s->xml, "numMethods", totals->methods_valid);
    xw_end(&s->xml);
}

/* --- files ------------------------------------------------------------------------------------ */

ORDER(order_file_paths, struct report_file, BY(path))

static uint64_t uid_of(const struct opencover_session *s, struct str path)
{
    const struct report_file key = {.path = path};
    return sorted_place(&key, s->files.files, s->files.count, sizeof key, order_file_paths) + 1;
}

/* Absolute, as importers want it, unless the report is deterministic. */
static bool full_path(struct str *out, const struct opencover_session *s, struct str path)
{
    *out = path;
    return str_is(s->report->root, ".") || path_is_absolute(path) ||
           path_join(out, s->report->root, path, s->arena, s->err);
}

static bool write_files(struct opencover_session *s, const struct report_package *package)
{
    struct report_files files;
    if (!report_files_of_package(&files, package, s->arena, s->err))
        return false;
    xw_begin(&s->xml, "Files");
    for (uint32_t i = 0; i < files.count; i++) {
        struct str path;
        if (!full_path(&path, s, files.files[i].path))
            return false;
        xw_begin(&s->xml, "File");
        xw_number(&s->xml, "uid", uid_of(s, files.files[i].path));
        xw_text(&s->xml, "fullPath", path);
        xw_end(&s->xml);
    }
    xw_end(&s->xml);
    return true;
}

/* --- points ----------------------------------------------------------------------------------- */

/* A class while its methods are written. */
struct open_class {
    const struct report_class *class;
    uint64_t file;      /* uid */
    bool *has_branches; /* per line: its branch points are written */
};

ORDER(order_line_numbers, struct report_line, BY(number))

/* The class's own line of this number; NULL if it is another class's. */
static const struct report_line *find_own_line(const struct open_class *open, uint32_t number)
{
    const struct report_line key = {.number = number};
    return sorted_find(&key, open->class->lines.lines, open->class->lines.count, sizeof key,
                       order_line_numbers);
}

static void begin_point(struct opencover_session *s, const char *element, uint64_t hits,
                        uint32_t ordinal)
{
    xw_begin(&s->xml, element);
    xw_number(&s->xml, "vc", number_min(hits, HITS_MAX));
    xw_number(&s->xml, "uspid", ++s->points);
    xw_number(&s->xml, "ordinal", ordinal);
}

static void write_sequence_points(struct opencover_session *s, const struct open_class *open,
                                  const struct report_method *method)
{
    const struct report_line *own = method->lines.lines;
    uint32_t ordinal = 0;
    xw_begin(&s->xml, "SequencePoints");
    for (uint32_t i = 0; i < method->lines.count; i++) {
        const struct report_line *line = find_own_line(open, own[i].number);
        if (line == NULL)
            continue;
        bool first = !open->has_branches[line - open->class->lines.lines];
        begin_point(s, "SequencePoint", own[i].hits, ordinal++);
        xw_number(&s->xml, "offset", i);
        xw_number(&s->xml, "sl", line->number);
        xw_number(&s->xml, "sc", 1);
        xw_number(&s->xml, "el", line->number);
        xw_number(&s->xml, "ec", 2);
        xw_number(&s->xml, "bec", first ? line->outcome_count : 0);
        xw_number(&s->xml, "bev", first ? line->covered_count : 0);
        xw_number(&s->xml, "fileid", open->file);
        xw_end(&s->xml);
    }
    xw_end(&s->xml);
}

static void write_outcome_points(struct opencover_session *s, const struct open_class *open,
                                 const struct report_line *line, uint32_t *ordinal)
{
    for (uint32_t c = 0; c < line->condition_count; c++)
        for (uint32_t o = 0; o < line->conditions[c].outcome_count; o++) {
            begin_point(s, "BranchPoint", line->conditions[c].outcome_hits[o], (*ordinal)++);
            xw_number(&s->xml, "path", o);
            xw_number(&s->xml, "offset", c);
            xw_number(&s->xml, "offsetend", (uint64_t)c + 1);
            xw_number(&s->xml, "sl", line->number);
            xw_number(&s->xml, "fileid", open->file);
            xw_end(&s->xml);
        }
}

static void write_branch_points(struct opencover_session *s, const struct open_class *open,
                                const struct report_method *method)
{
    uint32_t ordinal = 0;
    xw_begin(&s->xml, "BranchPoints");
    for (uint32_t i = 0; i < method->lines.count; i++) {
        const struct report_line *line = find_own_line(open, method->lines.lines[i].number);
        if (line == NULL || open->has_branches[line - open->class->lines.lines])
            continue;
        open->has_branches[line - open->class->lines.lines] = true;
        write_outcome_points(s, open, line, &ordinal);
    }
    xw_end(&s->xml);
}

/* --- methods and classes ---------------------------------------------------------------------- */

static bool write_opencover_method(struct opencover_session *s, const struct open_class *open,
                                   const struct report_method *method)
{
    const struct report_totals *totals = &method->totals;
    struct opencover_summary summary = empty;
    struct str name;
    summary.totals = *totals;
    summarise_method(&summary, method);
    if (!text_format(&name, s->arena, s->err, "%.*s::%.*s%.*s", STR_ARGS(open->class->name),
                     STR_ARGS(method->name), STR_ARGS(method->signature)))
        return false;
    xw_begin(&s->xml, "Method");
    xw_bool(&s->xml, "visited", totals->lines_covered != 0);
    xw_number(&s->xml, "cyclomaticComplexity", totals->complexity);
    xw_number(&s->xml, "nPathComplexity", 0);
    put_shares(s, totals);
    put_hundredths(s, "crapScore", crap_x100(totals));
    xw_bool(&s->xml, "isConstructor",
            str_is(method->name, ".ctor") || str_is(method->name, ".cctor"));
    xw_bool(&s->xml, "isStatic", str_is(method->name, ".cctor"));
    xw_bool(&s->xml, "isGetter", str_starts(method->name, "get_"));
    xw_bool(&s->xml, "isSetter", str_starts(method->name, "set_"));
    write_summary(s, &summary);
    xw_leaf(&s->xml, "Name", name);
    xw_begin(&s->xml, "FileRef");
    xw_number(&s->xml, "uid", open->file);
    xw_end(&s->xml);
    write_sequence_points(s, open, method);
    write_branch_points(s, open, method);
    xw_end(&s->xml);
    return true;
}

static bool write_class_methods(struct opencover_session *s, const struct report_class *class)
{
    struct open_class open = {.class = class, .file = uid_of(s, class->file)};
    open.has_branches = ARENA_NEW(s->arena, bool, class->lines.count, s->err);
    bool ok = open.has_branches != NULL;
    for (uint32_t i = 0; ok && i < class->method_count; i++)
        ok = write_opencover_method(s, &open, &class->methods[i]);
    return ok;
}

static bool begin_xml_module(struct opencover_session *s, const struct report_package *package)
{
    char hash[HEX_ROOM(sizeof package->modules->identity)] = "";
    struct opencover_summary summary = empty;
    if (s->package != NULL) {
        xw_end(&s->xml);
        xw_end(&s->xml);
    }
    s->package = package;
    s->class = 0;
    summarise_package(&summary, package);
    xw_begin(&s->xml, "Module");
    if (package->module_count != 0)
        (void)hex_of(hash, package->modules->identity, sizeof package->modules->identity);
    xw_text_c(&s->xml, "hash", hash);
    write_summary(s, &summary);
    xw_leaf(&s->xml, "ModulePath",
            package->module_count != 0 ? package->modules->name : package->name);
    xw_leaf(&s->xml, "ModuleName", package->name);
    bool ok = write_files(s, package);
    xw_begin(&s->xml, "Classes");
    return ok;
}

static void begin_type(struct opencover_session *s)
{
    const struct report_class *classes = &s->package->classes[s->class];
    struct opencover_summary summary = empty;
    s->left_of_type = type_group(classes, s->package->class_count - s->class);
    summarise_type(&summary, classes, s->left_of_type);
    xw_begin(&s->xml, "Class");
    write_summary(s, &summary);
    xw_leaf(&s->xml, "FullName", classes->name);
    xw_begin(&s->xml, "Methods");
}

static bool write_opencover_class(struct opencover_session *s, const struct report_file *file)
{
    arena_reset(s->arena);
    if (file->package != s->package && !begin_xml_module(s, file->package))
        return false;
    if (s->left_of_type == 0)
        begin_type(s);
    bool ok = write_class_methods(s, file->classes[0]);
    s->class ++;
    if (--s->left_of_type == 0) {
        xw_end(&s->xml);
        xw_end(&s->xml);
    }
    return ok;
}

/* --- the whole -------------------------------------------------------------------------------- */

void *opencover_open(const struct format_job *job, struct err *err)
{
    const struct report *report = job->report;
    struct opencover_summary summary = empty;
    struct opencover_session *s = ARENA_NEW(job->arena, struct opencover_session, 1, err);
    if (s == NULL || !report_files_list(&s->files, report, job->arena, err))
        return NULL;
    s->report = report;
    s->arena = job->scratch;
    xw_open(&s->xml, job->destination->file);
    for (uint32_t i = 0; i < report->package_count; i++)
        summarise_package(&summary, &report->packages[i]);
    xw_begin(&s->xml, "CoverageSession");
    write_summary(s, &summary);
    xw_begin(&s->xml, "Modules");
    return s;
}

bool opencover_take(void *writer, const struct report_file *files, uint32_t count, struct err *err)
{
    struct opencover_session *s = writer;
    s->err = err;
    for (uint32_t i = 0; i < count; i++)
        if (!write_opencover_class(s, &files[i]))
            return false;
    return true;
}

bool opencover_close(void *writer, struct err *err)
{
    struct opencover_session *s = writer;
    (void)err;
    xw_close(&s->xml);
    return true;
}
