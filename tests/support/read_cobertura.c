/* read_cobertura.c - what a consumer makes of a Cobertura report, by its own reading rule.
 *
 *   read_cobertura [--root DIR] [--project GROUP/NAME] RULE COBERTURA.xml
 *
 * RULE is one of:
 *
 *   gitlab     gitlab-org/gitlab: lib/gitlab/ci/parsers/coverage/sax_document.rb
 *   jenkins    jenkinsci/coverage-model: parser/CoberturaParser.java, FAIL_FAST
 *   codecov    codecov/umbrella: services/report/languages/cobertura.py
 *   coveralls  coverallsapp/coverage-reporter: parsers/cobertura_parser.cr
 *   plain      nobody's: of a line in several classes the most hits and all branches, which is what
 *              a person would read in reports whose writers do not keep to one class a line
 *
 * Prints a line for each line of source, with tabs between, and the sums last:
 *
 *   FILE  NUMBER  hit|partial|missed  HITS  BRANCHES-COVERED  BRANCHES
 *   total  LINES  HIT  PARTIAL  MISSED  BRANCHES-COVERED  BRANCHES
 *
 * FILE is as the consumer would look it up; where it is below DIR, relative to it. GROUP/NAME is
 * the project's path at GitLab. Exit status: 0 read, 1 the consumer rejects the report, 2
 * trouble. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <libxml/parser.h>
#include <libxml/tree.h>

#include "base/arena.h"
#include "base/path.h"

enum {
    REJECTED = 1,
    TROUBLE = 2,
    GITLAB_SOURCES = 100,
    GITLAB_BYTES = 10 << 20,
    CODECOV_SECONDS = 12 * 60 * 60
};

enum state {
    HIT,
    PARTIAL,
    MISSED
};

struct line {
    const char *file;
    uint32_t number;
    uint32_t class; /* counted from 1, in the order of the document */
    size_t order;
    uint64_t before; /* hits in classes before this one */
    uint64_t hits;
    uint64_t covered, outcomes; /* 0 outcomes: no branches */
};

struct reading {
    const struct rule *rule;
    const char *path, *root, *project;
    const xmlNode *coverage;
    struct arena arena;
    struct line *lines;
    size_t count, room;
    uint32_t class;
    struct err err;
};

struct rule {
    const char *name;
    bool method_lines; /* those below <methods> count too */
    bool (*accepts)(struct reading *);
    const char *(*file)(struct reading *, const char *filename);
    bool (*read)(struct reading *, struct line *out, const xmlNode *node);
    void (*again)(struct line *line, const struct line *later); /* a second time the same line */
    enum state (*state)(const struct line *);
};

/* --- the tree --------------------------------------------------------------------------------- */

