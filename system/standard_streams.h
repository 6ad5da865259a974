/* standard_streams.h - standard input, output and error as open files. */
#ifndef ILCOV_SYSTEM_STANDARD_STREAMS_H
#define ILCOV_SYSTEM_STANDARD_STREAMS_H

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

#endif
