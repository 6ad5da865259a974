#include "tests/support/il_builder.h"

#include <ctype.h>
#include <stdio.h>

#include "tests/support/check.h"

enum {
    WORDS_MAX = 40,
    WORD_LEN_MAX = 48,
    HEADER_LEN = 12
};

/* TypeDef rows; TypeRef 1 is what other types' members belong to. */
enum {
    TYPE_MODULE = 1,
    TYPE_OWN = 2
};

#define METHOD_NAME "M"

struct words {
    char text[WORDS_MAX][WORD_LEN_MAX];
    unsigned count;
};

/* --- words ------------------------------------------------------------------------------------ */

static void split(struct words *out, const char *text, size_t len)
{
    out->count = 0;
    for (size_t i = 0; i < len;) {
        size_t start = i;
        while (i < len && !isspace((unsigned char)text[i]))
            i++;
        if (i > start) {
            if (out->count == WORDS_MAX || i - start >= WORD_LEN_MAX)
                fail_msg("statement too long: %.*s", (int)len, text);
            memcpy(out->text[out->count], text + start, i - start);
            out->text[out->count++][i - start] = '\0';
        }
        i += i < len && i == start;
        while (i < len && isspace((unsigned char)text[i]))
            i++;
    }
}

static void drop_first(struct words *words)
{
    memmove(words->text[0], words->text[1], (WORDS_MAX - 1) * sizeof words->text[0]);
    words->count--;
}

static const char *word(const struct words *words, unsigned n)
{
    if (n >= words->count)
        fail_msg("'%s' lacks an operand", words->text[0]);
    return words->text[n];
}

/* --- signatures ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    uint8_t bytes[5];
    uint8_t len;
} types[] = {
    {"void", {ELEMENT_VOID}, 1},
    {"bool", {ELEMENT_BOOLEAN}, 1},
    {"char", {ELEMENT_CHAR}, 1},
    {"int8", {ELEMENT_I1}, 1},
    {"uint8", {ELEMENT_U1}, 1},
    {"int32", {ELEMENT_I4}, 1},
    {"int64", {ELEMENT_I8}, 1},
    {"float64", {ELEMENT_R8}, 1},
    {"string", {ELEMENT_STRING}, 1},
    {"object", {ELEMENT_OBJECT}, 1},
    {"nint", {ELEMENT_I}, 1},
    {"!0", {ELEMENT_VAR, 0}, 2},
    {"!!0", {ELEMENT_MVAR, 0}, 2},
    {"class", {ELEMENT_CLASS, 1 << 2 | 1}, 2},
    {"generic", {ELEMENT_GENERICINST, ELEMENT_CLASS, 1 << 2 | 1, 1, ELEMENT_I4}, 5},
};

static void write_type(struct writer *w, const char *name, size_t len)
{
    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        if (strlen(types[i].name) == len && memcmp(types[i].name, name, len) == 0) {
            wr_bytes(w, types[i].bytes, types[i].len);
            return;
        }
    }
    fail_msg("no type is called '%.*s'", (int)len, name);
}

/* "this:bool(int32,string)", II.23.2.1 */
static void write_method_signature(struct writer *w, const char *text, bool generic)
{
    bool has_this = strncmp(text, "this:", 5) == 0;
    text += has_this ? 5 : 0;
    const char *open = strchr(text, '(');
    if (open == NULL)
        fail_msg("'%s' is not a method signature", text);
    uint8_t count = open[1] != ')';
    for (const char *p = open; *p != '\0'; p++)
        count = (uint8_t)(count + (*p == ','));
    wr_u8(w, (uint8_t)((has_this ? SIG_HAS_THIS : 0) | (generic ? SIG_GENERIC : 0)));
    if (generic)
        wr_u8(w, 1);
    wr_u8(w, count);
    write_type(w, text, (size_t)(open - text));
    for (const char *p = open + 1; *p != ')' && *p != '\0';) {
        size_t len = strcspn(p, ",)");
        write_type(w, p, len);
        p += len + (p[len] == ',');
    }
}

