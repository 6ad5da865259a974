/* say.h - a line for the user. Standard output is the command's under `ilcov run`, so it goes to
 * standard error. */
#pragma once

#include "base/text.h"

/* "ilcov: " and the text, in one write. Characters that could control a terminal or change the
 * direction of text (legible_char), which a path or a module's name may hold, become '?'. A command
 * such as 'ilcov collect' begins with what this program is called here (command_name.h). */
void say(const char *format, ...) PRINTF_LIKE(1, 2);

/* Says what is wrong; returns EXIT_BAD. */
int say_error(const struct err *err);

/* All of the text to standard output at once, which main would not report: ERR_IO. */
NODISCARD bool say_output(struct str text, struct err *err);

/* 1234567 as "1,234,567". */
#define GROUPED_ROOM 27
const char *grouped(char out[GROUPED_ROOM], uint64_t number);

/* 8750 as "87.5", 10000 as "100". */
#define PERCENT_ROOM 12
const char *percent(char out[PERCENT_ROOM], uint32_t x100);

/* "module" for 1, "modules" otherwise. */
const char *plural(uint64_t count, const char *one, const char *many);
