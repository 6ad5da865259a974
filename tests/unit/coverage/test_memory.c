/* test_memory.c - whichever allocation fails, a unit fails by saying so, gives everything back, and
 * never gives a wrong result. Units that have such a test of their own: the rewriter
 * (test_rewrite), statements, decisions, report, the profiler as a whole (test_callback). */
#include <libxml/parser.h>
#include <libxml/xmlmemory.h>
#include <stddef.h>
#include <stdio.h>
#include <zlib.h>

#include "contract/session_format.h"
#include "coverage/collect/collect.h"
#include "coverage/collect/generated_code.h"
#include "coverage/collect/module_facts.h"
#include "coverage/collect/solution.h"
#include "coverage/diff/patch_reader.h"
#include "coverage/external/external_reader.h"
#include "coverage/facts/store.h"
#include "coverage/facts/sums.h"
#include "coverage/report/report_build.h"
#include "coverage/source/embedded.h"
#include "coverage/source/excluded_by_comment.h"
#include "coverage/source/paths.h"
#include "coverage/source/source.h"
#include "coverage/source/symbols.h"
#include "reporters/diff/diff_formats.h"
#include "reporters/report/report_formats.h"
#include "scope/deps.h"
#include "scope/packages.h"
#include "system/output_folder.h"
#include "tests/support/check.h"
#include "tests/support/diff_fixture.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/failing_memory.h"
#include "tests/support/il_builder.h"
#include "tests/support/interposed.h"
#include "tests/support/no_text.h"
#include "tests/support/temporary.h"
#include "tests/support/written.h"

static struct temporary folder;

static void check(const char *name, memory_job *job, void *context)
{
    assert_true(failing_memory_check(name, job, context) != 0);
}

/* --- metadata --------------------------------------------------------------------------------- */

static bool name_everything(void *context, struct arena *arena, struct err *err)
{
    const struct metadata *md = context;
    struct str name;
    for (uint32_t rid = 1; rid <= tables_rows(&md->tables, TABLE_TypeDef); rid++)
        if (!name_type(&name, md, TOKEN(TABLE_TypeDef, rid), arena, err))
            return false;
    assert_str(name, "N.MarkAttribute");
    for (uint32_t rid = 1; rid <= tables_rows(&md->tables, TABLE_MethodDef); rid++)
        if (!name_method(&name, md, rid, arena, err) ||
            !name_method_signature(&name, md, rid, arena, err))
            return false;
    assert_str(name, "()");
    return true;
}

static void check_sample(const char *name, memory_job *job)
{
    struct image image;
    struct metadata md;
    image_begin(&image);
    image_sample(&image);
    assert_true(metadata_open(&md, image_metadata(&image), NULL));
    check(name, job, &md);
    image_free(&image);
}

static void names(void **state)
{
    (void)state;
    check_sample("names", name_everything);
}

static bool read_pdb(void *context, struct arena *arena, struct err *err)
{
    const struct pdb *pdb = context;
    struct pdb_document document;
    struct seq_points points;
    if (!pdb_read_document(&document, pdb, 1, arena, err) ||
        !pdb_sequence_points(&points, pdb, 1, arena, err))
        return false;
    assert_str(document.name, "src/a.cs");
    assert_int_equal(points.count, 1);
    return true;
}

static void make_pdb(struct image *image)
{
    uint8_t name[] = {'/', 0, 0};
    image_begin(image);
    image->is_pdb = true;
    image->foreign_rows[TABLE_MethodDef] = 9;
    name[1] = (uint8_t)image_blob(image, "src", 3);
    name[2] = (uint8_t)image_blob(image, "a.cs", 4);
    IMAGE_ROW(image, Document, image_blob(image, name, sizeof name), 0, 0, 0);
    IMAGE_ROW(image, MethodDebugInformation, 1, image_blob(image, BYTES(0, 0, 0, 5, 10, 3), 6));
}

static void pdbs(void **state)
{
    struct image image;
    struct pdb pdb;
    (void)state;
    make_pdb(&image);
    assert_true(pdb_open(&pdb, image_metadata(&image), NULL));
    check("pdb", read_pdb, &pdb);
    image_free(&image);
}

