#include "cli/options/progress_line.h"

#include <stdlib.h>
#include <string.h>

#include "cli/options/say.h"
#include "system/clock.h"
#include "system/terminal.h"

enum {
    LINE_ROOM = 160,
    STDERR = 2
};

/* The cursor stays at the start of the line: whatever else is written there begins where it would
 * without the line. The last column stays free, because a terminal may wrap after it. */
static void put_progress(struct progress_line *line, const char *text)
{
    size_t len = strlen(text), most = line->columns - 1;
    if (len > most)
        len = most;
    size_t blanks = line->width > len ? line->width - len : 0;
    (void)fprintf(line->file, "%.*s%*s\r", (int)len, text, (int)blanks, "");
    (void)fflush(line->file);
    line->width = len;
}

static void show_progress(void *context, const char *what, uint64_t done, uint64_t total)
{
    struct progress_line *line = context;
    char text[LINE_ROOM], a[GROUPED_ROOM], b[GROUPED_ROOM];
    if (line->columns == 0)
        return;
    int64_t now = line->now();
    if (now < line->next)
        return;
    line->next = now + PROGRESS_EVERY_MS;
    if (total != 0)
        (void)snprintf(text, sizeof text, "ilcov: %s: %s of %s", what, grouped(a, done),
                       grouped(b, total));
    else
        (void)snprintf(text, sizeof text, "ilcov: %s", what);
    put_progress(line, text);
}

void progress_line_open_on(struct progress_line *out, FILE *file, size_t columns,
                           int64_t (*now)(void))
{
    *out = (struct progress_line){
        .progress = {show_progress, out}, .file = file, .columns = columns, .now = now};
    if (columns != 0)
        out->next = now() + PROGRESS_AFTER_MS;
}

/* A dumb terminal shows a carriage return as a new line, or not at all. */
static bool is_dumb(void)
{
    const char *term = getenv("TERM");
    return term == NULL || *term == '\0' || strcmp(term, "dumb") == 0;
}

void progress_line_open(struct progress_line *out, bool quiet)
{
    size_t columns = quiet || is_dumb() ? 0 : terminal_columns(STDERR);
    progress_line_open_on(out, stderr, columns, clock_ms);
}

const struct progress_hook *progress_line_hook(const struct progress_line *line)
{
    return line != NULL ? &line->progress : NULL;
}

void progress_line_erase(struct progress_line *line)
{
    if (line != NULL && line->width != 0)
        put_progress(line, "");
}
