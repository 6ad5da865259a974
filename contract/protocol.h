/* protocol.h - how the program talks to the library inside a running process: the client data of an
 * attach, and the control socket. Both sides check every length and name before they trust it.
 * Files: session_format.h.
 *
 * Client data of AttachProfiler (ICorProfilerCallback3::InitializeForAttach), little-endian; the
 * library's own path and class ID are in the runtime's message:
 *
 *   0   8   "ILCOVATT"
 *   8   4   PROTOCOL_VERSION
 *   12  4   total length
 *   16  4   length of the path       20 ...   the session directory: absolute, UTF-8, no NUL
 * Everything else is in the session's config.
 *
 * Attached as GUEST_CLSID, the library is a guest: the runtime takes it beside any other profiler,
 * even one that this library is already. It measures nothing and reads no config; it answers one
 * request, or none that comes too late, removes its control socket, and leaves. It answers the
 * attach with CORPROF_E_PROFILER_DETACHING while an earlier guest is there, and with
 * CORPROF_E_INCONSISTENT_WITH_FLAGS in a process that a profiler has left before: then the runtime
 * miscounts its guests, calls none, and would crash when this one leaves. As LONE_GUEST_CLSID, it
 * is the same in the place of the one profiler.
 *
 * Control socket: `control-<pid>` in the session, a stream socket that exists as long as the
 * library listens. It answers one request per connection, and only to its own user (SO_PEERCRED). A
 * request is a line:
 *
 *   ilcov <PROTOCOL_VERSION> <request>
 *
 * and the answer consists of lines as in a process record (fields separated by tabs, escaped in the
 * same way); the last one gives the result:
 *
 *   end <hr>                              an HRESULT as 0x and eight lower-case hex digits
 *
 * Requests, and the lines before the end:
 *   hello                                 nothing: the library listens
 *   detach                                RequestProfilerDetach, whose HRESULT is the result
 *     instrumented <methods>              how many were given new IL, which is why it may refuse
 *                                         If it refuses, what `revert` does, with its line
 *   revert                                after an attach: no method runs with counters any more,
 *                                         but for those that are on a stack
 *     reverted <methods>                  how many had them; no line if the library was there from
 *                                         the start, when nothing is done
 *   count                                 after `revert`, they do again
 *   stacks                                the managed stacks of all threads, at one moment
 *     thread <os thread> <hr>             its frames follow, innermost first; <hr>: result of
 *                                         DoStackSnapshot, E_FAIL if it runs no managed code
 *     argument <type>                     of the generic type and method of the frame that follows,
 *                                         in their order; empty: not known, as it shares its code
 *     frame <path> <mvid> <token> <il offset> <method>
 *                                         <path> of the module, empty if it has no file; token as
 *                                         0x and eight digits; the offset, in the IL of the file,
 *                                         is the start of the code that is running or has called,
 *                                         or -1
 *     again <count>                       the frame before, so many times more
 *     omitted <count>                     so many frames, between the innermost and the outermost
 *     native                              unmanaged code, one line for any number of frames
 *     call <name>                         the same, innermost: it waits in this system call
 *     dynamic <name>                      a method generated at run time
 *   The end of `stacks` is CONTROL_E_TIMEOUT when the runtime could not be suspended within
 *   SUSPEND_SECONDS, and CORPROF_E_SUSPENSION_IN_PROGRESS while such an attempt still waits. */
#pragma once

#include "base/base.h"

#define CLIENT_DATA_MAGIC "ILCOVATT"
#define SESSION_CONTROL   "control-"

#define CONTROL_HELLO  "hello"
#define CONTROL_DETACH "detach"
#define CONTROL_REVERT "revert"
#define CONTROL_COUNT  "count"
#define CONTROL_STACKS "stacks"

/* HRESULT_FROM_WIN32(ERROR_TIMEOUT) */
#define CONTROL_E_TIMEOUT 0x800705b4u

enum {
    PROTOCOL_VERSION = 1,
    CLIENT_DATA_HEADER_LEN = 20,
    CONTROL_REQUEST_MAX = 64,
    SUSPEND_SECONDS = 5,
};

enum client_data_offset {
    CLIENT_DATA_AT_VERSION = 8,
    CLIENT_DATA_AT_LEN = 12,
    CLIENT_DATA_AT_PATH_LEN = 16,
};