static size_t deflated(uint8_t *out, size_t room, struct view data)
{
    z_stream z = {.next_in = (Bytef *)(uintptr_t)data.data, .avail_in = (uInt)data.len};
    memcpy(out, "MPDB", 4);
    store_u32(out + 4, (uint32_t)data.len);
    z.next_out = out + 8;
    z.avail_out = (uInt)(room - 8);
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    (void)deflateEnd(&z);
    return 8 + z.total_out;
}

struct symbols_job {
    struct view image;
    const char *path;
};

static bool find_symbols(void *context, struct arena *arena, struct err *err)
{
    const struct symbols_job *job = context;
    struct module module;
    assert_true(module_open_image(&module, job->image, false, NULL));
    bool ok = symbols_find(&module, job->path, arena, err);
    if (ok)
        assert_true(module.has_pdb);
    module_close(&module);
    return ok;
}

static void embedded_symbols(void **state)
{
    struct image module, pdb;
    uint8_t data[4096], codeview[] = "RSDS................\1\0\0\0a.pdb";
    (void)state;
    make_pdb(&pdb);
    for (unsigned i = 0; i < 16; i++)
        pdb.pdb_id[i] = codeview[4 + i];
    store_u32(pdb.pdb_id + 16, 7);
    size_t len = deflated(data, sizeof data, image_metadata(&pdb));
    image_begin(&module);
    image_sample(&module);
    image_add_debug(&module, 2, 7, 0x504D, (struct view){codeview, sizeof codeview});
    image_add_debug(&module, 17, 0, 0x100, (struct view){data, len});
    struct symbols_job job = {image_pe(&module, false), temporary_path(&folder, "Sample.dll")};
    check("symbols", find_symbols, &job);
    image_free(&module);
    image_free(&pdb);
}

static const char deps_json[] =
    "{\"targets\":{\"t\":{\"A/1\":{\"runtime\":{\"A.dll\":{}}},"
    "\"P/1\":{\"runtime\":{\"lib/P.dll\":{}}}}},"
    "\"libraries\":{\"A/1\":{\"type\":\"project\"},\"P/1\":{\"type\":\"package\"}}}";

static bool read_deps(void *context, struct arena *arena, struct err *err)
{
    struct deps deps;
    (void)context;
    if (!deps_read(&deps, (struct view){(const uint8_t *)deps_json, sizeof deps_json - 1}, arena,
                   err))
        return false;
    assert_true(deps_is_package(&deps, STR("P.dll")));
    assert_false(deps_is_package(&deps, STR("A.dll"))); /* a project's */
    return true;
}

static void deps(void **state)
{
    (void)state;
    check("deps", read_deps, NULL);
}

/* A directory whose list could not be read lists nothing: no wrong result, but no error either. */
static bool list_packages(void *context, struct arena *arena, struct err *err)
{
    struct packages packages;
    struct str path = str_of(context);
    (void)arena;
    (void)err;
    packages_init(&packages);
    (void)packages_list(&packages, path);
    (void)packages_list(&packages, path);
    packages_close(&packages);
    return true;
}

static void packages(void **state)
{
    (void)state;
    (void)temporary_file(&folder, "A.deps.json", deps_json, sizeof deps_json - 1);
    char path[300];
    (void)snprintf(path, sizeof path, "%s/P.dll", folder.folder);
    check("packages", list_packages, path);
}

static bool parse_patterns(void *context, struct arena *arena, struct err *err)
{
    static const struct str texts[] = {{"[A*]*", 5}, {"B", 1}};
    struct pattern *patterns = NULL;
    (void)context;
    if (!pattern_parse_all(&patterns, texts, ARRAY_LEN(texts), arena, err))
        return false;
    assert_true(pattern_matches_assembly(&patterns[1], STR("b")));
    return true;
}

static void patterns(void **state)
{
    (void)state;
    check("patterns", parse_patterns, NULL);
}

static bool place_path(void *context, struct arena *arena, struct err *err)
{
    enum path_place place;
    struct str relative, below;
    (void)context;
    if (!paths_place(&place, &relative, STR("/src"), STR("/src/a/../b/C.cs"), arena, err) ||
        !path_join(&below, STR("/src"), relative, arena, err))
        return false;
    assert_int_equal(place, PATH_INSIDE);
    assert_true(str_is(below, "/src/b/C.cs"));
    return true;
}

