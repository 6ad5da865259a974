#include "system/process/process_status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STATUS_ROOM = 8192
};

/* What follows "Name:", up to the end of the line and beyond. */
static const char *find_field(const char *status, const char *name)
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
static int last_number(const char *field, int otherwise)
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
    const char *ids = find_field(text, "Uid"), *leader = find_field(text, "Tgid"),
               *tracer = find_field(text, "TracerPid");
    if (ids == NULL || sscanf(ids, "%*s %lu", &owner) != 1)
        return false;
    out->owner = (uint32_t)owner;
    if (leader != NULL)
        out->leader = (int)strtol(leader, NULL, 10);
    if (tracer != NULL)
        out->tracer = (int)strtol(tracer, NULL, 10);
    out->inner_pid = last_number(find_field(text, "NSpid"), pid);
    return true;
}
