#include "coverage/store/store_version4.h"

#include <string.h>

/* The texts as version 4 wrote them; they must not change when a text is reworded
 * (contract/reason.def). */
static const struct {
    const char *text;
    uint32_t code;
} sentences[] = {
    {"--exclude-auto-properties", REASON_AUTO_PROPERTY},
    {"a build server, which outlives the run", REASON_BUILD_SERVER},
    {"a build tool", REASON_BUILD_TOOL},
    {"a compiler started by a build", REASON_COMPILER},
    {"a test driver, whose tests run in another process", REASON_TEST_DRIVER},
    {"comes from a package", REASON_PACKAGE},
    {"excluded by --exclude-files", REASON_EXCLUDED_FILE},
    {"excluded by -x", REASON_EXCLUDED},
    {"has no symbols: its .pdb is not there", REASON_NO_PDB_BESIDE},
    {"has no symbols: no PDB was found", REASON_NO_PDB},
    {"holds tests (--include-tests counts them)", REASON_TESTS},
    {"ilcov:ignore", REASON_COMMENT},
    {"is collectible: only a run that ilcov started can measure it", REASON_COLLECTIBLE},
    {"its counters or new bodies found no memory", REASON_NO_MEMORY},
    {"its file is gone or was replaced", REASON_FILE_GONE},
    {"its path is longer than 2047 characters", REASON_LONG_PATH},
    {"its source is not below the source root", REASON_NO_SOURCE},
    {"its source was changed since the build", REASON_CHANGED},
    {"made at run time, or has no code", REASON_MADE_AT_RUN_TIME},
    {"never loaded", REASON_NEVER_LOADED},
    {"not named by -i", REASON_NOT_INCLUDED},
    {"outside the source root", REASON_OUTSIDE_ROOT},
    {"part of a test platform", REASON_TEST_PLATFORM},
    {"part of the .NET installation", REASON_INSTALLATION},
    {"puts the results of test drivers together", REASON_GATHERS_RESULTS},
    {"the dotnet command itself", REASON_DOTNET_COMMAND},
    {"there was no room for its counters", REASON_NO_ROOM},
    {"was rewritten by Microsoft's code coverage before it ran", REASON_REWRITTEN_BY_MICROSOFT},
    {"was rewritten by coverlet before it ran", REASON_REWRITTEN_BY_COVERLET},
    {"has no IL body", REASON_VERDICT + VERDICT_NO_IL},
    {"its method header is malformed", REASON_VERDICT + VERDICT_REFUSED_HEADER},
    {"its IL holds bytes that are no instruction", REASON_VERDICT + VERDICT_REFUSED_OPCODE},
    {"a branch leads into the middle of an instruction", REASON_VERDICT + VERDICT_REFUSED_TARGET},
    {"a branch leads between a prefix and its instruction",
     REASON_VERDICT + VERDICT_REFUSED_PREFIX},
    {"its exception clauses are malformed", REASON_VERDICT + VERDICT_REFUSED_ODD_EH},
    {"its IL can run past the end", REASON_VERDICT + VERDICT_REFUSED_FALLS_OFF},
    {"the evaluation stack does not balance", REASON_VERDICT + VERDICT_REFUSED_STACK},
    {"a call names a signature that can't be read", REASON_VERDICT + VERDICT_REFUSED_SIGNATURE},
    {"it is larger than a method may be", REASON_VERDICT + VERDICT_REFUSED_TOO_LARGE},
    {"memory ran out while it was rewritten", REASON_VERDICT + VERDICT_REFUSED_MEMORY},
    {"the runtime did not take its new body", REASON_VERDICT + VERDICT_REFUSED_BY_RUNTIME},
    {"it is async by the runtime, whose version does not compile that anew",
     REASON_VERDICT + VERDICT_REFUSED_RUNTIME_ASYNC},
};

static bool make(const struct reason **out, uint32_t code, struct str subject, struct str remark,
                 struct arena *arena, struct err *err)
{
    *out = reason_new(code, subject, remark, arena, err);
    return *out != NULL;
}

/* "[Obsolete]", "[Obsolete]: made by a tool": a name contains no bracket that is followed by
 * these. */
static bool parse_attribute(struct str *name, struct str *remark, struct str text)
{
    if (!str_take(&text, "["))
        return false;
    for (size_t i = 0; i < text.len; i++) {
        struct str rest = {text.text + i, text.len - i};
        if (!str_take(&rest, "]") || (rest.len != 0 && !str_take(&rest, ": ")))
            continue;
        *name = (struct str){text.text, i};
        *remark = rest;
        return true;
    }
    return false;
}

bool version4_reason(const struct reason **out, struct str text, struct arena *arena,
                     struct err *err)
{
    struct str name, remark = text;
    *out = NULL;
    if (text.len == 0)
        return true;
    for (size_t i = 0; i < ARRAY_LEN(sentences); i++)
        if (str_is(text, sentences[i].text))
            return make(out, sentences[i].code, STR(""), STR(""), arena, err);
    if (str_take(&remark, "ilcov:ignore: "))
        return make(out, REASON_COMMENT, STR(""), remark, arena, err);
    if (parse_attribute(&name, &remark, text))
        return make(out, REASON_ATTRIBUTE, name, remark, arena, err);
    return make(out, REASON_ERROR, text, STR(""), arena, err);
}

static bool take_number(uint64_t *out, struct str *text, uint64_t max)
{
    size_t len = 0;
    for (*out = 0; len < text->len && text->text[len] >= '0' && text->text[len] <= '9'; len++) {
        uint64_t digit = (uint64_t)(text->text[len] - '0');
        if (*out > (max - digit) / 10)
            return false;
        *out = *out * 10 + digit;
    }
    *text = (struct str){text->text + len, text->len - len};
    return len != 0;
}

static bool parse_instrumented(struct fact_process *out, struct str text)
{
    uint64_t modules = 0, methods = 0;
    if (!take_number(&modules, &text, UINT32_MAX) ||
        !str_take(&text, modules == 1 ? " module, " : " modules, ") ||
        !take_number(&methods, &text, INT64_MAX) ||
        !str_is(text, methods == 1 ? " method instrumented" : " methods instrumented"))
        return false;
    out->module_count = (uint32_t)modules;
    out->method_count = methods;
    return true;
}

bool version4_verdict(struct fact_process *out, struct str text, struct arena *arena,
                      struct err *err)
{
    return parse_instrumented(out, text) || version4_reason(&out->declined, text, arena, err);
}

bool version4_label(struct fact_run *run, struct str text, struct arena *arena, struct err *err)
{
    struct str time = text;
    if (run->kind == RUN_PARTIAL && str_take(&time, "attached at "))
        return make(&run->reason, REASON_ATTACHED, time, STR(""), arena, err);
    if (run->kind == RUN_PARTIAL && str_take(&time, "reset at "))
        return make(&run->reason, REASON_RESET, time, STR(""), arena, err);
    run->label = text;
    return true;
}