static void paths(void **state)
{
    (void)state;
    check("paths", place_path, NULL);
}

/* --- a session and its facts ------------------------------------------------------------------ */

static const char counts_name[] = "000102030405060708090a0b0c0d0e0f-0000000000000000-0.counts";

static void write_session(void)
{
    enum {
        PAGE = 4096
    };
    static const char record[] =
        "ilcov-process\t0\nprogram\t/app/a\\tb\nskipped\tL\t/app/L.dll\t13\t\n"
        "trouble\tnothing\n";
    static uint8_t file[2 * PAGE];
    memcpy(file, COUNTERS_MAGIC, COUNTERS_AT_VERSION);
    store_u32(file + COUNTERS_AT_VERSION, COUNTERS_VERSION);
    store_u32(file + COUNTERS_AT_SHARD_COUNT, 1);
    store_u32(file + COUNTERS_AT_COUNTER_COUNT, 1);
    store_u64(file + COUNTERS_AT_SHARD_STRIDE, PAGE);
    store_u64(file + COUNTERS_AT_SHARDS, PAGE);
    for (uint8_t i = 0; i < 16; i++)
        file[COUNTERS_AT_MVID + i] = i;
    store_u32(file + COUNTERS_AT_VERDICTS, COUNTERS_HEADER_LEN);
    store_u32(file + COUNTERS_AT_PATH, COUNTERS_HEADER_LEN);
    store_u32(file + COUNTERS_AT_NAME, COUNTERS_HEADER_LEN);
    store_u32(file + COUNTERS_AT_NAME + 4, 3);
    memcpy(file + COUNTERS_HEADER_LEN, "App", 3);
    store_u32(file + COUNTERS_AT_READY, COUNTERS_READY);
    (void)temporary_file(&folder, counts_name, file, sizeof file);
    (void)temporary_file(&folder, "process-1-2", record, sizeof record - 1);
}

static bool read_session(void *context, struct arena *arena, struct err *err)
{
    struct session session;
    struct collect_result result;
    struct collect_options options = {.root = "/app", .config = {.started = 1}};
    (void)context;
    if (!session_read(&session, folder.folder, arena, err) ||
        !collect(&result, &session, &options, arena, err))
        return false;
    assert_int_equal(session.process_count, 1);
    assert_int_equal(session.counters_count, 1);
    assert_true(result.message_count != 0);
    return true;
}

static void session(void **state)
{
    (void)state;
    write_session();
    check("session", read_session, NULL);
}

static const char source_text[] = "// ilcov:ignore a\n// ilcov:ignore-end\n// ilcov:ignore-start b";

static bool read_comments(void *context, struct arena *arena, struct err *err)
{
    struct comments comments;
    struct ignored ignored;
    struct list warnings = {.count = 0};
    struct view text = {(const uint8_t *)source_text, sizeof source_text - 1};
    (void)context;
    if (!comments_find(&comments, text, LANGUAGE_CSHARP, arena, err) ||
        !ignored_make(&ignored, &comments, STR("a.cs"), &warnings, arena, err))
        return false;
    assert_int_equal(comments.count, 3);
    assert_int_equal(ignored.count, 2);
    assert_int_equal(warnings.count, 2);
    assert_str(ignored_reason(&ignored, 1, 1)->remark, "a");
    return true;
}

/* Quoted, so that names take memory, too. */
static const char patch_text[] = "--- \"a/\\303\\244.cs\"\n+++ \"b/\\303\\244.cs\"\n"
                                 "@@ -1,2 +1,2 @@\n-a\n+b\n c\n";

static bool read_patch(void *context, struct arena *arena, struct err *err)
{
    struct patch patch;
    struct view diff = {(const uint8_t *)patch_text, sizeof patch_text - 1};
    (void)context;
    if (!patch_read(&patch, diff, arena, err))
        return false;
    const struct patch_file *file = patch_find(&patch, STR("\303\244.cs"));
    assert_non_null(file);
    assert_int_equal(file->line_count, 1);
    return true;
}

static void patches(void **state)
{
    (void)state;
    check("patch", read_patch, NULL);
}

