/* test_hook.h - the code around the body of a test, or of what else is told apart, that says whose
 * hits the following ones are, whichever way control leaves the body:
 *
 *      enter(&this, number);
 *      try { the body, with `returned(handle of the result); leave` in place of each `ret` }
 *      finally { leave(number, how); }
 *      return *result(); took_result();
 *
 * All are functions of the library. It keeps what would else need locals: a body may name no local
 * signature that its file lacks (anchor.h).
 * While the library's managed half does not run, a body begins with
 *
 *      try { if (must_start()) AppDomain.CurrentDomain.ExecuteAssembly(path, { argument }); }
 *      catch { refused(); }
 *
 * Source: ECMA-335 III.3.46 (leave), III.3.20 (calli). */
#pragma once

#include "rewriter/body.h"

enum {
    TEST_HOOK_STACK = 6,  /* slots that its code needs at most */
    TEST_HOOK_NOTHING = 1 /* in place of a handle: the method returns nothing */
};

/* Addresses of functions of the library. */
struct test_hook_functions {
    uint64_t enter, returned, leave, result, took_result, must_start, refused;
};

/* Tokens in the module of the body. */
struct test_hook_tokens {
    /* unmanaged: void (native int, int32); void (native int), without a transition;
     * void (int32, int32); native int (); void () */
    uint32_t enter_sig, returned_sig, leave_sig, result_sig, plain_sig;
    uint32_t alloc, to_pointer;            /* of GCHandle */
    uint32_t current_domain, run_assembly; /* of AppDomain */
    uint32_t object, string;               /* types */
    uint32_t path, argument;               /* user strings */
};

struct test_hook {
    struct test_hook_functions functions;
    const struct test_hook_tokens *tokens;
    uint32_t number;
    bool has_object;   /* `this` is an object */
    bool starts;       /* it may have to start the managed half */
    bool gives_result; /* the method returns something */
    uint32_t box;      /* token of the result's type; 0: it is an object */
    uint8_t how;       /* what a `ret` means */
};

void test_hook_write_enter(struct writer *w, const struct test_hook *test_hook);
/* In place of a `ret`, before a `leave`. */
void test_hook_write_return(struct writer *w, const struct test_hook *test_hook);
void test_hook_write_leave(struct writer *w, const struct test_hook *test_hook);
/* What follows the whole. */
void test_hook_write_end(struct writer *w, const struct test_hook *test_hook);

/* If it starts the managed half: that code, which comes first, and its clause. */
void test_hook_write_start(struct writer *w, struct eh_clause *clause,
                           const struct test_hook *test_hook);
