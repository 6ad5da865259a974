/* test_pdb.c - sequence points by the letter of the specification; documents, state machines,
 * awaits; nothing trusted. */
#include "metadata/pdb.h"
#include "tests/support/check.h"
#include "tests/support/image.h"

static const uint8_t kind_method_stepping[16] = {0xC5, 0x2A, 0xFD, 0x54, 0x25, 0xE9, 0x1A, 0x40,
                                                 0x9C, 0x2A, 0xF9, 0x4F, 0x17, 0x10, 0x72, 0xF8};
static const uint8_t kind_source_link[16] = {0x56, 0x05, 0x11, 0xCC, 0x91, 0xA0, 0x38, 0x4D,
                                             0x9F, 0xEC, 0x25, 0xAB, 0x9A, 0x35, 0x1A, 0x6A};
static const uint8_t kind_embedded_source[16] = {0x1B, 0x57, 0x8A, 0x0E, 0x26, 0x69, 0x6E, 0x46,
                                                 0xB4, 0xAD, 0x8A, 0xB0, 0x46, 0x11, 0xF5, 0xFE};

struct fixture {
    struct image image;
    struct view bytes;
    struct pdb pdb;
    struct arena arena;
};

static struct fixture *begin(void)
{
    struct fixture *f = malloc(sizeof *f);
    assert_non_null(f);
    image_begin(&f->image);
    f->image.is_pdb = true;
    for (uint8_t i = 0; i < sizeof f->image.pdb_id; i++)
        f->image.pdb_id[i] = (uint8_t)(i + 100);
    f->image.foreign_rows[TABLE_MethodDef] = 9;
    arena_init(&f->arena, NULL, 0, ARENA_NO_LIMIT);
    return f;
}

static void open(struct fixture *f)
{
    f->bytes = exact_copy(image_metadata(&f->image));
    assert_true(pdb_open(&f->pdb, f->bytes, NULL));
}

static void end(struct fixture *f)
{
    exact_free(f->bytes);
    arena_free(&f->arena);
    image_free(&f->image);
    free(f);
}

/* A PDB of three documents and one method with these points. */
static struct fixture *with_points(uint32_t document, const uint8_t *blob, size_t len)
{
    struct fixture *f = begin();
    for (unsigned i = 0; i < 3; i++)
        IMAGE_ROW(&f->image, Document, 0, 0, 0, 0);
    IMAGE_ROW(&f->image, MethodDebugInformation, document,
              blob != NULL ? image_blob(&f->image, blob, len) : 0);
    open(f);
    return f;
}

static void pdb_has_its_id_and_entry_point(void **state)
{
    (void)state;
    size_t offset = 0, len = 0;
    struct fixture *f = begin();
    f->image.entry_point = 0x06000003;
    open(f);
    assert_memory_equal(f->pdb.id, f->image.pdb_id, 20);
    assert_int_equal(f->pdb.entry_point, 0x06000003);
    pdb_id_range(&offset, &len, &f->pdb);
    assert_int_equal(len, 20);
    assert_memory_equal(f->bytes.data + offset, f->image.pdb_id, 20);
    assert_str(f->pdb.md.version, "PDB v1.0");
    end(f);
}

static void every_truncation_fails_cleanly(void **state)
{
    (void)state;
    struct fixture *f = with_points(1, BYTES(0, 0, 0, 0), 4);
    for (size_t len = 0; len < f->bytes.len; len++) {
        struct err err = {.code = ERR_NONE};
        struct pdb pdb;
        struct view cut = exact_copy((struct view){f->bytes.data, len});
        assert_failed(pdb_open(&pdb, cut, &err), err, ERR_FORMAT);
        exact_free(cut);
    }
    end(f);
}

static void windows_pdb_is_named(void **state)
{
    (void)state;
    static const char start[] = "Microsoft C/C++ MSF 7.00\r\n\x1A"
                                "DS";
    struct err err = {.code = ERR_NONE};
    struct pdb pdb;
    struct view bytes = exact_copy((struct view){(const uint8_t *)start, sizeof start});
    assert_failed(pdb_open(&pdb, bytes, &err), err, ERR_UNSUPPORTED);
    exact_free(bytes);
}

static void metadata_of_a_module_is_not_a_pdb(void **state)
{
    (void)state;
    struct image image;
    struct pdb pdb;
    struct err err = {.code = ERR_NONE};
    image_begin(&image);
    image_sample(&image);
    assert_failed(pdb_open(&pdb, image_metadata(&image), &err), err, ERR_FORMAT);
    image_free(&image);
}

