/* expect_coverage.c - does a Cobertura report say what the sources themselves say of their
 * coverage?
 *
 *   expect_coverage [OPTION...] COBERTURA.xml ROOT FILE...
 *
 * FILE is relative to ROOT. A line carries its expectation as a comment, whatever the language:
 *
 *   if (n > 0)      // cov: hits=3 branches=1/2       reported with 3 hits; 1 of 2 ways was gone
 *   while (true)    // cov: debug: hits=4             in Release not reported at all
 *   while (true)    // cov: hits=4 release: hits=2    Debug and Release differ
 *   }               // cov: none                      not reported
 *   Call();         // cov 1000: hits=1               about line 1000, which `#line` gave it
 *
 * A line without `branches` has none. Where the first line of FILE is `// cov: every line`, a line
 * without an expectation must not be reported. Prints one line for each difference. Exit status: 0
 * no difference, 1 some, 2 trouble.
 *
 * Only <sources>, class/@filename and class/lines are read: what any consumer of Cobertura reads,
 * nothing of ilcov's own. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libxml/parser.h>
#include <libxml/tree.h>

#include "base/arena.h"
#include "base/path.h"

enum {
    DIFFERENT = 1,
    TROUBLE = 2,
    LINE_LIMIT = 1 << 20
};

struct outcome {
    bool present;
    uint64_t hits;
    unsigned covered, total; /* branches; total 0: none */
};

struct line {
    bool known; /* the source says something of this line */
    struct outcome expected, reported;
};

struct source {
    const char *name;     /* as given */
    char real[PATH_ROOM]; /* where it really is */
    bool every_line;      /* what is not known must not be reported */
    struct line *lines;   /* index is the line's number */
    size_t count, room;
};

struct options {
    const char *configuration; /* "debug:" or "release:" */
    bool hit_only;
    double within; /* part of the expected hits by which the reported may differ */
};

static struct line *line_at(struct source *source, size_t number, struct arena *arena,
                            struct err *err)
{
    if (number == 0 || number >= LINE_LIMIT) {
        err_set(err, ERR_LIMIT, "line number %zu", number);
        return NULL;
    }
    if (number >= source->room) {
        size_t room = number * 2 + 256;
        struct line *lines = ARENA_NEW(arena, struct line, room, err);
        if (lines == NULL)
            return NULL;
        if (source->count > 0)
            memcpy(lines, source->lines, source->count * sizeof *lines);
        source->lines = lines;
        source->room = room;
    }
    if (number >= source->count)
        source->count = number + 1;
    return &source->lines[number];
}

/* --- expectations ----------------------------------------------------------------------------- */

/* One word of an expectation: hits=3, branches=1/2, none. */
static bool parse_word(struct outcome *out, const char *word, struct err *err)
{
    int end = 0;
    if (strcmp(word, "none") == 0) {
        *out = (struct outcome){0};
        return true;
    }
    if (sscanf(word, "hits=%" SCNu64 "%n", &out->hits, &end) == 1 && word[end] == '\0') {
        out->present = true;
        return true;
    }
    if (sscanf(word, "branches=%u/%u%n", &out->covered, &out->total, &end) == 2 &&
        word[end] == '\0' && out->covered <= out->total && out->total >= 2) {
        return true;
    }
    return err_set(err, ERR_FORMAT, "`%s` is not an expectation", word);
}

/* The words behind "// cov:", up to the end of the line. A group behind `debug:` or `release:`
 * counts only in that configuration, and there instead of what stands before all groups. */
static bool parse_expectation(struct outcome *out, char *text, const struct options *options,
                              struct err *err)
{
    struct outcome common = {0}, own = {0}, other = {0};
    struct outcome *into = &common;
    bool has_own = false;
    char *rest = NULL;
    for (char *word = strtok_r(text, " \t\r\n", &rest); word != NULL;
         word = strtok_r(NULL, " \t\r\n", &rest)) {
        if (strcmp(word, options->configuration) == 0) {
            into = &own;
            has_own = true;
        } else if (strcmp(word, "debug:") == 0 || strcmp(word, "release:") == 0) {
            into = &other;
        } else if (!parse_word(into, word, err)) {
            return false;
        }
    }
    *out = has_own ? own : common;
    return true;
}

static bool read_line(struct source *source, char *text, size_t number,
                      const struct options *options, struct arena *arena, struct err *err)
{
    char *mark = strstr(text, "// cov");
    if (mark == NULL)
        return true;
    mark += strlen("// cov");
    if (number == 1 && strncmp(mark, ": every line", 12) == 0) {
        source->every_line = true;
        return true;
    }
    if (*mark == ' ' && isdigit((unsigned char)mark[1]))
        number = strtoul(mark, &mark, 10);
    if (*mark != ':') {
        return true; /* an ordinary comment */
    }
    struct line *line = line_at(source, number, arena, err);
    if (line == NULL)
        return false;
    if (line->known)
        return err_set(err, ERR_FORMAT, "a second expectation for line %zu", number);
    line->known = true;
    return parse_expectation(&line->expected, mark + 1, options, err);
}

