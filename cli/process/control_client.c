#include "cli/process/control_client.h"

#include <stdio.h>
#include <string.h>

#include "base/list.h"
#include "contract/protocol.h"
#include "system/file.h"
#include "system/socket.h"

enum {
    CHUNK_LEN = 16 << 10,
};

/* --- the answer ------------------------------------------------------------------------------- */

#define ANSWER_END "end"

bool control_parse_hr(uint32_t *hr, struct str field)
{
    uint64_t value = 0;
    if (field.len != 10 || !str_starts(field, "0x") ||
        !session_parse_number(&value, (struct str){field.text + 2, 8}, 16))
        return false;
    *hr = (uint32_t)value;
    return true;
}

static bool take_answer_end(struct control_answer *out, const struct session_line *line,
                            struct err *err)
{
    return (line->field_count == 2 && control_parse_hr(&out->hr, line->fields[1])) ||
           err_set(err, ERR_FORMAT, "its answer does not end with an HRESULT");
}

bool control_parse(struct control_answer *out, struct str answer, struct arena *arena,
                   struct err *err)
{
    struct list lines = {NULL, 0, 0};
    *out = (struct control_answer){0};
    for (;;) {
        struct session_line line;
        const char *end = answer.len != 0 ? memchr(answer.text, '\n', answer.len) : NULL;
        if (end == NULL)
            return err_set(err, ERR_FORMAT, "its answer stops after %u lines, before its end",
                           lines.count);
        size_t len = (size_t)(end - answer.text);
        if (!session_parse_line(&line, (struct str){answer.text, len}, arena, err)) {
            err_prefix(err, "line %u of its answer", lines.count + 1);
            return false;
        }
        answer = (struct str){end + 1, answer.len - len - 1};
        if (str_is(line.fields[0], ANSWER_END)) {
            out->lines = lines.items;
            out->line_count = lines.count;
            return take_answer_end(out, &line, err);
        }
        if (lines.count == CONTROL_LINES_LIMIT)
            return err_set(err, ERR_LIMIT, "its answer has more than %d lines",
                           CONTROL_LINES_LIMIT);
        if (!list_put(&lines, &line, sizeof line, arena, err))
            return false;
    }
}

bool control_number(uint64_t *out, const struct control_answer *answer, const char *keyword)
{
    for (uint32_t i = 0; i < answer->line_count; i++) {
        const struct session_line *line = &answer->lines[i];
        if (line->field_count == 2 && str_is(line->fields[0], keyword))
            return session_parse_number(out, line->fields[1], 10);
    }
    return false;
}

/* --- the question ----------------------------------------------------------------------------- */

/* Reads until the other end closes; control_parse reports what is missing then. */
static bool receive_all(struct text *answer, const struct peer *peer)
{
    char chunk[CHUNK_LEN];
    size_t len = 0;
    for (;;) {
        if (!peer_receive(&len, peer, chunk, sizeof chunk))
            return false;
        if (len == 0)
            return answer->len != 0 ||
                   err_set(peer->err, ERR_IO, "it closed the connection without an answer");
        if (len > CONTROL_ANSWER_LIMIT - answer->len)
            return err_set(peer->err, ERR_LIMIT, "its answer has more than %d bytes",
                           CONTROL_ANSWER_LIMIT);
        text_add(answer, (struct str){chunk, len});
    }
}

static bool converse_with(struct str *answer, const struct peer *peer, const char *request,
                          struct arena *arena)
{
    struct str question;
    struct text text = text_in(arena);
    return text_format(&question, arena, peer->err, "ilcov %d %s\n", PROTOCOL_VERSION, request) &&
           peer_send(peer, (struct view){(const uint8_t *)question.text, question.len}) &&
           receive_all(&text, peer) && text_take(answer, &text, peer->err);
}

bool control_ask(struct control_answer *out, const char *session, int pid, const char *request,
                 uint32_t limit_ms, struct arena *arena, struct err *err)
{
    struct str answer = {NULL, 0};
    struct peer peer = {.fd = -1};
    char name[sizeof SESSION_CONTROL + 12];
    (void)snprintf(name, sizeof name, SESSION_CONTROL "%d", pid);
    int dir_fd = file_open(session, FILE_PLACE | FILE_FOLDER);
    bool ok = dir_fd >= 0 || err_set_errno(err, "its session %s cannot be used", session);
    ok = ok && peer_open(&peer, dir_fd, name, "control socket", limit_ms, err) &&
         converse_with(&answer, &peer, request, arena) && control_parse(out, answer, arena, err);
    peer_close(&peer);
    (void)file_close(dir_fd);
    return ok;
}
