/* test_symbols.c - the PDB is looked for in the documented order, and only that of the very build
 * is taken. */
#include "coverage/source/symbols.h"

#include <gcrypt.h>
#include <stdio.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>
#include <zlib.h>

#include "base/path.h"
#include "coverage/facts/digest.h"
#include "tests/support/check.h"
#include "tests/support/image.h"

static const uint8_t id[20] = {1,  2,  3,  4,  5,  6,  7,    8,    9,    10,
                               11, 12, 13, 14, 15, 16, 0x78, 0x56, 0x34, 0x12};

/* In place of the C library's, under the names that libraries call. */
static unsigned logged;
__attribute__((visibility("default"))) void __syslog_chk(int priority, int flag, const char *format,
                                                         ...);

__attribute__((visibility("default"))) void syslog(int priority, const char *format, ...)
{
    (void)priority;
    (void)format;
    logged++;
}

void __syslog_chk(int priority, int flag, const char *format, ...)
{
    (void)priority;
    (void)flag;
    (void)format;
    logged++;
}

/* A directory of its own for each test. */
struct fixture {
    char directory[64];
    struct arena arena;
    struct view pdb, module_bytes;
    struct image module_image, pdb_image;
    struct module module;
};

static struct fixture *begin(void)
{
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    (void)snprintf(f->directory, sizeof f->directory, "/tmp/ilcov-test-symbols-XXXXXX");
    assert_non_null(mkdtemp(f->directory));
    arena_init(&f->arena, NULL, 0, ARENA_NO_LIMIT);
    image_begin(&f->module_image);
    image_sample(&f->module_image);
    image_begin(&f->pdb_image);
    f->pdb_image.is_pdb = true;
    memcpy(f->pdb_image.pdb_id, id, sizeof id);
    f->pdb = image_metadata(&f->pdb_image);
    return f;
}

static const char *path_of(const struct fixture *f, const char *name)
{
    static char path[PATH_ROOM];
    (void)snprintf(path, sizeof path, "%s/%s", f->directory, name);
    return path;
}

static void write_file(const struct fixture *f, const char *name, struct view bytes)
{
    FILE *file = fopen(path_of(f, name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.data, 1, bytes.len, file), bytes.len);
    assert_int_equal(fclose(file), 0);
}

static void add_codeview(struct fixture *f, const char *pdb_path, bool portable)
{
    uint8_t data[24 + 200] = "RSDS";
    memcpy(data + 4, id, 16);
    memcpy(data + 24, pdb_path, strlen(pdb_path) + 1);
    image_add_debug(&f->module_image, 2, load_u32(id + 16), portable ? 0x504D : 0,
                    (struct view){data, 24 + strlen(pdb_path) + 1});
}

static void add_checksum(struct fixture *f, const char *algorithm, int gcrypt_algorithm, bool right)
{
    uint8_t data[16 + 64];
    uint8_t *zeroed = (uint8_t *)(uintptr_t)exact_copy(f->pdb).data;
    unsigned digest_len = gcry_md_get_algo_dlen(gcrypt_algorithm);
    size_t name_len = strlen(algorithm) + 1;
    for (size_t i = 0; i + sizeof id <= f->pdb.len; i++)
        if (memcmp(zeroed + i, id, sizeof id) == 0)
            memset(zeroed + i, 0, sizeof id);
    memcpy(data, algorithm, name_len);
    digest_start();
    gcry_md_hash_buffer(gcrypt_algorithm, data + name_len, zeroed, f->pdb.len);
    free(zeroed);
    if (!right)
        data[name_len] ^= 1;
    image_add_debug(&f->module_image, 19, 0, 0, (struct view){data, name_len + digest_len});
}

static void add_embedded(struct fixture *f, struct view pdb)
{
    uint8_t data[4096] = "MPDB";
    uint8_t *input = (uint8_t *)(uintptr_t)exact_copy(pdb).data;
    z_stream z = {.next_in = input,
                  .avail_in = (uInt)pdb.len,
                  .next_out = data + 8,
                  .avail_out = sizeof data - 8};
    store_u32(data + 4, (uint32_t)pdb.len);
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    image_add_debug(&f->module_image, 17, 0, 0x100, (struct view){data, 8 + z.total_out});
    (void)deflateEnd(&z);
    free(input);
}

