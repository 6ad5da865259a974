/* test_tables.c - columns are as wide as II.24.2.6 says; rows, lists and searches stay within their
 * table. */
#include "metadata/tables.h"
#include "tests/support/check.h"

/* A #~ stream, written by hand. */
struct stream {
    struct arena arena;
    struct writer w;
};

static void begin(struct stream *s, uint8_t heap_sizes, uint64_t present, uint64_t sorted)
{
    arena_init(&s->arena, NULL, 0, ARENA_NO_LIMIT);
    s->w = wr_in(&s->arena);
    wr_u32(&s->w, 0);
    wr_u16(&s->w, 2); /* version 2.0 */
    wr_u8(&s->w, heap_sizes);
    wr_u8(&s->w, 1);
    wr_u64(&s->w, present);
    wr_u64(&s->w, sorted);
}

static struct view finish(struct stream *s)
{
    struct view copy = exact_copy((struct view){s->w.data, s->w.len});
    arena_free(&s->arena);
    return copy;
}

#define BIT(name) (UINT64_C(1) << TABLE_##name)

static void tables_have_the_rows_that_the_stream_holds(void **state)
{
    (void)state;
    struct stream s;
    struct tables t;
    struct err err;
    begin(&s, 0, BIT(TypeDef) | BIT(MethodDef), 0);
    wr_u32(&s.w, 1);
    wr_u32(&s.w, 2);
    wr_u32(&s.w, 0x00100001); /* TypeDef: Flags, then five columns of 2 bytes */
    for (uint16_t i = 1; i <= 5; i++)
        wr_u16(&s.w, i);
    for (uint32_t rid = 1; rid <= 2;
         rid++) { /* MethodDef: RVA, ImplFlags, Flags, Name, Signature, ParamList */
        wr_u32(&s.w, 0x2000 + rid);
        for (uint16_t i = 0; i < 5; i++)
            wr_u16(&s.w, (uint16_t)(rid * 16 + i));
    }
    struct view stream = finish(&s);
    assert_true(tables_open(&t, stream, NULL, &err));
    assert_int_equal(t.table[TABLE_TypeDef].row_size, 14);
    assert_int_equal(t.table[TABLE_TypeDef].column_count, 6);
    assert_int_equal(t.table[TABLE_MethodDef].row_size, 14);
    assert_int_equal(tables_get(&t, COL_TypeDef_Flags, 1), 0x00100001);
    assert_int_equal(tables_get(&t, COL_TypeDef_Extends, 1), 3);
    assert_int_equal(tables_get(&t, COL_TypeDef_MethodList, 1), 5);
    assert_int_equal(tables_get(&t, COL_MethodDef_RVA, 2), 0x2002);
    assert_int_equal(tables_get(&t, COL_MethodDef_ParamList, 2), 0x24);
    exact_free(stream);
}

static void rows_that_do_not_exist_read_as_zero(void **state)
{
    (void)state;
    struct stream s;
    struct tables t;
    begin(&s, 0, BIT(ModuleRef), 0);
    wr_u32(&s.w, 1);
    wr_u16(&s.w, 0xABCD);
    struct view stream = finish(&s);
    assert_true(tables_open(&t, stream, NULL, NULL));
    assert_int_equal(tables_get(&t, COL_ModuleRef_Name, 1), 0xABCD);
    assert_int_equal(tables_get(&t, COL_ModuleRef_Name, 0), 0);
    assert_int_equal(tables_get(&t, COL_ModuleRef_Name, 2), 0);
    assert_int_equal(tables_get(&t, COL_ModuleRef_Name, UINT32_MAX), 0);
    assert_int_equal(tables_get(&t, COL_TypeDef_Flags, 1), 0);
    exact_free(stream);
}

