/* make_solution.c - a large solution as a report sees it: for bench/html.sh and test_html_scale.sh.
 *
 *     make_solution FOLDER FILES METHODS PROJECTS [TESTS]
 *
 * Writes, into FOLDER, the C# sources of FILES files in PROJECTS projects, each file of METHODS
 * methods of 40 lines, and what a run of them counted, twice: as FOLDER/solution.ilcov and, for
 * other tools, as FOLDER/solution.info (LCOV). 30 % of lines are missed, in runs of 1 to 40, and
 * every fifth line has a branch. Sources have their checksums, so reports show their text. Every
 * project has a third of its files in one folder, and the others in folders below it. With TESTS,
 * so many tests ran it: one method in twenty is run by all of them, in up to four ways, the others
 * by some dozen; a fifth of what remains ran outside of all tests. */
#include <errno.h>
#include <gcrypt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "coverage/facts/index_set.h"
#include "coverage/facts/store.h"
#include "tests/support/data_maker.h"

enum {
    HEADER_LINES = 11,
    METHOD_LINES = 40,
    CODE_LINES = METHOD_LINES - 2, /* all but the method's signature and the blank line */
    BRANCH_EVERY = 5,
    MISSED_RUN_MAX = 40,
    HIT_RUN_MAX = 95, /* so that 30 % are missed */
    HASH_LEN = 32
};

static const uint8_t sha256_guid[16] = {0x0f, 0xd0, 0x29, 0x88, 0xb8, 0x11, 0x13, 0x42,
                                        0x87, 0x8b, 0x77, 0x0e, 0x85, 0x97, 0xac, 0x16};

static uint32_t file_count, method_count, project_count;
static uint64_t seed;

static void die(const char *what)
{
    fprintf(stderr, "make_solution: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* SplitMix64 */
static uint32_t random_below(uint32_t end)
{
    uint64_t value = seed += 0x9E3779B97F4A7C15;
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9;
    value = (value ^ value >> 27) * 0x94D049BB133111EB;
    return (uint32_t)((value ^ value >> 31) % end);
}

/* --- sources ---------------------------------------------------------------------------------- */

static void write_statement(FILE *out, uint32_t line)
{
    static const char *const words[] = {"order", "customer", "invoice", "line", "total",
                                        "stock", "shipment", "price",   "tax",  "discount"};
    const char *a = words[random_below(10)], *b = words[random_below(10)];
    if (line % BRANCH_EVERY == 0)
        fprintf(out, "            if (%s.Count > %u && !%s.IsEmpty) total += %u;\n", a,
                random_below(100), b, line);
    else
        fprintf(out, "            %s = Compute(%s, \"%s-%u\", %u);\n", a, b, a, line,
                random_below(10000));
}

static void write_source(FILE *out, const char *project, uint32_t index)
{
    fprintf(out,
            "// Type%u.cs - of a generated solution.\nusing System;\nusing System.Linq;\n\n"
            "namespace %s;\n\n/// <summary>\n/// A type like many others.\n/// </summary>\n"
            "[Serializable]\n"
            "public class Type%u {\n",
            index, project, index);
    for (uint32_t m = 0, line = HEADER_LINES + 1; m < method_count; m++) {
        fprintf(out, "        public decimal Method%u(Order order, Customer customer)\n        {\n",
                m);
        line += 2;
        for (uint32_t i = 2; i < METHOD_LINES - 2; i++)
            write_statement(out, line++);
        fprintf(out, "        }\n\n");
        line += 2;
    }
    fprintf(out, "}\n");
}

static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            die(path);
        *slash = '/';
    }
}

static struct view hash_of(const char *bytes, size_t len)
{
    uint8_t *digest = MAKE(uint8_t, HASH_LEN);
    gcry_md_hash_buffer(GCRY_MD_SHA256, digest, bytes, len);
    return (struct view){digest, HASH_LEN};
}