static bool find(struct fixture *f, struct err *err)
{
    f->module_bytes = exact_copy(image_pe(&f->module_image, false));
    assert_true(module_open_image(&f->module, f->module_bytes, false, NULL));
    return symbols_find(&f->module, path_of(f, "Sample.dll"), &f->arena, err);
}

static void end(struct fixture *f, const char *const *files, size_t count)
{
    module_close(&f->module);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(unlink(path_of(f, files[i])), 0);
    assert_int_equal(rmdir(f->directory), 0);
    exact_free(f->module_bytes);
    image_free(&f->module_image);
    image_free(&f->pdb_image);
    arena_free(&f->arena);
    free(f);
}
#define END(f, ...)                                                                                \
    end((f), (const char *const[]){__VA_ARGS__}, ARRAY_LEN(((const char *const[]){__VA_ARGS__})))

static void module_without_a_pdb_anywhere_has_none(void **state)
{
    (void)state;
    struct fixture *f = begin();
    add_codeview(f, "/nowhere/at/all/Other.pdb", true);
    assert_true(find(f, NULL));
    assert_false(f->module.has_pdb);
    assert_null(f->module.pdb_file.data);
    end(f, NULL, 0);
}

static void pdb_beside_the_dll_is_found_by_the_name_in_the_dll(void **state)
{
    (void)state;
    static const char *const paths[] = {"/build/obj/Other.pdb", "C:\\build\\obj\\Other.pdb",
                                        "Other.pdb"};
    for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
        struct fixture *f = begin();
        add_codeview(f, paths[i], true);
        write_file(f, "Other.pdb", f->pdb);
        assert_true(find(f, NULL));
        assert_true(f->module.has_pdb);
        assert_memory_equal(f->module.pdb.id, id, sizeof id);
        assert_string_equal(f->module.pdb_path, path_of(f, "Other.pdb"));
        END(f, "Other.pdb");
    }
}

static void pdb_beside_the_dll_is_found_by_the_name_of_the_dll(void **state)
{
    (void)state;
    struct fixture *f = begin();
    add_codeview(f, "/build/Renamed.pdb", true);
    write_file(f, "Sample.pdb", f->pdb);
    assert_true(find(f, NULL));
    assert_true(f->module.has_pdb);
    assert_string_equal(f->module.pdb_path, path_of(f, "Sample.pdb"));
    END(f, "Sample.pdb");
}

static void pdb_is_found_where_the_compiler_put_it(void **state)
{
    (void)state;
    struct fixture *f = begin();
    char elsewhere[PATH_ROOM];
    (void)snprintf(elsewhere, sizeof elsewhere, "%s", path_of(f, "obj/Sample.pdb"));
    assert_int_equal(mkdir(path_of(f, "obj"), 0700), 0);
    add_codeview(f, elsewhere, true);
    write_file(f, "obj/Sample.pdb", f->pdb);
    assert_true(find(f, NULL));
    assert_string_equal(f->module.pdb_path, elsewhere);
    assert_int_equal(unlink(elsewhere), 0);
    assert_int_equal(rmdir(path_of(f, "obj")), 0);
    end(f, NULL, 0);
}

static void embedded_pdb_comes_first(void **state)
{
    (void)state;
    struct fixture *f = begin();
    add_codeview(f, "Sample.pdb", true);
    add_embedded(f, f->pdb);
    write_file(f, "Sample.pdb", BYTES_VIEW(1, 2, 3));
    assert_true(find(f, NULL));
    assert_true(f->module.has_pdb);
    assert_string_equal(f->module.pdb_path, "embedded");
    assert_null(f->module.pdb_file.data);
    END(f, "Sample.pdb");
}

static void pdb_of_another_build_is_a_mismatch_that_names_it(void **state)
{
    (void)state;
    static const size_t changed[] = {0, 15, 16, 19}; /* GUID, and the stamp behind it */
    for (size_t i = 0; i < ARRAY_LEN(changed); i++) {
        struct fixture *f = begin();
        struct err err = {.code = ERR_NONE};
        f->pdb_image.pdb_id[changed[i]] ^= 1;
        add_codeview(f, "Sample.pdb", true);
        write_file(f, "Sample.pdb", image_metadata(&f->pdb_image));
        assert_failed(find(f, &err), err, ERR_MISMATCH);
        assert_non_null(strstr(err.text, path_of(f, "Sample.pdb")));
        assert_false(f->module.has_pdb);
        END(f, "Sample.pdb");
    }
}

