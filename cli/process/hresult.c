#include "cli/process/hresult.h"

#include <stdio.h>

const struct hresult hresults[] = {
#define ROW(name, value, meaning, advice) {value##u, #name, meaning, advice},
#include "cli/process/hresult.def"
#undef ROW
};

const size_t hresult_count = ARRAY_LEN(hresults);

const struct hresult *hresult_find(uint32_t value)
{
    for (size_t i = 0; i < hresult_count; i++) {
        if (hresults[i].value == value)
            return &hresults[i];
    }
    return NULL;
}

const char *hresult_text(char out[HRESULT_TEXT_ROOM], uint32_t value)
{
    const struct hresult *row = hresult_find(value);
    if (row == NULL)
        (void)snprintf(out, HRESULT_TEXT_ROOM, "the runtime answers 0x%08x", (unsigned)value);
    else
        (void)snprintf(out, HRESULT_TEXT_ROOM, "%s (%s, 0x%08x): %s", row->meaning, row->name,
                       (unsigned)value, row->advice);
    return out;
}
