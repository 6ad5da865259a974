#include "coverage/source/line_text.h"

#include "base/list.h"
#include "base/sort.h"
#include "coverage/source/tokens.h"

/* Text without a line end in between, of one body. */
struct source_line_piece {
    uint32_t offset, line;
    uint32_t body; /* 0: outside of lambdas; others in the order in which they begin */
};

struct pieces {
    const struct line_index *index;
    struct list list; /* struct source_line_piece */
    uint32_t line;    /* of the last one */
    struct arena *arena;
    struct err *err;
};

/* Text that begins at the offset, which is on the line. */
static bool add_text_piece(struct pieces *p, uint32_t offset, uint32_t body)
{
    const struct source_line_piece *last =
        p->list.count != 0 ? (struct source_line_piece *)p->list.items + p->list.count - 1 : NULL;
    if (last != NULL && last->line == p->line && last->body == body)
        return true;
    const struct source_line_piece added = {offset, p->line, body};
    return list_put(&p->list, &added, sizeof added, p->arena, p->err);
}

/* All lines of a literal are text. */
static bool add_token_lines(struct pieces *p, const struct token *token, uint32_t body)
{
    const uint32_t *starts = p->index->starts;
    while (p->line < p->index->count && starts[p->line] <= token->start)
        p->line++;
    bool ok = add_text_piece(p, token->start, body);
    while (ok && p->line < p->index->count && starts[p->line] < token->end) {
        p->line++;
        ok = add_text_piece(p, starts[p->line - 1], body);
    }
    return ok;
}

/* `=> {`, `delegate {`, `delegate (int n) {` */
static bool begins_body(const struct tokens *tokens, uint32_t i)
{
    uint32_t before = i - 1;
    if (i == 0 || tokens->items[i].kind != TOKEN_OPEN_BRACE)
        return false;
    if (tokens->items[before].kind == TOKEN_CLOSE && tokens->items[before].partner != NO_INDEX)
        before = tokens->items[before].partner - 1;
    return (before + 1 == i && tokens->items[before].kind == TOKEN_ARROW) ||
           tokens_is(tokens, before, "delegate");
}

static bool is_basic(const struct tokens *tokens, uint32_t i, const char *word)
{
    return tokens_kind(tokens, i) == TOKEN_WORD &&
           str_eq_nocase(tokens_text(tokens, i), str_of(word));
}

static bool is_function_word(const struct tokens *tokens, uint32_t i)
{
    return is_basic(tokens, i, "function") || is_basic(tokens, i, "sub");
}

/* Does another line begin before the token? */
static bool begins_line(const struct tokens *tokens, uint32_t i)
{
    for (uint32_t at = tokens->items[i - 1].end; at < tokens->items[i].start; at++)
        if (line_end_len(str_from(tokens->text, at)) != 0)
            return true;
    return i >= tokens->count;
}

/* `Function(n As Integer) As Boolean` and nothing else on the line: a lambda with statements. */
static bool begins_basic_body(const struct tokens *tokens, uint32_t i)
{
    if (!is_function_word(tokens, i) || tokens->items[i + 1].kind != TOKEN_OPEN ||
        tokens->items[i + 1].partner == NO_INDEX)
        return false;
    uint32_t next = tokens->items[i + 1].partner + 1;
    if (is_basic(tokens, next, "as"))
        do
            next++;
        while (next < tokens->count && !begins_line(tokens, next));
    return begins_line(tokens, next);
}

/* Visual Basic: from behind the header of a lambda to its `End Function` or `End Sub`. */
static uint32_t *find_basic_bodies(const struct tokens *tokens, struct arena *arena,
                                   struct err *err)
{
    uint32_t count = 0, depth = 0, *bodies = arena_raw(arena, tokens->count, sizeof *bodies, err);
    uint32_t *around = arena_raw(arena, (size_t)tokens->count + 1, sizeof *around, err);
    if (bodies == NULL || around == NULL)
        return NULL;
    around[0] = 0;
    for (uint32_t i = 0, header = 0; i < tokens->count; i++) {
        if (depth != 0 && is_basic(tokens, i, "end") && is_function_word(tokens, i + 1))
            depth--;
        bodies[i] = around[depth];
        if (begins_basic_body(tokens, i))
            header = i + 1;
        if (header != 0 && i >= tokens->items[header].partner && begins_line(tokens, i + 1)) {
            around[++depth] = ++count;
            header = 0;
        }
    }
    return bodies;
}

/* The body of each token; NULL: out of memory. */
static uint32_t *find_bodies(const struct tokens *tokens, enum language language,
                             struct arena *arena, struct err *err)
{
    if (language == LANGUAGE_VISUAL_BASIC)
        return find_basic_bodies(tokens, arena, err);
    uint32_t count = 0, *bodies = arena_raw(arena, tokens->count, sizeof *bodies, err);
    for (uint32_t i = 0; bodies != NULL && i < tokens->count; i++) {
        const struct token *token = &tokens->items[i];
        uint32_t around = token_closes(token->kind) && token->partner != NO_INDEX ? token->partner
                                                                                  : token->around;
        bodies[i] = around != NO_INDEX ? bodies[around] : 0;
        if (language == LANGUAGE_CSHARP && begins_body(tokens, i))
            bodies[i] = ++count;
    }
    return bodies;
}

bool line_text_make(struct line_text *out, const struct line_index *index, enum language language,
                    struct str defined, struct arena *arena, struct err *err)
{
    struct pieces p = {.index = index, .line = 1, .arena = arena, .err = err};
    struct preprocessor symbols = {.language = language, .given = defined};
    struct tokens tokens;
    uint32_t *bodies = NULL;
    struct arena scratch = ARENA_EMPTY;
    bool ok = tokens_find_active(&tokens, index->text, &symbols, &scratch, err) &&
              (bodies = find_bodies(&tokens, language, &scratch, err)) != NULL;
    for (uint32_t i = 0; ok && i < tokens.count; i++)
        ok = add_token_lines(&p, &tokens.items[i], bodies[i]);
    arena_free(&scratch);
    *out = (struct line_text){p.list.items, p.list.count};
    return ok;
}

ORDER(order_source_pieces, struct source_line_piece, BY(offset))

bool line_text_is_on(const struct line_text *text, uint32_t offset, uint32_t line)
{
    const struct source_line_piece next = {.offset = offset + 1};
    size_t begun =
        sorted_place(&next, text->pieces, text->count, sizeof *text->pieces, order_source_pieces);
    if (begun == 0)
        return true;
    uint32_t body = text->pieces[begun - 1].body;
    for (size_t i = begun - 1; i < text->count && text->pieces[i].line <= line; i++)
        if (text->pieces[i].line == line && text->pieces[i].body == body)
            return true;
    return false;
}
