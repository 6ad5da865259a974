/* fuzz_diagnostics.c - what answers on the diagnostics socket of a process, which may be anything:
 * a header, and a payload that is an HRESULT or what tells of the process. */
#include <string.h>

#include "base/bytes.h"
#include "cli/process/diagnostics.h"
#include "tests/fuzz/fuzz.h"

#define DIGITS "0123456789."

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diagnostics_header header;
    struct err err = {.code = ERR_NONE};
    if (size < DIAGNOSTICS_HEADER_LEN)
        return 0;
    if (!diagnostics_parse_header(&header, data, &err)) {
        fuzz_check_err(&err);
        return 0;
    }
    FUZZ_ASSERT(header.payload_len <= DIAGNOSTICS_ANSWER_LIMIT - DIAGNOSTICS_HEADER_LEN,
                "%zu bytes have no room", header.payload_len);
    if (header.payload_len > size - DIAGNOSTICS_HEADER_LEN)
        return 0; /* is waited for */
    struct view payload = {data + DIAGNOSTICS_HEADER_LEN, header.payload_len};
    uint32_t hr = 0;
    bool ok = diagnostics_parse_hr(&hr, payload, &err);
    FUZZ_ASSERT(ok == (payload.len >= 4), "an HRESULT in %zu bytes", payload.len);
    char version[DIAGNOSTICS_VERSION_ROOM];
    if (!diagnostics_parse_version(version, payload, &err)) {
        fuzz_check_err(&err);
        return 0;
    }
    FUZZ_ASSERT(memchr(version, '\0', sizeof version) != NULL, "the version does not end");
    FUZZ_ASSERT(strspn(version, DIGITS) == strlen(version), "'%s' is not a version", version);
    return 0;
}

/* --- seeds ------------------------------------------------------------------------------------ */

static void begin(struct writer *w, uint8_t *data, size_t room, uint8_t code)
{
    *w = wr_over(data, room);
    wr_bytes(w, "DOTNET_IPC_V1", 14);
    wr_u16(w, 0);
    wr_u8(w, 0xFF);
    wr_u8(w, code);
    wr_u16(w, 0);
}

static void end(fuzz_add *add, const char *name, struct writer *w)
{
    FUZZ_ASSERT(!w->failed, "%s has no room", name);
    store_u16(w->data + 14, (uint16_t)w->len);
    add(name, (struct view){w->data, w->len});
}

static void put_text(struct writer *w, const char *text)
{
    size_t len = strlen(text);
    wr_u32(w, (uint32_t)len + 1);
    for (size_t i = 0; i <= len; i++)
        wr_u16(w, (uint8_t)text[i]);
}

void fuzz_seeds(fuzz_add *add)
{
    static const char *const info[] = {"dotnet app.dll", "Linux", "x64", "app", "10.0.1+abcdef"};
    uint8_t data[512];
    struct writer w;
    begin(&w, data, sizeof data, 0);
    wr_u32(&w, 0);
    end(add, "attached", &w);
    begin(&w, data, sizeof data, 0xFF);
    wr_u32(&w, 0x8013136A);
    end(add, "refused", &w);
    begin(&w, data, sizeof data, 0);
    for (int i = 0; i < 3; i++)
        wr_u64(&w, 17);
    for (size_t i = 0; i < ARRAY_LEN(info); i++)
        put_text(&w, info[i]);
    end(add, "info", &w);
}