#define HIDDEN(il, document)                                                                       \
    {                                                                                              \
        (il), (document), true, 0, 0, 0, 0                                                         \
    }
#define POINT(il, document, line, column, end_line, end_column)                                    \
    {                                                                                              \
        (il), (document), false, (line), (end_line), (column), (end_column)                        \
    }

/* clang-format off */
static const struct {
    const char *name;
    uint32_t document;
    uint8_t blob[48];
    size_t len;
    struct seq_point points[5];
    uint32_t count;
} cases[] = {
    {"header alone", 1, {0}, 1, {HIDDEN(0, 0)}, 0},
    {"one point on one line", 1, {0, 0, 0, 5, 10, 3}, 6, {POINT(0, 1, 10, 3, 10, 8)}, 1},
    {"local signature of two bytes", 1, {0x81, 0x00, 0, 0, 5, 10, 3}, 7, {POINT(0, 1, 10, 3, 10, 8)}, 1},
    {"first offset is not 0", 1, {0, 7, 0, 5, 10, 3}, 6, {POINT(7, 1, 10, 3, 10, 8)}, 1},
    /* delta lines 2: delta columns is signed, 0x7B is -3 */
    {"several lines, end column before start", 1, {0, 0, 2, 0x7B, 10, 9}, 6, {POINT(0, 1, 10, 9, 12, 6)}, 1},
    /* the second: lines +1 (0x02), columns -4 (0x79), both signed and from the point before */
    {"differences to the previous point", 1, {0, 0, 0, 5, 10, 9, 4, 0, 2, 0x02, 0x79}, 11,
        {POINT(0, 1, 10, 9, 10, 14), POINT(4, 1, 11, 5, 11, 7)}, 2},
    {"backwards", 1, {0, 0, 0, 5, 20, 9, 4, 0, 2, 0x6D, 0x00}, 11, /* 0x6D is -10 */
        {POINT(0, 1, 20, 9, 20, 14), POINT(4, 1, 10, 9, 10, 11)}, 2},
    {"hidden first: the next is the first visible", 1, {0, 0, 0, 0, 3, 0, 5, 0x80, 0xC8, 9}, 10,
        {HIDDEN(0, 1), POINT(3, 1, 200, 9, 200, 14)}, 2},
    {"hidden between: differences skip it", 1, {0, 0, 0, 5, 10, 9, 1, 0, 0, 1, 0, 2, 0x02, 0x00}, 14,
        {POINT(0, 1, 10, 9, 10, 14), HIDDEN(1, 1), POINT(2, 1, 11, 9, 11, 11)}, 3},
    {"initial document in the header", 0, {0, 2, 0, 0, 5, 10, 3}, 7, {POINT(0, 2, 10, 3, 10, 8)}, 1},
    {"document record", 0, {0, 1, 0, 0, 5, 10, 3, 0, 3, 2, 0, 5, 0x00, 0x00}, 14,
        {POINT(0, 1, 10, 3, 10, 8), POINT(2, 3, 10, 3, 10, 8)}, 2},
    {"two document records in a row: the last counts", 1, {0, 0, 0, 0, 0, 3, 0, 2, 1, 0, 0}, 11,
        {HIDDEN(0, 1), HIDDEN(1, 2)}, 2},
    {"there and back", 1, {0, 0, 0, 0, 0, 3, 1, 0, 0, 0, 1, 1, 0, 0}, 14,
        {HIDDEN(0, 1), HIDDEN(1, 3), HIDDEN(2, 1)}, 3},
    {"largest of everything", 1, {0, 0xDF, 0xFF, 0xFF, 0xFF, 0, 1, 0xDF, 0xFF, 0xFF, 0xFF, 0xC0, 0, 0xFF, 0xFE}, 15,
        {POINT(0x1FFFFFFF, 1, 0x1FFFFFFF, 0xFFFE, 0x1FFFFFFF, 0xFFFF)}, 1},
};