static uint32_t add_blob(struct il_builder *b, const struct writer *w)
{
    return image_blob(&b->image, w->data, w->len);
}

/* --- tokens ----------------------------------------------------------------------------------- */

static uint32_t generic_type(struct il_builder *b, uint32_t coded_type, const char *argument)
{
    struct writer w = wr_in(&b->image.arena);
    wr_bytes(&w, BYTES(ELEMENT_GENERICINST, ELEMENT_CLASS), 2);
    wr_u8(&w, (uint8_t)coded_type);
    wr_u8(&w, 1);
    write_type(&w, argument, strcspn(argument, ">"));
    return IMAGE_ROW(&b->image, TypeSpec, add_blob(b, &w));
}

enum { /* tags of II.24.2.6 MemberRefParent, TypeDefOrRef, MethodDefOrRef */
    PARENT_TYPE_REF = 1,
    PARENT_TYPE_SPEC = 4,
    TYPE_DEF_TAG = 0,
    TYPE_REF_TAG = 1,
    METHOD_REF_TAG = 1
};

static uint32_t member_ref(struct il_builder *b, uint32_t coded_parent, const char *name,
                           uint32_t blob)
{
    return IMAGE_ROW(&b->image, MemberRef, coded_parent, image_string(&b->image, name), blob);
}

static uint32_t same_signature(struct il_builder *b)
{
    return image_blob(&b->image, b->signature.data, b->signature.len);
}

static uint32_t method_token(struct il_builder *b, const struct words *words)
{
    const char *signature = word(words, 1), *place = words->count > 3 ? words->text[3] : "";
    const char *name = words->count > 2 ? words->text[2] : "F";
    if (strcmp(signature, "self") == 0)
        return TOKEN(TABLE_MethodDef, b->method_rid);
    if (strcmp(signature, "method") == 0)
        return TOKEN(TABLE_MethodDef, (uint32_t)strtoul(name, NULL, 10));
    if (strcmp(signature, "object") == 0) {
        uint32_t object =
            IMAGE_ROW(&b->image, TypeRef, 1 << 2 | 2, image_string(&b->image, "Object"),
                      image_string(&b->image, "System"));
        return TOKEN(TABLE_MemberRef,
                     member_ref(b, object << 3 | PARENT_TYPE_REF, ".ctor",
                                image_blob(&b->image, BYTES(0x20, 0, ELEMENT_VOID), 3)));
    }
    if (strcmp(signature, "base") == 0)
        return TOKEN(TABLE_MemberRef,
                     member_ref(b, 1 << 3 | PARENT_TYPE_REF, METHOD_NAME, same_signature(b)));
    if (strcmp(signature, "self_ref") == 0) {
        uint32_t spec = generic_type(b, TYPE_OWN << 2 | TYPE_DEF_TAG, "!0");
        return TOKEN(TABLE_MemberRef,
                     member_ref(b, spec << 3 | PARENT_TYPE_SPEC, METHOD_NAME, same_signature(b)));
    }
    struct writer w = wr_in(&b->image.arena);
    write_method_signature(&w, signature, place[0] == '<');
    uint32_t parent = 1 << 3 | PARENT_TYPE_REF;
    if (strncmp(place, "of<", 3) == 0)
        parent = generic_type(b, 1 << 2 | TYPE_REF_TAG, place + 3) << 3 | PARENT_TYPE_SPEC;
    uint32_t rid = member_ref(b, parent, name, add_blob(b, &w));
    if (place[0] != '<')
        return TOKEN(TABLE_MemberRef, rid);
    w = wr_in(&b->image.arena);
    wr_bytes(&w, BYTES(0x0A, 1), 2); /* II.23.2.15 */
    write_type(&w, place + 1, strcspn(place + 1, ">"));
    rid = IMAGE_ROW(&b->image, MethodSpec, rid << 1 | METHOD_REF_TAG, add_blob(b, &w));
    return TOKEN(TABLE_MethodSpec, rid);
}