static bool open_source(void *context, struct arena *arena, struct err *err)
{
    const struct view *embedded = context;
    struct fact_document document = {.hash = {NULL, 0}};
    struct source source;
    if (!source_open(&source, "/nowhere/a.cs", &document, *embedded, arena, err))
        return false;
    assert_int_equal(source.text.len, sizeof source_text - 1);
    assert_memory_equal(source.text.data, source_text, source.text.len);
    source_close(&source);
    return true;
}

static void comments_of_a_source(void **state)
{
    uint8_t data[256];
    struct view text = {(const uint8_t *)source_text, sizeof source_text - 1};
    size_t len = deflated(data, sizeof data, text);
    struct view embedded = {data + 4, len - 4}; /* as an embedded PDB, but for its first word */
    (void)state;
    check("comments", read_comments, NULL);
    check("source", open_source, &embedded);
}

static bool find_exclusions(void *context, struct arena *arena, struct err *err)
{
    static const struct str mark = {"Mark", 4};
    struct exclusion_options options = {&mark, 1, true};
    struct exclusions exclusions;
    if (!exclusions_open(&exclusions, context, &options, arena, err))
        return false;
    assert_str(exclusions_reason(&exclusions, SAMPLE_GENERIC)->subject, "Mark");
    return true;
}

static void exclusions_of_a_module(void **state)
{
    (void)state;
    check_sample("exclusions", find_exclusions);
}

static bool find_generated(void *context, struct arena *arena, struct err *err)
{
    struct marked_members members;
    uint32_t type;
    if (!generated_members_open(&members, context, arena, err))
        return false;
    assert_null(marked_members_reason(&type, &members, SAMPLE_GENERIC));
    return true;
}

static void generated_members_of_a_module(void **state)
{
    (void)state;
    check_sample("generated members", find_generated);
}

static bool read_solution(void *context, struct arena *arena, struct err *err)
{
    struct solution solution;
    if (!solution_read(&solution, context, arena, err))
        return false;
    assert_int_equal(solution.list.count, 1);
    assert_int_equal(solution.other_projects.count, 1);
    return true;
}

static void projects_of_a_solution(void **state)
{
    static const char text[] = "Microsoft Visual Studio Solution File\n"
                               "Project(\"{1}\") = \"A\", \"a\\A.csproj\", \"{2}\"\nEndProject\n"
                               "Project(\"{1}\") = \"B\", \"..\\B.vcxproj\", \"{2}\"\nEndProject\n";
    (void)state;
    const char *path = temporary_file(&folder, "a.sln", text, sizeof text - 1);
    check("solution", read_solution, (void *)(uintptr_t)path);
}

static bool make_facts(void *context, struct arena *arena, struct err *err)
{
    const struct module *module = context;
    struct fact_module facts;
    uint64_t *counts = NULL;
    struct scope scope = {.include_count = 0};
    struct list warnings = {.count = 0}, notes = {.count = 0};
    struct module_facts_request request = {
        .module = module,
        .path = STR("/app/il.dll"),
        .scope = &scope,
        .documents = {.root = STR("/app"), .warnings = &warnings, .notes = &notes}};
    if (!module_facts(&facts, &counts, &request, arena, err))
        return false;
    assert_int_equal(facts.method_count, 2);
    return true;
}

static void facts_of_a_module(void **state)
{
    struct il_builder b;
    struct module module;
    (void)state;
    il_begin(&b, "void()");
    (void)il_add_method(&b, "void(bool)", "ldarg.0; brfalse.s E; call void(); E: ret");
    (void)il_add_method(&b, "bool()", "ldc.i4.1; ret");
    assert_true(module_open_image(&module, image_pe(&b.image, false), false, NULL));
    check("module facts", make_facts, &module);
    module_close(&module);
    il_free(&b);
}

/* As the fixture makes them, before anything fails: it aborts without memory. */
static struct facts fixture;

static bool sum_and_store(void *context, struct arena *arena, struct err *err)
{
    struct facts read;
    struct sums sums;
    const char *path = context;
    if (!sums_make(&sums, &fixture, FIXTURE_CORE, SUMS_WITH_CARRIED, arena, err) ||
        !store_write(path, &fixture, NULL, err) || !store_read(&read, path, arena, err))
        return false;
    assert_true(facts_equal(&read, &fixture));
    return facts_sort(&read, arena, err);
}

