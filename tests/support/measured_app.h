/* measured_app.h - a program of two modules, and the session that a run of it left: App.dll ran,
 * and Other.dll, which lies beside it, did not.
 *
 *   row 1   no body
 *   row 2   void(bool)   a.cs, lines 10 to 12: ldarg.0; brfalse.s E; call void(); E: ret
 *   row 3   bool()       b.cs, line 20: ldc.i4.1; ret
 *
 * In the PDB a.cs has its path below the root, where there is no such file. b.cs, which is there,
 * is called /_/b.cs and has no checksum.
 * Counter n of App.dll stands at n + 1. The process also skipped /app/Lib.dll. */
#pragma once

#include "base/path.h"
#include "tests/support/temporary.h"

#define MEASURED_PROCESS "process-1-2" /* the record of the process, in the session */

enum {
    MEASURED_METHODS = 3 /* of a module */
};

struct measured_app {
    struct temporary app;     /* modules and sources */
    struct temporary session; /* what the program left */
    char root[PATH_ROOM];     /* the real path of `app` */
    char counts_name[80];     /* of the counter file */
};

/* Fails the test when a file can't be written. */
void measured_app_open(struct measured_app *m);
void measured_app_close(struct measured_app *m);