static struct fact_document make_document(const char *folder, const char *project, uint32_t index)
{
    char path[4096], *bytes = NULL;
    size_t len = 0;
    struct str relative = index % 3 == 0
                              ? named("src/%s/Type%u.cs", project, index)
                              : named("src/%s/Part%u/Type%u.cs", project, index % 7, index);
    (void)snprintf(path, sizeof path, "%s/%s", folder, relative.text);
    FILE *source = open_memstream(&bytes, &len);
    if (source == NULL)
        die("memory");
    write_source(source, project, index);
    if (fclose(source) != 0)
        die("memory");
    make_folders(path);
    FILE *file = fopen(path, "w");
    if (file == NULL || fwrite(bytes, 1, len, file) != len || fclose(file) != 0)
        die(path);
    struct fact_document document = {
        .path = named("%s", path), .relative = relative, .hash = hash_of(bytes, len)};
    memcpy(document.hash_algorithm, sha256_guid, sizeof sha256_guid);
    free(bytes);
    return document;
}

/* --- code ------------------------------------------------------------------------------------- */

/* Straight code: each statement runs if the one before it comes to its end. */
static struct fact_causes cause_of(uint32_t statement)
{
    struct fact_causes causes = {0};
    struct fact_cause cause = {statement == 0 ? CAUSE_ENTRY : CAUSE_COMPLETED,
                               statement == 0 ? 0 : statement - 1, 0};
    if (!causes_add(&causes, cause))
        abort();
    return causes;
}

static void fill_method(struct fact_module *m, uint32_t document, uint32_t index)
{
    uint32_t first = HEADER_LINES + 1 + index * METHOD_LINES, at = m->method_count++;
    uint64_t body = ((uint64_t)random_below(UINT32_MAX) << 32) + at;
    m->methods[at] = (struct fact_method){
        .token = 0x06000001 + at,
        .type = named("%.*s.Type%u", STR_ARGS(m->name), document),
        .name = named("Method%u", index),
        .signature = STR("(Order,Customer)"),
        .user_method = at,
    };
    memcpy(m->methods[at].body, &body, sizeof body);
    for (uint32_t i = 0; i < CODE_LINES; i++) {
        uint32_t line = first + 1 + i;
        bool is_brace = i == 0 || i == CODE_LINES - 1;
        m->statements[m->statement_count++] =
            (struct fact_statement){.method = at,
                                    .document = document,
                                    .il_offset = i * 16,
                                    .start_line = line,
                                    .end_line = line,
                                    .causes = cause_of(i),
                                    .start_column = is_brace ? 9 : 13,
                                    .end_column = is_brace ? 10 : 50};
        if (line % BRANCH_EVERY == 0)
            m->decisions[m->decision_count++] =
                (struct fact_decision){.method = at,
                                       .document = document,
                                       .il_offset = i * 16 + 8,
                                       .line = line,
                                       .outcome_count = 2,
                                       .span = {line, line, is_brace ? 9 : 17, 29},
                                       .is_exact = true,
                                       .causes = cause_of(i + 1)};
    }
}

static void fill_module(struct fact_module *m, const char *folder, uint32_t project)
{
    uint32_t files = file_count / project_count + (project < file_count % project_count);
    uint64_t identity = project + 1;
    *m = (struct fact_module){.name = named("Company.Product.Part%02u", project),
                              .path = named("/bin/Company.Product.Part%02u.dll", project),
                              .plan_hash = identity,
                              .documents = MAKE(struct fact_document, files),
                              .methods = MAKE(struct fact_method, files * method_count)};
    m->statements = MAKE(struct fact_statement, (size_t)files * method_count * CODE_LINES);
    m->decisions = MAKE(struct fact_decision, (size_t)files * method_count * CODE_LINES);
    memcpy(m->identity, &identity, sizeof identity);
    memcpy(m->mvid, &identity, sizeof identity);
    for (; m->document_count < files; m->document_count++) {
        m->documents[m->document_count] = make_document(folder, m->name.text, m->document_count);
        for (uint32_t i = 0; i < method_count; i++)
            fill_method(m, m->document_count, i);
    }
    facts_layout(m);
}

/* --- counts ----------------------------------------------------------------------------------- */

