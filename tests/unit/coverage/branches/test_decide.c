/* test_decide.c - the decisions of a method are those that its programmer wrote, the same in code
 * built with and without optimisation. Each case is C# in words and its IL in the shape that a
 * compiler gives it; expected are `line:outcomes` in the order of the code, with `s` behind for a
 * switch. */
#include "coverage/branches/decisions.h"

#include <stdio.h>

#include "tests/support/check.h"
#include "tests/support/il_builder.h"

struct source {
    const char *name, *signature, *expected;
    const char *debug, *release; /* either may be NULL */
    bool is_state_machine;
};

/* if (a) X(); else Y(); */
#define IF_ELSE_DEBUG                                                                              \
    ".locals bool; .point 1 1-2; nop; .point 2; ldarg.0; stloc.0; .hidden; ldloc.0; brfalse.s L;"  \
    ".point 3 1-2; nop; .point 4; call void(); nop; .point 5 1-2; nop; .hidden; br.s E;"           \
    "L: .point 6 1-2; nop; .point 7; call void(); nop; .point 8 1-2; nop; E: .point 9 1-2; ret"
#define IF_ELSE_RELEASE                                                                            \
    ".point 2; ldarg.0; brfalse.s L; .point 4; call void(); .hidden; ret; L: .point 7;"            \
    "call void(); .point 9 1-2; ret"

/* The way out of a state machine that waits, and what comes before and after it. */
#define SUSPEND "ldarg.0; ldc.i4.0; stfld int32 <>1__state; call void(); ret;"
#define AWAIT                                                                                      \
    "call object(); stloc.0; .hidden; ldloc.0; call this:bool() get_IsCompleted; brtrue.s "        \
    "D;" SUSPEND "D: ldloc.0; call this:int32() GetResult;"

