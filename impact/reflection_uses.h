/* reflection_uses.h - code that asks at run time which types an assembly has or which methods or
 * constants a type has, and calls that are bound at run time (C#'s dynamic, Visual Basic's late
 * binding). What is new or gone, or has another value, reaches it although nothing names that.
 * Errors: ERR_MEMORY. */
#pragma once

#include "impact/build_changes.h"

/* Finds out what the new build asks for; before the others. */
void reflection_open(struct build_changes *changes);

/* A type is new, gone or declared differently: `what`. */
NODISCARD bool reflection_note_type(struct build_changes *changes, struct str type,
                                    const char *what);

/* The values of constants of a type changed; `entry`: its name in the list of what is declared. */
NODISCARD bool reflection_note_constants(struct build_changes *changes, struct str entry);

/* A method is new, gone or declared differently: `what`; `name`: for people. */
NODISCARD bool reflection_note_method(struct build_changes *changes, struct str name,
                                      const char *what);

/* A method of a module of the new build is new. */
NODISCARD bool reflection_note_new(struct build_changes *changes, uint32_t head_module,
                                   const struct fact_method *method, struct str name);
