/* facts.h - all data of one or more runs: what the data file stores (store.h) and what a report is
 * made from (report.h). Modules with their documents, methods, statements and decisions; separate
 * counts for each run.
 * Units:  a count index is a place in its module's vector of counts; lines and columns from 1.
 * Owner:  everything lives in the arena that the facts were built in. */
#pragma once

#include "base/text.h"
#include "contract/reason.h"
#include "coverage/facts/arms.h"
#include "coverage/facts/causes.h"
#include "coverage/facts/fact_inputs.h"
#include "coverage/facts/run_id.h"

/* Larger than any compiler emits: larger values are refused. (Portable PDB: hidden is 0xFEEFEE.) */
enum {
    FACT_LINE_LIMIT = 0xFEEFEE,
    FACT_COUNTS_LIMIT = 1 << 24,
    FACT_BODY_LEN = 16, /* length of a body's hash, method_hash.h */
};

enum module_state {
    MODULE_INSTRUMENTED, /* instrumented in at least one process */
    MODULE_NOT_LOADED,   /* next to one that was loaded, but never loaded: reported with 0 */
    /* Seen and left out: `reason`. A test assembly of a run whose hits are attributed has methods
     * all the same, each with one statement from its first line to its last. */
    MODULE_SKIPPED,
    MODULE_EXTERNAL, /* lines of another tool's report (external_facts.h) */
};

enum method_state {
    METHOD_INSTRUMENTED,
    METHOD_DECLINED, /* not instrumented: `reason` */
    METHOD_EXCLUDED, /* by pattern, attribute, option: `reason`; counted all the same */
};

struct fact_document {
    struct str path;     /* as the compiler wrote it */
    struct str relative; /* to the root, '/' separators; empty if not below it or not known */
    const struct reason *reason; /* NULL: it is reported */
    uint8_t hash_algorithm[16];  /* GUID, zero if there is none */
    struct view hash;
    struct view source; /* Portable PDB, Embedded Source; kept if the file itself is missing */
    const struct reason *generated; /* a generator wrote it (REASON_GENERATED_...); or NULL */
};

/* A method as people write it: "N.Vec<T>", "Map<U>", "(T, Func<T, U>)" (display_name.h). */
struct fact_display {
    struct str type, name, signature;
};

struct fact_method {
    uint32_t token;
    struct str type, name, signature; /* of the method itself: "N.C/<M>d__1", "MoveNext", "()" */
    struct fact_display display;      /* of a user's method; no name: it is not known */
    uint32_t user_method;             /* index of the method that it is shown under, or its own */
    enum method_state state;
    /* METHOD_INSTRUMENTED: NULL, or what may have run of it without probes: VERDICT_MAY_HAVE_RUN,
     * VERDICT_WAS_RUNNING, REASON_INLINED */
    const struct reason *reason;
    uint32_t entry_count;        /* count index of its first block, or NO_INDEX */
    uint8_t body[FACT_BODY_LEN]; /* method_hash.h; zero: not known */
    struct view instructions;    /* method_hash.h; empty: not known */
    /* A generator wrote it; NULL: the user did, or its document says who (facts_generated). That of
     * its user method. */
    const struct reason *generated;
    /* What it declares besides code (declaration.h), of a user's method of a run whose hits are
     * told apart; 0: not known. */
    uint64_t declaration;
};

/* Where it is not known, the names that the metadata has. */
struct fact_display fact_method_display(const struct fact_method *method);
/* "N.Vec<T>.Map<U>(T, Func<T, U>)" */
NODISCARD bool fact_display_text(struct str *out, struct fact_display display, struct arena *arena,
                                 struct err *err);

/* A visible sequence point; points of one method with the same span are one. */
struct fact_statement {
    uint32_t method, document; /* indexes */
    uint32_t il_offset;
    uint32_t start_line, end_line;
    uint16_t start_column, end_column;
    uint32_t count;              /* count index */
    struct fact_causes causes;   /* what must happen for it to run */
    const struct reason *reason; /* why it is excluded; NULL if it is not, but its method may be */
    /* A bit for each line after the first, from the lowest: it has no text of the statement. No
     * trailing zero bytes. */
    struct view gaps;
};

/* What compilers write for this column and those after it. */
enum {
    COLUMN_UNKNOWN = 0xFFFE
};

/* Which outcome of a condition is which in the source, where that is certain: the first, then the
 * second. The numbers are those of the data file. */
enum outcome_words {
    WORDS_UNKNOWN,
    WORDS_FALSE_TRUE,
    WORDS_TRUE_FALSE,
    WORDS_VALUE_NULL, /* of ?? and ?. */
    WORDS_NULL_VALUE,
    WORDS_BODY_END, /* of a loop over items */
    WORDS_END_BODY,
    WORDS_LAST = WORDS_END_BODY
};

