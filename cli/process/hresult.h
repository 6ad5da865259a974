/* hresult.h - the meaning of the HRESULTs that a runtime, or the library in it, answers with: one
 * table (hresult.def) for all messages, and for docs/attach-and-detach.md. */
#pragma once

#include "base/base.h"

struct hresult {
    uint32_t value;
    const char *name;
    const char *meaning; /* a clause without a capital letter or a full stop, as is `advice` */
    const char *advice;
};

/* HR_CORPROF_E_PROFILER_ALREADY_ACTIVE, ... */
#define ROW(name, value, meaning, advice) static const uint32_t HR_##name = value;
#include "cli/process/hresult.def"
#undef ROW

extern const struct hresult hresults[];
extern const size_t hresult_count;

/* NULL: it is unknown. */
const struct hresult *hresult_find(uint32_t value);

/* "another profiler is ... (CORPROF_E_..., 0x8013136a): start ..."; the number alone for one that
 * is not known. */
#define HRESULT_TEXT_ROOM 400
const char *hresult_text(char out[HRESULT_TEXT_ROOM], uint32_t value);
