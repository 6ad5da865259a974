#include "coverage/external/external_input.h"

#include <errno.h>
#include <string.h>

#include "system/file.h"
#include "system/file_status.h"

size_t external_input_read(struct external_input *input, void *out, size_t room)
{
    size_t n = input->head.len - input->taken;
    if (n != 0) {
        n = n < room ? n : room;
        memcpy(out, input->head.data + input->taken, n);
        input->taken += n;
        return n;
    }
    if (input->fd < 0 || input->error != 0)
        return 0;
    int64_t got = file_read_some(input->fd, out, room);
    if (got < 0)
        input->error = errno;
    else
        input->done += (size_t)got;
    progress_at(input->progress, "reading bytes of a report", input->done, input->total);
    return got > 0 ? (size_t)got : 0;
}

static bool read_head(struct external_input *input, uint8_t *head, struct err *err)
{
    struct file_status status;
    size_t len = 0;
    if (!file_status_open(&status, input->fd))
        return err_set_errno(err, "cannot be read");
    if (status.kind != FILE_IS_REGULAR)
        return err_set(err, ERR_FORMAT, "is not a regular file");
    input->total = status.size;
    for (size_t n = 1; n != 0 && len < EXTERNAL_HEAD_LEN; len += n)
        n = external_input_read(input, head + len, EXTERNAL_HEAD_LEN - len);
    input->head = (struct view){head, len};
    errno = input->error;
    return input->error == 0 || err_set_errno(err, "cannot be read");
}

bool external_input_open(struct external_input *out, uint8_t head[EXTERNAL_HEAD_LEN],
                         const char *path, struct err *err)
{
    *out = (struct external_input){.fd = file_open(path, FILE_READ)};
    if (out->fd < 0)
        return err_set_errno(err, "cannot be opened");
    if (read_head(out, head, err))
        return true;
    external_input_close(out);
    return false;
}

void external_input_close(struct external_input *input)
{
    (void)file_close(input->fd);
}

size_t external_input_peek(void *out, size_t room, const char *path)
{
    int fd = file_read_open(path);
    int64_t len = fd >= 0 ? file_read_some(fd, out, room) : -1;
    (void)file_close(fd);
    return len > 0 ? (size_t)len : 0;
}