static inline bool words_are_of_loop(enum outcome_words words)
{
    return words == WORDS_BODY_END || words == WORDS_END_BODY;
}

/* A place where the user's code goes one of several ways. The counts of its outcomes are
 * adjacent. */
struct fact_decision {
    uint32_t method, document;
    uint32_t il_offset;
    uint32_t line;          /* the first of its statement */
    uint32_t outcome_count; /* 2 for a condition; the arms of a switch */
    /* count index of the first outcome; a condition's are: it ran on, it jumped; for a value:
     * false, true */
    uint32_t first_count;
    /* How many decisions before this one the first condition of its expression lies: 0 of `a` and
     * 1 of `b` in `a && b`. */
    uint32_t expression;
    enum outcome_words words; /* WORDS_UNKNOWN for a switch */
    uint32_t arms_len;        /* bytes of `arms` */
    bool is_switch;
    bool is_exact; /* the span is that of the operand that decides; else of what that is part of */
    const uint8_t *arms;         /* what its outcomes are called (arms.h) */
    const struct reason *reason; /* that of its statement */
    struct fact_span span;       /* where it is reported: on the first line */
    struct fact_causes causes;   /* what must happen for it to be asked */
};

/* What a type of the user declares besides code (declaration.h). */
struct fact_type {
    struct str name; /* N.C/D; empty: the module itself */
    uint64_t declaration;
    uint32_t foreign_count; /* test_methods_count_foreign */
};

struct fact_module {
    struct str name; /* assembly simple name */
    struct str path;
    uint8_t mvid[16];
    uint8_t identity[32]; /* method_hash.h; zero if the module was not read */
    uint64_t plan_hash;
    int64_t seen; /* when the last run that listed it started, Unix seconds; 0: not known */
    enum module_state state;
    const struct reason *reason; /* why it was skipped, or why it has no lines */
    struct fact_document *documents;
    uint32_t document_count;
    struct fact_method *methods; /* ascending token */
    uint32_t method_count;
    struct fact_statement *statements; /* ascending method, il_offset */
    uint32_t statement_count;
    struct fact_decision *decisions; /* ascending method, il_offset */
    uint32_t decision_count;
    struct fact_type *types; /* only of a run whose hits are attributed; in any order */
    uint32_t type_count;
    uint32_t count_len; /* of the vector of counts */
};

/* One process that the library saw: answers the question why a report is empty. */
struct fact_process {
    uint32_t run; /* index */
    struct str program, runtime;
    const struct reason *declined; /* NULL: it was not */
    uint32_t module_count;         /* modules instrumented in it */
    uint64_t method_count;
};

enum run_kind {
    RUN_MEASURED,
    /* Code that it did not hit is unknown, not missed: the run executed only some of the tests
     * (--partial), or began in the middle, as `reason` says (facts_begin). */
    RUN_PARTIAL,
    RUN_CARRIED,  /* counts of an older build for code that did not run: `label` names the build */
    RUN_EXTERNAL, /* another tool's report: `label` names it */
};

struct fact_run {
    uint8_t id[FACT_ID_LEN]; /* run_id.h */
    int64_t started;         /* Unix seconds */
    enum run_kind kind;
    struct str mode; /* count, hit, exact; empty if different ones were folded, or it is external */
    struct str root; /* source root, absolute; empty if external. The smallest of folded ones */
    struct str label; /* name of a external or carried run */
    /* How it began in the middle: REASON_ATTACHED, REASON_ATTACHED_AGAIN, REASON_RESET, with the
     * time in UTC; NULL: at the start of all its programs */
    const struct reason *reason;
    struct view folded; /* ids of the runs that were folded into it (merge --squash), ascending */
};

struct fact_counts {
    uint32_t run, module; /* indexes */
    uint64_t *counts;     /* count_len of the module */
};

/* Whose hits are attributed by `run --per-test`. The numbers are those of the data file. */
enum test_kind {
    TEST_METHOD,  /* a test; all rows of a theory are one */
    TEST_CLASS,   /* what runs around the tests of a class: constructors, set-up, fixtures */
    TEST_STATIC,  /* static constructors */
    TEST_OUTSIDE, /* what ran outside of all others; each test may depend on it */
};
enum test_end {
    TEST_END_UNKNOWN,
    TEST_RETURNED,
    TEST_THREW,
};

