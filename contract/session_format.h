/* session_format.h - THE format of a session: its directory, counter files and process records,
 * through which libilcov.so, inside the target, and the program communicate.
 *
 * A session is a directory that the program creates and passes to its children in ILCOV_SESSION.
 * Only its owner may access its files (0700, 0600; created with O_EXCL, never opened through a
 * link); otherwise the library does not use it. Only root's processes may write to another user's
 * `warnings` that they were not measured:
 *
 *   troubles                          lines `trouble <text>` of processes whose record had no room
 *                                     for them, or that may not have one
 *   config                            what to instrument and how: `key=value` lines, written by the
 *                                     program, which holds a flock on it as long as it runs
 *   process-<pid>-<start ticks>       one per process that loaded the library: lines, see "Process
 *                                     record"
 *   <mvid>-<plan hash>-<slot>.counts  counter file of a module, see below; mvid as 32, hash as 16
 *                                     hex digits
 *   <mvid>.module                     the image of a module that has no file of its own, or a
 *                                     temporary one: headers, metadata, symbols and method bodies
 *                                     at their offsets, holes elsewhere
 *   <mvid>.pdb                        its symbols, if the program loaded them from memory, too
 *   <mvid>.*-<thread>.part            one of these, while it is being written
 *   control-<pid>                     the control socket of a process, if one was requested
 *                                     (protocol.h)
 *   hits-<pid>-<start ticks>          one per process that attributes hits to owners: see "Hits of
 *                                     owners"
 *   owners-<pid>-<start ticks>        ... and the number of the owner of each shard of its counter
 *                                     files, now: 4 bytes for each of SHARDS_MAX; 0: threads count
 *                                     there, outside of any owner's code; CONTEXT_OF_KEPT: what was
 *                                     counted for owners that have no shard any more
 *   baseline                          what earlier snapshots took: only the program uses it
 *                                     (coverage/session/baseline.h); with baseline.lock, and
 *                                     baseline.part while it is written
 *
 * Counter file, little-endian; what there is of it was allocated with posix_fallocate before. It
 * grows by whole shards while its process runs, first the file and then K, and is never truncated.
 * Pages are those of the machine that made it (system/memory.h): 4, 16 or 64 KiB.
 *
 *   0    8   "ILCOVCNT"
 *   8    4   COUNTERS_VERSION
 *   12   4   enum count_mode
 *   16   8   plan hash (rewriter/plan.h)
 *   24   4   K: number of shards
 *   28   4   N: counters in a shard
 *   32   8   bytes from one shard to the next: whole pages
 *   40   8   offset of shard 0: whole pages
 *   48  16   MVID
 *   64   4   M: rows of the MethodDef table
 *   68   4   offset of M verdict bytes (enum verdict, row 1 first)
 *   72   4   offset of the module's path (UTF-8; empty when it has no file)
 *   76   4   length of the path
 *   80   4   offset of the assembly's simple name
 *   84   4   length of the name
 *   88   4   COUNTERS_READY, written last: a file without it is unfinished and has counted nothing
 *   92    4   1: its code may change while it runs, so its plan knows nothing of the methods that
 *            are called (rewriter/nothrow.h); otherwise 0
 *   ...      name, path, verdicts, padding
 *   ...      shards 0 to K-1, each with N counters of 8 bytes (count, exact) or 1 byte (hit)
 *
 * A counter's value is the sum over the shards. Counters are plain memory that generated code
 * writes and another process reads: zero or not is exact, totals may lose increments when two
 * threads share a shard (not in exact mode).
 *
 * A slot is a counter file of one (module, plan); a process takes the first whose flock is free and
 * continues to count in it, however often it loads the module from the same file. The kernel frees
 * the lock when the process ends, for whatever reason.
 *
 * Process record: text, one item per line, fields separated by tabs, each line appended with one
 * write(2):
 *
 *   ilcov-process <version of the library>
 *   program <path of the executable or of the dll that `dotnet` runs; no arguments>
 *   parent <process ID>                               the process that started it
 *   tests <path>                                      an assembly whose tests this test driver runs
 *                                                     in another process, as its arguments name it
 *   asks-coverage                                     it has the argument --coverage: with
 *                                                     Microsoft.Testing.Platform, it starts itself
 *                                                     again with Microsoft's profiler
 *   runtime <major.minor.build> <path of the directory of System.Private.CoreLib>
 *   declined <reason> <subject>                       the library does not measure this process
 *   instrumented <name> <path> <mvid> <methods> <declined>
 *                                                     a module, for the first time
 *   skipped <name> <path> <reason> <subject>          a module that was seen and left out
 *   changed <name> <mvid> <row> <method>              hot reload changed a method of a module that
 *                                                     was instrumented: its row of the MethodDef
 *                                                     table and full name
 *   added <name> <mvid> <row> <method>                ... or added one; its name is empty
 *   sharing <reason> <subject>                        threads share counters, not in hit or exact
 *                                                     mode; each reason and subject once
 *   trouble <text>                                    something that lost counts, in a sentence
 *   attached <seconds since 1970>                     the library was attached to a running
 *                                                     program: what ran before is not known
 *   detached <seconds since 1970>                     it leaves, or its methods run without
 *                                                     counters until it is attached again
 *
 * Hits of owners: text as in the process record. An owner is a test, or a class of tests whose code
 * runs around them. It has a shard of its own while its code runs; once it needs none, its hits are
 * written here, and the shard becomes another owner's. An owner may have several lines of hits.
 *
 *   began <ns since 1970>                       when the process did
 *   owner <number> <kind> <mvid> <row> <type>   the method that it is, and the type that it runs in
 *   over <owner> <ns> <rows> <how>              its method has ended after so long, as often as it
 *                                               had begun; how: HITS_THREW and so on
 *   outlives <owner>                            its flow went on after its end, while another test
 *                                               ran: what it hits may have been for that
 *   counts <number> <name>                      a counter file of this process
 *   unsure <counts>                             its shards are not the owners': it had no room
 *   vector <number> <counts> <row> <runs>       a method, and which of its counters are hit: runs
 *                                               of them, each as its distance from the end of the
 *                                               one before and its length, both in compact form
 *   hits <owner> <vectors>                      numbers of vectors in compact form
 *
 * Compact: base 32, the lowest digit first; a digit is the character HITS_FIRST_CHARACTER + digit,
 * or + HITS_DIGIT + digit if others follow.
 *
 * A reason is its number (reason.def); its subject is empty but for an error's text.
 * Tabs, line ends and backslashes in a field are written \t \n \\.
 */
