/* earlier.h - what of the modules in scope may have run before the library was attached, and what
 * was running then: written down as verdicts (contract/verdict.h). Of everything else it is certain
 * that it had not run.
 *
 * Code that the runtime has compiled may have run. It cannot tell of precompiled code, nor of a
 * method whose code may be part of its callers': that of a module without optimisation never is.
 * Each method is asked for: a list of what is compiled (EnumJITedFunctions2) takes the runtime
 * seconds after a hundred attaches, because it walks all versions of a method for each of them.
 * Source: dotnet/runtime src/coreclr/vm/proftoeeinterfaceimpl.cpp, GetCodeInfoFromCodeStart;
 *         jitinterface.cpp, CEEInfo::canInline. */
#pragma once

#include "profiler/instance.h"

/* After the bodies were requested: whatever is compiled from then on has probes. From the control
 * thread. */
void earlier_note(struct profiler *p);
