/* interruption.h - signals that come while the program writes what it measured: SIGINT, SIGTERM,
 * SIGHUP and SIGQUIT. The first is a request, which interruption_signal reports. A second ends the
 * program at once, and so does the first if nobody asks for it in time: with status 128 + its
 * number, after the last words. One key that arrives twice, as under timeout(1) or npm, is one
 * signal. There is one watch at a time. */
#pragma once

/* What happens at the end at once. All are copied. */
struct last_words {
    const char *text;      /* for standard error */
    const char *from, *to; /* a directory that is renamed; NULL: none is */
};

/* Signals that are ignored stay so; blocked ones come from now on. */
void interruption_watch(const struct last_words *last);

/* The first signal, or 0. From then on there is time to obey it. */
int interruption_signal(void);

/* Signals do what they did before. */
void interruption_end(void);