static const struct {
    const char *name;
    uint32_t document;
    uint8_t blob[32];
    size_t len;
} bad_blobs[] = {
    {"no header", 1, {0}, 0},
    {"no initial document", 0, {0}, 1},
    {"initial document 0", 0, {0, 0, 0, 0, 0}, 5},
    {"document of the row beyond the table", 4, {0, 0, 0, 0}, 4},
    {"document record 0", 1, {0, 0, 0, 0, 0, 0, 1, 0, 0}, 9},
    {"document record beyond the table", 1, {0, 0, 0, 0, 0, 4, 1, 0, 0}, 9},
    {"document record at the end", 1, {0, 0, 0, 0, 0, 2}, 6},
    {"IL offsets beyond 2^29", 1, {0, 0xDF, 0xFF, 0xFF, 0xFF, 0, 0, 1, 0, 0}, 10},
    {"start line below 0", 1, {0, 0, 0, 5, 10, 9, 4, 0, 2, 0x6B, 0x00}, 11}, /* 0x6B is -11 */
    {"start column below 0", 1, {0, 0, 0, 5, 10, 9, 4, 0, 2, 0x00, 0x6D}, 11},
    {"start column of 2^16", 1, {0, 0, 0, 5, 10, 0xC0, 1, 0, 0}, 9},
    {"end column of 2^16", 1, {0, 0, 0, 2, 10, 0xC0, 0, 0xFF, 0xFE}, 9},
    {"end column below 0", 1, {0, 0, 1, 0x79, 10, 3}, 6},
    {"end line of 2^29", 1, {0, 0, 1, 2, 0xDF, 0xFF, 0xFF, 0xFF, 3}, 9},
    {"start on the hidden line", 1, {0, 0, 1, 2, 0xC0, 0xFE, 0xEF, 0xEE, 3}, 9},
    {"end on the hidden line", 1, {0, 0, 1, 2, 0xC0, 0xFE, 0xEF, 0xED, 3}, 9},
    {"start column of 2^16, end before it", 1, {0, 0, 1, 0x7F, 10, 0xC0, 1, 0, 0}, 9},
    {"visible point on the hidden line", 1, {0, 0, 0, 5, 0xC0, 0xFE, 0xEF, 0xEE, 3}, 9},
    {"integer that begins with 0xFF", 1, {0, 0, 0, 5, 0xFF, 0, 0, 0, 0}, 9},
};
/* clang-format on */

static void check_point(const struct seq_point *got, const struct seq_point *expected)
{
    assert_int_equal(got->il_offset, expected->il_offset);
    assert_int_equal(got->document, expected->document);
    assert_int_equal(got->hidden, expected->hidden);
    assert_int_equal(got->start_line, expected->start_line);
    assert_int_equal(got->start_column, expected->start_column);
    assert_int_equal(got->end_line, expected->end_line);
    assert_int_equal(got->end_column, expected->end_column);
}

static void points_are_those_of_the_blob(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct fixture *f = with_points(cases[i].document, cases[i].blob, cases[i].len);
        struct seq_points points;
        struct err err = {.code = ERR_NONE};
        if (!pdb_sequence_points(&points, &f->pdb, 1, &f->arena, &err))
            fail_msg("%s: %s", cases[i].name, err.text);
        assert_int_equal(points.count, cases[i].count);
        for (uint32_t k = 0; k < points.count; k++)
            check_point(&points.points[k], &cases[i].points[k]);
        end(f);
    }
}

/* A blob that ends between records has fewer points; anywhere else it is malformed. */
static void points_end_cleanly_at_every_truncation(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        for (size_t len = 0; len < cases[i].len; len++) {
            struct fixture *f = with_points(cases[i].document, cases[i].blob, len);
            struct seq_points points;
            struct err err = {.code = ERR_NONE};
            if (pdb_sequence_points(&points, &f->pdb, 1, &f->arena, &err))
                assert_true(points.count < cases[i].count);
            else
                assert_failed(false, err, ERR_FORMAT);
            end(f);
        }
}

static void blobs_against_the_specification_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad_blobs); i++) {
        struct fixture *f = with_points(bad_blobs[i].document, bad_blobs[i].blob, bad_blobs[i].len);
        struct seq_points points;
        struct err err = {.code = ERR_NONE};
        bool read = pdb_sequence_points(&points, &f->pdb, 1, &f->arena, &err);
        if (read)
            print_error("%s\n", bad_blobs[i].name);
        assert_failed(read, err, ERR_FORMAT);
        end(f);
    }
}

static void method_without_points_has_none(void **state)
{
    (void)state;
    struct fixture *f = with_points(0, NULL, 0);
    static const uint32_t rids[] = {0, 1, 2, UINT32_MAX};
    for (size_t i = 0; i < ARRAY_LEN(rids); i++) {
        struct seq_points points = {.count = 99};
        assert_true(pdb_sequence_points(&points, &f->pdb, rids[i], &f->arena, NULL));
        assert_int_equal(points.count, 0);
    }
    end(f);
}

