/* test_platform.h - does a command run tests with Microsoft.Testing.Platform, whose filters are
 * other ones than VSTest's?
 * Source: learn.microsoft.com, "Test with dotnet test", `test.runner` of global.json. */
#pragma once

#include "base/text.h"

/* `dotnet test` does if the next global.json says so: in `folder`, absolute, or around it. Any
 * other program is taken for a test program, which brings the platform with it; `dotnet vstest` is
 * not. */
NODISCARD bool test_platform_is_used(bool *is, char *const *argv, struct str folder,
                                     struct arena *arena, struct err *err);
