/* nettrace.h - what a runtime says about loading profilers, in its stream of events: of the events
 * "ProfilerMessage" the last, which after a failed load has the cause.
 * Source: microsoft/perfview src/TraceEvent/EventPipe/NetTraceFormat.md, version 4;
 *         dotnet/runtime src/coreclr/vm/ClrEtwAll.man, ProfilerMessage.
 * The stream is from another process: it may be anything. */
#pragma once

#include "base/bytes.h"
#include "base/text.h"

enum {
    NETTRACE_MESSAGE_ROOM = 256
};

#define NETTRACE_PROVIDER "Microsoft-Windows-DotNETRuntime"
static const uint64_t NETTRACE_PROFILER_KEYWORD = 0x20000000000;

/* Its first sentence, printable; empty and false if the stream has none. What comes before a place
 * at which the stream makes no sense counts. */
bool nettrace_message(char out[NETTRACE_MESSAGE_ROOM], struct view stream);
