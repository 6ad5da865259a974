#include "tests/support/cobertura_rules.h"

#include <inttypes.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/valid.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

struct line {
    const char *file;
    uint32_t number;
    uint32_t hits, covered, outcomes, conditions;
};

struct lines {
    struct line *items;
    size_t count;
};

struct totals {
    uint64_t lines, lines_covered, branches, branches_covered, complexity;
};

struct check {
    const char *path;
    FILE *out;
    unsigned violations;
    struct arena arena;
};

static void violation(struct check *c, const xmlNode *node, const char *format, ...)
    PRINTF_LIKE(3, 4);

static void violation(struct check *c, const xmlNode *node, const char *format, ...)
{
    va_list args;
    c->violations++;
    (void)fprintf(c->out, "%s:%ld: ", c->path, node != NULL ? xmlGetLineNo(node) : 1L);
    va_start(args, format);
    (void)vfprintf(c->out, format, args);
    va_end(args);
    (void)fputc('\n', c->out);
}

/* --- the tree --------------------------------------------------------------------------------- */

static bool is_named(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static const xmlNode *element(const xmlNode *node)
{
    while (node != NULL && node->type != XML_ELEMENT_NODE)
        node = node->next;
    return node;
}

static const xmlNode *first_child(const xmlNode *node)
{
    return element(node->children);
}

static const xmlNode *next_sibling(const xmlNode *node)
{
    return element(node->next);
}

static size_t count_children(const xmlNode *node)
{
    size_t count = 0;
    for (const xmlNode *child = first_child(node); child != NULL; child = next_sibling(child))
        count++;
    return count;
}

static const char *find(const xmlNode *node, const char *name)
{
    for (const xmlAttr *attribute = node->properties; attribute != NULL;
         attribute = attribute->next)
        if (strcmp((const char *)attribute->name, name) == 0)
            return attribute->children != NULL ? (const char *)attribute->children->content : "";
    return NULL;
}

static const char *get(struct check *c, const xmlNode *node, const char *name)
{
    const char *value = find(node, name);
    if (value == NULL)
        violation(c, node, "<%s> lacks %s", (const char *)node->name, name);
    return value != NULL ? value : "";
}

/* The elements there are, their attributes (`?` before one that may be missing) and their children
 * in order (`*`: any number). */
static const struct {
    const char *name, *attributes[10], *children[3];
} elements[] = {
    {"coverage",
     {"line-rate", "branch-rate", "lines-covered", "lines-valid", "branches-covered",
      "branches-valid", "complexity", "version", "timestamp"},
     {"sources", "packages"}},
    {"sources", {0}, {"source"}},
    {"source", {0}, {0}},
    {"packages", {0}, {"*package"}},
    {"package", {"name", "line-rate", "branch-rate", "complexity"}, {"classes"}},
    {"classes", {0}, {"*class"}},
    {"class", {"name", "filename", "line-rate", "branch-rate", "complexity"}, {"methods", "lines"}},
    {"methods", {0}, {"*method"}},
    {"method", {"name", "signature", "line-rate", "branch-rate", "complexity"}, {"lines"}},
    {"lines", {0}, {"*line"}},
    {"line", {"number", "hits", "branch", "?condition-coverage"}, {"?conditions"}},
    {"conditions", {0}, {"*condition"}},
    {"condition", {"number", "type", "coverage"}, {0}},
};

static void check_attributes(struct check *c, const xmlNode *node, const char *const attributes[])
{
    size_t known = 0, present = 0;
    for (size_t i = 0; attributes[i] != NULL; i++) {
        bool optional = attributes[i][0] == '?';
        bool found = find(node, attributes[i] + optional) != NULL;
        if (!found && !optional)
            violation(c, node, "<%s> lacks %s", (const char *)node->name, attributes[i]);
        known += found;
    }
    for (const xmlAttr *attribute = node->properties; attribute != NULL;
         attribute = attribute->next)
        present++;
    if (present != known)
        violation(c, node, "<%s> has an attribute that is not Cobertura's",
                  (const char *)node->name);
}

static void check_children(struct check *c, const xmlNode *node, const char *const children[])
{
    const xmlNode *child = first_child(node);
    for (size_t i = 0; i < 3 && children[i] != NULL; i++) {
        bool any = children[i][0] == '*', optional = any || children[i][0] == '?';
        const char *name = children[i] + optional;
        if (!optional && (child == NULL || !is_named(child, name)))
            violation(c, node, "<%s> lacks <%s> at its place", (const char *)node->name, name);
        while (child != NULL && is_named(child, name)) {
            child = next_sibling(child);
            if (!any)
                break;
        }
    }
    if (child != NULL)
        violation(c, child, "<%s> has no place in <%s>", (const char *)child->name,
                  (const char *)node->name);
}

static void check_structure(struct check *c, const xmlNode *node)
{
    size_t i = 0;
    while (i < ARRAY_LEN(elements) && !is_named(node, elements[i].name))
        i++;
    if (i == ARRAY_LEN(elements)) {
        violation(c, node, "<%s> is not Cobertura's", (const char *)node->name);
        return;
    }
    check_attributes(c, node, elements[i].attributes);
    check_children(c, node, elements[i].children);
    for (const xmlNode *child = first_child(node); child != NULL; child = next_sibling(child))
        check_structure(c, child);
}

/* --- numbers ---------------------------------------------------------------------------------- */

/* Plain digits without a zero in front, at most `max`. */
static uint64_t number(struct check *c, const xmlNode *node, const char *name, uint64_t max)
{
    const char *text = get(c, node, name);
    size_t len = strspn(text, "0123456789");
    uint64_t value = strtoull(text, NULL, 10);
    if (len == 0 || len > 18 || text[len] != '\0' || (text[0] == '0' && len > 1) || value > max)
        violation(c, node, "%s=\"%s\" is not a number up to %" PRIu64, name, text, max);
    return value;
}

static void check_number(struct check *c, const xmlNode *node, const char *name, uint64_t expected)
{
    uint64_t value = number(c, node, name, UINT64_MAX);
    if (value != expected)
        violation(c, node, "%s is %" PRIu64 ", its lines make %" PRIu64, name, value, expected);
}

static void check_rate(struct check *c, const xmlNode *node, const char *name, uint64_t covered,
                       uint64_t valid)
{
    char expected[16] = "1";
    const char *text = get(c, node, name);
    if (covered < valid) {
        (void)snprintf(expected, sizeof expected, "0.%04u", (unsigned)(covered * 10000 / valid));
        size_t len = strlen(expected);
        while (len > 1 && (expected[len - 1] == '0' || expected[len - 1] == '.'))
            expected[--len] = '\0';
    }
    if (strcmp(text, expected) != 0)
        violation(c, node, "%s is %s, %" PRIu64 "/%" PRIu64 " make %s", name, text, covered, valid,
                  expected);
}

static void check_totals(struct check *c, const xmlNode *node, const struct totals *totals)
{
    check_rate(c, node, "line-rate", totals->lines_covered, totals->lines != 0 ? totals->lines : 1);
    check_rate(c, node, "branch-rate", totals->branches_covered, totals->branches);
    check_number(c, node, "complexity", totals->complexity);
}

static void add_totals(struct totals *into, const struct totals *from)
{
    into->lines += from->lines;
    into->lines_covered += from->lines_covered;
    into->branches += from->branches;
    into->branches_covered += from->branches_covered;
    into->complexity += from->complexity;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* floor(100 c / t), where 0 and 100 mean none and all. */
static unsigned percent(uint32_t covered, uint32_t total)
{
    unsigned floor = (unsigned)((uint64_t)covered * 100 / total);
    return covered != 0 && floor == 0 ? 1 : floor;
}

static bool has_switch(const xmlNode *line)
{
    for (const xmlNode *list = line->children; list != NULL; list = list->next)
        for (const xmlNode *one = list->children; one != NULL; one = one->next) {
            xmlChar *type = xmlGetProp(one, (const xmlChar *)"type");
            bool found = type != NULL && xmlStrEqual(type, (const xmlChar *)"switch") != 0;
            xmlFree(type);
            if (found)
                return true;
        }
    return false;
}

/* "P% (c/t)" to the letter. */
static void read_coverage(struct check *c, const xmlNode *node, struct line *line)
{
    char expected[64];
    const char *text = get(c, node, "condition-coverage");
    unsigned percents = 0;
    if (sscanf(text, "%u%% (%" SCNu32 "/%" SCNu32 ")", &percents, &line->covered,
               &line->outcomes) != 3 ||
        line->outcomes < 2 || line->covered > line->outcomes) {
        violation(c, node, "condition-coverage \"%s\" is not P%% (c/t)", text);
        line->covered = line->outcomes = 0;
        return;
    }
    (void)snprintf(expected, sizeof expected, "%u%% (%" PRIu32 "/%" PRIu32 ")",
                   percent(line->covered, line->outcomes), line->covered, line->outcomes);
    if (strcmp(text, expected) != 0)
        violation(c, node, "condition-coverage is \"%s\", not \"%s\"", text, expected);
    /* But for a switch that Release code gave no line of its own, and that stands on its first
     * arm. */
    if (line->hits == 0 && line->covered != 0 && !has_switch(node))
        violation(c, node, "line %" PRIu32 " was not hit but %" PRIu32 " of its branches were",
                  line->number, line->covered);
}

/* Two outcomes of each jump; a switch tells only its percentage, so what is left is shared out to
 * them. */
static void check_conditions(struct check *c, const xmlNode *conditions, struct line *line)
{
    uint32_t jumps = 0, jumps_covered = 0, switches = 0;
    for (const xmlNode *node = first_child(conditions); node != NULL; node = next_sibling(node)) {
        const char *type = get(c, node, "type"), *coverage = get(c, node, "coverage");
        if (number(c, node, "number", UINT32_MAX) != line->conditions)
            violation(c, node, "condition %s is the %" PRIu32 "th", get(c, node, "number"),
                      line->conditions);
        line->conditions++;
        unsigned percents = (unsigned)strtoul(coverage, NULL, 10);
        if (strcmp(type, "jump") == 0) {
            jumps += 2;
            jumps_covered += percents / 50;
            if (strcmp(coverage, "0%") != 0 && strcmp(coverage, "50%") != 0 &&
                strcmp(coverage, "100%") != 0)
                violation(c, node, "a jump is covered \"%s\"", coverage);
        } else {
            switches++;
            if (strcmp(type, "switch") != 0 || percents > 100)
                violation(c, node, "condition of type \"%s\" is covered \"%s\"", type, coverage);
        }
    }
    bool sums = switches == 0
                    ? jumps == line->outcomes && jumps_covered == line->covered
                    : jumps + switches * 3 <= line->outcomes && jumps_covered <= line->covered;
    if (line->conditions == 0 || !sums)
        violation(c, conditions, "conditions of line %" PRIu32 " do not make %" PRIu32 "/%" PRIu32,
                  line->number, line->covered, line->outcomes);
}

static struct line read_line(struct check *c, const xmlNode *node)
{
    struct line line = {0};
    const char *branch = get(c, node, "branch");
    const xmlNode *conditions = first_child(node);
    line.number = (uint32_t)number(c, node, "number", 0xFEEFED);
    line.hits = (uint32_t)number(c, node, "hits", INT32_MAX);
    if (line.number == 0)
        violation(c, node, "line 0");
    if (strcmp(branch, "true") == 0) {
        read_coverage(c, node, &line);
        if (conditions == NULL)
            violation(c, node, "line %" PRIu32 " is a branch without conditions", line.number);
        else
            check_conditions(c, conditions, &line);
    } else if (strcmp(branch, "false") != 0) {
        violation(c, node, "branch=\"%s\"", branch);
    } else if (conditions != NULL || find(node, "condition-coverage") != NULL) {
        violation(c, node, "line %" PRIu32 " is not a branch but has conditions", line.number);
    }
    return line;
}

static struct lines read_lines(struct check *c, const xmlNode *node, struct totals *totals)
{
    struct lines lines = {0};
    lines.items = ARENA_NEW(&c->arena, struct line, count_children(node), NULL);
    if (lines.items == NULL)
        abort();
    for (const xmlNode *child = first_child(node); child != NULL; child = next_sibling(child)) {
        struct line line = read_line(c, child);
        if (lines.count != 0 && lines.items[lines.count - 1].number >= line.number)
            violation(c, child, "line %" PRIu32 " after %" PRIu32, line.number,
                      lines.items[lines.count - 1].number);
        lines.items[lines.count++] = line;
        totals->lines++;
        totals->lines_covered += line.hits != 0;
        totals->branches += line.outcomes;
        totals->branches_covered += line.covered;
        totals->complexity += line.outcomes - line.conditions;
    }
    if (lines.count == 0)
        violation(c, node, "no line");
    return lines;
}

/* --- methods and classes ---------------------------------------------------------------------- */

/* F#'s active patterns: `|Even|Odd|`, `|Even|_|`. In C#'s names a bar stands in the middle. */
static bool is_active_pattern(const char *name)
{
    size_t len = strlen(name);
    return len > 2 && name[0] == '|' && name[len - 1] == '|';
}

static bool is_made_by_compiler(const char *name)
{
    return strstr(name, ">b__") != NULL || strstr(name, ">g__") != NULL ||
           strstr(name, ">d__") != NULL || (strchr(name, '|') != NULL && !is_active_pattern(name));
}

static void check_method_name(struct check *c, const xmlNode *node)
{
    const char *name = get(c, node, "name"), *signature = get(c, node, "signature");
    if (name[0] == '\0' || is_made_by_compiler(name))
        violation(c, node, "method \"%s\"", name);
    if (signature[0] != '(' || strchr(signature, ')') == NULL)
        violation(c, node, "signature \"%s\"", signature);
    for (const xmlNode *other = node->prev; other != NULL; other = other->prev)
        if (is_named(other, "method") && strcmp(get(c, other, "name"), name) == 0 &&
            strcmp(get(c, other, "signature"), signature) == 0)
            violation(c, node, "method %s%s twice", name, signature);
}

static const struct line *find_line(const struct lines *lines, uint32_t number)
{
    for (size_t i = 0; i < lines->count; i++)
        if (lines->items[i].number == number)
            return &lines->items[i];
    return NULL;
}

/* A method's line is its class's; the class may have more on it. `seen` marks the class's lines. */
static void check_against_class(struct check *c, const xmlNode *node, const struct lines *of_method,
                                const struct lines *of_class, bool *seen)
{
    for (size_t i = 0; i < of_method->count; i++) {
        const struct line *line = &of_method->items[i], *whole = find_line(of_class, line->number);
        if (whole == NULL) {
            violation(c, node, "line %" PRIu32 " is not in the class", line->number);
            continue;
        }
        seen[whole - of_class->items] = true;
        if (line->hits > whole->hits || line->outcomes > whole->outcomes ||
            line->covered > whole->covered)
            violation(c, node, "line %" PRIu32 " has more than in the class", line->number);
    }
}

static uint64_t check_method(struct check *c, const xmlNode *node, const struct lines *of_class,
                             bool *seen)
{
    struct totals totals = {.complexity = 1};
    const xmlNode *child = first_child(node);
    check_method_name(c, node);
    if (child == NULL)
        return 0;
    struct lines lines = read_lines(c, child, &totals);
    check_against_class(c, node, &lines, of_class, seen);
    check_totals(c, node, &totals);
    return totals.complexity;
}

static bool is_clean_path(const char *path)
{
    bool drive = path[0] != '\0' && path[1] == ':';
    return path[0] != '\0' && path[0] != '/' && !drive && strchr(path, '\\') == NULL &&
           strncmp(path, "./", 2) != 0 && strncmp(path, "../", 3) != 0 &&
           strstr(path, "/./") == NULL && strstr(path, "/../") == NULL &&
           strstr(path, "//") == NULL;
}

static void check_class_names(struct check *c, const xmlNode *node, const xmlNode *previous)
{
    const char *name = get(c, node, "name"), *file = get(c, node, "filename");
    if (name[0] == '\0' || strpbrk(name, "<$") != NULL)
        violation(c, node, "class \"%s\"", name);
    if (!is_clean_path(file))
        violation(c, node, "filename \"%s\" is not a plain relative path", file);
    if (previous == NULL)
        return;
    int order = strcmp(get(c, previous, "name"), name);
    if (order > 0 || (order == 0 && strcmp(get(c, previous, "filename"), file) >= 0))
        violation(c, node, "class %s in %s is not after the one before", name, file);
}

static void check_method_order(struct check *c, const xmlNode *methods)
{
    const xmlNode *previous = NULL;
    for (const xmlNode *node = first_child(methods); node != NULL; node = next_sibling(node)) {
        const xmlNode *lines = first_child(node), *line = lines != NULL ? first_child(lines) : NULL;
        if (previous != NULL && line != NULL &&
            number(c, previous, "number", UINT32_MAX) > number(c, line, "number", UINT32_MAX))
            violation(c, node, "method %s begins before the one before", get(c, node, "name"));
        previous = line;
    }
}

static struct lines check_class(struct check *c, const xmlNode *node, struct totals *package)
{
    struct totals totals = {0};
    const xmlNode *methods = first_child(node),
                  *all = methods != NULL ? next_sibling(methods) : NULL;
    if (all == NULL)
        return (struct lines){0};
    struct lines lines = read_lines(c, all, &totals);
    bool *seen = ARENA_NEW(&c->arena, bool, lines.count, NULL);
    if (seen == NULL)
        abort();
    totals.complexity = 0;
    check_method_order(c, methods);
    for (const xmlNode *method = first_child(methods); method != NULL;
         method = next_sibling(method))
        totals.complexity += check_method(c, method, &lines, seen);
    for (size_t i = 0; i < lines.count; i++) {
        lines.items[i].file = get(c, node, "filename");
        if (!seen[i])
            violation(c, node, "line %" PRIu32 " is in no method", lines.items[i].number);
    }
    check_totals(c, node, &totals);
    add_totals(package, &totals);
    return lines;
}

/* --- packages and the whole ------------------------------------------------------------------- */

static int order_lines(const void *left, const void *right)
{
    const struct line *a = left, *b = right;
    int order = strcmp(a->file, b->file);
    return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

static void check_shared_lines(struct check *c, const xmlNode *node, struct lines *lines)
{
    if (lines->count != 0)
        qsort(lines->items, lines->count, sizeof *lines->items, order_lines);
    for (size_t i = 1; i < lines->count; i++)
        if (order_lines(&lines->items[i - 1], &lines->items[i]) == 0)
            violation(c, node, "%s:%" PRIu32 " is in two classes of %s", lines->items[i].file,
                      lines->items[i].number, get(c, node, "name"));
}

static size_t count_lines(const xmlNode *classes)
{
    size_t count = 0;
    for (const xmlNode *node = first_child(classes); node != NULL; node = next_sibling(node))
        for (const xmlNode *list = first_child(node); list != NULL; list = next_sibling(list))
            count += is_named(list, "lines") ? count_children(list) : 0;
    return count;
}

static void check_package(struct check *c, const xmlNode *package, struct totals *coverage)
{
    struct totals totals = {0};
    const xmlNode *classes = first_child(package), *previous = NULL;
    if (classes == NULL)
        return;
    struct lines all = {0};
    all.items = ARENA_NEW(&c->arena, struct line, count_lines(classes), NULL);
    if (all.items == NULL)
        abort();
    for (const xmlNode *node = first_child(classes); node != NULL; node = next_sibling(node)) {
        struct lines lines = check_class(c, node, &totals);
        for (size_t i = 0; i < lines.count; i++)
            all.items[all.count++] = lines.items[i];
        check_class_names(c, node, previous);
        previous = node;
    }
    if (previous == NULL)
        violation(c, package, "package %s has no class", get(c, package, "name"));
    check_shared_lines(c, package, &all);
    check_totals(c, package, &totals);
    add_totals(coverage, &totals);
}

static void check_source(struct check *c, const xmlNode *sources)
{
    const xmlNode *source = first_child(sources);
    if (source == NULL || count_children(sources) != 1) {
        violation(c, sources, "%zu sources, not one", count_children(sources));
        return;
    }
    xmlChar *text = xmlNodeGetContent(source);
    size_t len = text != NULL ? strlen((const char *)text) : 0;
    bool is_root = len != 0 && (text[0] == '/' || strcmp((const char *)text, ".") == 0);
    if (!is_root || strchr(" \t\n", text[len - 1]) != NULL)
        violation(c, source, "source \"%s\" is neither absolute nor '.'", (const char *)text);
    xmlFree(text);
}

static void check_coverage(struct check *c, const xmlNode *coverage)
{
    struct totals totals = {0};
    const xmlNode *sources = first_child(coverage), *previous = NULL;
    const xmlNode *packages = sources != NULL ? next_sibling(sources) : NULL;
    if (packages == NULL)
        return;
    check_source(c, sources);
    for (const xmlNode *node = first_child(packages); node != NULL; node = next_sibling(node)) {
        check_package(c, node, &totals);
        if (previous != NULL && strcmp(get(c, previous, "name"), get(c, node, "name")) >= 0)
            violation(c, node, "package %s is not after the one before", get(c, node, "name"));
        previous = node;
    }
    check_totals(c, coverage, &totals);
    check_number(c, coverage, "lines-covered", totals.lines_covered);
    check_number(c, coverage, "lines-valid", totals.lines);
    check_number(c, coverage, "branches-covered", totals.branches_covered);
    check_number(c, coverage, "branches-valid", totals.branches);
    (void)number(c, coverage, "timestamp", INT64_MAX);
    if (get(c, coverage, "version")[0] == '\0')
        violation(c, coverage, "no version");
}

/* The bytes before <coverage>, which some readers take line by line. */
static void check_head(struct check *c)
{
    static const char declaration[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    char text[1024] = {0};
    FILE *file = fopen(c->path, "rb");
    size_t len = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file != NULL)
        (void)fclose(file);
    if (len == 0 || strncmp(text, declaration, sizeof declaration - 1) != 0) {
        violation(c, NULL, "does not begin with the XML declaration on a line of its own");
        return;
    }
    const char *next = text + sizeof declaration - 1;
    if (strncmp(next, "<!--", 4) == 0) {
        const char *end = strstr(next, "-->"), *newline = strchr(next, '\n');
        next = end != NULL && newline == end + 3 ? newline + 1 : "";
    }
    if (strncmp(next, "<coverage ", 10) != 0)
        violation(c, NULL, "more than a comment of one line before <coverage>");
    if (strchr(text, '\r') != NULL)
        violation(c, NULL, "carriage returns");
}

static void ignore_message(void *context, const char *format, ...) PRINTF_LIKE(2, 3);

static void ignore_message(void *context, const char *format, ...)
{
    (void)context;
    (void)format;
}

static void check_dtd(struct check *c, xmlDoc *document, const char *path)
{
    xmlDtd *dtd = xmlParseDTD(NULL, (const xmlChar *)path);
    xmlValidCtxt *context = xmlNewValidCtxt();
    if (dtd == NULL || context == NULL) {
        violation(c, NULL, "%s cannot be read", path);
    } else {
        context->error = ignore_message;
        context->warning = ignore_message;
        if (xmlValidateDtd(context, document, dtd) != 1)
            violation(c, NULL, "not valid against %s", path);
    }
    xmlFreeValidCtxt(context);
    xmlFreeDtd(dtd);
}

unsigned cobertura_check(const char *path, const char *dtd, FILE *out)
{
    struct check c = {.path = path, .out = out};
    /* No DTD is loaded and no default of one applied. */
    xmlDoc *document =
        xmlReadFile(path, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    const xmlNode *root = document != NULL ? xmlDocGetRootElement(document) : NULL;
    arena_init(&c.arena, NULL, 0, ARENA_NO_LIMIT);
    if (root == NULL || !is_named(root, "coverage")) {
        violation(&c, NULL, "is not XML with a <coverage> at its root");
    } else {
        check_head(&c);
        check_structure(&c, root);
        check_coverage(&c, root);
        if (xmlGetIntSubset(document) != NULL)
            violation(&c, NULL, "has a DOCTYPE");
        if (dtd != NULL)
            check_dtd(&c, document, dtd);
    }
    arena_free(&c.arena);
    xmlFreeDoc(document);
    return c.violations;
}