/* In a class of this module, after all others. */
static uint32_t field_of_compiler(struct il_builder *b, const char *name, uint32_t blob)
{
    uint32_t rid = IMAGE_ROW(&b->image, Field, 0, image_string(&b->image, name), blob);
    IMAGE_ROW(&b->image, TypeDef, 0, image_string(&b->image, "<PrivateImplementationDetails>"), 0,
              0, rid, b->method_rid + 1);
    return TOKEN(TABLE_Field, rid);
}

static uint32_t token_of(struct il_builder *b, unsigned op, const struct words *words)
{
    struct writer w = wr_in(&b->image.arena);
    switch (op) {
    case OP_CALL:
    case OP_CALLVIRT:
    case OP_NEWOBJ:
    case OP_JMP:
    case OP_LDFTN:
        return method_token(b, words);
    case OP_CALLI:
        write_method_signature(&w, word(words, 1), false);
        return TOKEN(TABLE_StandAloneSig, IMAGE_ROW(&b->image, StandAloneSig, add_blob(b, &w)));
    case OP_LDFLD:
    case OP_LDFLDA:
    case OP_STFLD:
    case OP_LDSFLD:
    case OP_LDSFLDA:
    case OP_STSFLD:
        wr_u8(&w, SIG_FIELD);
        write_type(&w, word(words, 1), strlen(words->text[1]));
        if (words->count > 3 && strcmp(words->text[3], "of_compiler") == 0)
            return field_of_compiler(b, words->text[2], add_blob(b, &w));
        if (words->count > 3 && strcmp(words->text[3], "own") == 0)
            return TOKEN(TABLE_Field,
                         IMAGE_ROW(&b->image, Field, 0, image_string(&b->image, words->text[2]),
                                   add_blob(b, &w)));
        return TOKEN(TABLE_MemberRef,
                     member_ref(b, 1 << 3 | PARENT_TYPE_REF,
                                words->count > 2 ? words->text[2] : "f", add_blob(b, &w)));
    case OP_LDSTR:
        return 0x70000001;
    default:
        return TOKEN(TABLE_TypeRef, 1);
    }
}

/* --- code ------------------------------------------------------------------------------------- */

static uint32_t label_named(struct il_builder *b, const char *name)
{
    uint32_t n = 0;
    while (n < b->label_count && strcmp(b->labels[n].name, name) != 0)
        n++;
    if (n < b->label_count)
        return n;
    if (n == IL_LABELS_MAX || strlen(name) >= sizeof b->labels[n].name)
        fail_msg("too many labels, or too long: '%s'", name);
    (void)snprintf(b->labels[n].name, sizeof b->labels[n].name, "%s", name);
    b->labels[n].offset = UINT32_MAX;
    b->label_count++;
    return n;
}

static void write_distance(struct il_builder *b, const char *label, bool is_short, uint32_t from)
{
    b->fixups[b->fixup_count++] =
        (struct il_fixup){(uint32_t)b->code.len, from, label_named(b, label), is_short};
    (void)memset(wr_space(&b->code, is_short ? 1 : 4), 0, is_short ? 1 : 4);
}