static bool read_source(struct source *source, const struct options *options, struct arena *arena,
                        struct err *err)
{
    FILE *file = fopen(source->real, "r");
    if (file == NULL)
        return err_set_errno(err, "%s", source->name);
    char *text = NULL;
    size_t room = 0, number = 0;
    bool good = true;
    while (good && getline(&text, &room, file) >= 0) {
        number++;
        good = read_line(source, text, number, options, arena, err);
        if (!good)
            err_prefix(err, "%s:%zu", source->name, number);
    }
    free(text);
    fclose(file);
    return good;
}

/* --- the report ------------------------------------------------------------------------------- */

static bool named(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static const xmlNode *child(const xmlNode *node, const char *name)
{
    const xmlNode *at = node == NULL ? NULL : node->children;
    while (at != NULL && !named(at, name))
        at = at->next;
    return at;
}

/* An attribute's or an element's text as a number or a string; empty when there is none. */
static void text_of(char *out, size_t room, const xmlNode *node, const char *attribute)
{
    xmlChar *text =
        attribute == NULL ? xmlNodeGetContent(node) : xmlGetProp(node, (const xmlChar *)attribute);
    snprintf(out, room, "%s", text == NULL ? "" : (const char *)text);
    xmlFree(text);
}

/* The source that a class's filename means below one <source>; NULL when it was not asked for. */
static struct source *find_source(struct source *sources, size_t count, const char *root,
                                  const char *prefix, const char *filename)
{
    char path[3 * PATH_ROOM], real[PATH_ROOM];
    if (filename[0] == '/') {
        snprintf(path, sizeof path, "%s", filename);
    } else if (prefix[0] == '/') {
        snprintf(path, sizeof path, "%s/%s", prefix, filename);
    } else {
        snprintf(path, sizeof path, "%s/%s/%s", root, prefix, filename);
    }
    if (realpath(path, real) == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(sources[i].real, real) == 0)
            return &sources[i];
    }
    return NULL;
}

static bool take_line(struct source *source, const xmlNode *node, struct arena *arena,
                      struct err *err)
{
    char number[32], hits[32], branch[32], condition[64];
    text_of(number, sizeof number, node, "number");
    text_of(hits, sizeof hits, node, "hits");
    text_of(branch, sizeof branch, node, "branch");
    text_of(condition, sizeof condition, node, "condition-coverage");
    struct line *line = line_at(source, strtoul(number, NULL, 10), arena, err);
    if (line == NULL)
        return false;
    unsigned covered = 0, total = 0;
    const char *counts = strchr(condition, '('); /* "50% (1/2)" */
    bool has_branches = counts != NULL && sscanf(counts, "(%u/%u)", &covered, &total) == 2;
    if (has_branches != (strcmp(branch, "true") == 0)) {
        return err_set(err, ERR_FORMAT, "%s:%s: branch=\"%s\" and condition-coverage=\"%s\"",
                       source->name, number, branch, condition);
    }
    /* A line that several classes report: as a reader would put it together. */
    uint64_t count = strtoull(hits, NULL, 10);
    line->reported.present = true;
    line->reported.hits = count > line->reported.hits ? count : line->reported.hits;
    line->reported.covered += covered;
    line->reported.total += total;
    return true;
}

static bool take_class(struct source *sources, size_t count, const char *root,
                       const xmlNode *prefixes, const xmlNode *class, struct arena *arena,
                       struct err *err)
{
    char filename[PATH_ROOM], prefix[PATH_ROOM];
    text_of(filename, sizeof filename, class, "filename");
    struct source *source = NULL;
    for (const xmlNode *at = prefixes == NULL ? NULL : prefixes->children;
         at != NULL && source == NULL; at = at->next) {
        if (named(at, "source")) {
            text_of(prefix, sizeof prefix, at, NULL);
            source = find_source(sources, count, root, prefix, filename);
        }
    }
    const xmlNode *lines = child(class, "lines");
    if (source == NULL || lines == NULL)
        return true;
    for (const xmlNode *at = lines->children; at != NULL; at = at->next) {
        if (named(at, "line") && !take_line(source, at, arena, err))
            return false;
    }
    return true;
}

