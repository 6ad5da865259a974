/* seam.h - functions that the program takes from the GNU C library outside of system/, and that
 * another C library may lack: text, time and sorting, not the operating system. A port brings them
 * itself. `make check-seam` compiles with this list, so it is complete. */
#pragma once

#include <stddef.h>
#include <stdio.h>
#include <time.h>

char *strcasestr(const char *text, const char *wanted);
char *strchrnul(const char *text, int c);
char *strndup(const char *text, size_t len);
int strverscmp(const char *a, const char *b);
void *memmem(const void *data, size_t len, const void *wanted, size_t wanted_len);
void *memrchr(const void *data, int c, size_t len);
void qsort_r(void *items, size_t count, size_t size,
             int (*order)(const void *, const void *, void *), void *context);
FILE *open_memstream(char **text, size_t *len);
struct tm *gmtime_r(const time_t *time, struct tm *out);
time_t timegm(struct tm *parts);
char *strsignal(int number);