static const struct source sources[] = {
    {"if and else", "void(bool)", "2:2", IF_ELSE_DEBUG, IF_ELSE_RELEASE, false},

    {"if without else", "void(int32)", "2:2",
     ".locals bool; .point 1 1-2; nop; .point 2; ldarg.0; ldc.i4.3; cgt; stloc.0; .hidden; ldloc.0;"
     "brfalse.s E; .point 3; call void(); nop; E: .point 4 1-2; ret",
     ".point 2; ldarg.0; ldc.i4.3; ble.s E; .point 3; call void(); E: .point 4 1-2; ret", false},

    {"if (a > 0 && b > 0)", "void(int32,int32)", "2:2 2:2",
     ".locals bool; .point 1 1-2; nop; .point 2; ldarg.0; ldc.i4.0; ble.s F; ldarg.1; ldc.i4.0; "
     "cgt;"
     "br.s J; F: ldc.i4.0; J: stloc.0; .hidden; ldloc.0; brfalse.s L; .point 3; call void(); nop;"
     ".hidden; br.s E; L: .point 4; call void(); nop; E: .point 5 1-2; ret",
     ".point 2; ldarg.0; ldc.i4.0; ble.s L; ldarg.1; ldc.i4.0; ble.s L; .point 3; call void();"
     ".hidden; ret; L: .point 4; call void(); .point 5 1-2; ret",
     false},

    {"if (a || b)", "void(bool,bool)", "2:2 2:2",
     ".locals bool; .point 2; ldarg.0; brtrue.s T; ldarg.1; br.s J; T: ldc.i4.1; J: stloc.0;"
     ".hidden; ldloc.0; brfalse.s E; .point 3; call void(); nop; E: .point 4 1-2; ret",
     ".point 2; ldarg.0; brtrue.s T; ldarg.1; brfalse.s E; T: .point 3; call void();"
     "E: .point 4 1-2; ret",
     false},

    {"if (a && b && c)", "void(bool,bool,bool)", "2:2 2:2 2:2",
     ".locals bool; .point 2; ldarg.0; brfalse.s F; ldarg.1; brfalse.s F; ldarg.2; br.s J;"
     "F: ldc.i4.0; J: stloc.0; .hidden; ldloc.0; brfalse.s E; .point 3; call void(); nop;"
     "E: .point 4 1-2; ret",
     ".point 2; ldarg.0; brfalse.s E; ldarg.1; brfalse.s E; ldarg.2; brfalse.s E; .point 3;"
     "call void(); E: .point 4 1-2; ret",
     false},

    {"return a && b;", "bool(bool,bool)", "2:2 2:2",
     ".locals bool; .point 1 1-2; nop; .point 2; ldarg.0; brfalse.s F; ldarg.1; br.s J;"
     "F: ldc.i4.0; J: stloc.0; br.s E; E: .point 3 1-2; ldloc.0; ret",
     ".point 2; ldarg.0; brfalse.s F; ldarg.1; ret; F: ldc.i4.0; ret", false},

    {"return a ? 1 : 2;", "int32(bool)", "2:2",
     ".locals int32; .point 1 1-2; nop; .point 2; ldarg.0; brtrue.s T; ldc.i4.2; br.s J;"
     "T: ldc.i4.1; J: stloc.0; br.s E; E: .point 3 1-2; ldloc.0; ret",
     ".point 2; ldarg.0; brtrue.s T; ldc.i4.2; ret; T: ldc.i4.1; ret", false},

    {"return a ?? b;", "object(object,object)", "2:2",
     ".locals object; .point 1 1-2; nop; .point 2; ldarg.0; dup; brtrue.s J; pop; ldarg.1;"
     "J: stloc.0; br.s E; E: .point 3 1-2; ldloc.0; ret",
     ".point 2; ldarg.0; dup; brtrue.s J; pop; ldarg.1; J: ret", false},

    {"return n is 1 or 3;", "bool(int32)", "2:2",
     ".locals bool bool; .point 1 1-2; nop; .point 2; ldarg.0; ldc.i4.1; sub; switch T F T; br.s F;"
     "T: ldc.i4.1; stloc.0; br.s J; F: ldc.i4.0; stloc.0; J: ldloc.0; stloc.1; br.s E;"
     "E: .point 3 1-2; ldloc.1; ret",
     ".locals bool; .point 2; ldarg.0; ldc.i4.1; sub; switch T F T; br.s F; T: ldc.i4.1; stloc.0;"
     "br.s J; F: ldc.i4.0; stloc.0; J: ldloc.0; ret",
     false},

    {"if (n is 1 or 3)", "void(int32)", "2:2",
     ".locals bool bool; .point 2; ldarg.0; ldc.i4.1; sub; switch T F T; br.s F; T: ldc.i4.1;"
     "stloc.0; br.s J; F: ldc.i4.0; stloc.0; J: ldloc.0; stloc.1; .hidden; ldloc.1; brfalse.s E;"
     ".point 3; call void(); nop; E: .point 4 1-2; ret",
     ".locals bool; .point 2; ldarg.0; ldc.i4.1; sub; switch T F T; br.s F; T: ldc.i4.1; stloc.0;"
     "br.s J; F: ldc.i4.0; stloc.0; J: ldloc.0; brfalse.s E; .point 3; call void(); E: .point 4 "
     "1-2;"
     "ret",
     false},

    {"return s is null or \"\" or \"x\";", "bool(string)", "2:2 2:2 2:2", NULL,
     ".locals bool; .point 2; ldarg.0; brfalse.s T; ldarg.0; brfalse.s N; ldarg.0;"
     "call this:int32() get_Length; brfalse.s T; N: ldarg.0; ldstr;"
     "call bool(string,string) op_Equality; brtrue.s T; br.s F; T: ldc.i4.1; stloc.0; br.s J;"
     "F: ldc.i4.0; stloc.0; J: ldloc.0; ret",
     false},

    {"return s is \"a\" or \"b\"; found by a hash", "bool(string)", "2:2 2:2", NULL,
     ".locals bool int32; .point 2; ldarg.0; call int32(string) ComputeStringHash; stloc.1;"
     "ldloc.1; ldc.i4.5; beq.s A; ldloc.1; ldc.i4.7; beq.s B; br.s F; A: ldarg.0; ldstr;"
     "call bool(string,string) op_Equality; brtrue.s T; br.s F; B: ldarg.0; ldstr;"
     "call bool(string,string) op_Equality; brtrue.s T; br.s F; T: ldc.i4.1; stloc.0; br.s J;"
     "F: ldc.i4.0; stloc.0; J: ldloc.0; ret",
     false},

    {"return o is 3;", "bool(object)", "2:2",
     ".locals bool; .point 1 1-2; nop; .point 2; ldarg.0; isinst; brfalse.s F; ldarg.0; unbox.any;"
     "ldc.i4.3; ceq; br.s J; F: ldc.i4.0; J: stloc.0; br.s E; E: .point 3 1-2; ldloc.0; ret",
     ".point 2; ldarg.0; isinst; brfalse.s F; ldarg.0; unbox.any; ldc.i4.3; ceq; ret; F: ldc.i4.0;"
     "ret",
     false},

    {"while (a > i) Body();", "void(int32)", "3:2",
     ".locals int32 bool; .point 2; ldc.i4.0; stloc.0; .hidden; br.s C; B: .point 4; call void();"
     "nop; C: .point 3; ldloc.0; ldarg.0; clt; stloc.1; .hidden; ldloc.1; brtrue.s B;"
     ".point 5 1-2; ret",
     ".locals int32; .point 2; ldc.i4.0; stloc.0; .hidden; br.s C; B: .point 4; call void();"
     "C: .point 3; ldloc.0; ldarg.0; blt.s B; .point 5 1-2; ret",
     false},

    {"do Body(); while (a);", "void(bool)", "3:2",
     ".locals bool; B: .point 2; call void(); nop; .point 3; ldarg.0; stloc.0; .hidden; ldloc.0;"
     "brtrue.s B; .point 4 1-2; ret",
     "B: .point 2; call void(); .point 3; ldarg.0; brtrue.s B; .point 4 1-2; ret", false},

    {"while (true) Body();", "void()", "",
     ".locals bool; .hidden; br.s C; B: .point 3; call void(); nop; C: .point 2; ldc.i4.1; stloc.0;"
     ".hidden; br.s B",
     "B: .point 3; call void(); .hidden; br.s B", false},

    {"while (true) that the compiler tests", "void()", "",
     ".locals bool; .hidden; br.s C; B: .point 3; call void(); nop; C: .point 2; ldc.i4.1; stloc.0;"
     ".hidden; ldloc.0; brtrue.s B; ret",
     NULL, false},

    {"switch with three arms and no default", "void(int32)", "2:4s",
     ".locals int32 int32; .point 1 1-2; nop; .point 2; ldarg.0; stloc.1; .hidden; ldloc.1; "
     "stloc.0;"
     ".hidden; ldloc.0; switch A B C; br.s E; A: .point 3; call void(); nop; .point 4; br.s E;"
     "B: .point 5; call void(); nop; .point 6; br.s E; C: .point 7; call void(); nop; .point 8;"
     "br.s E; E: .point 9; call void(); nop; .point 10 1-2; ret",
     NULL, false},

    /* Release has no point for the head: the decision is on the first arm */
    {"likewise, optimised", "void(int32)", "3:4s", NULL,
     ".hidden; ldarg.0; switch A B C; br.s E; A: .point 3; call void(); .point 4; br.s E;"
     "B: .point 5; call void(); .point 6; br.s E; C: .point 7; call void(); E: .point 9;"
     "call void(); .point 10 1-2; ret",
     false},

    {"labels that share a body are one arm", "void(int32)", "2:3s",
     ".locals int32 int32; .point 2; ldarg.0; stloc.1; .hidden; ldloc.1; stloc.0; .hidden; ldloc.0;"
     "switch A A B; br.s D; A: .point 3; call void(); nop; .point 4; br.s E; B: .point 5;"
     "call void(); nop; .point 6; br.s E; D: .point 7; call void(); nop; .point 8; br.s E;"
     "E: .point 9 1-2; ret",
     NULL, false},

    {"switch as a tree of conditions", "void(int32)", "2:4s",
     ".locals int32 int32; .point 2; ldarg.0; stloc.1; .hidden; ldloc.1; stloc.0; .hidden; ldloc.0;"
     "ldc.i4.s 100; beq.s A; .hidden; br.s N; N: ldloc.0; ldc.i4 5000; beq.s B; .hidden; br.s O;"
     "O: ldloc.0; ldc.i4 70000; beq.s C; br.s E; A: .point 3; call void(); nop; .point 4; br.s E;"
     "B: .point 5; call void(); nop; .point 6; br.s E; C: .point 7; call void(); nop; .point 8;"
     "br.s E; E: .point 9; call void(); nop; .point 10 1-2; ret",
     NULL, false},

    {"switch expression", "object(int32)", "2:3s",
     ".locals object object; .point 2 9-60; ldc.i4.1; brtrue.s S; .point 2 18-60; nop;"
     "S: .hidden; ldarg.0; switch A B; br.s D; A: .point 3 18-24; ldstr; stloc.0; br.s J;"
     "B: .point 4 18-24; ldstr; stloc.0; br.s J; D: .point 5 18-24; ldstr; stloc.0; br.s J;"
     "J: .hidden; ldc.i4.1; brtrue.s K; .point 2 9-60; nop; K: .hidden; ldloc.0; stloc.1; br.s E;"
     "E: .point 6 1-2; ldloc.1; ret",
     NULL, false},

    {"two ifs in a row", "void(bool,bool)", "2:2 4:2",
     ".locals bool bool; .point 2; ldarg.0; stloc.0; .hidden; ldloc.0; brfalse.s M; .point 3;"
     "call void(); nop; M: .point 4; ldarg.1; stloc.1; .hidden; ldloc.1; brfalse.s E; .point 5;"
     "call void(); nop; E: .point 6 1-2; ret",
     ".point 2; ldarg.0; brfalse.s M; .point 3; call void(); M: .point 4; ldarg.1; brfalse.s E;"
     ".point 5; call void(); E: .point 6 1-2; ret",
     false},

    /* if (x) return false; return f(); looks like !x && f() to the plan */
    {"early return beside a call", "bool(bool)", "2:2", NULL,
     ".point 2; ldarg.0; brfalse.s N; .point 3; ldc.i4.0; ret; N: .point 4; call bool(); ret",
     false},

    {"using: the check before Dispose", "void(object)", "",
     ".try T H finally H E; .locals object; .point 2; ldarg.0; stloc.0; T: .point 3 1-2; nop;"
     ".point 4; call void(); nop; .point 5 1-2; nop; leave.s E; H: .hidden; ldloc.0; brfalse.s X;"
     "ldloc.0; callvirt this:void() Dispose; nop; .hidden; X: endfinally; E: .point 6 1-2; ret",
     ".try T H finally H E; .locals object; .point 2; ldarg.0; stloc.0; T: .point 4; call void();"
     ".point 5 1-2; leave.s E; H: .hidden; ldloc.0; brfalse.s X; ldloc.0;"
     "callvirt this:void() Dispose; .hidden; X: endfinally; E: .point 6 1-2; ret",
     false},

    {"a lambda that is kept", "void()", "",
     ".point 2; ldsfld object <>9__0_0; dup; brtrue.s J; pop; ldnull; ldftn void();"
     "newobj this:void(object,nint); dup; stsfld object <>9__0_0; J: call void(object); nop;"
     ".point 3 1-2; ret",
     ".point 2; ldsfld object <>9__0_0; dup; brtrue.s J; pop; ldnull; ldftn void();"
     "newobj this:void(object,nint); dup; stsfld object <>9__0_0; J: call void(object);"
     ".point 3 1-2; ret",
     false},

    {"a property's field is the user's", "void()", "2:2", NULL,
     ".point 2; ldsfld bool <Ready>k__BackingField; brfalse.s E; .point 3; call void();"
     "E: .point 4 1-2; ret",
     false},

    {"catch when (a)", "void(bool)", "5:2",
     ".try A F filter F H E; .locals bool; A: .point 2; call void(); nop; leave.s E;"
     "F: .hidden; isinst; dup; brtrue.s G; pop; ldc.i4.0; br.s X; G: pop; .point 5; ldarg.0;"
     "stloc.0; .hidden; ldloc.0; ldc.i4.0; cgt.un; X: endfilter; H: .hidden; pop; .point 6;"
     "call void(); nop; leave.s E; E: .point 9 1-2; ret",
     ".try A F filter F H E; A: .point 2; call void(); leave.s E; F: .hidden; isinst; dup;"
     "brtrue.s G; pop; ldc.i4.0; br.s X; G: pop; .point 5; ldarg.0; ldc.i4.0; cgt.un; X: endfilter;"
     "H: .hidden; pop; .point 6; call void(); leave.s E; E: .point 9 1-2; ret",
     false},

    {"state of a state machine", "this:bool()", "4:2", NULL,
     ".locals int32; ldarg.0; ldfld int32 <>1__state; stloc.0; .hidden; ldloc.0; brfalse.s A;"
     "ldloc.0; ldc.i4.1; beq.s B; ldc.i4.0; ret; A: .hidden; ldarg.0; ldc.i4.m1;"
     "stfld int32 <>1__state; .point 3; call void(); .point 4; call bool(); brfalse.s E;"
     ".point 5; call void(); B: .hidden; ldarg.0; ldc.i4.m1; stfld int32 <>1__state;"
     "E: .point 6; ldc.i4.0; ret",
     true},

    {"await: is it completed?", "this:void()", "",
     ".locals object; .point 3; call object(); stloc.0; .hidden; ldloc.0;"
     "call this:bool() get_IsCompleted; brtrue.s D; .hidden;" SUSPEND "D: ldloc.0;"
     "call this:void() GetResult; nop; .point 4 1-2; ret",
     ".locals object; .point 3; call object(); stloc.0; ldloc.0; call this:bool() get_IsCompleted;"
     "brtrue.s D;" SUSPEND "D: ldloc.0; call this:void() GetResult; .point 4 1-2; ret",
     true},

    {"if (await a > 4)", "this:void()", "3:2",
     ".locals object bool; .point 3;" AWAIT "ldc.i4.4; cgt; stloc.1; .hidden; ldloc.1; brfalse.s E;"
     ".point 4; call void(); nop; E: .point 5 1-2; ret",
     ".locals object; .point 3;" AWAIT "ldc.i4.4; ble.s E; .point 4; call void();"
     "E: .point 5 1-2; ret",
     true},

    {"x = a && await b", "this:void(bool)", "3:2 3:2",
     ".locals object bool bool; .point 3; ldarg.1; stloc.1; ldloc.1; brfalse.s J;" AWAIT
     "ldc.i4.4; cgt; stloc.1; J: ldloc.1; stloc.2; .point 5 1-2; ret",
     ".locals object bool bool; .point 3; ldarg.1; stloc.1; ldloc.1; brfalse.s J;" AWAIT
     "ldc.i4.4; cgt; stloc.1; J: ldloc.1; stloc.2; .point 5 1-2; ret",
     true},

    {"if (a && await b): the test of both is not a decision", "this:void(bool)", "3:2 3:2",
     ".locals object bool bool; .point 3; ldarg.1; stloc.1; ldloc.1; brfalse.s J;" AWAIT
     "ldc.i4.4; cgt; stloc.1; J: ldloc.1; stloc.2; .hidden; ldloc.2; brfalse.s E; .point 4;"
     "call void(); nop; E: .point 5 1-2; ret",
     ".locals object bool; .point 3; ldarg.1; stloc.1; ldloc.1; brfalse.s J;" AWAIT
     "ldc.i4.4; cgt; stloc.1; J: ldloc.1; brfalse.s E; .point 4; call void(); E: .point 5 1-2; ret",
     true},

    {"what an await is kept in is the user's where a point is visible", "this:void()", "3:2", NULL,
     ".point 3; ldarg.0; ldfld int32 <>7__wrap1; brfalse.s E; .point 4; call void();"
     "E: .point 5 1-2; ret",
     true},

    {"how a try was left, kept while its finally awaits", "this:void()", "", NULL,
     ".point 3; ldarg.0; ldc.i4.1; stfld int32 <>7__wrap2; .hidden; call void(); ldarg.0;"
     "ldfld int32 <>7__wrap2; ldc.i4.1; bne.un.s E; .hidden; ret; E: .point 5; call void();"
     ".point 6 1-2; ret",
     true},

    {"throw; after an await", "this:void()", "", NULL,
     ".locals object; .point 3; ldarg.0; ldfld object <>7__wrap1; isinst; dup; brtrue.s D; pop;"
     "ldarg.0; ldfld object <>7__wrap1; throw; D: call void(object); .point 5 1-2; ret",
     true},

    {"a user's IsCompleted in an async method", "this:void(object)", "2:2", NULL,
     ".point 2; ldarg.1; callvirt this:bool() get_IsCompleted; brfalse.s E; .point 3; call void();"
     "E: .point 4 1-2; ret",
     true},

    {"if (a) b.Dispose();", "void(bool,object)", "2:2",
     ".locals bool; .point 2; ldarg.0; stloc.0; .hidden; ldloc.0; brfalse.s E; .point 3; ldarg.1;"
     "callvirt this:void() Dispose; nop; E: .point 4 1-2; ret",
     ".point 2; ldarg.0; brfalse.s E; .point 3; ldarg.1; callvirt this:void() Dispose;"
     "E: .point 4 1-2; ret",
     false},

    {"x = a && b; y = x ? 1 : 2;", "void(bool,bool)", "2:2 2:2 3:2",
     ".locals bool; .point 2; ldarg.0; brfalse.s F; ldarg.1; br.s J; F: ldc.i4.0; J: stloc.0;"
     ".point 3; ldloc.0; brtrue.s T; ldc.i4.2; br.s C; T: ldc.i4.1; C: call void(int32); nop;"
     ".point 4 1-2; ret",
     NULL, false},

    {"if (x is 5 or 7)", "void(int32)", "2:2 2:2",
     ".locals int32 int32; .point 2; ldarg.0; ldc.i4.5; beq.s T; ldarg.0; ldc.i4.7; beq.s T; br.s "
     "F;"
     "T: ldc.i4.1; stloc.0; br.s J; F: ldc.i4.0; stloc.0; br.s J; J: ldloc.0; stloc.1; .hidden;"
     "ldloc.1; brfalse.s E; .point 3; call void(); nop; E: .point 4 1-2; ret",
     ".point 2; ldarg.0; ldc.i4.5; beq.s T; ldarg.0; ldc.i4.7; bne.un.s E; T: .point 3; call "
     "void();"
     "E: .point 4 1-2; ret",
     false},

    {"if (a || (b && c))", "void(bool,bool,bool)", "2:2 2:2 2:2",
     ".locals bool; .point 2; ldarg.0; brtrue.s T; ldarg.1; brfalse.s F; ldarg.2; br.s I; F: "
     "ldc.i4.0;"
     "I: br.s J; T: ldc.i4.1; J: stloc.0; .hidden; ldloc.0; brfalse.s E; .point 3; call void(); "
     "nop;"
     "E: .point 4 1-2; ret",
     ".point 2; ldarg.0; brtrue.s T; ldarg.1; brfalse.s E; ldarg.2; brfalse.s E; T: .point 3;"
     "call void(); E: .point 4 1-2; ret",
     false},

    {"if (!(x is T t))", "void(object)", "2:2",
     ".locals object bool; .point 2; ldarg.0; brfalse.s F; ldarg.0; stloc.0; ldc.i4.1; ldc.i4.0;"
     "ceq; br.s J; F: ldc.i4.1; J: stloc.1; .hidden; ldloc.1; brfalse.s E; .point 3; call void(); "
     "nop;"
     "E: .point 4 1-2; ret",
     NULL, false},

    {"x = a || (b ? c : d)", "void(bool,bool,bool,bool)", "2:2 2:2 2:2 2:2",
     ".locals bool; .point 2; ldarg.0; brtrue.s T; ldarg.1; brtrue.s C; ldarg.3; br.s I; C: "
     "ldarg.2;"
     "I: br.s J; T: ldc.i4.1; J: stloc.0; .point 3 1-2; ret",
     ".locals bool; .point 2; ldarg.0; brtrue.s T; ldarg.1; brtrue.s C; ldarg.3; br.s J; C: "
     "ldarg.2;"
     "br.s J; T: ldc.i4.1; J: stloc.0; .point 3 1-2; ret",
     false},

    {"f(a && b, c ? 1 : 2)", "void(bool,bool,bool)", "2:2 2:2 2:2", NULL,
     ".point 2; ldarg.0; brfalse.s F; ldarg.1; br.s J; F: ldc.i4.0; J: ldarg.2; brtrue.s T; "
     "ldc.i4.2;"
     "br.s C; T: ldc.i4.1; C: call void(bool,int32); .point 3 1-2; ret",
     false},

    {"a task's IsCompleted outside of a state machine", "void(object)", "2:2", NULL,
     ".point 2; ldarg.0; callvirt this:bool() get_IsCompleted; brfalse.s E; .point 3; call void();"
     "E: .point 4 1-2; ret",
     false},

    {"two conditions on one text, with three places to go", "void(bool,bool)", "2:3s",
     ".point 2; ldarg.0; brtrue.s A; .point 2; ldarg.1; brtrue.s B; .point 3; call void(); ret;"
     "A: .point 4; call void(); ret; B: .point 5; call void(); ret",
     NULL, false},

    {"a handler that says whether it wants the text", "void(object)", "",
     ".locals object bool; .point 2; ldarg.0; ldloca.s 1; newobj this:void(object,bool) .ctor; "
     "stloc.0;"
     "ldloc.1; brfalse.s J; ldloc.0; ldstr; call void(object,string) AppendLiteral;"
     "J: ldloc.0; call void(object); .point 3 1-2; ret",
     NULL, false},

    {"if (f(out ok)) of an object that was just made", "void(object)", "3:2", NULL,
     ".locals object bool; .point 2; ldarg.0; ldloca.s 1; newobj this:void(object,bool) .ctor;"
     "stloc.0; .point 3; ldloc.1; brfalse.s J; .point 4; ldloc.0; ldstr;"
     "call void(object,string) AppendLiteral; J: .point 5 1-2; ret",
     false},

    {"if (doneEvent is { } x) x.Set()", "this:void()", "2:2", NULL,
     ".locals object; .point 2; ldarg.0; ldfld object doneEvent; stloc.0; ldloc.0; brfalse.s E;"
     "ldloc.0; callvirt this:void() Set; E: .point 3 1-2; ret",
     false},

    {"texts appended until one is too long", "void(object)", "",
     ".point 2; ldarg.0; ldstr; call bool(object,string) AppendLiteral; brfalse.s F; ldarg.0;"
     "ldstr; call bool(object,string) AppendFormatted; br.s J; F: ldc.i4.0; J: pop; ldarg.0;"
     "call void(object); .point 3 1-2; ret",
     ".point 2; ldarg.0; ldstr; call bool(object,string) AppendLiteral; brfalse.s F; ldarg.0;"
     "ldstr; call bool(object,string) AppendFormatted; br.s J; F: ldc.i4.0; J: pop; ldarg.0;"
     "call void(object); .point 3 1-2; ret",
     false},

    {"x = p || a > b, of nullables", "bool(bool,object,object)", "2:2 2:2",
     ".locals bool; .point 2; ldarg.0; brtrue.s T; ldarg.1; call bool(object) get_HasValue;"
     "ldarg.2; call bool(object) get_HasValue; and; brtrue.s V; ldc.i4.0; br.s I; V: ldarg.1;"
     "call int32(object) GetValueOrDefault; ldarg.2; call int32(object) GetValueOrDefault;"
     "call bool(int32,int32) op_GreaterThan; I: br.s J; T: ldc.i4.1; J: stloc.0; .point 3; ldloc.0;"
     "ret",
     ".point 2; ldarg.0; brtrue.s T; ldarg.1; call bool(object) get_HasValue; ldarg.2;"
     "call bool(object) get_HasValue; and; brtrue.s V; ldc.i4.0; ret; V: ldarg.1;"
     "call int32(object) GetValueOrDefault; ldarg.2; call int32(object) GetValueOrDefault;"
     "call bool(int32,int32) op_GreaterThan; ret; T: ldc.i4.1; ret",
     false},

    {"no points at all", "void(bool)", "", NULL, "ldarg.0; brtrue.s E; call void(); E: ret", false},

    {"no branch at all", "void()", "", NULL, ".point 2; call void(); .point 3 1-2; ret", false},
};

