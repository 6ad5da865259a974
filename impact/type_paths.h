/* type_paths.h - types that lead to a changed one: reflection walks from type to type, so that code
 * which names the first depends on what the last declares.
 *   - A type with a public field of a changed type: a serialiser reads the field, and no code of
 *     the user runs. (For a property, its getter runs, which names the type.) So does a struct with
 *     a field of a changed struct, whose layout is part of its own.
 *   - A type with an attribute that names a changed type: a serialiser makes objects of it.
 *   - A type with properties that lead to a changed one, if code hands over the type itself, as
 *     `typeof(T)` or Read<T>(): schemas and deserialisers look at all properties, also of what is
 *     null, and run none.
 * Errors: ERR_MEMORY. */
#pragma once

#include "coverage/names/references.h"
#include "impact/build_changes.h"

/* Adds the types that derive from changed ones, and the first kind, to the changed types, and marks
 * the code that hands over one of the second kind. When all changed types are known. */
NODISCARD bool type_paths_find(struct build_changes *changes);

/* To ask what of a module of the new build names one of a list of struct changed_type; the number
 * of a name is its place in the list. */
NODISCARD bool type_paths_open_references(struct references *out,
                                          const struct build_changes *changes,
                                          const struct list *types, uint32_t head_module);
