/* terminal.h - the terminal, and standard input, output and error as open files. */
#pragma once

#include "base/base.h"

/* 0 if the open file is not a terminal, or its width is not known. */
size_t terminal_columns(int file);

enum standard_stream {
    STREAM_INPUT,
    STREAM_OUTPUT,
    STREAM_ERROR
};

/* A file that got the number of a closed standard stream would receive that stream's output. A
 * stream that was closed cannot be used: standard input is opened for writing and the others for
 * reading, so whoever needs one gets an error. For a command that is started the stream is closed
 * again. */
void standard_streams_fill(void);