static const struct source visual_basic[] = {
    {"Select Case of strings", "void(string)", "2:3s",
     ".locals string; .point 2; nop; ldarg.0; stloc.0; ldloc.0; ldstr; ldc.i4.0;"
     "call int32(string,string,bool) CompareString; brfalse.s A; ldloc.0; ldstr; ldc.i4.0;"
     "call int32(string,string,bool) CompareString; brfalse.s B; br.s E; A: .point 3; nop;"
     ".point 4; call void(); nop; br.s E; B: .point 5; nop; .point 6; call void(); nop; br.s E;"
     "E: .point 7 9-19; nop; .point 8 5-12; ret",
     ".locals string; .point 2; ldarg.0; stloc.0; ldloc.0; ldstr; ldc.i4.0;"
     "call int32(string,string,bool) CompareString; brfalse.s A; ldloc.0; ldstr; ldc.i4.0;"
     "call int32(string,string,bool) CompareString; brfalse.s B; ret; A: .point 4; call void();"
     "ret; B: .point 6; call void(); .point 8 5-12; ret",
     false},

    {"If s = \"a\" OrElse s = \"b\"", "void(string)", "2:2 2:2", NULL,
     ".point 2; ldarg.0; ldstr; ldc.i4.0; call int32(string,string,bool) CompareString; brfalse.s "
     "B;"
     "ldarg.0; ldstr; ldc.i4.0; call int32(string,string,bool) CompareString; brtrue.s E;"
     "B: .point 3; call void(); E: .point 4 5-12; ret",
     false},

    {"For i = 1 To n", "void(int32)", "2:2",
     ".locals int32; .point 2; ldc.i4.1; stloc.0; .hidden; br.s T; B: .point 3; call void(); nop;"
     ".point 4 9-13; ldloc.0; ldc.i4.1; add; stloc.0; T: .hidden; ldloc.0; ldarg.0; ble.s B;"
     ".point 5 5-12; ret",
     ".locals int32; .point 2; ldc.i4.1; stloc.0; .hidden; br.s T; B: .point 3; call void();"
     ".point 4 9-13; ldloc.0; ldc.i4.1; add; stloc.0; T: .hidden; ldloc.0; ldarg.0; ble.s B;"
     ".point 5 5-12; ret",
     false},

    {"For Each", "void()", "2:2",
     ".locals bool; .point 2; call void(); .hidden; br.s T; B: .point 3; call void(); nop;"
     ".point 4 9-13; nop; T: .hidden; call bool(); stloc.0; .hidden; ldloc.0; brtrue.s B;"
     ".point 5 5-12; ret",
     ".point 2; call void(); .hidden; br.s T; B: .point 3; call void(); T: .hidden; call bool();"
     "brtrue.s B; .point 5 5-12; ret",
     false},

    {"For of Object", "void(object)", "2:2",
     ".locals bool; .point 2; ldarg.0; call bool(object) ForLoopInitObj; stloc.0; .hidden; ldloc.0;"
     "brfalse.s E; B: .point 3; call void(); .point 4; ldarg.0; call bool(object) ForNextCheckObj;"
     "stloc.0; .hidden; ldloc.0; brtrue.s B; E: .point 5 5-12; ret",
     NULL, false},

    {"If p AndAlso q of Boolean?", "void(object,object)", "2:2 2:2",
     ".locals object object bool; .point 2; ldloca.s 0; call this:bool() get_HasValue; brfalse.s X;"
     "ldloca.s 0; call this:bool() GetValueOrDefault; brfalse.s F; X: ldloca.s 1;"
     "call this:bool() GetValueOrDefault; brfalse.s G; ldloca.s 0; call this:bool() get_HasValue;"
     "br.s H; G: ldc.i4.0; H: br.s J; F: ldc.i4.0; J: stloc.2; .hidden; ldloc.2; brfalse.s E;"
     ".point 3; call void(); E: .point 4 5-12; ret",
     ".locals object object; .point 2; ldloca.s 0; call this:bool() get_HasValue; brfalse.s X;"
     "ldloca.s 0; call this:bool() GetValueOrDefault; brfalse.s E; X: ldloca.s 1;"
     "call this:bool() GetValueOrDefault; brfalse.s E; ldloca.s 0; call this:bool() get_HasValue;"
     "brfalse.s E; .point 3; call void(); E: .point 4 5-12; ret",
     false},

    {"If a AndAlso b of Objects", "void(object,object)", "2:2 2:2", NULL,
     ".point 2; ldarg.0; call bool(object) ToBoolean; brfalse.s F; ldarg.1;"
     "call bool(object) ToBoolean; br.s J; F: ldc.i4.0; J: box; call bool(object) ToBoolean;"
     "brfalse.s E; .point 3; call void(); E: .point 4 5-12; ret",
     false},

    {"a cached lambda", "void()", "",
     ".point 2; ldsfld object $I3-0; brfalse.s N; ldsfld object $I3-0; br.s J; N: ldnull;"
     "ldftn void(); newobj this:void(object,nint); dup; stsfld object $I3-0; J: call void(object);"
     ".point 3 5-12; ret",
     NULL, false},

    {"RaiseEvent", "this:void()", "",
     ".locals object; .point 2; ldarg.0; ldfld object ClickedEvent; stloc.0; ldloc.0; brfalse.s E;"
     "ldloc.0; ldc.i4.3; callvirt this:void(int32) Invoke; E: .point 3 5-12; ret",
     NULL, false},

    {"a Static local", "void()", "",
     ".point 2; ldsfld object $STATIC$M$001$n$Init; brtrue.s I; call void();"
     "I: ldsfld object $STATIC$M$001$n$Init; ldfld int32 State; brtrue.s B; call void(); br.s E;"
     "B: ldsfld object $STATIC$M$001$n$Init; ldfld int32 State; ldc.i4.2; bne.un.s E;"
     "newobj this:void(); throw; E: .point 3 5-12; ret",
     NULL, false},

    {"the state of an iterator", "this:bool()", "2:2",
     ".locals int32; .hidden; ldarg.0; ldfld int32 $State; stloc.0; ldloc.0; brfalse.s A; ldloc.0;"
     "ldc.i4.1; beq.s B; ldc.i4.0; ret; A: ldarg.0; ldc.i4.m1; dup; stloc.0; stfld int32 $State;"
     "B: .point 2; ldarg.0; ldfld int32 $VB$Local_n; ldc.i4.0; ble.s E; .point 3; call void();"
     "E: .point 4 5-17; ldc.i4.0; ret",
     NULL, true},
};

