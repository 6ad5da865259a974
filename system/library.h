/* library.h - the library that code belongs to, in this process.
 * Source: dladdr(3), dlopen(3).
 * Target: takes the loader's lock. */
#ifndef ILCOV_SYSTEM_LIBRARY_H
#define ILCOV_SYSTEM_LIBRARY_H

/* The library in which that address lies stays until the process ends, whoever unloads it. */
void library_pin(const void *address);

#endif
