/* foreign_input.h - the bytes of a report, in memory or read from a file piece by piece. */
#ifndef ILCOV_COVERAGE_EXTERNAL_FOREIGN_INPUT_H
#define ILCOV_COVERAGE_EXTERNAL_FOREIGN_INPUT_H

#include "base/err.h"
#include "base/progress.h"

enum {
    FOREIGN_HEAD_LEN = 1 << 12 /* enough to recognise a format */
};

struct foreign_input {
    struct view head;     /* all of it, or what was read from `fd` to recognise the format */
    size_t taken;         /* of `head` */
    int fd;               /* the rest; -1: there is none */
    int error;            /* errno of a failure that ended it early */
    uint64_t done, total; /* bytes of the file, read and in all */
    const struct progress_hook *progress; /* or NULL */
};

/* Up to `room` bytes; 0 at the end, and after a failure. */
size_t foreign_input_read(struct foreign_input *input, void *out, size_t room);

/* Opens a file and reads its beginning into `head`, which must outlive the input. On success,
 * foreign_input_close must follow. ERR_IO; ERR_FORMAT if it is not a regular file. */
NODISCARD bool foreign_input_open(struct foreign_input *out, uint8_t head[FOREIGN_HEAD_LEN],
                                  const char *path, struct err *err);
void foreign_input_close(struct foreign_input *input);

/* Reads the beginning of a file; returns the number of bytes, 0 if it is empty or can't be read. */
size_t foreign_input_peek(void *out, size_t room, const char *path);

#endif
