/* code_text.h - may a source have code that runs, judged by its text alone? Without: usings,
 * attributes of assemblies, and in C# interfaces, enums, delegates, and classes of constants and
 * fields without a value. What is not understood has code.
 * The symbols of a build know better (coverage/collect/documents.h); this is for sources that no
 * build is known of.
 * Source: C# 14, "Namespaces", "Classes", "Interfaces"; the compilers give none of these a sequence
 *         point. */
#pragma once

#include "base/text.h"

/* Is it a source that is compiled: C#, F#, Visual Basic, Razor? */
bool code_text_is_source(struct str path);

/* `path` tells the language. */
NODISCARD bool code_text_has_code(bool *out, struct str path, struct str text, struct arena *arena,
                                  struct err *err);