static void fill_counts(struct fact_counts *row, const struct fact_module *m)
{
    uint32_t left = 0;
    bool hit = false;
    row->counts = MAKE(uint64_t, m->count_len);
    for (uint32_t i = 0; i < m->statement_count; i++) {
        if (left == 0) {
            hit = !hit;
            left = 1 + random_below(hit ? HIT_RUN_MAX : MISSED_RUN_MAX);
        }
        left--;
        row->counts[m->statements[i].count] = hit ? 1 + random_below(5000) : 0;
    }
    for (uint32_t i = 0, s = 0; i < m->decision_count; i++) {
        const struct fact_decision *decision = &m->decisions[i];
        while (m->statements[s].method != decision->method ||
               m->statements[s].start_line != decision->line)
            s++;
        uint64_t hits = row->counts[m->statements[s].count];
        uint64_t first = random_below(3) == 0 ? 0 : hits - hits / 3;
        row->counts[decision->first_count] = first;
        row->counts[decision->first_count + 1] = hits - first;
    }
    for (uint32_t i = 0, s = 0; i < m->method_count; i++) {
        while (m->statements[s].method != i)
            s++;
        if (m->methods[i].entry_count != NO_INDEX)
            row->counts[m->methods[i].entry_count] = row->counts[m->statements[s].count];
    }
}

/* --- tests ------------------------------------------------------------------------------------ */

enum {
    WAYS_MAX = 4,
    HOT_EVERY = 20,
    OUTSIDE_EVERY = 5,
    FEW_TESTS = 40
};

static struct view set_of(const bool *has, uint32_t count)
{
    struct writer w = wr_in(data_maker_arena());
    index_set_write_at(&w, has, count, 0);
    if (w.failed)
        die("memory");
    return (struct view){w.data, w.len};
}

/* Of tests that run in one way through a method; all of them together are different ones. */
static void choose_tests(bool *has, uint32_t tests, bool is_hot, uint32_t way, uint32_t ways)
{
    memset(has, 0, (size_t)tests + 2);
    if (is_hot) {
        for (uint32_t i = way; i < tests; i += ways)
            has[i] = true;
        return;
    }
    uint32_t first = random_below(tests), few = 1 + random_below(FEW_TESTS);
    for (uint32_t i = 0; i < few; i++)
        has[(first + i) % tests] = true;
    has[random_below(tests)] = true;
}

/* The first of the counts of a method that were hit: a way through it ends early. */
static bool choose_counts(bool *has, const struct fact_module *m, uint32_t method,
                          const uint64_t *counts, uint32_t way, uint32_t ways)
{
    uint32_t first = facts_first_statement(m, method);
    uint32_t last = first + (facts_first_statement(m, method + 1) - first) * (way + 1) / ways;
    bool any = false;
    memset(has, 0, m->count_len);
    for (uint32_t i = first; i < last; i++)
        if (counts[m->statements[i].count] != 0)
            any = has[m->statements[i].count] = true;
    return any;
}

static void add_hits(struct facts *facts, uint32_t module, uint32_t tests)
{
    const struct fact_module *m = &facts->modules[module];
    bool *counts = MAKE(bool, m->count_len), *has = MAKE(bool, (size_t)tests + 2);
    for (uint32_t i = 0; i < m->method_count; i++) {
        bool is_hot = random_below(HOT_EVERY) == 0;
        bool is_outside = !is_hot && random_below(OUTSIDE_EVERY) == 0;
        uint32_t ways = is_outside ? 1 : 1 + random_below(WAYS_MAX);
        for (uint32_t way = 0; way < ways; way++) {
            if (!choose_counts(counts, m, i, facts->counts[module].counts, way, ways))
                continue;
            choose_tests(has, tests, is_hot, way, ways);
            if (is_outside)
                memset(has, 0, tests);
            has[tests] = !is_outside && random_below(OUTSIDE_EVERY) == 0; /* the class */
            has[tests + 1] = is_outside;
            facts->hits[facts->hits_count++] =
                (struct fact_hits){module, set_of(counts, m->count_len), set_of(has, tests + 2)};
        }
    }
}

/* All of one class, which has an entry of its own, and what ran outside. */
static void fill_tests(struct facts *facts, uint32_t tests)
{
    struct err err = {0};
    uint32_t methods = 0;
    for (uint32_t i = 0; i < facts->module_count; i++)
        methods += facts->modules[i].method_count;
    facts->tests = MAKE(struct fact_test, tests + 2);
    facts->test_count = tests + 2;
    facts->hits = MAKE(struct fact_hits, (size_t)methods * WAYS_MAX);
    for (uint32_t i = 0; i < tests; i++)
        facts->tests[i] = (struct fact_test){
            .name = named("Company.Product.Tests.Part%02u.Type%05uTests.Method_does_what_it_should",
                          i % 20, i),
            .end = TEST_RETURNED,
            .rows = 1};
    facts->tests[tests] = (struct fact_test){.name = STR("Company.Tests"), .kind = TEST_CLASS};
    facts->tests[tests + 1] = (struct fact_test){.name = STR(""), .kind = TEST_OUTSIDE};
    for (uint32_t i = 0; i < facts->module_count; i++)
        add_hits(facts, i, tests);
    if (!facts_sort(facts, data_maker_arena(), &err) || !facts_check(facts, &err)) {
        fprintf(stderr, "make_solution: %s\n", err.text);
        exit(1);
    }
}