static void every_truncation_fails_cleanly(void **state)
{
    (void)state;
    struct stream s;
    begin(&s, 7, BIT(Module) | BIT(TypeRef) | BIT(Assembly), 0);
    wr_u32(&s.w, 1);
    wr_u32(&s.w, 2);
    wr_u32(&s.w, 1);
    for (unsigned i = 0; i < 18 + 2 * 10 + 28; i++) /* wide heaps: 18, 2 * 10 and 28 bytes */
        wr_u8(&s.w, (uint8_t)i);
    struct view stream = finish(&s);
    struct tables t;
    assert_true(tables_open(&t, stream, NULL, NULL));
    for (size_t len = 0; len < stream.len; len++) {
        struct err err = {.code = ERR_NONE};
        struct view cut = exact_copy((struct view){stream.data, len});
        assert_failed(tables_open(&t, cut, NULL, &err), err, ERR_FORMAT);
        exact_free(cut);
    }
    exact_free(stream);
}

static void heap_offsets_are_as_wide_as_heap_sizes_says(void **state)
{
    (void)state;
    /* Document: Name (blob), HashAlgorithm (guid), Hash (blob), Language (guid) */
    static const struct {
        uint8_t heap_sizes;
        uint16_t module, document; /* Module: 2, string, 3 guids */
    } cases[] = {
        {0, 10, 8},  {1, 12, 8},  {2, 16, 12}, {3, 18, 12},
        {4, 10, 12}, {5, 12, 12}, {6, 16, 16}, {7, 18, 16},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct stream s;
        struct tables t;
        begin(&s, cases[i].heap_sizes, 0, 0);
        struct view stream = finish(&s);
        assert_true(tables_open(&t, stream, NULL, NULL));
        assert_int_equal(t.table[TABLE_Module].row_size, cases[i].module);
        assert_int_equal(t.table[TABLE_Document].row_size, cases[i].document);
        exact_free(stream);
    }
}

/* The widths turn over at 2^16 rows, and at 2^(16 - tag bits) rows of any table of a coded index.
 */
static const struct {
    const char *name;
    enum table_id grown;
    enum column column;
    uint32_t most_rows_for_2_bytes;
} widths[] = {
    {"index", TABLE_MethodDef, COL_TypeDef_MethodList, 0xFFFF},
    {"index of the PDB into the module", TABLE_MethodDef, COL_LocalScope_Method, 0xFFFF},
    {"TypeDefOrRef, first table", TABLE_TypeDef, COL_TypeDef_Extends, 0x3FFF},
    {"TypeDefOrRef, last table", TABLE_TypeSpec, COL_TypeDef_Extends, 0x3FFF},
    {"HasConstant", TABLE_Property, COL_Constant_Parent, 0x3FFF},
    {"HasCustomAttribute, first table", TABLE_MethodDef, COL_CustomAttribute_Parent, 0x7FF},
    {"HasCustomAttribute, last table", TABLE_MethodSpec, COL_CustomAttribute_Parent, 0x7FF},
    {"HasFieldMarshal", TABLE_Param, COL_FieldMarshal_Parent, 0x7FFF},
    {"HasDeclSecurity", TABLE_Assembly, COL_DeclSecurity_Parent, 0x3FFF},
    {"MemberRefParent", TABLE_TypeSpec, COL_MemberRef_Class, 0x1FFF},
    {"HasSemantics", TABLE_Property, COL_MethodSemantics_Association, 0x7FFF},
    {"MethodDefOrRef", TABLE_MemberRef, COL_MethodSpec_Method, 0x7FFF},
    {"MemberForwarded", TABLE_Field, COL_ImplMap_MemberForwarded, 0x7FFF},
    {"Implementation", TABLE_ExportedType, COL_ManifestResource_Implementation, 0x3FFF},
    {"CustomAttributeType", TABLE_MemberRef, COL_CustomAttribute_Type, 0x1FFF},
    {"ResolutionScope", TABLE_AssemblyRef, COL_TypeRef_ResolutionScope, 0x3FFF},
    {"TypeOrMethodDef", TABLE_TypeDef, COL_GenericParam_Owner, 0x7FFF},
    {"HasCustomDebugInformation, of the module", TABLE_MethodDef, COL_CustomDebugInformation_Parent,
     0x7FF},
};

