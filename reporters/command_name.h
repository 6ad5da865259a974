/* command_name.h - what to type to start this program again, for messages that name a command. */
#pragma once

/* "ilcov", unless command_name_choose found that nothing of that name is on PATH. */
const char *command_name(void);

/* Once, in main: `called` is argv[0], and outlives all that asks. */
void command_name_choose(const char *called);
