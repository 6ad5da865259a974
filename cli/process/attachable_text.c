#include "cli/process/attachable_text.h"

#include "cli/base/columns.h"
#include "system/user.h"

static const struct columns_row header = {
    {{"PID", 3}, {".NET", 4}, {"USER", 4}, {"PROGRAM", 7}, {"STATE", 5}}};

static bool make_row(struct columns_row *row, const struct attachable *program, struct arena *arena,
                     struct err *err)
{
    char user[USER_NAME_ROOM];
    *row = (struct columns_row){
        .cells = {[1] = str_of(program->version[0] != '\0' ? program->version : "-"),
                  [3] = program->name,
                  [4] = program->state}};
    return text_format(&row->cells[0], arena, err, "%d", program->pid) &&
           str_copy(&row->cells[2], str_of(user_name(user, program->user)), arena, err);
}

bool attachable_print(const struct attachable *programs, uint32_t count, struct arena *arena,
                      struct err *err)
{
    struct columns_row *rows = ARENA_NEW(arena, struct columns_row, count + 1, err);
    if (rows == NULL)
        return false;
    rows[0] = header;
    for (uint32_t i = 0; i < count; i++)
        if (!make_row(&rows[i + 1], &programs[i], arena, err))
            return false;
    columns_print(rows, count + 1);
    return true;
}

void attachable_put(struct json_writer *json, const struct attachable *programs, uint32_t count)
{
    char user[USER_NAME_ROOM];
    jw_begin(json, "processes", '[');
    for (uint32_t i = 0; i < count; i++) {
        const struct attachable *program = &programs[i];
        jw_begin_line(json, NULL, '{');
        jw_number(json, "pid", (uint64_t)program->pid);
        if (program->version[0] != '\0')
            jw_text_c(json, "runtime", program->version);
        else
            jw_null(json, "runtime");
        jw_text_c(json, "user", user_name(user, program->user));
        jw_number(json, "uid", program->user);
        jw_text(json, "program", program->name);
        jw_bool(json, "measured", program->is_measured);
        jw_bool(json, "attachable", program->is_fit);
        jw_text(json, "state", program->state);
        jw_end(json, '}');
    }
    jw_end(json, ']');
}