static bool is_named(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static const xmlNode *first_of(const xmlNode *at, const char *name)
{
    while (at != NULL && !is_named(at, name))
        at = at->next;
    return at;
}

static const xmlNode *child(const xmlNode *node, const char *name)
{
    return node != NULL ? first_of(node->children, name) : NULL;
}

static const xmlNode *next(const xmlNode *node, const char *name)
{
    return first_of(node->next, name);
}

static const char *get(const xmlNode *node, const char *name)
{
    for (const xmlAttr *at = node->properties; at != NULL; at = at->next) {
        if (strcmp((const char *)at->name, name) == 0)
            return at->children != NULL ? (const char *)at->children->content : "";
    }
    return "";
}

static const char *text_of(const xmlNode *node)
{
    return node->children != NULL ? (const char *)node->children->content : "";
}

static bool reject(struct reading *r, const char *why, const char *what)
{
    return err_set(&r->err, ERR_FORMAT, "%s: %s: %s", r->rule->name, why, what);
}

/* "50% (1/2)": what is between the last parentheses. */
static bool parse_outcomes(struct line *out, const char *condition)
{
    const char *open = strrchr(condition, '(');
    int end = 0;
    return open != NULL &&
           sscanf(open, "(%" SCNu64 "/%" SCNu64 ")%n", &out->covered, &out->outcomes, &end) == 2 &&
           open[end] == '\0';
}

/* --- files ------------------------------------------------------------------------------------ */

static const char *joined(struct reading *r, const char *folder, const char *name)
{
    size_t room = strlen(folder) + strlen(name) + 2;
    char *path = ARENA_NEW(&r->arena, char, room, &r->err);
    if (path != NULL)
        (void)snprintf(path, room, "%s/%s", folder, name);
    return path;
}

static const char *below_root(const struct reading *r, const char *path)
{
    size_t len = r->root != NULL ? strlen(r->root) : 0;
    if (path != NULL && len != 0 && strncmp(path, r->root, len) == 0 && path[len] == '/')
        return path + len + 1;
    return path;
}

/* As it is, else the first source below which there is such a file. */
static const char *existing_file(struct reading *r, const char *filename)
{
    const xmlNode *source = child(child(r->coverage, "sources"), "source");
    for (; filename[0] != '/' && source != NULL; source = next(source, "source")) {
        const char *path = joined(r, text_of(source), filename);
        if (path == NULL)
            return NULL;
        char real[PATH_ROOM];
        if (realpath(path, real) != NULL)
            return below_root(r, arena_copy_text(&r->arena, real, strlen(real), &r->err));
    }
    return below_root(r, filename);
}

static const char *as_written(struct reading *r, const char *filename)
{
    return below_root(r, filename);
}

/* Jenkins strips the prefix of deterministic builds. */
static const char *jenkins_file(struct reading *r, const char *filename)
{
    return below_root(r, strncmp(filename, "/_/", 3) == 0 ? filename + 3 : filename);
}

/* Of each source what follows the project's path; where no source has something behind it, the
 * name is taken as it is. */
static const char *gitlab_file(struct reading *r, const char *filename)
{
    for (const xmlNode *at = child(child(r->coverage, "sources"), "source"); at != NULL;
         at = next(at, "source")) {
        const char *found = r->project != NULL ? strstr(text_of(at), r->project) : NULL;
        if (found != NULL && found[strlen(r->project)] == '/' &&
            found[strlen(r->project) + 1] != '\0')
            return joined(r, found + strlen(r->project) + 1, filename);
    }
    return as_written(r, filename);
}

/* --- GitLab: hits alone ----------------------------------------------------------------------- */

static bool gitlab_accepts(struct reading *r)
{
    struct stat status;
    unsigned count = 0;
    const xmlNode *at = child(child(r->coverage, "sources"), "source");
    for (; at != NULL; at = next(at, "source"))
        count++;
    if (count > GITLAB_SOURCES)
        return reject(r, "more sources than 100 in", r->path);
    if (stat(r->path, &status) != 0)
        return err_set_errno(&r->err, "%s", r->path);
    return status.st_size <= GITLAB_BYTES || reject(r, "more than 10 MiB", r->path);
}

/* Ruby's Integer(), without the bases that a leading zero means. */
static bool ruby_integer(uint64_t *out, const char *text)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return isdigit((unsigned char)text[0]) && *end == '\0' && errno == 0 &&
           (text[0] != '0' || text[1] == '\0');
}

static bool gitlab_read(struct reading *r, struct line *out, const xmlNode *node)
{
    uint64_t number;
    if (!ruby_integer(&number, get(node, "number")) || !ruby_integer(&out->hits, get(node, "hits")))
        return reject(r, "InvalidLineInformationError", get(node, "number"));
    out->number = (uint32_t)number;
    return true;
}

/* A class's lines are a Hash, so its last one wins; those of classes are added up. */
static void gitlab_again(struct line *line, const struct line *later)
{
    if (later->class != line->class)
        line->before += line->hits;
    line->class = later->class;
    line->hits = later->hits;
}

static enum state by_hits(const struct line *line)
{
    return line->hits != 0 ? HIT : MISSED;
}

/* --- Jenkins: branches before hits ------------------------------------------------------------ */

/* "There is already the same child": two classes of a name in a file, two methods of a
 * signature. */