struct fact_test {
    struct str name; /* N.C.M, as --filter wants it; of a class N.C; empty: TEST_OUTSIDE */
    enum test_kind kind;
    enum test_end end;
    /* Both at most INT64_MAX; 0: not known. */
    uint64_t ns;   /* how long it took */
    uint64_t rows; /* how often it ran: rows of a theory are one test */
    uint32_t run;  /* index */
};

/* What tests hit in one method, all in the same way. */
struct fact_hits {
    uint32_t module;    /* index */
    struct view counts; /* index_set.h: count indexes that are hit */
    struct view tests;  /* the same: indexes of tests */
};

struct facts {
    struct fact_module *modules; /* ascending name, mvid */
    uint32_t module_count;
    struct fact_run *runs;
    uint32_t run_count;
    struct fact_process *processes;
    uint32_t process_count;
    struct fact_counts *counts;
    uint32_t counts_count;
    struct fact_test *tests; /* ascending run, kind, name; each once */
    uint32_t test_count;
    struct fact_hits *hits; /* ascending module, counts; each once */
    uint32_t hits_count;
    struct fact_input *inputs; /* ascending folder, path, hash; each once */
    uint32_t input_count;
    bool counts_generated; /* the runs did so (--include-generated): all that measured anything */
};

/* The first statement of a method, or of one after it: its place in the list; likewise decisions.
 * The lists are sorted. */
uint32_t facts_first_statement(const struct fact_module *module, uint32_t method);
uint32_t facts_first_decision(const struct fact_module *module, uint32_t method);

/* The statements and decisions of a method: from the first up to the end, in the lists of its
 * module. */
struct fact_extent {
    uint32_t first_statement, end_statement, first_decision, end_decision;
};
struct fact_extent facts_extent(const struct fact_module *module, uint32_t method);

/* Are there counts of an older build? */
bool facts_has_carried(const struct facts *facts);

/* Which rule says that a generator wrote the statement: that of its document, or of the method it
 * is shown under; NULL: the user did. */
const struct reason *facts_generated(const struct fact_module *module,
                                     const struct fact_statement *statement);

/* Has the statement text of its own on this line, which it spans? */
bool facts_has_text(const struct fact_statement *statement, uint32_t line);

/* Marks it as a run that began in the middle: one of these reasons. */
NODISCARD bool facts_begin(struct fact_run *run, enum reason_code how, int64_t when,
                           struct arena *arena, struct err *err);

/* Adds its id, or those of the runs that were folded into it. */
void facts_add_ids(struct writer *ids, const struct fact_run *run);

/* Is the source outside the root? */
bool facts_is_outside(const struct reason *reason);
/* Is it not shown although nobody left it out: outside, missing, or not what was compiled? */
bool facts_lacks_source(const struct reason *reason);

/* Was it measured, or could it have been? False for skipped modules and other tools' lines. */
bool facts_has_code(const struct fact_module *module);

/* Is it a test assembly that no report has, although its methods are known? */
bool facts_has_test_code(const struct fact_module *module);
/* A copy in which such modules are MODULE_INSTRUMENTED; all but the list of modules is shared. */
NODISCARD bool facts_with_test_code(struct facts *out, const struct facts *facts,
                                    struct arena *arena, struct err *err);

/* No methods, statements, decisions and counts from now on: their memory was or will be freed. */
void facts_forget_code(struct facts *facts);

/* Compares by program, runtime, why it was declined, or what was instrumented in it; not by run. */
int facts_order_processes(const struct fact_process *a, const struct fact_process *b);

/* Sorts every list, whatever order processes and files came in, and renumbers references to it:
 *   modules by name, mvid, identity, path, plan, state, reason; documents by path; methods by
 *   token; statements and decisions by method, offset;
 *   runs by start, id; processes by run, program, runtime and what became of them; counts by run,
 *   module.
 * Counts of the same run and module are added up: there is one vector of each afterwards. Tests of
 * the same run, kind and name are one, and so are hits of the same counts, and equal inputs. */
NODISCARD bool facts_sort(struct facts *facts, struct arena *arena, struct err *err);

/* Tests as if there were one run: one that ran in several is one. Copies the lists before it
 * changes them. The facts are sorted. */
NODISCARD bool facts_join_tests(struct facts *facts, struct arena *arena, struct err *err);

/* Gives each count its place: for each method the entry, the statements, the outcomes of the
 * decisions. The lists must be sorted. */
void facts_layout(struct fact_module *module);

/* Identifies a layout: equal if two modules of one build have the same counts at the same
 * places. */
uint64_t facts_layout_hash(const struct fact_module *module);

/* Is every index in its range, every line a line, every enum one of its values? ERR_FORMAT names
 * the first that is not. Facts that pass can be used without further tests. */
NODISCARD bool facts_check(const struct facts *facts, struct err *err);
