/* lookers.h - which code may notice a change that it does not name: of metadata, by walking from
 * type to type, scanning an assembly or asking by a name; of a file, by reading it.
 *
 * Objects are harmless, types are not. Each object was made by code that names its type, or the
 * type that contains it as a value, and that code ran in the same test: it depends on the type's
 * declaration anyway (type_changes.h), whoever walks over the object later: an assertion, a
 * formatter, a sort. Only who gets from one type to another, from an assembly to its types or from
 * a text to a member meets what nobody named.
 *
 * So a method looks if it names a member or type of an assembly that is neither of the build nor
 * known to be harmless, or a function without code (P/Invoke, UnsafeAccessor). Harmless are the
 * assemblies of .NET and of test frameworks, which their keys identify, but for what looks.def
 * lists of them. All others look: mappers, containers, mocks, serialisers, ASP.NET, EF.
 *
 * A package acts only when somebody calls it, and a call is in the code that ran:
 *   - its module initialisers run when code first names one of its members;
 *   - HostingStartup and what else it registers in a host run in a host that code of the user
 *     built and started;
 *   - extensions of Microsoft.Testing.Platform are registered by generated code of the test
 *     assembly, which ran outside of tests, and that selects all tests;
 *   - an attribute is data until somebody asks for it. Test frameworks do, and run those that
 *     derive from theirs: so a test looks if it, its class, a base of that or a fixture has an
 *     attribute, a base or an interface of such an assembly (lookers_find_marked).
 * Owner:  everything lives in the arena. Errors: ERR_MEMORY. */
#pragma once

#include "impact/new_build.h"

enum look {
    LOOKS_AT_METADATA = 1,
    LOOKS_AT_FILES = 2,
    LOOKS_AT_ALL = LOOKS_AT_METADATA | LOOKS_AT_FILES,
};

struct lookers {
    const struct new_build *build;
    struct str *functions; /* without code; ascending text of method_hash_token */
    uint32_t function_count;
};

NODISCARD bool lookers_open(struct lookers *out, const struct new_build *build, struct arena *arena,
                            struct err *err);

/* What code with this token looks at: enum look; `text`: method_hash_token. */
uint8_t lookers_of_token(const struct lookers *lookers, const struct metadata *md, uint32_t token,
                         struct str text);

/* Is the type, any token, of a test framework or platform? A new_build_test without a context. */
bool lookers_know_framework(const void *context, const struct metadata *md, uint32_t type);

/* Marks the types of a test assembly, by row, whose tests look at everything because of what they
 * and the type are marked with; 0: all tests of the assembly. */
void lookers_find_marked(bool *marked, const struct lookers *lookers, uint32_t head_module);