static bool is_twice(const xmlNode *node, const char *name, const char *first, const char *second)
{
    for (const xmlNode *at = next(node, name); at != NULL; at = next(at, name)) {
        if (strcmp(get(node, first), get(at, first)) == 0 &&
            strcmp(get(node, second), get(at, second)) == 0)
            return true;
    }
    return false;
}

static bool jenkins_takes_class(struct reading *r, const xmlNode *class)
{
    if (is_twice(class, "class", "name", "filename"))
        return reject(r, "there is already the same child", get(class, "name"));
    const xmlNode *method = child(child(class, "methods"), "method");
    for (; method != NULL; method = next(method, "method")) {
        if (get(method, "name")[0] == '\0' || get(method, "signature")[0] == '\0')
            return reject(r, "NoSuchElementException", "a method's name or signature");
        if (is_twice(method, "method", "name", "signature"))
            return reject(r, "there is already the same child", get(method, "name"));
    }
    return true;
}

static bool jenkins_accepts(struct reading *r)
{
    const xmlNode *package = child(child(r->coverage, "packages"), "package");
    for (; package != NULL; package = next(package, "package")) {
        if (is_twice(package, "package", "name", "name"))
            return reject(r, "there is already the same child", get(package, "name"));
        const xmlNode *class = child(child(package, "classes"), "class");
        for (; class != NULL; class = next(class, "class")) {
            if (!jenkins_takes_class(r, class))
                return false;
        }
    }
    return true;
}

/* Integer.parseInt, and 0 for what is none. */
static uint32_t java_int(const char *text)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    bool good = isdigit((unsigned char)text[0]) && *end == '\0' && errno == 0;
    return good && value <= INT32_MAX ? (uint32_t)value : 0;
}

static bool jenkins_read(struct reading *r, struct line *out, const xmlNode *node)
{
    (void)r;
    out->number = java_int(get(node, "number"));
    out->hits = java_int(get(node, "hits"));
    if (strcmp(get(node, "branch"), "true") == 0) {
        const char *condition = get(node, "condition-coverage");
        if (condition[0] == '\0')
            out->covered = out->outcomes = 2;
        else
            (void)parse_outcomes(out, condition);
    }
    return true;
}

/* Within a class the better one, of several classes the last. */
static void jenkins_again(struct line *line, const struct line *later)
{
    bool same = later->class == line->class;
    if (!same || later->hits > line->hits)
        line->hits = later->hits;
    if (!same || later->covered > line->covered)
        line->covered = later->covered;
    line->outcomes = later->outcomes;
    line->class = later->class;
}

static enum state by_branches(const struct line *line)
{
    if (line->outcomes == 0)
        return by_hits(line);
    return line->covered == 0 ? MISSED : line->covered < line->outcomes ? PARTIAL : HIT;
}

/* --- Codecov: every line below a class, the better one ---------------------------------------- */

static bool codecov_accepts(struct reading *r)
{
    const char *timestamp = get(r->coverage, "timestamp");
    long long seconds = strtoll(timestamp, NULL, 10);
    if (strlen(timestamp) >= 13)
        seconds /= 1000;
    return (long long)time(NULL) - seconds <= CODECOV_SECONDS ||
           reject(r, "report expired, its timestamp is", timestamp);
}

/* What is behind the first space, without its first and last character. */
static bool codecov_outcomes(struct line *out, const char *condition)
{
    const char *space = strchr(condition, ' ');
    int end = 0;
    return space != NULL && strlen(space) > 2 &&
           sscanf(space + 2, "%" SCNu64 "/%" SCNu64 "%n", &out->covered, &out->outcomes, &end) ==
               2 &&
           space[2 + end] == ')' && space[3 + end] == '\0';
}

static bool codecov_read(struct reading *r, struct line *out, const xmlNode *node)
{
    out->number = (uint32_t)strtoul(get(node, "number"), NULL, 10);
    out->hits = strtoull(get(node, "hits"), NULL, 10);
    if (strcmp(get(node, "branch"), "true") != 0)
        return true;
    return codecov_outcomes(out, get(node, "condition-coverage")) ||
           reject(r, "condition-coverage", get(node, "condition-coverage"));
}