static void data_file(void **state)
{
    (void)state;
    char path[300];
    (void)snprintf(path, sizeof path, "%s/data.ilcov", folder.folder);
    check("data file", sum_and_store, path);
}

/* libxml2's own memory. When it ends, libxml2 leaks: what is left of a report is given back
 * here. */
struct xml_block {
    struct xml_block *older, *newer;
    size_t len;
    max_align_t data[];
};

static struct xml_block xml_blocks = {&xml_blocks, &xml_blocks, 0};

static struct xml_block *xml_block_of(void *data)
{
    return (void *)((char *)data - offsetof(struct xml_block, data));
}

static void *xml_malloc(size_t len)
{
    struct xml_block *block = interposed.malloc(sizeof *block + len);
    if (block == NULL)
        return NULL;
    *block = (struct xml_block){xml_blocks.older, &xml_blocks, len};
    block->older->newer = block->newer->older = block;
    return block->data;
}

static void xml_free(void *data)
{
    if (data == NULL)
        return;
    struct xml_block *block = xml_block_of(data);
    block->older->newer = block->newer;
    block->newer->older = block->older;
    free(block);
}

static void *xml_realloc(void *data, size_t len)
{
    void *moved = xml_malloc(len);
    size_t old_len = data != NULL ? xml_block_of(data)->len : 0;
    if (moved == NULL)
        return NULL;
    if (old_len != 0)
        memcpy(moved, data, old_len < len ? old_len : len);
    xml_free(data);
    return moved;
}

static char *xml_strdup(const char *text)
{
    char *copy = xml_malloc(strlen(text) + 1);
    return copy != NULL ? strcpy(copy, text) : NULL;
}

static void xml_forget(struct xml_block *newest)
{
    xmlResetLastError(); /* the one thing that it keeps */
    while (xml_blocks.older != newest)
        xml_free(xml_blocks.older->data);
}

struct report_job {
    struct report report;
    char *expected;
    size_t expected_len;
    const struct format *format;
    const char *pages; /* the folder of a format that writes one */
};

static struct str no_line(void *context, struct str package, struct str path, uint32_t number)
{
    (void)context;
    (void)package;
    (void)path;
    (void)number;
    return (struct str){NULL, 0};
}

static const struct sources no_sources = {no_line, NULL, false, no_text};

static bool write_report(void *context, struct arena *arena, struct err *err)
{
    static char buffer[1 << 16];
    struct report_job *job = context;
    struct xml_block *newest = xml_blocks.older;
    FILE *file = fmemopen(buffer, sizeof buffer, "w"); /* libc's own malloc: it does not fail */
    (void)arena;
    assert_non_null(file);
    const struct format_job own = {.report = &job->report, .sources = &no_sources};
    bool ok = written_to(file, job->format, &own, err) && ferror(file) == 0;
    size_t len = (size_t)ftell(file);
    (void)fclose(file);
    if (job->expected != NULL) /* not what it keeps from the first on */
        xml_forget(newest);
    if (ok && job->expected == NULL) {
        job->expected = test_malloc(len);
        memcpy(job->expected, buffer, len);
        job->expected_len = len;
    }
    if (ok) {
        assert_int_equal(len, job->expected_len);
        assert_memory_equal(buffer, job->expected, len);
    }
    return ok;
}

/* A page that was not written for lack of memory is written by the next try. */
static bool write_folder(void *context, struct arena *arena, struct err *err)
{
    const struct report_job *job = context;
    struct destination destination = {.folder = job->pages};
    const struct format_job own = {.report = &job->report, .sources = &no_sources};
    (void)arena;
    return written_into(&destination, job->format, &own, err);
}

static void write_in(const struct format *format, struct report_job *job)
{
    struct err err;
    job->format = format;
    job->expected = NULL;
    if (format->output == DESTINATION_DIRECTORY) {
        job->pages = temporary_path(&folder, "pages");
        assert_true(output_folder_make(job->pages, &err));
        assert_true(write_folder(job, NULL, &err));
        (void)failing_memory_check(format->name, write_folder, job);
        return;
    }
    assert_true(write_report(job, NULL, &err));                  /* what it is without trouble */
    (void)failing_memory_check(format->name, write_report, job); /* the text takes none at all */
    test_free(job->expected);
}