static const struct source fsharp[] = {
    {"a match", "void(object)", "2:3s",
     ".locals object; .point 2; ldarg.0; stloc.0; ldloc.0; isinst; brtrue.s A; ldloc.0; isinst;"
     "brtrue.s B; .hidden; nop; .point 3; call void(); ret; A: .hidden; nop; .point 4; call void();"
     "ret; B: .point 5; call void(); ret",
     ".point 2; ldarg.0; isinst; brtrue.s A; ldarg.0; isinst; brtrue.s B; .point 3; call void();"
     "ret; A: .point 4; call void(); ret; B: .point 5; call void(); ret",
     false},

    {"a test of a pattern after a guard", "void(object,int32)", "2:4s 3:2",
     ".locals object; .point 2; ldarg.0; stloc.0; ldloc.0; isinst; brtrue.s B; .point 3; ldarg.1;"
     "ldc.i4.3; bgt.s A; ldloc.0; isinst; brtrue.s C; .point 6; call void(); ret; A: .point 4;"
     "call void(); ret; B: .point 5; call void(); ret; C: .point 7; call void(); ret",
     NULL, false},

    {"a guard that two ways lead to", "void(object,int32)", "2:2 3:2",
     ".point 2; ldarg.0; isinst; brtrue.s B; .point 3; ldarg.1; ldc.i4.3; bgt.s A; .point 5;"
     "call void(); ret; B: .point 3; ldarg.1; ldc.i4.3; ble.s C; A: .point 4; call void(); ret;"
     "C: .point 6; call void(); ret",
     NULL, false},

    {"let x = a > 0 && b > 0", "bool(int32,int32)", "2:2 3:2",
     ".point 2; ldarg.0; ldc.i4.0; ble.s F; .point 3; ldarg.1; ldc.i4.0; cgt; ret; F: .hidden;"
     "ldc.i4.0; ret",
     NULL, false},

    {"let b = x && y, then if b", "void(bool,bool)", "2:2 3:2 4:2",
     ".locals bool; .point 2; ldarg.0; brfalse.s F; .point 3; ldarg.1; .hidden; nop; br.s J;"
     "F: .hidden; ldc.i4.0; .hidden; nop; J: stloc.0; .point 4; ldloc.0; brfalse.s E; .point 5;"
     "call void(); E: .hidden; ret",
     NULL, false},

    {"let b = x || y, then if b", "void(bool,bool)", "2:2 3:2 4:2",
     ".locals bool; .point 2; ldarg.0; brfalse.s Y; .hidden; ldc.i4.1; .hidden; nop; br.s J;"
     "Y: .point 3; ldarg.1; .hidden; nop; J: stloc.0; .point 4; ldloc.0; brfalse.s E; .point 5;"
     "call void(); E: .hidden; ret",
     NULL, false},

    {"if x && y", "void(bool,bool)", "2:2 3:2",
     ".point 1; nop; .point 2; ldarg.0; brfalse.s F; .point 3; ldarg.1; .hidden; nop; br.s J;"
     "F: .hidden; ldc.i4.0; .hidden; nop; J: brfalse.s E; .point 5; call void(); E: .hidden; ret",
     NULL, false},

    {"let b = if x then y else z, then if b", "void(bool,bool,bool)", "2:2 5:2",
     ".locals bool; .point 2; ldarg.0; brfalse.s Z; .point 3; ldarg.1; .hidden; nop; br.s J;"
     "Z: .point 4; ldarg.2; .hidden; nop; J: stloc.0; .point 5; ldloc.0; brfalse.s E; .point 6;"
     "call void(); E: .hidden; ret",
     NULL, false},

    {"no points at all", "void(object)", "",
     "ldarg.0; isinst; brtrue.s E; ldarg.0; brfalse.s E; call void(); E: ret", NULL, false},

    {"a loop that was copied from FSharp.Core", "void(object)", "",
     ".point 2; ldarg.0; call void(object); br.s T; B: call void(); T: ldarg.0;"
     "callvirt this:bool() MoveNext; brtrue.s B; .point 3; call void(); ret",
     NULL, false},
};