static void write_operand(struct il_builder *b, enum opcode op, const struct words *words)
{
    switch ((enum operand_kind)opcode_info[op].operand) {
    case OPERAND_NONE:
        break;
    case OPERAND_VAR8:
    case OPERAND_I8:
        wr_u8(&b->code, (uint8_t)strtol(word(words, 1), NULL, 0));
        break;
    case OPERAND_VAR16:
        wr_u16(&b->code, (uint16_t)strtol(word(words, 1), NULL, 0));
        break;
    case OPERAND_I32:
    case OPERAND_R32:
        wr_u32(&b->code, (uint32_t)strtol(word(words, 1), NULL, 0));
        break;
    case OPERAND_I64:
    case OPERAND_R64:
        wr_u64(&b->code, (uint64_t)strtoll(word(words, 1), NULL, 0));
        break;
    case OPERAND_TOKEN:
        wr_u32(&b->code, token_of(b, op, words));
        break;
    case OPERAND_TARGET8:
        write_distance(b, word(words, 1), true, (uint32_t)b->code.len + 1);
        break;
    case OPERAND_TARGET32:
        write_distance(b, word(words, 1), false, (uint32_t)b->code.len + 4);
        break;
    case OPERAND_SWITCH: {
        uint32_t end = (uint32_t)b->code.len + 4 * words->count;
        wr_u32(&b->code, words->count - 1);
        for (unsigned n = 1; n < words->count; n++)
            write_distance(b, words->text[n], false, end);
        break;
    }
    }
}

static void write_instruction(struct il_builder *b, const struct words *words)
{
    for (unsigned op = 0; op < OP_COUNT; op++) {
        if (strcmp(opcode_info[op].mnemonic, words->text[0]) != 0)
            continue;
        if (opcode_info[op].code > 0xFF)
            wr_u8(&b->code, 0xFE);
        wr_u8(&b->code, (uint8_t)opcode_info[op].code);
        write_operand(b, (enum opcode)op, words);
        return;
    }
    fail_msg("no instruction is called '%s'", words->text[0]);
}

/* --- directives ------------------------------------------------------------------------------- */

static void add_clause(struct il_builder *b, const struct words *words)
{
    static const struct {
        const char *name;
        uint32_t flags;
    } kinds[] = {
        {"catch", EH_CATCH}, {"filter", EH_FILTER}, {"finally", EH_FINALLY}, {"fault", EH_FAULT}};
    uint32_t *clause = b->clauses[b->clause_count++];
    size_t kind = 0;
    while (kind < ARRAY_LEN(kinds) && strcmp(kinds[kind].name, word(words, 3)) != 0)
        kind++;
    if (kind == ARRAY_LEN(kinds) || b->clause_count == IL_CLAUSES_MAX)
        fail_msg("no clause is called '%s', or there are too many", words->text[3]);
    bool filters = kinds[kind].flags == EH_FILTER;
    clause[0] = kinds[kind].flags;
    clause[1] = label_named(b, word(words, 1));
    clause[2] = label_named(b, word(words, 2));
    clause[3] = label_named(b, word(words, filters ? 5 : 4));
    clause[4] = label_named(b, word(words, filters ? 6 : 5));
    clause[5] = filters ? label_named(b, word(words, 4)) : 0;
}

static void set_locals(struct il_builder *b, const struct words *words)
{
    struct writer w = wr_in(&b->image.arena);
    wr_u8(&w, SIG_LOCALS);
    wr_u8(&w, (uint8_t)(words->count - 1));
    for (unsigned n = 1; n < words->count; n++)
        write_type(&w, words->text[n], strlen(words->text[n]));
    b->local_sig = TOKEN(TABLE_StandAloneSig, IMAGE_ROW(&b->image, StandAloneSig, add_blob(b, &w)));
}

static void add_point(struct il_builder *b, const struct words *words, bool hidden)
{
    struct seq_point *point = &b->points[b->point_count++];
    unsigned first = 1, last = 1;
    if (b->point_count == IL_POINTS_MAX)
        fail_msg("too many sequence points");
    *point =
        (struct seq_point){.il_offset = (uint32_t)b->code.len, .document = 1, .hidden = hidden};
    if (hidden)
        return;
    if (words->count > 2 && sscanf(words->text[2], "%u-%u", &first, &last) != 2)
        fail_msg("'%s' are not columns", words->text[2]);
    if (words->count <= 2)
        last = 80;
    point->start_line = point->end_line = (uint32_t)strtoul(word(words, 1), NULL, 10);
    point->start_column = (uint16_t)first;
    point->end_column = (uint16_t)last;
}