static void indexes_are_as_wide_as_the_row_counts_demand(void **state)
{
    (void)state;
    struct stream s;
    begin(&s, 0, 0, 0);
    struct view stream = finish(&s);
    for (size_t i = 0; i < ARRAY_LEN(widths); i++) {
        const enum column column = widths[i].column;
        uint32_t foreign_rows[TABLE_COUNT] = {0};
        for (uint32_t extra = 0; extra < 2; extra++) {
            struct tables t;
            foreign_rows[widths[i].grown] = widths[i].most_rows_for_2_bytes + extra;
            assert_true(tables_open(&t, stream, foreign_rows, NULL));
            assert_int_equal(t.table[(unsigned)column >> 8].column_size[(unsigned)column & 0xFF],
                             extra == 0 ? 2 : 4);
        }
    }
    exact_free(stream);
}

static void row_counts_beyond_a_token_are_refused(void **state)
{
    (void)state;
    struct stream s;
    struct tables t;
    struct err err;
    begin(&s, 0, BIT(ModuleRef), 0);
    wr_u32(&s.w, 0x01000000);
    struct view stream = finish(&s);
    assert_failed(tables_open(&t, stream, NULL, &err), err, ERR_FORMAT);
    exact_free(stream);
    uint32_t foreign_rows[TABLE_COUNT] = {[TABLE_MethodDef] = 0x01000000};
    begin(&s, 0, 0, 0);
    stream = finish(&s);
    assert_failed(tables_open(&t, stream, foreign_rows, &err), err, ERR_FORMAT);
    exact_free(stream);
}

static void unknown_tables_are_refused(void **state)
{
    (void)state;
    static const unsigned ids[] = {0x2D, 0x2E, 0x2F, 0x38, 0x3F};
    for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
        struct stream s;
        struct tables t;
        struct err err;
        begin(&s, 0, UINT64_C(1) << ids[i], 0);
        wr_u32(&s.w, 0);
        struct view stream = finish(&s);
        assert_failed(tables_open(&t, stream, NULL, &err), err, ERR_FORMAT);
        exact_free(stream);
    }
}

static void standalone_pdb_has_no_tables_of_the_type_system(void **state)
{
    (void)state;
    static const uint32_t foreign_rows[TABLE_COUNT] = {0};
    struct stream s;
    struct tables t;
    struct err err;
    begin(&s, 0, BIT(TypeDef), 0);
    wr_u32(&s.w, 0);
    struct view stream = finish(&s);
    assert_failed(tables_open(&t, stream, foreign_rows, &err), err, ERR_FORMAT);
    assert_true(tables_open(&t, stream, NULL, &err));
    exact_free(stream);
}

static void pointer_tables_are_refused_when_they_have_rows(void **state)
{
    (void)state;
    for (uint32_t rows = 0; rows < 2; rows++) {
        struct stream s;
        struct tables t;
        struct err err = {.code = ERR_NONE};
        begin(&s, 0, BIT(MethodPtr), 0);
        wr_u32(&s.w, rows);
        wr_u16(&s.w, 1);
        struct view stream = finish(&s);
        bool opened = tables_open(&t, stream, NULL, &err);
        if (rows == 0)
            assert_true(opened);
        else
            assert_failed(opened, err, ERR_UNSUPPORTED);
        exact_free(stream);
    }
}

static void extra_data_after_the_row_counts_is_skipped(void **state)
{
    (void)state;
    struct stream s;
    struct tables t;
    begin(&s, 0x40, BIT(ModuleRef), 0);
    wr_u32(&s.w, 1);
    wr_u32(&s.w, 0xDEADBEEF);
    wr_u16(&s.w, 0x1234);
    struct view stream = finish(&s);
    assert_true(tables_open(&t, stream, NULL, NULL));
    assert_int_equal(tables_get(&t, COL_ModuleRef_Name, 1), 0x1234);
    exact_free(stream);
}

/* MethodDef rows whose ParamList are these, before `param_count` Param rows. */
static struct view param_lists(const uint16_t *lists, uint32_t count, uint32_t param_count)
{
    struct stream s;
    begin(&s, 0, BIT(MethodDef) | BIT(Param), 0);
    wr_u32(&s.w, count);
    wr_u32(&s.w, param_count);
    for (uint32_t i = 0; i < count; i++) {
        for (unsigned k = 0; k < 6; k++)
            wr_u16(&s.w, 0);
        wr_u16(&s.w, lists[i]);
    }
    for (uint32_t i = 0; i < param_count * 3; i++)
        wr_u16(&s.w, 0);
    return finish(&s);
}