static bool read_report(const char *path, struct source *sources, size_t count, const char *root,
                        struct arena *arena, struct err *err)
{
    xmlDoc *doc = xmlReadFile(path, NULL, XML_PARSE_NONET);
    if (doc == NULL)
        return err_set(err, ERR_FORMAT, "%s can't be read as XML", path);
    bool good = true;
    const xmlNode *top = xmlDocGetRootElement(doc);
    const xmlNode *packages = child(top, "packages");
    if (top == NULL || !named(top, "coverage") || packages == NULL)
        good = err_set(err, ERR_FORMAT, "%s is not a Cobertura report", path);
    for (const xmlNode *package = good ? packages->children : NULL; good && package != NULL;
         package = package->next) {
        const xmlNode *classes = named(package, "package") ? child(package, "classes") : NULL;
        for (const xmlNode *class = classes == NULL ? NULL : classes->children;
             good && class != NULL; class = class->next) {
            if (named(class, "class"))
                good = take_class(sources, count, root, child(top, "sources"), class, arena, err);
        }
    }
    xmlFreeDoc(doc);
    return good;
}

/* --- comparison ------------------------------------------------------------------------------- */

static bool same_hits(uint64_t expected, uint64_t reported, const struct options *options)
{
    if (options->hit_only || expected == 0 || reported == 0)
        return (expected > 0) == (reported > 0);
    return fabs((double)expected - (double)reported) <= options->within * (double)expected;
}

static bool same(const struct outcome *expected, const struct outcome *reported,
                 const struct options *options)
{
    if (!expected->present || !reported->present)
        return expected->present == reported->present;
    return same_hits(expected->hits, reported->hits, options) &&
           expected->covered == reported->covered && expected->total == reported->total;
}

static void print_outcome(const char *before, const struct outcome *outcome)
{
    if (!outcome->present) {
        printf("%snone", before);
        return;
    }
    printf("%shits=%" PRIu64, before, outcome->hits);
    if (outcome->total > 0)
        printf(" branches=%u/%u", outcome->covered, outcome->total);
}

/* The number of differences, each printed. */
static size_t compare(const struct source *source, const struct options *options)
{
    size_t differences = 0, compared = 0;
    for (size_t number = 1; number < source->count; number++) {
        const struct line *line = &source->lines[number];
        if (!line->known && !source->every_line)
            continue;
        compared += line->known;
        if (!same(&line->expected, &line->reported, options)) {
            printf("%s:%zu: ", source->name, number);
            print_outcome("expected ", &line->expected);
            print_outcome(", reported ", &line->reported);
            printf("\n");
            differences++;
        }
    }
    if (compared == 0) {
        printf("%s: says nothing of its coverage\n", source->name);
        differences++;
    }
    return differences;
}

static bool parse_options(struct options *out, int argc, char **argv)
{
    static const struct option names[] = {
        {"configuration", required_argument, NULL, 'c'},
        {"hit-only", no_argument, NULL, 'h'},
        {"within", required_argument, NULL, 'w'},
        {NULL, 0, NULL, 0},
    };
    *out = (struct options){.configuration = "debug:"};
    int letter;
    while ((letter = getopt_long(argc, argv, "", names, NULL)) != -1) {
        if (letter == 'c' && strcasecmp(optarg, "debug") == 0) {
            out->configuration = "debug:";
        } else if (letter == 'c' && strcasecmp(optarg, "release") == 0) {
            out->configuration = "release:";
        } else if (letter == 'h') {
            out->hit_only = true;
        } else if (letter == 'w') {
            out->within = strtod(optarg, NULL) / 100;
        } else {
            return false;
        }
    }
    return argc - optind >= 3;
}

static bool run(size_t *differences, const struct options *options, char **argv, size_t count,
                struct arena *arena, struct err *err)
{
    const char *report = argv[0], *root = argv[1];
    struct source *sources = ARENA_NEW(arena, struct source, count, err);
    if (sources == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        char path[2 * PATH_ROOM];
        sources[i].name = argv[2 + i];
        snprintf(path, sizeof path, "%s/%s", root, sources[i].name);
        if (realpath(path, sources[i].real) == NULL)
            return err_set_errno(err, "%s", path);
        if (!read_source(&sources[i], options, arena, err))
            return false;
    }
    if (!read_report(report, sources, count, root, arena, err))
        return false;
    for (size_t i = 0; i < count; i++)
        *differences += compare(&sources[i], options);
    return true;
}

int main(int argc, char **argv)
{
    struct options options;
    if (!parse_options(&options, argc, argv)) {
        fprintf(stderr, "usage: expect_coverage [--configuration debug|release] [--hit-only] "
                        "[--within PERCENT] COBERTURA.xml ROOT FILE...\n");
        return TROUBLE;
    }
    struct arena arena;
    struct err err = {0};
    size_t differences = 0;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    bool good =
        run(&differences, &options, argv + optind, (size_t)(argc - optind - 2), &arena, &err);
    if (!good)
        fprintf(stderr, "expect_coverage: %s\n", err.text);
    arena_free(&arena);
    xmlCleanupParser();
    return !good ? TROUBLE : differences > 0 ? DIFFERENT : 0;
}