static void describe(char *out, size_t room, const struct decisions *decisions,
                     const struct seq_points *points)
{
    size_t len = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < decisions->count; i++) {
        const struct decision *d = &decisions->items[i];
        int written = snprintf(out + len, room - len, "%s%u:%u%s", i == 0 ? "" : " ",
                               (unsigned)points->points[d->point].start_line,
                               (unsigned)d->outcome_count, d->is_switch ? "s" : "");
        assert_true(written > 0 && (size_t)written < room - len);
        len += (size_t)written;
    }
}

static void decide_on(struct decisions *out, struct il_method *m, bool is_state_machine,
                      enum language language)
{
    struct seq_points points = il_points(&m->builder);
    struct err err;
    struct statements_source source = {
        .flow = &m->flow,
        .points = &points,
        .language = language,
        .is_state_machine = is_state_machine,
    };
    if (!decide(out, &source, &m->plan, &m->arena, &err))
        fail_msg("%s", err.text);
}

/* Whatever the decisions are, their parts name something that is counted. */
static void assert_sound(const struct il_method *m, const struct decisions *decisions)
{
    for (uint32_t i = 0; i < decisions->count; i++) {
        const struct decision *d = &decisions->items[i];
        if (i != 0)
            assert_true(d->il_offset >= decisions->items[i - 1].il_offset);
        assert_true(d->outcome_count >= 2);
        assert_true(d->is_switch || d->outcome_count == 2); /* facts_check refuses others */
        assert_true(d->point < m->builder.point_count);
        assert_true(d->first_part + d->part_count <= decisions->part_count);
        uint32_t seen = 0;
        for (uint32_t n = d->first_part; n < d->first_part + d->part_count; n++) {
            const struct outcome_part *part = &decisions->parts[n];
            assert_true(part->outcome < d->outcome_count);
            assert_true(part->index <
                        (part->source == SOURCE_EDGE ? m->flow.edge_count : m->plan.counter_count));
            seen |= 1u << part->outcome;
        }
        assert_int_equal(seen, (1u << d->outcome_count) - 1);
    }
}

