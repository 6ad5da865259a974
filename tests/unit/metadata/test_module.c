/* test_module.c - a DLL opened as one: its name, its MVID, its methods with IL. */
#include <stdio.h>
#include <unistd.h>

#include "metadata/module.h"
#include "tests/support/check.h"
#include "tests/support/image.h"

static void sample_has_name_and_mvid(void **state)
{
    (void)state;
    for (unsigned mapped = 0; mapped < 2; mapped++) {
        struct image image;
        struct module module;
        struct err err;
        image_begin(&image);
        image_sample(&image);
        struct view bytes = exact_copy(image_pe(&image, mapped != 0));
        assert_true(module_open_image(&module, bytes, mapped != 0, &err));
        assert_str(module.name, "Sample");
        assert_int_equal(module.mvid[0], 1);
        assert_int_equal(module.mvid[15], 16);
        assert_false(module.has_pdb);
        module_close(&module); /* the image is somebody else's */
        exact_free(bytes);
        image_free(&image);
    }
}

static void netmodule_is_named_by_its_file(void **state)
{
    (void)state;
    static const struct {
        const char *file, *name;
    } cases[] = {
        {"part.netmodule", "part"}, {"a.b.c", "a.b"}, {"plain", "plain"}, {".x", ".x"}, {"", ""}};
    static const uint8_t mvid[16] = {1};
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct image image;
        struct module module;
        image_begin(&image);
        IMAGE_ROW(&image, Module, 0, image_string(&image, cases[i].file), image_guid(&image, mvid),
                  0, 0);
        struct view bytes = exact_copy(image_pe(&image, false));
        assert_true(module_open_image(&module, bytes, false, NULL));
        assert_str(module.name, cases[i].name);
        exact_free(bytes);
        image_free(&image);
    }
}

static void module_without_mvid_is_refused(void **state)
{
    (void)state;
    struct image image;
    struct module module;
    struct err err = {.code = ERR_NONE};
    image_begin(&image);
    struct view bytes = exact_copy(image_pe(&image, false));
    assert_failed(module_open_image(&module, bytes, false, &err), err, ERR_FORMAT);
    exact_free(bytes);
    image_free(&image);
}

static void methods_with_il_have_a_body(void **state)
{
    (void)state;
    struct image image;
    struct module module;
    struct method_def method;
    image_begin(&image);
    image_sample(&image);
    struct view bytes = exact_copy(image_pe(&image, false));
    assert_true(module_open_image(&module, bytes, false, NULL));
    assert_true(module_method(&method, &module, SAMPLE_GENERIC));
    assert_int_equal(method.rid, SAMPLE_GENERIC);
    assert_int_equal(method.flags, 0x86);
    assert_memory_equal(method.body.data, BYTES(0x06, 0x2A), 2);
    assert_ptr_equal(method.body.data + method.body.len, bytes.data + bytes.len);
    assert_false(module_method(&method, &module, SAMPLE_ABSTRACT));
    assert_false(module_method(&method, &module, 0));
    assert_false(module_method(&method, &module, 6));
    assert_false(module_method(&method, &module, UINT32_MAX));
    module_close(&module);
    exact_free(bytes);
    image_free(&image);
}

static void code_that_is_not_il_has_no_body(void **state)
{
    (void)state;
    static const uint8_t mvid[16] = {1};
    /* II.23.1.11: native, OPTIL, runtime, unmanaged; internal call and inlining flags do not
     * matter */
    static const struct {
        uint32_t impl_flags;
        bool il;
    } cases[] = {{0, true},  {1, false}, {2, false},     {3, false},
                 {4, false}, {8, true},  {0x1000, true}, {0x100, true}};
    struct image image;
    struct module module;
    image_begin(&image);
    IMAGE_ROW(&image, Module, 0, 0, image_guid(&image, mvid), 0, 0);
    uint32_t body = image_body(&image, BYTES(0x06, 0x2A), 2);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        IMAGE_ROW(&image, MethodDef, body, cases[i].impl_flags, 0, 0, 0, 1);
    uint32_t nowhere = IMAGE_ROW(&image, MethodDef, 0x7FFFFFFF, 0, 0, 0, 0, 1);
    struct view bytes = exact_copy(image_pe(&image, false));
    struct method_def method;
    assert_true(module_open_image(&module, bytes, false, NULL));
    for (uint32_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(module_method(&method, &module, i + 1), cases[i].il);
    assert_true(module_method(&method, &module, nowhere));
    assert_null(method.body.data);
    exact_free(bytes);
    image_free(&image);
}

static char path[] = "/tmp/ilcov-test-module-XXXXXX";

static void write_file(struct view bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.data, 1, bytes.len, file), bytes.len);
    assert_int_equal(fclose(file), 0);
}

static void files_are_read_and_released(void **state)
{
    (void)state;
    struct image image;
    struct module module;
    struct err err;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)close(fd);
    image_begin(&image);
    image_sample(&image);
    write_file(image_pe(&image, false));
    assert_true(module_open_file(&module, path, &err));
    assert_str(module.name, "Sample");
    assert_non_null(module.file.data);
    module_close(&module);
    assert_null(module.file.data);
    module_close(&module); /* twice does no harm */

    write_file(BYTES_VIEW('M', 'Z'));
    assert_failed(module_open_file(&module, path, &err), err, ERR_FORMAT);
    write_file((struct view){(const uint8_t *)"", 0});
    assert_failed(module_open_file(&module, path, &err), err, ERR_FORMAT);
    assert_int_equal(unlink(path), 0);
    assert_failed(module_open_file(&module, path, &err), err, ERR_IO);
    assert_null(strstr(err.text, path)); /* the caller adds it */
    assert_failed(module_open_file(&module, "/tmp", &err), err, ERR_FORMAT);
    assert_failed(module_open_file(&module, "/dev/null", &err), err, ERR_FORMAT);
    image_free(&image);
}

/* A build may write a file anew while it is read: a mapping of it would end in SIGBUS. */
static void file_that_shrinks_later_stays_whole(void **state)
{
    (void)state;
    struct image image;
    struct module module;
    struct err err;
    char name[] = "/tmp/ilcov-test-module-XXXXXX";
    int fd = mkstemp(name);
    assert_true(fd >= 0);
    image_begin(&image);
    image_sample(&image);
    struct view bytes = image_pe(&image, false);
    assert_int_equal(write(fd, bytes.data, bytes.len), bytes.len);
    assert_true(module_open_file(&module, name, &err));
    assert_int_equal(ftruncate(fd, 0), 0);
    assert_int_equal(module.pe.image.len, bytes.len);
    assert_memory_equal(module.pe.image.data, bytes.data, bytes.len);
    module_close(&module);
    (void)close(fd);
    assert_int_equal(unlink(name), 0);
    image_free(&image);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sample_has_name_and_mvid),
    cmocka_unit_test(netmodule_is_named_by_its_file),
    cmocka_unit_test(module_without_mvid_is_refused),
    cmocka_unit_test(methods_with_il_have_a_body),
    cmocka_unit_test(code_that_is_not_il_has_no_body),
    cmocka_unit_test(files_are_read_and_released),
    cmocka_unit_test(file_that_shrinks_later_stays_whole),
};
UNIT_TESTS(tests);
