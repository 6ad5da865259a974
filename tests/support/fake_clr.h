/* fake_clr.h - a runtime as a profiler sees it: ICorProfilerInfo5 and IMetaDataEmit as C vtables
 * over modules in memory. It records what it is given, and says no where it is told to. A slot that
 * the profiler has no business to call is NULL: calling it crashes the test.
 * Threads: what the profiler calls may be called from several at once, and so may fake_clr_reload
 * and what raises an event. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "metadata/module.h"
#include "profiler/cor.h"

enum {
    FAKE_MODULES_MAX = 8,
    FAKE_SIGNATURES_MAX = 64,
    FAKE_DEFINITIONS_MAX = 64,
    FAKE_NAME_MAX = 256
};

struct fake_method {
    struct view original;  /* as GetILFunctionBody gives it until a body is set */
    const uint8_t *body;   /* the last that was set, or NULL */
    unsigned bodies_given; /* how often */
    COR_IL_MAP *map;       /* the last; malloc */
    uint32_t map_rows;
    unsigned maps_given;
    unsigned rejits, reverts; /* how often each was asked for */
    bool is_recompiled;       /* by the later of them */
};

struct fake_module {
    _Atomic ModuleID id; /* 0: unloaded */
    char path[4096];
    struct view image;
    bool mapped;
    uint32_t flags;      /* more COR_PRF_MODULE_* */
    struct view symbols; /* given with its bytes */
    struct module meta;
    struct fake_method *methods; /* by row: [rid - 1] */
    uint32_t method_count;
    /* what an update has done to the metadata: the code of a row is elsewhere, rows follow */
    uint32_t moved_row, added_rows;
};

/* What was added to metadata: a TypeRef, MemberRef, TypeSpec or user string. */
struct fake_definition {
    mdToken token, parent;
    char name[FAKE_NAME_MAX];
    struct view signature;
};

struct fake_clr {
    struct profiler_info info; /* what Initialize is given */
    struct metadata_emit emit;
    struct metadata_assembly_emit assembly_emit;
    struct metadata_import import;
    pthread_mutex_t lock;
    struct arena arena;
    uint8_t memory[1 << 14]; /* of signatures: a test may take all other away */
    size_t memory_used;
    struct fake_module modules[FAKE_MODULES_MAX];
    uint32_t module_count;
    uint32_t loads; /* of modules, from the first one on */
    _Atomic uint32_t event_mask;
    unsigned mask_calls;
    int info_references, emit_references, import_references;
    struct view signatures[FAKE_SIGNATURES_MAX]; /* that GetTokenFromSig was asked for */
    uint32_t signature_count;
    _Atomic unsigned assemblies_defined; /* references to System.Private.CoreLib */
    _Atomic mdToken type_scope;          /* of the last DefineTypeRefByName */
    struct fake_definition definitions[FAKE_DEFINITIONS_MAX]; /* equal ones once */
    uint32_t definition_count;
    ModuleID emit_module, import_module; /* whose metadata GetModuleMetaData gave last */
    /* what it refuses */
    bool no_info5, no_mask, no_emit, no_assembly_emit, no_signatures, no_bodies;
    bool no_strings, no_members, no_type_specs; /* defines none */
    mdToken no_body_of;     /* refuses to take a body of this method; 0: takes all */
    mdToken no_revert_of;   /* keeps the new body of this method */
    mdToken no_layout_of;   /* does not tell where this class has its fields */
    mdToken has_code;       /* this method of any module has been compiled */
    uint16_t runtime_major; /* 10 */
    /* what a newer one has: ICorProfilerInfo10 */
    bool has_info10, no_rejit, is_detachable;
    bool is_deep;           /* thread 1 has many frames */
    bool leaves_guests_out; /* as after a profiler's detach: what they request is not enabled */
    bool is_changeable;     /* as by hot reload: refuses even ReJIT of a method that there is not */
    void (*_Atomic before_rejit)(
        struct fake_clr *clr); /* is called once by the next request, or NULL */
    struct module_enum module_enum;
    uint32_t listed;           /* modules that EnumModules has given out */
    bool no_code_info;         /* it does not say whether a method has been compiled */
    _Atomic unsigned detaches; /* that were asked for */
    bool no_threads;           /* to walk the stacks of */
    struct thread_enum thread_enum;
    uint32_t threads_given;
    bool is_stopped; /* between SuspendRuntime and ResumeRuntime */
    unsigned stops;
};

FunctionID fake_clr_function(const struct fake_module *module, uint32_t rid);

void fake_clr_open(struct fake_clr *clr);
void fake_clr_close(struct fake_clr *clr);

/* Adds a module; fails the test when its image can't be read. Nothing is raised yet. */
struct fake_module *fake_clr_add(struct fake_clr *clr, const char *path, struct view image,
                                 bool mapped);

/* The events, through the callback's vtable; each fails the test unless the answer is S_OK. */
HRESULT fake_clr_start(struct fake_clr *clr); /* Initialize: its answer */
/* InitializeForAttach: its answer; and ProfilerAttachComplete. The client data that name a session:
 *                      how
 * long they are. */
uint32_t fake_clr_client_data(uint8_t *out, const char *session);
HRESULT fake_clr_attach(struct fake_clr *clr, void *data, uint32_t len);
void fake_clr_complete_attach(void);
/* What the runtime does when it compiles anew: GetReJITParameters. Sets body and map when they are
 * given. */
void fake_clr_rejit(struct fake_module *module, uint32_t rid);
void fake_clr_load(struct fake_module *module);
void fake_clr_give_symbols(struct fake_module *module, struct view symbols); /* to a loaded one */
void fake_clr_unload(struct fake_module *module); /* its image is wiped */
/* ModuleUnloadStarted alone; the id that the module had. */
ModuleID fake_clr_begin_unload(struct fake_module *module);
/* Loads a module again that was unloaded: in the same memory, but with an id of its own. `image` is
 * as long as it was, and its bodies are where they were. */
void fake_clr_reload(struct fake_clr *clr, struct fake_module *module, struct view image);
void fake_clr_compile(struct fake_module *module, uint32_t rid);
bool fake_clr_may_use_precompiled(struct fake_module *module, uint32_t rid);
bool fake_clr_may_inline(struct fake_module *module, uint32_t rid);
bool fake_clr_may_inline_into(struct fake_module *caller_module, uint32_t caller,
                              struct fake_module *module, uint32_t rid);

/* A signature by its token, as GetTokenFromSig gave it out; empty when it did not. */
struct view fake_clr_signature(const struct fake_clr *clr, uint32_t token);
/* What was defined, by its token; NULL when nothing was. */
const struct fake_definition *fake_clr_definition(const struct fake_clr *clr, mdToken token);