static void blob_outside_the_heap_is_refused(void **state)
{
    (void)state;
    struct fixture *f = begin();
    IMAGE_ROW(&f->image, Document, 0, 0, 0, 0);
    IMAGE_ROW(&f->image, MethodDebugInformation, 1, 0x7FFF);
    open(f);
    struct seq_points points;
    struct err err = {.code = ERR_NONE};
    assert_failed(pdb_sequence_points(&points, &f->pdb, 1, &f->arena, &err), err, ERR_FORMAT);
    end(f);
}

static void points_stay_within_the_limit_of_the_arena(void **state)
{
    (void)state;
    uint8_t blob[1000] = {0};
    for (size_t i = 4; i < sizeof blob; i += 3)
        blob[i] = 1;
    struct fixture *f = with_points(1, blob, sizeof blob);
    struct seq_points points;
    struct err err = {.code = ERR_NONE};
    struct arena small;
    arena_init(&small, NULL, 0, 100);
    assert_failed(pdb_sequence_points(&points, &f->pdb, 1, &small, &err), err, ERR_LIMIT);
    assert_true(pdb_sequence_points(&points, &f->pdb, 1, &f->arena, &err));
    assert_int_equal(points.count, 333);
    assert_int_equal(points.points[332].il_offset, 332);
    arena_free(&small);
    end(f);
}

/* Rows of one document whose name blob is this; parts "src" at 1 and "a.cs" at 5 of the heap. */
static struct fixture *with_name(const uint8_t *name, size_t len)
{
    struct fixture *f = begin();
    (void)image_blob(&f->image, "src", 3);
    (void)image_blob(&f->image, "a.cs", 4);
    uint32_t blob = image_blob(&f->image, name, len);
    uint32_t hash = image_blob(&f->image, "HASH", 4);
    uint32_t language = image_guid(&f->image, kind_source_link);
    uint32_t algorithm = image_guid(&f->image, kind_method_stepping);
    IMAGE_ROW(&f->image, Document, blob, algorithm, hash, language);
    open(f);
    return f;
}

static void document_names_are_joined_from_their_parts(void **state)
{
    (void)state;
    static const struct {
        uint8_t blob[6];
        size_t len;
        const char *name;
    } names[] = {
        {{'/', 0, 1, 5}, 4, "/src/a.cs"},
        {{'\\', 1, 5}, 3, "src\\a.cs"},
        {{0, 1, 5}, 3, "srca.cs"},
        {{'/', 5}, 2, "a.cs"},
        {{'/', 0}, 2, ""},
        {{'/'}, 1, ""},
        {{'/', 0, 0, 0}, 4, "//"},
    };
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct fixture *f = with_name(names[i].blob, names[i].len);
        struct pdb_document document;
        assert_true(pdb_read_document(&document, &f->pdb, 1, &f->arena, NULL));
        assert_str(document.name, names[i].name);
        assert_memory_equal(document.hash.data, "HASH", 4);
        assert_memory_equal(document.language, kind_source_link, 16);
        assert_memory_equal(document.hash_algorithm, kind_method_stepping, 16);
        assert_int_equal(document.embedded_source.len, 0);
        end(f);
    }
}

static void malformed_document_names_are_refused(void **state)
{
    (void)state;
    static const struct {
        uint8_t blob[4];
        size_t len;
    } names[] = {{{0}, 0}, {{'/', 0x80}, 2}, {{'/', 0xFF}, 2}, {{0xC3, 1}, 2}};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct fixture *f = with_name(names[i].blob, names[i].len);
        struct pdb_document document;
        struct err err = {.code = ERR_NONE};
        assert_failed(pdb_read_document(&document, &f->pdb, 1, &f->arena, &err), err, ERR_FORMAT);
        err.code = ERR_NONE;
        assert_failed(pdb_read_document(&document, &f->pdb, 2, &f->arena, &err), err, ERR_FORMAT);
        err.code = ERR_NONE;
        assert_failed(pdb_read_document(&document, &f->pdb, 0, &f->arena, &err), err, ERR_FORMAT);
        end(f);
    }
}

static void document_name_without_end_is_over_the_limit(void **state)
{
    (void)state;
    uint8_t blob[10000];
    memset(blob, 5, sizeof blob); /* "a.cs", ten thousand times */
    blob[0] = '/';
    struct fixture *f = with_name(blob, sizeof blob);
    struct pdb_document document;
    struct err err = {.code = ERR_NONE};
    assert_failed(pdb_read_document(&document, &f->pdb, 1, &f->arena, &err), err, ERR_LIMIT);
    end(f);
}