static unsigned classify(const struct source *source, const char *text, bool optimised,
                         enum language language)
{
    struct il_method m;
    struct decisions decisions;
    char found[128];
    if (text == NULL)
        return 0;
    (optimised ? il_method_open_optimised : il_method_open)(&m, source->signature, text);
    decide_on(&decisions, &m, source->is_state_machine, language);
    assert_sound(&m, &decisions);
    struct seq_points points = il_points(&m.builder);
    describe(found, sizeof found, &decisions, &points);
    bool fine = strcmp(found, source->expected) == 0;
    if (!fine)
        print_error("%s, %s: \"%s\" instead of \"%s\"\n", source->name,
                    optimised ? "release" : "debug", found, source->expected);
    il_method_close(&m);
    return !fine;
}

static void decisions_are_those_that_were_written(void **state)
{
    const struct {
        const struct source *sources;
        size_t count;
        enum language language;
    } lists[] = {
        {sources, ARRAY_LEN(sources), LANGUAGE_CSHARP},
        {visual_basic, ARRAY_LEN(visual_basic), LANGUAGE_VISUAL_BASIC},
        {fsharp, ARRAY_LEN(fsharp), LANGUAGE_FSHARP},
    };
    unsigned wrong = 0;
    (void)state;
    for (size_t n = 0; n < ARRAY_LEN(lists); n++)
        for (size_t i = 0; i < lists[n].count; i++) {
            const struct source *source = &lists[n].sources[i];
            wrong += classify(source, source->debug, false, lists[n].language);
            wrong += classify(source, source->release, true, lists[n].language);
        }
    assert_int_equal(wrong, 0);
}