#pragma once

#include "base/base.h"

#define SESSION_ENV      "ILCOV_SESSION"
#define SESSION_CONFIG   "config"
#define SESSION_PROCESS  "process-"
#define SESSION_COUNTS   ".counts"
#define SESSION_MODULE   ".module"
#define SESSION_PDB      ".pdb"
#define SESSION_PART     ".part"
#define SESSION_WARNINGS "troubles"
#define COUNTERS_MAGIC   "ILCOVCNT"
#define SESSION_HITS     "hits-"
#define SESSION_CONTEXTS "owners-"
#define SESSION_MANAGED  "ilcov-" /* the managed half of --per-test, an assembly */
#define PROFILER_CLSID   "{1C0FC0DE-5EED-4C0F-A11C-C0DEC0DE11C0}"
#define GUEST_CLSID      "{1C0FC0DE-5EED-4C0F-A11C-C0DEC0DE5EED}" /* protocol.h */
#define LONE_GUEST_CLSID "{1C0FC0DE-5EED-4C0F-A11C-C0DEC0DE5EEE}" /* ... */

/* Keys of the config file; all but the first two may occur several times or not at all. */
#define CONFIG_VERSION       "version" /* COUNTERS_VERSION */
#define CONFIG_MODE          "mode"    /* count, hit, exact */
#define CONFIG_INCLUDE       "include" /* a pattern (scope/pattern.h); replaces the default scope */
#define CONFIG_EXCLUDE       "exclude" /* a pattern; always wins */
#define CONFIG_INCLUDE_TESTS "include-tests" /* 1 */
#define CONFIG_CONTROL       "control"       /* 1: a thread of the library listens (protocol.h) */
#define CONFIG_ID            "id" /* of the run, 32 hexadecimal digits: only the program reads it */
#define CONFIG_STARTED       "started" /* seconds since 1970: only the program reads it */

#define CONFIG_PER_TEST "per-test" /* 1: hits are attributed to owners */

/* Lines of the hits of owners. */
#define HITS_BEGAN    "began"
#define HITS_CONTEXT  "owner"
#define HITS_OVER     "over"
#define HITS_OUTLIVES "outlives"
#define HITS_COUNTS   "counts"
#define HITS_UNSURE   "unsure"
#define HITS_VECTOR   "vector"
#define HITS_HITS     "hits"

enum context_kind {
    CONTEXT_TEST,
    CONTEXT_CLASS,  /* of tests: constructors, set-up, clean-up, fixtures */
    CONTEXT_STATIC, /* static constructors */
};

/* How a method ended; of several times the first of these that occurred. */
enum {
    HITS_THREW,
    HITS_RETURNED,
    HITS_UNKNOWN, /* what it awaits went on */
};

enum {
    HITS_DIGIT = 32,
    HITS_FIRST_CHARACTER = '0', /* up to 'o' */
};

#define CONTEXT_OF_KEPT UINT32_MAX

enum {
    COUNTERS_VERSION = 1,
    COUNTERS_READY = 0x59444552, /* "REDY" */
    COUNTERS_HEADER_LEN = 96,
    SHARDS_MAX = 192,
};

enum counters_offset {
    COUNTERS_AT_VERSION = 8,
    COUNTERS_AT_MODE = 12,
    COUNTERS_AT_PLAN_HASH = 16,
    COUNTERS_AT_SHARD_COUNT = 24,
    COUNTERS_AT_COUNTER_COUNT = 28,
    COUNTERS_AT_SHARD_STRIDE = 32,
    COUNTERS_AT_SHARDS = 40,
    COUNTERS_AT_MVID = 48,
    COUNTERS_AT_METHOD_COUNT = 64,
    COUNTERS_AT_VERDICTS = 68,
    COUNTERS_AT_PATH = 72,
    COUNTERS_AT_NAME = 80,
    COUNTERS_AT_READY = 88,
    COUNTERS_AT_MAY_CHANGE = 92,
};
