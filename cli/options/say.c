#include "cli/options/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/options/exit.h"
#include "reporters/command_name.h"
#include "reporters/legible.h"
#include "system/file.h"
#include "system/terminal.h"

enum {
    LINE_ROOM = 8192
};

/* The text with commands that this user can type, as much of it as there is room for. */
static size_t name_commands(char *out, size_t room, const char *text)
{
    static const char command[] = "'ilcov ";
    size_t len = 0;
    for (const char *next; len < room - 1 && (next = strstr(text, command)) != NULL;
         text = next + sizeof command - 1) {
        int n =
            snprintf(out + len, room - len, "%.*s'%s ", (int)(next - text), text, command_name());
        len = n > 0 && (size_t)n < room - len ? len + (size_t)n : room - 1;
    }
    int n = snprintf(out + len, room - len, "%s", text);
    return n > 0 && (size_t)n < room - len ? len + (size_t)n : room - 1;
}

void say(const char *format, ...)
{
    static const char prefix[] = "ilcov: ";
    char text[LINE_ROOM], line[LINE_ROOM];
    size_t len = sizeof prefix - 1;
    memcpy(line, prefix, len);
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n > 0)
        len += legible_defuse(line + len, name_commands(line + len, sizeof line - len - 1, text));
    line[len++] = '\n';
    (void)!file_write(STREAM_ERROR, line, len); /* there is nowhere left to report a failure */
}

int say_error(const struct err *err)
{
    say("%s", err->text);
    return EXIT_BAD;
}

bool say_output(struct str text, struct err *err)
{
    if (fwrite(text.text, 1, text.len, stdout) == text.len && fflush(stdout) == 0)
        return true;
    (void)err_set_errno(err, "standard output cannot be written");
    clearerr(stdout); /* main would report it again */
    return false;
}

const char *grouped(char out[GROUPED_ROOM], uint64_t number)
{
    char digits[GROUPED_ROOM];
    int count = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    size_t len = 0;
    for (int i = 0; i < count; i++) {
        if (i != 0 && (count - i) % 3 == 0)
            out[len++] = ',';
        out[len++] = digits[i];
    }
    out[len] = '\0';
    return out;
}

const char *percent(char out[PERCENT_ROOM], uint32_t x100)
{
    uint32_t whole = x100 / 100, part = x100 % 100;
    if (part == 0)
        (void)snprintf(out, PERCENT_ROOM, "%u", whole);
    else if (part % 10 == 0)
        (void)snprintf(out, PERCENT_ROOM, "%u.%u", whole, part / 10);
    else
        (void)snprintf(out, PERCENT_ROOM, "%u.%02u", whole, part);
    return out;
}

const char *plural(uint64_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}