static void obey(struct il_builder *b, const struct words *words)
{
    const char *name = words->text[0];
    if (strcmp(name, ".stack") == 0)
        b->max_stack = (uint32_t)strtoul(word(words, 1), NULL, 10);
    else if (strcmp(name, ".locals") == 0)
        set_locals(b, words);
    else if (strcmp(name, ".init") == 0)
        b->init_locals = true;
    else if (strcmp(name, ".fat") == 0)
        b->fat = true;
    else if (strcmp(name, ".wide") == 0)
        b->wide = true;
    else if (strcmp(name, ".try") == 0)
        add_clause(b, words);
    else if (strcmp(name, ".point") == 0)
        add_point(b, words, false);
    else if (strcmp(name, ".hidden") == 0)
        add_point(b, words, true);
    else
        fail_msg("no directive is called '%s'", name);
}

static void do_statement(struct il_builder *b, const char *text, size_t len)
{
    struct words words;
    split(&words, text, len);
    while (words.count != 0 && words.text[0][strlen(words.text[0]) - 1] == ':') {
        words.text[0][strlen(words.text[0]) - 1] = '\0';
        uint32_t label = label_named(b, words.text[0]);
        if (b->labels[label].offset != UINT32_MAX)
            fail_msg("label '%s' stands twice", words.text[0]);
        b->labels[label].offset = (uint32_t)b->code.len;
        drop_first(&words);
    }
    if (words.count != 0 && words.text[0][0] == '.')
        obey(b, &words);
    else if (words.count != 0)
        write_instruction(b, &words);
}

/* --- the body --------------------------------------------------------------------------------- */

static uint32_t place(const struct il_builder *b, uint32_t label)
{
    if (b->labels[label].offset == UINT32_MAX)
        fail_msg("there is no label '%s'", b->labels[label].name);
    return b->labels[label].offset;
}

static void resolve(struct il_builder *b)
{
    for (uint32_t n = 0; n < b->fixup_count; n++) {
        const struct il_fixup *fixup = &b->fixups[n];
        int32_t distance = (int32_t)(place(b, fixup->label) - fixup->from);
        if (!fixup->is_short)
            store_u32(b->code.data + fixup->at, (uint32_t)distance);
        else if (distance >= INT8_MIN && distance <= INT8_MAX)
            b->code.data[fixup->at] = (uint8_t)distance;
        else
            fail_msg("'%s' is too far for a short branch", b->labels[fixup->label].name);
    }
}

static void write_small_clause(struct writer *w, const struct eh_clause *clause, uint32_t last)
{
    wr_u16(w, (uint16_t)clause->flags);
    wr_u16(w, (uint16_t)clause->try_offset);
    wr_u8(w, (uint8_t)clause->try_length);
    wr_u16(w, (uint16_t)clause->handler_offset);
    wr_u8(w, (uint8_t)clause->handler_length);
    wr_u32(w, last);
}

static void write_wide_clause(struct writer *w, const struct eh_clause *clause, uint32_t last)
{
    wr_u32(w, clause->flags);
    wr_u32(w, clause->try_offset);
    wr_u32(w, clause->try_length);
    wr_u32(w, clause->handler_offset);
    wr_u32(w, clause->handler_length);
    wr_u32(w, last);
}

static void write_clauses(struct il_builder *b)
{
    struct writer *w = &b->body;
    uint32_t size = 4 + b->clause_count * (b->wide ? 24 : 12);
    wr_align(w, 4);
    wr_u32(w, (b->wide ? 0x41u : 0x01u) | size << 8);
    for (uint32_t n = 0; n < b->clause_count; n++) {
        const uint32_t *labels = b->clauses[n];
        struct eh_clause clause = {
            .flags = labels[0],
            .try_offset = place(b, labels[1]),
            .try_length = place(b, labels[2]) - place(b, labels[1]),
            .handler_offset = place(b, labels[3]),
            .handler_length = place(b, labels[4]) - place(b, labels[3]),
        };
        uint32_t last = labels[0] == EH_FILTER  ? place(b, labels[5])
                        : labels[0] == EH_CATCH ? TOKEN(TABLE_TypeRef, 1)
                                                : 0;
        if (b->wide)
            write_wide_clause(w, &clause, last);
        else
            write_small_clause(w, &clause, last);
    }
}