static void codecov_again(struct line *line, const struct line *later)
{
    if (later->hits > line->hits)
        line->hits = later->hits;
    if (later->covered > line->covered)
        line->covered = later->covered;
    if (later->outcomes > line->outcomes)
        line->outcomes = later->outcomes;
}

/* --- Coveralls: looks at the text before the XML ---------------------------------------------- */

/* Before <coverage there may be the declaration and lines with a comment. */
static bool coveralls_accepts(struct reading *r)
{
    FILE *file = fopen(r->path, "r");
    if (file == NULL)
        return err_set_errno(&r->err, "%s", r->path);
    char *text = NULL;
    size_t room = 0;
    bool found = false, good = true;
    while (good && !found && getline(&text, &room, file) >= 0) {
        found = strncmp(text, "<coverage", strlen("<coverage")) == 0;
        good = found || strstr(text, "<?xml version=") != NULL || strstr(text, "<!--") != NULL;
    }
    free(text);
    fclose(file);
    return (found && good) || reject(r, "not cobertura", r->path);
}

static bool coveralls_read(struct reading *r, struct line *out, const xmlNode *node)
{
    (void)r;
    out->number = (uint32_t)strtoul(get(node, "number"), NULL, 10);
    out->hits = strtoull(get(node, "hits"), NULL, 10);
    if (strcmp(get(node, "branch"), "true") == 0)
        (void)parse_outcomes(out, get(node, "condition-coverage"));
    return true;
}

static void later_wins(struct line *line, const struct line *later)
{
    *line = *later;
}

/* --- plain ------------------------------------------------------------------------------------ */

static bool accepts(struct reading *r)
{
    (void)r;
    return true;
}

static bool plain_read(struct reading *r, struct line *out, const xmlNode *node)
{
    (void)r;
    out->number = (uint32_t)strtoul(get(node, "number"), NULL, 10);
    out->hits = strtoull(get(node, "hits"), NULL, 10);
    (void)parse_outcomes(out, get(node, "condition-coverage"));
    return true;
}

static void plain_again(struct line *line, const struct line *later)
{
    if (later->hits > line->hits)
        line->hits = later->hits;
    line->covered += later->covered;
    line->outcomes += later->outcomes;
}

static const struct rule rules[] = {
    {"plain", false, accepts, existing_file, plain_read, plain_again, by_hits},
    {"gitlab", true, gitlab_accepts, gitlab_file, gitlab_read, gitlab_again, by_hits},
    {"jenkins", true, jenkins_accepts, jenkins_file, jenkins_read, jenkins_again, by_branches},
    {"codecov", true, codecov_accepts, as_written, codecov_read, codecov_again, by_branches},
    {"coveralls", false, coveralls_accepts, as_written, coveralls_read, later_wins, by_hits},
};

/* --- reading ---------------------------------------------------------------------------------- */

static bool add(struct reading *r, const struct line *line)
{
    if (r->count == r->room) {
        size_t room = r->room * 2 + 1024;
        struct line *lines = ARENA_NEW(&r->arena, struct line, room, &r->err);
        if (lines == NULL)
            return false;
        if (r->count != 0)
            memcpy(lines, r->lines, r->count * sizeof *lines);
        r->lines = lines;
        r->room = room;
    }
    r->lines[r->count++] = *line;
    return true;
}

static bool read_lines(struct reading *r, const xmlNode *lines, const char *file)
{
    for (const xmlNode *at = child(lines, "line"); at != NULL; at = next(at, "line")) {
        struct line line = {.file = file, .class = r->class, .order = r->count};
        if (!r->rule->read(r, &line, at) || !add(r, &line))
            return false;
    }
    return true;
}

