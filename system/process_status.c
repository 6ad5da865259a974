#include "system/process_status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* --- process status --------------------------------------------------------------------------- */

enum {
    STATUS_ROOM = 8192
};

/* What follows "Name:", up to the end of the line and beyond. */
static const char *find_status_field(const char *status, const char *name)
{
    size_t len = strlen(name);
    for (const char *line = status; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, len) == 0 && line[len] == ':')
            return line + len + 1;
    }
    return NULL;
}

/* NSpid has a number for each namespace, the innermost last. */
static int read_last_number(const char *field, int otherwise)
{
    while (field != NULL && *field != '\n' && *field != '\0') {
        char *end = NULL;
        long value = strtol(field, &end, 10);
        if (end == field)
            break;
        otherwise = (int)value;
        field = end + strspn(end, "\t ");
    }
    return otherwise;
}

bool process_status_read(struct process_status *out, int pid)
{
    char text[STATUS_ROOM];
    size_t len = 0;
    unsigned long owner = 0;
    *out = (struct process_status){.leader = pid, .inner_pid = pid};
    if (!process_file_read(text, &len, sizeof text, pid, "status"))
        return false;
    const char *ids = find_status_field(text, "Uid"), *leader = find_status_field(text, "Tgid"),
               *tracer = find_status_field(text, "TracerPid");
    if (ids == NULL || sscanf(ids, "%*s %lu", &owner) != 1)
        return false;
    out->owner = (uint32_t)owner;
    if (leader != NULL)
        out->leader = (int)strtol(leader, NULL, 10);
    if (tracer != NULL)
        out->tracer = (int)strtol(tracer, NULL, 10);
    out->inner_pid = read_last_number(find_status_field(text, "NSpid"), pid);
    return true;
}

/* --- process stat ----------------------------------------------------------------------------- */

enum {
    NS_PER_SECOND = 1000000000
};

/* The command in field 2 may contain anything, so fields are counted from its last parenthesis. */
static bool parse_stat(struct process_stat *out, const char *text)
{
    const char *after_name = strrchr(text, ')');
    return after_name != NULL &&
           sscanf(after_name + 1,
                  " %c %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                  "%*s %*s %*s %llu",
                  &out->state, &out->parent, &out->start_ticks) == 3;
}

bool process_stat_read(struct process_stat *out, int pid)
{
    char text[1024];
    size_t len = 0;
    *out = (struct process_stat){.state = '\0'};
    return process_file_read(text, &len, sizeof text, pid, "stat") && parse_stat(out, text);
}

static bool read_clock(int64_t *ns, clockid_t clock)
{
    struct timespec now;
    bool ok = clock_gettime(clock, &now) == 0;
    *ns = ok ? (int64_t)now.tv_sec * NS_PER_SECOND + now.tv_nsec : 0;
    return ok;
}

/* The Unix time when the machine started. Two clocks are read one after the other, so the closest
 * of several readings is taken: a pause between them would move all starts. */
static bool read_boot_time(int64_t *ns)
{
    enum {
        TRIES = 8
    };
    int64_t before, unix_time, after, closest = INT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        if (!read_clock(&before, CLOCK_BOOTTIME) || !read_clock(&unix_time, CLOCK_REALTIME) ||
            !read_clock(&after, CLOCK_BOOTTIME))
            return false;
        if (after - before < closest) {
            closest = after - before;
            *ns = unix_time - before - closest / 2;
        }
    }
    return true;
}

int64_t process_stat_started(const struct process_stat *stat)
{
    int64_t boot_ns = 0;
    if (!read_boot_time(&boot_ns))
        return 0;
    int64_t tick_ns = NS_PER_SECOND / sysconf(_SC_CLK_TCK);
    return (boot_ns + (int64_t)stat->start_ticks * tick_ns) / NS_PER_SECOND;
}

double process_stat_age(const struct process_stat *stat)
{
    int64_t now = 0;
    return read_clock(&now, CLOCK_BOOTTIME)
               ? (double)now / 1e9 - (double)stat->start_ticks / (double)sysconf(_SC_CLK_TCK)
               : 0;
}