/* II.25.4: tiny when nothing asks for more. */
static void write_body(struct il_builder *b)
{
    struct writer *w = &b->body;
    bool tiny = !b->fat && !b->init_locals && b->local_sig == 0 && b->clause_count == 0 &&
                b->code.len < 64 && b->max_stack <= 8;
    *w = wr_in(&b->image.arena);
    if (tiny) {
        wr_u8(w, (uint8_t)(b->code.len << 2 | 2));
    } else {
        wr_u16(w,
               (uint16_t)(0x3003 | (b->init_locals ? 0x10 : 0) | (b->clause_count != 0 ? 0x8 : 0)));
        wr_u16(w, (uint16_t)b->max_stack);
        wr_u32(w, (uint32_t)b->code.len);
        wr_u32(w, b->local_sig);
    }
    wr_bytes(w, b->code.data, b->code.len);
    if (b->clause_count != 0)
        write_clauses(b);
}

static void open_metadata(struct il_builder *b)
{
    struct err err;
    bool optimised = b->md.optimised;
    if (!metadata_open(&b->md, image_metadata(&b->image), &err))
        fail_msg("%s", err.text);
    b->md.optimised = optimised;
}

/* Nothing of the last method is left but what it put into the metadata. */
static void begin_method(struct il_builder *b, const char *signature)
{
    b->label_count = b->fixup_count = b->clause_count = b->point_count = 0;
    b->max_stack = 8;
    b->local_sig = 0;
    b->init_locals = b->fat = b->wide = false;
    b->code = wr_in(&b->image.arena);
    struct writer w = wr_in(&b->image.arena);
    write_method_signature(&w, signature, false);
    b->signature = (struct view){w.data, w.len};
    b->method_rid++;
}

static uint32_t take_impl_flags(const char **signature)
{
    static const struct {
        const char *word;
        uint32_t flag;
    } words[] = {{"aggressive:", IMPL_AGGRESSIVE_OPTIMIZATION}, {"async:", IMPL_ASYNC}};
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (strncmp(*signature, words[i].word, strlen(words[i].word)) == 0) {
            *signature += strlen(words[i].word);
            return words[i].flag;
        }
    return 0;
}

void il_begin(struct il_builder *b, const char *signature)
{
    static const uint8_t mvid[16] = {1};
    uint32_t impl_flags = take_impl_flags(&signature);
    memset(b, 0, sizeof *b);
    image_begin(&b->image);
    begin_method(b, signature);
    IMAGE_ROW(&b->image, Module, 0, image_string(&b->image, "il.dll"), image_guid(&b->image, mvid),
              0, 0);
    IMAGE_ROW(&b->image, AssemblyRef, 8, 0, 0, 0, 0, 0, image_string(&b->image, "other"), 0, 0);
    IMAGE_ROW(&b->image, TypeRef, 1 << 2 | 2, image_string(&b->image, "Other"), 0);
    IMAGE_ROW(&b->image, TypeDef, 0, image_string(&b->image, "<Module>"), 0, 0, 1, 1);
    IMAGE_ROW(&b->image, TypeDef, 1, image_string(&b->image, "C"), 0, 1 << 2 | 1, 1, 1);
    IMAGE_ROW(&b->image, MethodDef, 0, impl_flags, 0x96, image_string(&b->image, METHOD_NAME),
              same_signature(b), 1);
}

void il_free(struct il_builder *b)
{
    image_free(&b->image);
}

static struct view assemble(struct il_builder *b, const char *text)
{
    while (*text != '\0') {
        size_t len = strcspn(text, ";\n");
        do_statement(b, text, len);
        text += len + (text[len] != '\0');
    }
    resolve(b);
    write_body(b);
    return (struct view){b->body.data, b->body.len};
}