static void reports(void **state)
{
    struct report_options options = {.root = STR("/src")};
    struct report_job job = {.expected = NULL};
    struct err err;
    (void)state;
    assert_true(report_build(&job.report, &fixture, &options, &folder.arena, &err));
    for (const struct format *r = report_formats; r->name != NULL; r++)
        write_in(r, &job);
}

/* --- tests of lines --------------------------------------------------------------------------- */

/* The fixture as two tests and other code ran it, in two ways. */
static struct facts told;

static struct view first_counts(uint32_t count)
{
    struct writer w = wr_in(&folder.arena);
    wr_leb128(&w, 0);
    wr_leb128(&w, count);
    return (struct view){w.data, w.len};
}

static void tell_tests(void)
{
    static struct fact_test tests[] = {
        {.name = {"N.A", 3}}, {.name = {"N.B", 3}}, {.kind = TEST_OUTSIDE}};
    static const uint8_t one[] = {0, 1}, others[] = {1, 2};
    told = fixture;
    told.tests = tests;
    told.test_count = ARRAY_LEN(tests);
    told.hits = ARENA_NEW(&folder.arena, struct fact_hits, (size_t)told.module_count * 2, NULL);
    told.hits_count = 0;
    for (uint32_t i = 0; i < told.module_count; i++) {
        uint32_t count = told.modules[i].count_len;
        if (count < 2)
            continue;
        told.hits[told.hits_count++] = (struct fact_hits){i, first_counts(count / 2), VIEW(others)};
        told.hits[told.hits_count++] = (struct fact_hits){i, first_counts(count), VIEW(one)};
    }
}

static bool build_told(void *context, struct arena *arena, struct err *err)
{
    struct report report;
    struct test_sets sets;
    const struct report_options options = {.root = STR("/src"), .tests = &sets};
    (void)context;
    return test_sets_open(&sets, &told, arena, err) &&
           report_build(&report, &told, &options, arena, err);
}

static void reports_with_tests(void **state)
{
    struct test_sets sets;
    const struct report_options options = {.root = STR("/src"), .tests = &sets};
    struct report_job job = {.expected = NULL};
    struct err err;
    (void)state;
    tell_tests();
    (void)failing_memory_check("tests of lines", build_told, NULL);
    assert_true(test_sets_open(&sets, &told, &folder.arena, &err));
    assert_true(report_build(&job.report, &told, &options, &folder.arena, &err));
    for (const struct format *r = report_formats; r->name != NULL; r++)
        if (r->tells_tests)
            write_in(r, &job);
}

struct external_job {
    const char *text;
    bool keeps; /* libxml2 makes what it keeps from the first on */
};

static bool read_external(void *context, struct arena *arena, struct err *err)
{
    const struct external_job *job = context;
    struct xml_block *newest = xml_blocks.older;
    struct external external;
    struct view bytes = {(const uint8_t *)job->text, strlen(job->text)};
    bool ok = external_read(&external, bytes, arena, err);
    if (!job->keeps)
        xml_forget(newest);
    if (!ok)
        return false;
    assert_int_equal(external.file_count, 1);
    assert_str(external.files[0].path, "/w/a.cs");
    assert_int_equal(external.files[0].line_count, 1);
    const struct external_line *line = &external.files[0].lines[0];
    assert_int_equal(line->hits, 3);
    assert_int_equal(line->outcome_count, 2);
    assert_int_equal(line->covered_count, 1);
    assert_str(line->members->method_name, "M");
    return true;
}