/* The count of an outcome, as collect.c adds it up. */
static uint64_t outcome_count(const struct il_method *m, const struct decisions *decisions,
                              uint32_t n, uint32_t outcome, const uint64_t *counters)
{
    struct plan_counts counts;
    struct arena arena;
    uint64_t sum = 0;
    const struct decision *d = &decisions->items[n];
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_true(plan_count(&counts, &m->plan, &m->flow, counters, &arena, NULL));
    for (uint32_t i = d->first_part; i < d->first_part + d->part_count; i++) {
        const struct outcome_part *part = &decisions->parts[i];
        if (part->outcome == outcome)
            sum += part->source == SOURCE_EDGE ? counts.edges[part->index] : counters[part->index];
    }
    arena_free(&arena);
    return sum;
}

static void outcomes_of_a_condition_are_its_ways(void **state)
{
    struct il_method m;
    struct decisions decisions;
    uint64_t counters[16] = {0};
    (void)state;
    il_method_open_optimised(&m, "void(bool)", IF_ELSE_RELEASE);
    decide_on(&decisions, &m, false, LANGUAGE_CSHARP);
    assert_int_equal(decisions.count, 1);
    counters[m.plan.block_counter[il_block(&m, "L")]] = 7; /* jumped to: outcome 1 */
    assert_true(outcome_count(&m, &decisions, 0, 0, counters) == 0);
    assert_true(outcome_count(&m, &decisions, 0, 1, counters) == 7);
    il_method_close(&m);
}