static const struct {
    const char *name;
    uint16_t lists[4];
    struct row_range ranges[4];
} list_cases[] = {
    {"plain", {1, 3, 3, 4}, {{1, 3}, {3, 3}, {3, 4}, {4, 6}}},
    {"last is empty", {1, 3, 6, 6}, {{1, 3}, {3, 6}, {6, 6}, {6, 6}}},
    {"beyond the children", {1, 9, 9, 9}, {{1, 6}, {6, 6}, {6, 6}, {6, 6}}},
    {"descending", {4, 2, 5, 1}, {{2, 2}, {2, 5}, {1, 1}, {1, 6}}},
    {"null", {0, 2, 0, 3}, {{2, 2}, {0, 0}, {3, 3}, {3, 6}}},
};

static void lists_end_where_the_next_begins_and_stay_in_the_child(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(list_cases); i++) {
        struct tables t;
        struct view stream = param_lists(list_cases[i].lists, 4, 5);
        assert_true(tables_open(&t, stream, NULL, NULL));
        for (uint32_t rid = 1; rid <= 4; rid++) {
            struct row_range range = tables_list(&t, COL_MethodDef_ParamList, rid, TABLE_Param);
            assert_int_equal(range.first, list_cases[i].ranges[rid - 1].first);
            assert_int_equal(range.end, list_cases[i].ranges[rid - 1].end);
        }
        struct row_range none = tables_list(&t, COL_MethodDef_ParamList, 0, TABLE_Param);
        assert_int_equal(none.first, none.end);
        none = tables_list(&t, COL_MethodDef_ParamList, 5, TABLE_Param);
        assert_int_equal(none.first, none.end);
        exact_free(stream);
    }
}

static void search_finds_the_first_row_sorted_or_not(void **state)
{
    (void)state;
    static const uint16_t parents[] = {2, 4, 4, 4, 7, 9, 9};
    for (unsigned sorted = 0; sorted < 2; sorted++) {
        struct stream s;
        struct tables t;
        begin(&s, 0, BIT(NestedClass), sorted != 0 ? BIT(NestedClass) : 0);
        wr_u32(&s.w, ARRAY_LEN(parents));
        for (size_t i = 0; i < ARRAY_LEN(parents); i++) {
            wr_u16(&s.w, parents[i]);
            wr_u16(&s.w, (uint16_t)(100 - i));
        }
        struct view stream = finish(&s);
        assert_true(tables_open(&t, stream, NULL, NULL));
        for (uint32_t value = 0; value <= 10; value++) {
            uint32_t expected = 0;
            for (uint32_t i = ARRAY_LEN(parents); i > 0; i--)
                if (parents[i - 1] == value)
                    expected = i;
            assert_int_equal(tables_find(&t, COL_NestedClass_NestedClass, value), expected);
        }
        /* Not the column it is sorted by: linear, whatever the bit says. */
        assert_int_equal(tables_find(&t, COL_NestedClass_EnclosingClass, 100), 1);
        assert_int_equal(tables_find(&t, COL_NestedClass_EnclosingClass, 94), 7);
        assert_int_equal(tables_find(&t, COL_NestedClass_NestedClass, UINT32_MAX), 0);
        assert_int_equal(tables_find(&t, COL_Constant_Parent, 0), 0); /* no rows at all */
        exact_free(stream);
    }
}

