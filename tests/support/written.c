#include "tests/support/written.h"

#include <stdlib.h>

bool written_to(FILE *file, const struct format *format, const struct format_job *job,
                struct err *err)
{
    struct destination destination = {.file = file};
    struct format_job own = *job;
    own.destination = &destination;
    own.colour = job->colour && format->has_colour;
    own.sources = format->wants_sources ? job->sources : NULL;
    return format->write(&own, err);
}

struct str written_by(const struct format *format, const struct format_job *job,
                      struct arena *arena)
{
    char *text = NULL;
    size_t len = 0;
    struct err err = {0};
    struct str copy;
    FILE *file = open_memstream(&text, &len);
    if (file == NULL || !written_to(file, format, job, &err) || fclose(file) != 0 ||
        !str_copy(&copy, (struct str){text, len}, arena, &err)) {
        (void)fprintf(stderr, "%s: %s\n", format->name, err.text);
        abort();
    }
    free(text);
    return copy;
}