struct view il_assemble(struct il_builder *b, const char *text)
{
    struct view body = assemble(b, text);
    open_metadata(b);
    return body;
}

uint32_t il_add_method_as(struct view *body, struct il_builder *b, uint32_t flags,
                          uint32_t impl_flags, const char *signature, const char *text)
{
    begin_method(b, signature);
    *body = assemble(b, text);
    uint32_t rva = image_body(&b->image, body->data, body->len);
    return IMAGE_ROW(&b->image, MethodDef, rva, impl_flags, flags,
                     image_string(&b->image, METHOD_NAME), same_signature(b), 1);
}

uint32_t il_add_method(struct il_builder *b, const char *signature, const char *text)
{
    struct view body;
    return il_add_method_as(&body, b, 0x96, 0, signature, text);
}

uint32_t il_offset(const struct il_builder *b, const char *label)
{
    for (uint32_t n = 0; n < b->label_count; n++)
        if (strcmp(b->labels[n].name, label) == 0)
            return place(b, n);
    fail_msg("there is no label '%s'", label);
    return UINT32_MAX;
}

struct seq_points il_points(struct il_builder *b)
{
    return (struct seq_points){b->points, b->point_count};
}

/* --- with its plan ---------------------------------------------------------------------------- */

static void open_method(struct il_method *method, const char *signature, const char *text,
                        bool optimised, const char *reference)
{
    il_begin(&method->builder, signature);
    method->builder.md.optimised = optimised;
    if (reference != NULL)
        IMAGE_ROW(&method->builder.image, AssemblyRef, 8, 0, 0, 0, 0, 0,
                  image_string(&method->builder.image, reference), 0, 0);
    arena_init(&method->arena, NULL, 0, ARENA_NO_LIMIT);
    method->body = il_assemble(&method->builder, text);
    enum verdict verdict = flow_build(&method->flow, method->body, &method->builder.md, NULL,
                                      IL_METHOD_RID, &method->arena);
    if (verdict != VERDICT_OK)
        fail_msg("refused: %s", verdict_text(verdict));
    assert_true(plan_make(&method->plan, &method->flow, &method->arena));
}

void il_method_open(struct il_method *method, const char *signature, const char *text)
{
    open_method(method, signature, text, false, NULL);
}

void il_method_open_optimised(struct il_method *method, const char *signature, const char *text)
{
    open_method(method, signature, text, true, NULL);
}

void il_method_open_fsharp(struct il_method *method, const char *signature, const char *text)
{
    open_method(method, signature, text, false, "FSharp.Core");
}

void il_method_close(struct il_method *method)
{
    arena_free(&method->arena);
    il_free(&method->builder);
}

enum verdict il_verdict(const char *signature, const char *text)
{
    struct il_builder b;
    struct arena arena;
    struct flow flow;
    il_begin(&b, signature);
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    struct view body = exact_copy(il_assemble(&b, text));
    enum verdict verdict = flow_build(&flow, body, &b.md, NULL, IL_METHOD_RID, &arena);
    exact_free(body);
    arena_free(&arena);
    il_free(&b);
    return verdict;
}

uint32_t il_block(const struct il_method *method, const char *label)
{
    uint32_t offset = il_offset(&method->builder, label);
    for (uint32_t n = 0; n < method->flow.block_count; n++)
        if (method->flow.il.instrs[method->flow.blocks[n].first].offset == offset)
            return n;
    fail_msg("no block begins at '%s'", label);
    return UINT32_MAX;
}

uint32_t il_edge(const struct il_method *method, const char *from, const char *to)
{
    uint32_t source = il_block(method, from), target = il_block(method, to);
    for (uint32_t e = 0; e < method->flow.edge_count; e++)
        if (method->flow.edges[e].from == source && method->flow.edges[e].to == target)
            return e;
    fail_msg("no edge leads from '%s' to '%s'", from, to);
    return UINT32_MAX;
}
