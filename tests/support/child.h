/* child.h - processes for tests to look at: children that wait until they are ended. An environment
 * is that of execve(2). */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* May a child have these namespaces (CLONE_NEW...)? Some systems and users do not have them. */
bool child_may_have(int namespaces);

/* In namespaces of its own, if any. */
pid_t child_program(const char *program, char *const *arguments, char *const *environment,
                    int namespaces);

/* One that sleeps. */
pid_t child_apart(char *const *environment, int namespaces);
pid_t child_start(char *const *environment);

/* A fork of the test program that has called `prepare` and waits; 0 if `prepare` failed. */
pid_t child_prepared(bool (*prepare)(const char *path), const char *path);

void child_end(pid_t pid);