static void state_machines_lead_to_the_method_the_user_wrote(void **state)
{
    (void)state;
    struct fixture *f = begin();
    IMAGE_ROW(&f->image, StateMachineMethod, 4, 1);
    IMAGE_ROW(&f->image, StateMachineMethod, 7, 2);
    open(f);
    assert_int_equal(pdb_kickoff_method(&f->pdb, 4), 1);
    assert_int_equal(pdb_kickoff_method(&f->pdb, 7), 2);
    assert_int_equal(pdb_kickoff_method(&f->pdb, 5), 0);
    assert_int_equal(pdb_kickoff_method(&f->pdb, 0), 0);
    assert_int_equal(pdb_kickoff_method(&f->pdb, UINT32_MAX), 0);
    end(f);
}

static struct fixture *with_custom_info(uint32_t parent, const uint8_t kind[16], const void *data,
                                        size_t len, bool sorted)
{
    struct fixture *f = begin();
    uint32_t other = image_guid(&f->image, BYTES(9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9));
    uint32_t guid = image_guid(&f->image, kind);
    uint32_t blob = image_blob(&f->image, data, len);
    if (!sorted)
        f->image.sorted = 0;
    IMAGE_ROW(&f->image, Document, image_blob(&f->image, "/", 1), 0, 0, 0);
    IMAGE_ROW(&f->image, CustomDebugInformation, 1, guid, 0);
    IMAGE_ROW(&f->image, CustomDebugInformation, parent, other, 0);
    if (!sorted)
        IMAGE_ROW(&f->image, CustomDebugInformation, 2, guid, 0);
    IMAGE_ROW(&f->image, CustomDebugInformation, parent, guid, blob);
    open(f);
    return f;
}

static void custom_information_is_found_by_parent_and_kind(void **state)
{
    (void)state;
    for (unsigned sorted = 0; sorted < 2; sorted++) {
        /* HasCustomDebugInformation: Module is tag 7, MethodDef 0 */
        struct fixture *f = with_custom_info(1 << 5 | 7, kind_source_link, "{}", 2, sorted != 0);
        assert_int_equal(pdb_source_link(&f->pdb).len, 2);
        assert_int_equal(pdb_custom_info(&f->pdb, TOKEN(TABLE_Module, 2), kind_source_link).len, 0);
        assert_null(pdb_custom_info(&f->pdb, 0, kind_source_link).data);
        assert_null(pdb_custom_info(&f->pdb, 0xFF000001, kind_source_link).data);
        assert_null(pdb_custom_info(&f->pdb, TOKEN(TABLE_Module, 1), kind_method_stepping).data);
        end(f);
    }
}

static void embedded_source_belongs_to_its_document(void **state)
{
    (void)state;
    /* Document is tag 22 */
    struct fixture *f =
        with_custom_info(1 << 5 | 22, kind_embedded_source, "\0\0\0\0text", 8, true);
    struct pdb_document document;
    assert_true(pdb_read_document(&document, &f->pdb, 1, &f->arena, NULL));
    assert_int_equal(document.embedded_source.len, 8);
    assert_memory_equal(document.embedded_source.data + 4, "text", 4);
    end(f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(pdb_has_its_id_and_entry_point),
    cmocka_unit_test(every_truncation_fails_cleanly),
    cmocka_unit_test(windows_pdb_is_named),
    cmocka_unit_test(metadata_of_a_module_is_not_a_pdb),
    cmocka_unit_test(points_are_those_of_the_blob),
    cmocka_unit_test(points_end_cleanly_at_every_truncation),
    cmocka_unit_test(blobs_against_the_specification_are_refused),
    cmocka_unit_test(method_without_points_has_none),
    cmocka_unit_test(blob_outside_the_heap_is_refused),
    cmocka_unit_test(points_stay_within_the_limit_of_the_arena),
    cmocka_unit_test(document_names_are_joined_from_their_parts),
    cmocka_unit_test(malformed_document_names_are_refused),
    cmocka_unit_test(document_name_without_end_is_over_the_limit),
    cmocka_unit_test(state_machines_lead_to_the_method_the_user_wrote),
    cmocka_unit_test(custom_information_is_found_by_parent_and_kind),
    cmocka_unit_test(embedded_source_belongs_to_its_document),
};
UNIT_TESTS(tests);