static void right_pdb_is_found_after_a_wrong_one(void **state)
{
    (void)state;
    struct fixture *f = begin();
    add_codeview(f, "Other.pdb", true);
    write_file(f, "Sample.pdb", f->pdb);
    f->pdb_image.pdb_id[0] ^= 1;
    write_file(f, "Other.pdb", image_metadata(&f->pdb_image));
    assert_true(find(f, NULL));
    assert_string_equal(f->module.pdb_path, path_of(f, "Sample.pdb"));
    END(f, "Sample.pdb", "Other.pdb");
}

static void first_of_several_wrong_ones_is_named(void **state)
{
    (void)state;
    struct fixture *f = begin();
    struct err err = {.code = ERR_NONE};
    add_codeview(f, "Other.pdb", true);
    write_file(f, "Sample.pdb", BYTES_VIEW(1, 2, 3));
    f->pdb_image.pdb_id[0] ^= 1;
    write_file(f, "Other.pdb", image_metadata(&f->pdb_image));
    assert_failed(find(f, &err), err, ERR_MISMATCH);
    assert_non_null(strstr(err.text, "Other.pdb"));
    END(f, "Sample.pdb", "Other.pdb");
}

static void converted_pdb_needs_the_guid_alone(void **state)
{
    (void)state;
    struct fixture *f = begin();
    f->pdb_image.pdb_id[19] ^= 1;
    add_codeview(f, "Sample.pdb", false);
    write_file(f, "Sample.pdb", image_metadata(&f->pdb_image));
    assert_true(find(f, NULL));
    assert_true(f->module.has_pdb);
    END(f, "Sample.pdb");
}

static const struct {
    const char *name;
    int algorithm;
    bool right, matches;
} checksums[] = {
    {"SHA256", GCRY_MD_SHA256, true, true},
    {"SHA256", GCRY_MD_SHA256, false, false},
    {"SHA384", GCRY_MD_SHA384, true, true},
    {"SHA384", GCRY_MD_SHA384, false, false},
    {"SHA512", GCRY_MD_SHA512, true, true},
    {"SHA512", GCRY_MD_SHA512, false, false},
    {"SHA1", GCRY_MD_SHA1, true, true},
    {"SHA256", GCRY_MD_SHA1, true, false},   /* a digest of 20 bytes is no SHA-256 */
    {"KECCAK", GCRY_MD_SHA256, false, true}, /* unknown: nothing to compare */
};

/* .NET looks at the id alone; ilasm's checksums never match. */
static void pdb_with_another_checksum_is_believed_and_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(checksums); i++)
        for (unsigned embedded = 0; embedded < 2; embedded++) {
            struct fixture *f = begin();
            struct err err = {.code = ERR_NONE};
            add_codeview(f, "Sample.pdb", true);
            add_checksum(f, checksums[i].name, checksums[i].algorithm, checksums[i].right);
            if (embedded != 0)
                add_embedded(f, f->pdb);
            write_file(f, "Sample.pdb", f->pdb);
            assert_true(find(f, &err));
            assert_true(f->module.has_pdb);
            assert_int_equal(f->module.pdb_checksum_differs, !checksums[i].matches);
            END(f, "Sample.pdb");
        }
}

static void without_an_id_the_checksum_must_match(void **state)
{
    (void)state;
    for (unsigned right = 0; right < 2; right++) {
        struct fixture *f = begin();
        struct err err = {.code = ERR_NONE};
        add_checksum(f, "SHA256", GCRY_MD_SHA256, right != 0);
        write_file(f, "Sample.pdb", f->pdb);
        bool found = find(f, &err);
        if (right != 0)
            assert_true(found && f->module.has_pdb && !f->module.pdb_checksum_differs);
        else
            assert_failed(found, err, ERR_MISMATCH);
        END(f, "Sample.pdb");
    }
}