static void external_reports(void **state)
{
    struct external_job jobs[] = {
        {"SF:/w/a.cs\nFN:1,C::M()\nDA:1,3\nBRDA:1,0,0,3\nBRDA:1,0,1,-\n", false},
        {"<coverage><sources><source>/w</source></sources><packages><package name=\"P\"><classes>"
         "<class name=\"C\" filename=\"a.cs\"><methods><method name=\"M\" signature=\"()\"><lines>"
         "<line number=\"1\" hits=\"3\" condition-coverage=\"50% (1/2)\"/></lines></method>"
         "</methods></class></classes></package></packages></coverage>",
         false},
        {"<CoverageSession><Modules><Module><ModuleName>P</ModuleName><Files><File uid=\"1\" "
         "fullPath=\"/w/a.cs\"/></Files><Classes><Class><Methods><Method><Name>C::M()</Name>"
         "<SequencePoint vc=\"3\" sl=\"1\" fileid=\"1\"/>"
         "<BranchPoint vc=\"3\" sl=\"1\" path=\"0\" fileid=\"1\"/>"
         "<BranchPoint vc=\"0\" sl=\"1\" path=\"1\" fileid=\"1\"/>"
         "</Method></Methods></Class></Classes></Module></Modules></CoverageSession>",
         false},
    };
    struct err err;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(jobs); i++) {
        struct arena arena;
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        jobs[i].keeps = true;
        assert_true(read_external(&jobs[i], &arena, &err));
        arena_free(&arena);
        jobs[i].keeps = false;
        check("external report", read_external, &jobs[i]);
    }
}

struct diff_job {
    struct diff diff;
    const struct format *format;
    struct str expected;
    const char *pages; /* the folder of a format that writes one */
};

static bool write_diff(void *context, struct arena *arena, struct err *err)
{
    struct diff_job *job = context;
    static char buffer[1 << 16];
    FILE *file = fmemopen(buffer, sizeof buffer, "w"); /* libc's own malloc: it does not fail */
    (void)arena;
    assert_non_null(file);
    bool ok =
        written_to(file, job->format,
                   &(struct format_job){.diff = &job->diff, .sources = &fixture_sources}, err);
    struct str written = {buffer, (size_t)ftell(file)};
    (void)fclose(file);
    if (ok && job->expected.text != NULL)
        assert_true(str_eq(written, job->expected));
    if (ok && job->expected.text == NULL)
        assert_true(str_copy(&job->expected, written, &folder.arena, err));
    return ok;
}

static bool write_diff_folder(void *context, struct arena *arena, struct err *err)
{
    const struct diff_job *job = context;
    struct destination destination = {.folder = job->pages};
    const struct format_job own = {.diff = &job->diff, .sources = &fixture_sources};
    (void)arena;
    return written_into(&destination, job->format, &own, err);
}

static void diffs(void **state)
{
    struct err err;
    (void)state;
    for (const struct format *w = diff_formats; w->name != NULL; w++) {
        struct diff_job job = {.format = w};
        fixture_diff(&job.diff);
        if (w->output == DESTINATION_DIRECTORY) {
            job.pages = temporary_path(&folder, "changes");
            assert_true(output_folder_make(job.pages, &err));
            assert_true(write_diff_folder(&job, NULL, &err));
            (void)failing_memory_check(w->name, write_diff_folder, &job);
            continue;
        }
        assert_true(write_diff(&job, NULL, &err)); /* what it is without trouble */
        (void)failing_memory_check(w->name, write_diff, &job);
    }
}

static int take_memory(void **state)
{
    (void)state;
    if (!failing_memory_open() || xmlMemSetup(xml_free, xml_malloc, xml_realloc, xml_strdup) != 0)
        return -1;
    temporary_open(&folder);
    fixture_facts(&fixture, &folder.arena);
    return 0;
}

static int give_back(void **state)
{
    (void)state;
    temporary_close(&folder);
    xmlCleanupParser();
    return 0;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(names),
    cmocka_unit_test(pdbs),
    cmocka_unit_test(embedded_symbols),
    cmocka_unit_test(deps),
    cmocka_unit_test(packages),
    cmocka_unit_test(patterns),
    cmocka_unit_test(paths),
    cmocka_unit_test(session),
    cmocka_unit_test(comments_of_a_source),
    cmocka_unit_test(patches),
    cmocka_unit_test(exclusions_of_a_module),
    cmocka_unit_test(generated_members_of_a_module),
    cmocka_unit_test(projects_of_a_solution),
    cmocka_unit_test(facts_of_a_module),
    cmocka_unit_test(data_file),
    cmocka_unit_test(reports),
    cmocka_unit_test(reports_with_tests),
    cmocka_unit_test(external_reports),
    cmocka_unit_test(diffs),
};
UNIT_TESTS_WITH(tests, take_memory, give_back);
