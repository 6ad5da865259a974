#include "system/file/file_text.h"

#include "system/file/file_read.h"

bool file_text_read(struct str *out, int fd, size_t limit, struct arena *arena, struct err *err)
{
    struct text text;
    char chunk[4096];
    int64_t len = 0;
    text_open(&text, arena);
    while (text.len < limit && (len = file_read_some(fd, chunk, sizeof chunk)) > 0)
        text_add(&text, (struct str){chunk, (size_t)len});
    if (len < 0)
        return err_set_errno(err, "it cannot be read");
    return text_take(out, &text, err);
}
