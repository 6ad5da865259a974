/* external_input.h - the bytes of a report, in memory or read from a file piece by piece. */
#pragma once

#include "base/err.h"
#include "base/progress.h"

enum {
    EXTERNAL_HEAD_LEN = 1 << 12 /* enough to recognise a format */
};

struct external_input {
    struct view head;     /* all of it, or what was read from `fd` to recognise the format */
    size_t taken;         /* of `head` */
    int fd;               /* the rest; -1: there is none */
    int error;            /* errno of a failure that ended it early */
    uint64_t done, total; /* bytes of the file, read and in all */
    const struct progress_hook *progress; /* or NULL */
};

/* Up to `room` bytes; 0 at the end, and after a failure. */
size_t external_input_read(struct external_input *input, void *out, size_t room);

/* Opens a file and reads its beginning into `head`, which must outlive the input. On success,
 * external_input_close must follow. ERR_IO; ERR_FORMAT if it is not a regular file. */
NODISCARD bool external_input_open(struct external_input *out, uint8_t head[EXTERNAL_HEAD_LEN],
                                   const char *path, struct err *err);
void external_input_close(struct external_input *input);

/* Reads the beginning of a file; returns the number of bytes, 0 if it is empty or can't be read. */
size_t external_input_peek(void *out, size_t room, const char *path);