static bool read_class(struct reading *r, const xmlNode *class)
{
    const char *file = r->rule->file(r, get(class, "filename"));
    if (file == NULL)
        return false;
    r->class ++;
    const xmlNode *method = r->rule->method_lines ? child(child(class, "methods"), "method") : NULL;
    for (; method != NULL; method = next(method, "method")) {
        if (!read_lines(r, child(method, "lines"), file))
            return false;
    }
    return read_lines(r, child(class, "lines"), file);
}

static bool read_report(struct reading *r)
{
    if (!is_named(r->coverage, "coverage"))
        return reject(r, "no Cobertura report", r->path);
    if (!r->rule->accepts(r))
        return false;
    const xmlNode *package = child(child(r->coverage, "packages"), "package");
    for (; package != NULL; package = next(package, "package")) {
        const xmlNode *class = child(child(package, "classes"), "class");
        for (; class != NULL; class = next(class, "class")) {
            if (!read_class(r, class))
                return false;
        }
    }
    return true;
}

static int compare(const void *left, const void *right)
{
    const struct line *a = left, *b = right;
    int files = strcmp(a->file, b->file);
    if (files != 0)
        return files;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static void print(struct reading *r)
{
    static const char *const names[] = {"hit", "partial", "missed"};
    uint64_t states[3] = {0}, total = 0, covered = 0, outcomes = 0;
    if (r->count != 0)
        qsort(r->lines, r->count, sizeof *r->lines, compare);
    for (size_t i = 0, end; i < r->count; i = end) {
        struct line line = r->lines[i];
        for (end = i + 1; end < r->count && r->lines[end].number == line.number &&
                          strcmp(r->lines[end].file, line.file) == 0;
             end++)
            r->rule->again(&line, &r->lines[end]);
        line.hits += line.before;
        enum state state = r->rule->state(&line);
        printf("%s\t%" PRIu32 "\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", line.file,
               line.number, names[state], line.hits, line.covered, line.outcomes);
        states[state]++;
        total++;
        covered += line.covered;
        outcomes += line.outcomes;
    }
    printf("total\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n",
           total, states[HIT], states[PARTIAL], states[MISSED], covered, outcomes);
}

static int run(struct reading *r)
{
    xmlDoc *doc = xmlReadFile(r->path, NULL, XML_PARSE_NONET);
    const xmlNode *top = doc != NULL ? xmlDocGetRootElement(doc) : NULL;
    if (top == NULL) {
        (void)fprintf(stderr, "read_cobertura: %s can't be read as XML\n", r->path);
        xmlFreeDoc(doc);
        return TROUBLE;
    }
    r->coverage = top;
    bool good = read_report(r);
    if (good)
        print(r);
    else
        (void)fprintf(stderr, "read_cobertura: %s\n", r->err.text);
    xmlFreeDoc(doc);
    return good ? 0 : REJECTED;
}

static const struct rule *find_rule(const char *name)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (strcmp(rules[i].name, name) == 0)
            return &rules[i];
    }
    return NULL;
}

static bool parse_options(struct reading *out, int argc, char **argv)
{
    static const struct option names[] = {
        {"root", required_argument, NULL, 'r'},
        {"project", required_argument, NULL, 'p'},
        {NULL, 0, NULL, 0},
    };
    int letter;
    while ((letter = getopt_long(argc, argv, "", names, NULL)) != -1) {
        if (letter == 'r')
            out->root = optarg;
        else if (letter == 'p')
            out->project = optarg;
        else
            return false;
    }
    if (argc - optind != 2)
        return false;
    out->rule = find_rule(argv[optind]);
    out->path = argv[optind + 1];
    return out->rule != NULL;
}

int main(int argc, char **argv)
{
    struct reading reading = {0};
    if (!parse_options(&reading, argc, argv)) {
        (void)fputs("usage: read_cobertura [--root DIR] [--project GROUP/NAME] "
                    "gitlab|jenkins|codecov|coveralls|plain COBERTURA.xml\n",
                    stderr);
        return TROUBLE;
    }
    arena_init(&reading.arena, NULL, 0, ARENA_NO_LIMIT);
    int status = run(&reading);
    arena_free(&reading.arena);
    xmlCleanupParser();
    return status;
}
