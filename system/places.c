#include "system/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"

/* --- dotnet places ---------------------------------------------------------------------------- */

/* One path. */
static void visit_registered(void (*take)(void *context, const char *path), void *context)
{
    char line[PATH_ROOM];
    FILE *file = fopen("/etc/dotnet/install_location", "re");
    if (file == NULL)
        return;
    if (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        take(context, line);
    }
    (void)fclose(file);
}

void dotnet_places_visit(void (*take)(void *context, const char *path), void *context)
{
    char path[PATH_ROOM];
    const char *home = getenv("HOME");
    visit_registered(take, context);
    take(context, "/usr/share/dotnet");
    take(context, "/usr/lib/dotnet");
    if (home != NULL && snprintf(path, sizeof path, "%s/.dotnet", home) < PATH_ROOM)
        take(context, path);
}

size_t session_places(const char *out[SESSION_PLACES_MOST])
{
    const char *wanted = getenv("TMPDIR");
    size_t count = 0;
    out[count++] = SESSION_PLACE_IN_MEMORY;
    if (wanted != NULL && wanted[0] != '\0')
        out[count++] = wanted;
    out[count++] = "/tmp";
    return count;
}