static void coded_indexes_lead_to_tokens_and_back(void **state)
{
    (void)state;
    static const struct {
        enum coded_index kind;
        uint32_t coded, token;
    } cases[] = {
        {CODED_TYPE_DEF_OR_REF, 0x321 << 2 | 0,
         0x02000321},                                       /* II.23.2.8: 0x321 becomes 0x0C86... */
        {CODED_TYPE_DEF_OR_REF, 0x12 << 2 | 1, 0x01000012}, /* its example: 0x49 */
        {CODED_TYPE_DEF_OR_REF, 1 << 2 | 2, 0x1B000001},
        {CODED_HAS_CUSTOM_ATTRIBUTE, 5 << 5 | 0, 0x06000005},
        {CODED_HAS_CUSTOM_ATTRIBUTE, 5 << 5 | 14, 0x20000005},
        {CODED_HAS_CUSTOM_ATTRIBUTE, 5 << 5 | 21, 0x2B000005},
        {CODED_CUSTOM_ATTRIBUTE_TYPE, 9 << 3 | 2, 0x06000009},
        {CODED_CUSTOM_ATTRIBUTE_TYPE, 9 << 3 | 3, 0x0A000009},
        {CODED_MEMBER_REF_PARENT, 1 << 3 | 4, 0x1B000001},
        {CODED_RESOLUTION_SCOPE, 1 << 2 | 2, 0x23000001},
        {CODED_HAS_CUSTOM_DEBUG_INFORMATION, 3 << 5 | 22, 0x30000003},
        {CODED_HAS_CUSTOM_DEBUG_INFORMATION, 3 << 5 | 26, 0x35000003},
        {CODED_TYPE_OR_METHOD_DEF, 0xFFFFFF << 1 | 1, 0x06FFFFFF},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_int_equal(coded_to_token(cases[i].kind, cases[i].coded), cases[i].token);
        assert_int_equal(coded_from_token(cases[i].kind, cases[i].token), cases[i].coded);
    }
}

static void undefined_tags_and_tables_have_no_counterpart(void **state)
{
    (void)state;
    assert_int_equal(coded_to_token(CODED_TYPE_DEF_OR_REF, 1 << 2 | 3), 0);
    assert_int_equal(coded_to_token(CODED_CUSTOM_ATTRIBUTE_TYPE, 1 << 3 | 0), 0);
    assert_int_equal(coded_to_token(CODED_CUSTOM_ATTRIBUTE_TYPE, 1 << 3 | 7), 0);
    assert_int_equal(coded_to_token(CODED_HAS_CUSTOM_ATTRIBUTE, 1 << 5 | 31), 0);
    assert_int_equal(coded_to_token(CODED_TYPE_OR_METHOD_DEF, UINT32_MAX), 0); /* rid of 31 bits */
    assert_int_equal(coded_from_token(CODED_TYPE_DEF_OR_REF, 0x06000001), UINT32_MAX);
    assert_int_equal(coded_from_token(CODED_CUSTOM_ATTRIBUTE_TYPE, 0xFF000001), UINT32_MAX);
    for (int kind = 0; kind < CODED_INDEX_COUNT; kind++)
        for (uint32_t tag = 0; tag < 32; tag++) {
            uint32_t token = coded_to_token((enum coded_index)kind, 7 << 5 | tag);
            if (token != 0)
                assert_int_equal(coded_from_token((enum coded_index)kind, token), 7 << 5 | tag);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(tables_have_the_rows_that_the_stream_holds),
    cmocka_unit_test(rows_that_do_not_exist_read_as_zero),
    cmocka_unit_test(every_truncation_fails_cleanly),
    cmocka_unit_test(heap_offsets_are_as_wide_as_heap_sizes_says),
    cmocka_unit_test(indexes_are_as_wide_as_the_row_counts_demand),
    cmocka_unit_test(row_counts_beyond_a_token_are_refused),
    cmocka_unit_test(unknown_tables_are_refused),
    cmocka_unit_test(standalone_pdb_has_no_tables_of_the_type_system),
    cmocka_unit_test(pointer_tables_are_refused_when_they_have_rows),
    cmocka_unit_test(extra_data_after_the_row_counts_is_skipped),
    cmocka_unit_test(lists_end_where_the_next_begins_and_stay_in_the_child),
    cmocka_unit_test(search_finds_the_first_row_sorted_or_not),
    cmocka_unit_test(coded_indexes_lead_to_tokens_and_back),
    cmocka_unit_test(undefined_tags_and_tables_have_no_counterpart),
};
UNIT_TESTS(tests);
