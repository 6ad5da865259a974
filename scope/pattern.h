/* pattern.h - `[assembly]type` globs, as .NET users know them from coverlet: `[MyApp.*]*`,
 * `[*]*.Migrations.*`. `*` matches any run of characters, `?` one. The assembly part ignores ASCII
 * case, as assembly names do; the type part (full metadata name, nested types after '/') does not.
 * A type part that matches a type also matches what is nested in it.
 * `[a]` alone and `a` alone mean `[a]*`. */
#pragma once

#include "base/text.h"

struct pattern {
    struct str assembly, type;
};

/* Views into `text`. False with ERR_USAGE when a bracket is missing. */
NODISCARD bool pattern_parse(struct pattern *out, struct str text, struct err *err);
/* All of them, into one array. */
NODISCARD bool pattern_parse_all(struct pattern **out, const struct str *texts, uint32_t count,
                                 struct arena *arena, struct err *err);
bool pattern_matches_assembly(const struct pattern *pattern, struct str assembly);
bool pattern_matches_type(const struct pattern *pattern, struct str assembly, struct str type);
/* Does the pattern match every type of the assemblies that it names? */
bool pattern_is_whole_assembly(const struct pattern *pattern);