static void write_lcov(FILE *out, const struct fact_module *m, const uint64_t *counts)
{
    uint32_t d = 0, found = 0, hit = 0;
    for (uint32_t i = 0; i < m->statement_count; i++) {
        const struct fact_statement *s = &m->statements[i];
        if (i == 0 || s[-1].document != s->document)
            fprintf(out, "TN:\nSF:%s\n", m->documents[s->document].path.text);
        if (i == 0 || s[-1].method != s->method)
            fprintf(out, "FN:%u,%s.%s\nFNDA:%llu,%s.%s\n", s->start_line - 1,
                    m->methods[s->method].type.text, m->methods[s->method].name.text,
                    (unsigned long long)counts[s->count], m->methods[s->method].type.text,
                    m->methods[s->method].name.text);
        fprintf(out, "DA:%u,%llu\n", s->start_line, (unsigned long long)counts[s->count]);
        found++;
        hit += counts[s->count] != 0;
        if (d < m->decision_count && m->decisions[d].method == s->method &&
            m->decisions[d].line == s->start_line) {
            for (uint32_t k = 0; k < 2; k++) {
                uint64_t taken = counts[m->decisions[d].first_count + k];
                if (counts[s->count] == 0)
                    fprintf(out, "BRDA:%u,0,%u,-\n", s->start_line, k);
                else
                    fprintf(out, "BRDA:%u,0,%u,%llu\n", s->start_line, k,
                            (unsigned long long)taken);
            }
            d++;
        }
        if (i + 1 == m->statement_count || s[1].document != s->document) {
            fprintf(out, "LF:%u\nLH:%u\nend_of_record\n", found, hit);
            found = hit = 0;
        }
    }
}

int main(int argc, char **argv)
{
    char path[4096];
    struct err err = {0};
    if (argc < 5 || argc > 6 || argv[1][0] != '/') {
        fputs("usage: make_solution /FOLDER FILES METHODS PROJECTS [TESTS]\n", stderr);
        return 2;
    }
    file_count = (uint32_t)strtoul(argv[2], NULL, 10);
    method_count = (uint32_t)strtoul(argv[3], NULL, 10);
    project_count = (uint32_t)strtoul(argv[4], NULL, 10);
    (void)gcry_check_version(NULL);
    data_maker_open();
    struct fact_run run = {
        .mode = STR("count"), .root = str_of(argv[1]), .label = STR(""), .started = 1700000000};
    memcpy(run.id, &run.started, sizeof run.started);
    struct fact_process process = {
        .program = STR("/usr/bin/testhost.dll"), .runtime = STR("10.0.0"), .module_count = 1};
    struct facts facts = {.modules = MAKE(struct fact_module, project_count),
                          .module_count = project_count,
                          .runs = &run,
                          .run_count = 1,
                          .processes = &process,
                          .process_count = 1,
                          .counts = MAKE(struct fact_counts, project_count),
                          .counts_count = project_count};
    (void)snprintf(path, sizeof path, "%s/solution.info", argv[1]);
    make_folders(path);
    FILE *lcov = fopen(path, "w");
    if (lcov == NULL)
        die(path);
    for (uint32_t i = 0; i < project_count; i++) {
        facts.counts[i].module = i;
        fill_module(&facts.modules[i], argv[1], i);
        fill_counts(&facts.counts[i], &facts.modules[i]);
        write_lcov(lcov, &facts.modules[i], facts.counts[i].counts);
    }
    if (fclose(lcov) != 0)
        die(path);
    if (argc == 6)
        fill_tests(&facts, (uint32_t)strtoul(argv[5], NULL, 10));
    (void)snprintf(path, sizeof path, "%s/solution.ilcov", argv[1]);
    bool ok = store_write(path, &facts, NULL, &err);
    if (!ok)
        fprintf(stderr, "make_solution: %s: %s\n", path, err.text);
    data_maker_close();
    return ok ? 0 : 1;
}