/* Comes first: libgcrypt complains at its first use, unless it is started. */
static void hashing_writes_nothing_into_the_log_of_the_system(void **state)
{
    (void)state;
    struct fixture *f = begin();
    uint8_t wrong[sizeof "SHA256" + 32] = "SHA256";
    add_codeview(f, "Sample.pdb", true);
    image_add_debug(&f->module_image, 19, 0, 0, (struct view){wrong, sizeof wrong});
    write_file(f, "Sample.pdb", f->pdb);
    assert_true(find(f, NULL));
    assert_true(f->module.pdb_checksum_differs);
    assert_int_equal(logged, 0);
    END(f, "Sample.pdb");
}

/* A damaged copy has the id, too. */
static void pdb_with_the_right_checksum_comes_first(void **state)
{
    (void)state;
    struct fixture *f = begin();
    add_codeview(f, "Other.pdb", true);
    add_checksum(f, "SHA256", GCRY_MD_SHA256, true);
    write_file(f, "Sample.pdb", f->pdb);
    f->pdb_image.entry_point ^= 1;
    write_file(f, "Other.pdb", image_metadata(&f->pdb_image));
    assert_true(find(f, NULL));
    assert_string_equal(f->module.pdb_path, path_of(f, "Sample.pdb"));
    assert_false(f->module.pdb_checksum_differs);
    END(f, "Sample.pdb", "Other.pdb");
}

static void broken_and_windows_pdbs_are_named(void **state)
{
    (void)state;
    static const char windows_pdb[] = "Microsoft C/C++ MSF 7.00\r\n";
    const struct {
        struct view bytes;
        enum err_code code;
    } cases[] = {
        {{(const uint8_t *)windows_pdb, sizeof windows_pdb}, ERR_UNSUPPORTED},
        {{(const uint8_t *)"BSJB", 4}, ERR_FORMAT},
        {{(const uint8_t *)"", 0}, ERR_FORMAT},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct fixture *f = begin();
        struct err err = {.code = ERR_NONE};
        add_codeview(f, "Sample.pdb", true);
        write_file(f, "Sample.pdb", cases[i].bytes);
        assert_failed(find(f, &err), err, cases[i].code);
        assert_non_null(strstr(err.text, "Sample.pdb"));
        END(f, "Sample.pdb");
    }
}

static void broken_embedded_pdb_is_an_error(void **state)
{
    (void)state;
    struct fixture *f = begin();
    struct err err = {.code = ERR_NONE};
    add_embedded(f, BYTES_VIEW(1, 2, 3, 4));
    assert_failed(find(f, &err), err, ERR_FORMAT);
    assert_non_null(strstr(err.text, "embedded"));
    end(f, NULL, 0);
}

static void path_of_a_directory_is_not_a_pdb(void **state)
{
    (void)state;
    struct fixture *f = begin();
    add_codeview(f, "/build/", true);
    assert_true(find(f, NULL));
    assert_false(f->module.has_pdb);
    end(f, NULL, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(hashing_writes_nothing_into_the_log_of_the_system),
    cmocka_unit_test(module_without_a_pdb_anywhere_has_none),
    cmocka_unit_test(pdb_beside_the_dll_is_found_by_the_name_in_the_dll),
    cmocka_unit_test(pdb_beside_the_dll_is_found_by_the_name_of_the_dll),
    cmocka_unit_test(pdb_is_found_where_the_compiler_put_it),
    cmocka_unit_test(embedded_pdb_comes_first),
    cmocka_unit_test(pdb_of_another_build_is_a_mismatch_that_names_it),
    cmocka_unit_test(right_pdb_is_found_after_a_wrong_one),
    cmocka_unit_test(first_of_several_wrong_ones_is_named),
    cmocka_unit_test(converted_pdb_needs_the_guid_alone),
    cmocka_unit_test(pdb_with_another_checksum_is_believed_and_told),
    cmocka_unit_test(without_an_id_the_checksum_must_match),
    cmocka_unit_test(pdb_with_the_right_checksum_comes_first),
    cmocka_unit_test(broken_and_windows_pdbs_are_named),
    cmocka_unit_test(broken_embedded_pdb_is_an_error),
    cmocka_unit_test(path_of_a_directory_is_not_a_pdb),
};
UNIT_TESTS(tests);
