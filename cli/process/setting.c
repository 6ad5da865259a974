#include "cli/process/setting.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/base.h"

static bool is_setting_number(const char *text, bool is_zero)
{
    char *end = NULL;
    return text != NULL && (strtoull(text, &end, 16) == 0) == is_zero && end != text;
}

bool setting_is_off(const char *text)
{
    return is_setting_number(text, true);
}

bool setting_is_on(const char *text)
{
    return is_setting_number(text, false);
}

const char *setting_own(const void *context, const char *name)
{
    (void)context;
    return getenv(name);
}

/* --- what keeps profilers out ----------------------------------------------------------------- */

#define BOTH(name)                                                                                 \
    {                                                                                              \
        "DOTNET_" name, "COMPlus_" name                                                            \
    }

/* With PreventLoad the runtime crashes at its start if a profiler is named
 * (src/coreclr/vm/profilinghelper.cpp, "DoPreInitialization"); it is not asked later. */
static const struct {
    const char *names[2];
    const char *word; /* NULL: a number, which bars when it is 0 */
    enum setting_bar bar;
} rows[] = {
    {BOTH("EnableDiagnostics"), NULL, SETTING_BARS_ALL},
    {BOTH("EnableDiagnostics_Profiler"), NULL, SETTING_BARS_ALL},
    {BOTH("EnableDiagnostics_IPC"), NULL, SETTING_BARS_VISIT},
    {BOTH("ProfApi_RejitOnAttach"), NULL, SETTING_BARS_ATTACH},
    {BOTH("ProfAPI_ProfilerCompatibilitySetting"), "PreventLoad", SETTING_BARS_START},
};

/* White space around a word does not count, and neither does its case. */
static bool is_setting_word(const char *text, const char *word)
{
    static const char blanks[] = " \t\n\v\f\r";
    size_t len = strlen(word);
    text += strspn(text, blanks);
    return strncasecmp(text, word, len) == 0 && text[len + strspn(text + len, blanks)] == '\0';
}

static bool is_barring(size_t row, const char *value)
{
    if (rows[row].word != NULL)
        return is_setting_word(value, rows[row].word);
    return setting_is_off(value);
}

const char *setting_bar(size_t *at, int bars, setting_lookup *lookup, const void *context)
{
    while (*at < ARRAY_LEN(rows)) {
        size_t row = (*at)++;
        const char *name = rows[row].names[0], *value = lookup(context, name);
        if (value == NULL || *value == '\0') {
            name = rows[row].names[1];
            value = lookup(context, name);
        }
        if (((int)rows[row].bar & bars) != 0 && value != NULL && is_barring(row, value))
            return name;
    }
    return NULL;
}