static void outcomes_of_a_value_are_its_two_counters(void **state)
{
    struct il_method m;
    struct decisions decisions;
    uint64_t counters[16] = {0};
    (void)state;
    il_method_open_optimised(&m, "bool(bool,bool)",
                             ".point 2; ldarg.0; brfalse.s F; B: ldarg.1; ret; F: ldc.i4.0; ret");
    decide_on(&decisions, &m, false, LANGUAGE_CSHARP);
    assert_int_equal(decisions.count, 2);
    uint32_t value = m.plan.value_counter[il_block(&m, "B")];
    counters[value] = 3;
    counters[value + 1] = 5;
    assert_true(outcome_count(&m, &decisions, 1, 0, counters) == 3);
    assert_true(outcome_count(&m, &decisions, 1, 1, counters) == 5);
    il_method_close(&m);
}

static void labels_that_share_a_body_add_up(void **state)
{
    struct il_method m;
    struct decisions decisions;
    uint64_t counters[16] = {0};
    (void)state;
    il_method_open_optimised(&m, "void(int32)",
                             ".point 2; ldarg.0; .hidden; switch A B A; br.s E; A: .point 3;"
                             "call void(); .point 4; br.s E; B: .point 5; call void();"
                             "E: .point 6; call void(); .point 7 1-2; ret");
    decide_on(&decisions, &m, false, LANGUAGE_CSHARP);
    assert_int_equal(decisions.count, 1);
    assert_int_equal(decisions.items[0].outcome_count, 3);
    counters[m.plan.block_counter[il_block(&m, "A")]] = 9;
    assert_true(outcome_count(&m, &decisions, 0, 0, counters) == 9);
    assert_true(outcome_count(&m, &decisions, 0, 1, counters) == 0);
    il_method_close(&m);
}

/* The same code, as of a guard and of an `if`: a guard that does not hold is no way to the arm. */
static void a_guard_is_what_the_source_calls_one(void **state)
{
    static const struct {
        const char *text, *points;
        unsigned ways;
    } cases[] = {
        {"\nswitch (n) {\ncase 1 when a:\nF();\nbreak; }\nG();\n", "8-14", 3},
        {"\nswitch (n) {\ncase 1: if (a)\nF();\nbreak; }\nG();\n", "9-15", 2},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct il_method m;
        struct arena arena;
        struct line_index text;
        struct tokens tokens;
        struct decisions decisions;
        char code[512];
        (void)snprintf(code, sizeof code,
                       ".locals int32; .point 2 1-11; ldarg.0; stloc.0; .hidden; ldloc.0; ldc.i4.1;"
                       "bne.un.s E; .point 3 %s; ldarg.1; brfalse.s E; .point 4 1-5; call void();"
                       "E: .point 6 1-5; call void(); ret",
                       cases[i].points);
        il_method_open_optimised(&m, "void(int32,bool)", code);
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        assert_true(line_index_make(&text, str_of(cases[i].text), &arena, NULL));
        assert_true(tokens_find(&tokens, text.text, LANGUAGE_CSHARP, &arena, NULL));
        struct seq_points points = il_points(&m.builder);
        struct statements_source source = {
            .flow = &m.flow, .points = &points, .text = &text, .tokens = &tokens};
        assert_true(decide(&decisions, &source, &m.plan, &arena, NULL));
        assert_int_equal(decisions.count, 2);
        assert_int_equal(decisions.items[0].outcome_count, 2);
        assert_int_equal(decisions.items[0].part_count, cases[i].ways);
        arena_free(&arena);
        il_method_close(&m);
    }
}

/* Sequence points that do not fit the code: of another build, or broken. */
static void points_that_fit_nothing_do_no_harm(void **state)
{
    (void)state;
    for (uint32_t offset = 0; offset < 60; offset++)
        for (int hidden = 0; hidden < 2; hidden++) {
            struct il_method m;
            struct decisions decisions;
            il_method_open(&m, "void(bool)", IF_ELSE_DEBUG);
            for (uint32_t p = offset % 7; p < m.builder.point_count; p++) {
                m.builder.points[p].il_offset += offset;
                m.builder.points[p].hidden ^= hidden != 0 && p % 3 == 0;
            }
            decide_on(&decisions, &m, offset % 2 != 0, (enum language)(offset % 3));
            assert_sound(&m, &decisions);
            il_method_close(&m);
        }
}

static void no_memory_is_reported_wherever_it_ends(void **state)
{
    struct il_method m;
    struct err err;
    bool decided = false;
    (void)state;
    il_method_open(&m, "void(bool)", IF_ELSE_DEBUG);
    struct seq_points points = il_points(&m.builder);
    struct statements_source source = {.flow = &m.flow, .points = &points};
    for (size_t limit = 0; !decided; limit++) {
        struct arena arena;
        struct decisions decisions;
        arena_init(&arena, NULL, 0, limit);
        decided = decide(&decisions, &source, &m.plan, &arena, &err);
        if (!decided)
            assert_int_equal(err.code, ERR_LIMIT);
        arena_free(&arena);
        assert_true(limit < 1 << 16);
    }
    il_method_close(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(decisions_are_those_that_were_written),
    cmocka_unit_test(outcomes_of_a_condition_are_its_ways),
    cmocka_unit_test(outcomes_of_a_value_are_its_two_counters),
    cmocka_unit_test(labels_that_share_a_body_add_up),
    cmocka_unit_test(a_guard_is_what_the_source_calls_one),
    cmocka_unit_test(points_that_fit_nothing_do_no_harm),
    cmocka_unit_test(no_memory_is_reported_wherever_it_ends),
};
UNIT_TESTS(tests);
