/* collector.h - shared by the steps of reading a session (collect.c): the session, the options, and
 * the facts collected so far. */
#pragma once

#include "coverage/collect/collect_options.h"
#include "coverage/collect/inlined.h"
#include "coverage/collect/module_facts.h"

struct collector {
    const struct session *session;
    const struct collect_options *options;
    struct scope scope; /* the run's */
    struct packages packages;
    struct str framework_dir;
    struct list modules, counts, processes; /* struct fact_module, fact_counts, fact_process */
    struct list directories; /* struct str: where modules in scope were loaded from */
    struct session_tests tests;
    struct list hits;                 /* struct fact_hits */
    struct list inputs;               /* struct fact_input */
    struct inlined_functions inlined; /* of the modules that were loaded */
    struct list warnings, notes;      /* struct str, of all modules */
    struct list believed;             /* struct str: modules whose PDB has another checksum */
    struct messages messages;
    struct collect_result result; /* what it has besides lists */
    struct arena *arena;
};

/* Is the collection to end early? Once it is, it is. */
bool collector_stops(struct collector *c);

/* The run's, made of the options. */
NODISCARD bool collector_make_scope(struct collector *c, struct err *err);

/* Lists a module with the reason why it has no facts. `mvid` may be NULL. Of one that the user left
 * out (-i, -x, tests), it lists the sources, if any is below the root. */
NODISCARD bool collector_add_skipped(struct collector *c, struct str name, struct str path,
                                     const uint8_t *mvid, const struct reason *reason,
                                     struct err *err);

/* Whoever could not read something says why. */
NODISCARD bool collector_reason_of(const struct reason **out, const struct err *why,
                                   struct collector *c, struct err *err);

/* For a module that never ran; the caller fills in counters. */
struct module_facts_request collector_request(struct collector *c, const struct module *module,
                                              struct str path);

/* Lists the documents (struct fact_document) of a module's symbols. */
NODISCARD bool collector_list_documents(struct list *out, struct collector *c,
                                        const struct module *module, struct str path,
                                        struct arena *arena, struct arena *scratch,
                                        struct err *err);

/* Opens the module that all these files count: a file that a process loaded, or the copy that the
 * library kept of it. *path is where it was loaded from. */
bool collector_open_counted(struct module *module, struct str *path, const struct session *session,
                            const struct session_counters *files, uint32_t count);

/* Opens the module's symbols. Symbols that do not match are reported and leave the module without
 * lines; *reason then says why. */
NODISCARD bool collector_find_symbols(struct collector *c, struct module *module, struct str path,
                                      const struct reason **reason, struct arena *scratch,
                                      struct err *err);

/* Says in one line which modules have a PDB whose id matches, but not its checksum. */
NODISCARD bool collector_tell_believed(struct collector *c, struct err *err);

/* --- what the processes of a session recorded about themselves: processes.c ------------------- */

/* Adds the processes, the modules that they skipped and that are not listed yet, and their losses;
 * finds the runtime's directory. Reports in one line a module the methods that hot reload changed
 * or added and that so are not counted (profiler/hot_reload.h), the modules of which exact counts
 * could not be had, and why counts may fall short (profiler/shards.h). The facts of modules that
 * ran must be there. */
NODISCARD bool processes_collect(struct collector *c, struct err *err);

/* Reports what was left out though it is the user's own, each in a line. If nothing was measured,
 * all causes are listed anyway (cli/publish/explain.h). */
NODISCARD bool processes_tell(struct collector *c, struct err *err);

/* --- modules that were never loaded; their lines count as not hit: unloaded.c ----------------- */

/* Adds those of one directory that are in scope. A module that was measured elsewhere or is already
 * listed is not added again: modules that ran come first. */
NODISCARD bool unloaded_collect(struct collector *c, struct str dir, struct err *err);

/* Adds the assemblies of a solution's projects that are in scope and not even listed. Call once all
 * that ran, and what lies beside it, is listed. Projects that were not built, are not there, or are
 * of another language have a line that names them. */
NODISCARD bool unloaded_collect_projects(struct collector *c, const struct solution *solution,
                                         struct err *err);
