/* il_builder.h - methods written in words, with just the metadata that they need, so that tests of
 * the rewriter need no compiler and no .NET.
 *
 * One statement a line or between semicolons: `LABEL: mnemonic operand`. Operands: a number; a
 * label, of `switch` several; of what takes a token a signature and, if it matters, a name and a
 * place:
 *
 *   call bool(int32)                  a static method F of another type
 *   callvirt this:bool() get_X        an instance method
 *   call this:!0() Get of<bool>       a method of a generic type
 *   call !!0() Get <bool>             a generic method
 *   call self; call self_ref          the method itself; likewise, from inside its generic type
 *   call base                         another type's method of the same name and signature
 *   call method 3                     row 3 of the MethodDef table
 *   call object                       the constructor of System.Object
 *   ldfld int32 <>1__state; ldtoken object
 *   ldfld int32 F own                 a field of the method's own type
 *   ldsfld object F of_compiler       of <PrivateImplementationDetails>; at most one
 *
 * Types: void bool char int8 uint8 int32 int64 float64 string object nint !0 !!0, class (of no
 *        name)
 * and generic (one with an argument).
 * Directives:
 *
 *   .stack N   .locals TYPE...   .init   .fat (header)   .wide (clause section)
 *   .try A B catch H E   .try A B finally H E   .try A B fault H E   .try A B filter F H E
 *   .point LINE FIRST-LAST (columns)   .hidden          a sequence point at the next instruction
 *
 * The text of a label stands for its offset; E of a clause for the end of its handler.
 * A mistake in the text fails the test. */
#pragma once

#include "metadata/pdb.h"
#include "rewriter/plan.h"
#include "tests/support/image.h"

enum {
    IL_LABELS_MAX = 512,
    IL_POINTS_MAX = 64,
    IL_CLAUSES_MAX = 64,
    IL_METHOD_RID = 1
};

struct il_label {
    char name[24];
    uint32_t offset; /* UINT32_MAX until it is placed */
};

struct il_fixup {
    uint32_t at, from, label;
    bool is_short;
};

struct il_builder {
    struct image image;
    struct metadata md; /* what flow_build wants to know */
    struct writer code;
    struct writer body;    /* the finished one */
    struct view signature; /* of the method that is written, and its rid */
    uint32_t method_rid;
    struct il_label labels[IL_LABELS_MAX];
    uint32_t label_count;
    struct il_fixup fixups[IL_LABELS_MAX * 2];
    uint32_t fixup_count;
    uint32_t clauses[IL_CLAUSES_MAX][6]; /* flags, then labels */
    uint32_t clause_count;
    struct seq_point points[IL_POINTS_MAX];
    uint32_t point_count;
    uint32_t max_stack, local_sig;
    bool init_locals, fat, wide;
};

/* `signature` of the method, as for `call`: "void()", "this:bool(int32)"; before it "aggressive:"
 * or "async:", of MethodImplOptions. */
void il_begin(struct il_builder *b, const char *signature);
void il_free(struct il_builder *b);

/* The body of the method with this text; b->md is complete then. */
struct view il_assemble(struct il_builder *b, const char *text);

/* Another method with this body, in the section of b->image; its rid. image_pe(&b->image, ...) then
 * gives a module with them all; the method of il_begin has no body there. */
uint32_t il_add_method(struct il_builder *b, const char *signature, const char *text);

/* Likewise, with MethodAttributes and MethodImplAttributes; the body comes out as well. */
uint32_t il_add_method_as(struct view *body, struct il_builder *b, uint32_t flags,
                          uint32_t impl_flags, const char *signature, const char *text);

/* The offset of a label. */
uint32_t il_offset(const struct il_builder *b, const char *label);
struct seq_points il_points(struct il_builder *b);

/* A method with its flow graph and plan. */
struct il_method {
    struct il_builder builder;
    struct arena arena;
    struct view body;
    struct flow flow;
    struct plan plan;
};

/* Assembles, and fails the test when the body is refused. */
void il_method_open(struct il_method *method, const char *signature, const char *text);
/* In code built with optimisation: where blocks are split depends on it. */
void il_method_open_optimised(struct il_method *method, const char *signature, const char *text);
/* In a module that refers to FSharp.Core. */
void il_method_open_fsharp(struct il_method *method, const char *signature, const char *text);
void il_method_close(struct il_method *method);

/* The verdict on a body that flow_build may refuse. */
enum verdict il_verdict(const char *signature, const char *text);

/* The block or edge between labels; fails the test when there is none. */
uint32_t il_block(const struct il_method *method, const char *label);
uint32_t il_edge(const struct il_method *method, const char *from, const char *to);
