/* owner_code.h - the managed code that tells the library whose code runs: which test, or which
 * class of tests, the hits that follow belong to.
 *
 * An owner flows as an AsyncLocal<object> does, which holds its number: through awaits, tasks,
 * timers and thread pools. Whenever the runtime switches a thread to a flow with another value, it
 * calls `switched`, and the library lets the thread count elsewhere. There is one AsyncLocal a
 * process; a handle to it is in a cell that the library has.
 *
 *      long enter(object self, int number)         // -1: nothing has changed
 *      {
 *          string name = self?.GetType().FullName;
 *          long owner = entered(number, name, name.Length);
 *          if (owner == 0)
 *              return -1;
 *          if (*cell == null)
 *              offer(GCHandle.ToIntPtr(GCHandle.Alloc(new AsyncLocal<object>(switched))));
 *          object previous = (**cell).Value;
 *          (**cell).Value = (object)owner;
 *          return previous == null ? 0 : (long)previous;
 *      }
 *
 *      void leave(long previous, int how, object result)  // how: HITS_THREW, HITS_RETURNED ...
 *      {
 *          if (previous == -1)
 *              return;
 *          long owner = left();
 *          if (result is Task task && !task.IsCompleted)
 *              task.ContinueWith(finished, (object)owner, CancellationToken.None,
 *                                TaskContinuationOptions.ExecuteSynchronously,
 *                                TaskScheduler.Default);
 *          else if (result is Task done)
 *              ended(owner, done.IsCompletedSuccessfully);
 *          else
 *              ended(owner, how);
 *          (**cell).Value = previous == 0 ? null : (object)previous;
 *      }
 *
 *      void finished(Task task, object owner)
 *      {
 *          ended((long)owner, task.IsCompletedSuccessfully);
 *      }
 *
 *      void switched(AsyncLocalValueChangedArgs<object> args)
 *      {
 *          object current = args.CurrentValue;
 *          switch_to(current == null ? 0 : (long)current);
 *      }
 *
 * The module that has them is a test assembly; all else they use is in the core library. */
#ifndef ILCOV_REWRITER_OWNER_CODE_H
#define ILCOV_REWRITER_OWNER_CODE_H

#include "base/bytes.h"

enum {
    OWNER_UNCHANGED = -1 /* what `enter` returns then */
};

/* Tokens in the module that has the methods. */
struct owner_form {
    uint32_t get_type, full_name, string_data, string_length; /* of Object, Type, string */
    uint32_t alloc, to_pointer;                               /* of GCHandle */
    uint32_t new_local, get_value, set_value;                 /* of AsyncLocal<object> */
    uint32_t new_action, current_value; /* Action<...>, AsyncLocalValueChangedArgs<object> */
    uint32_t task, is_completed, is_successful, continue_with; /* a type, and its methods */
    uint32_t new_task_action;                                  /* Action<Task, object> */
    uint32_t no_cancellation, default_scheduler;
    uint32_t int64;              /* a type */
    uint32_t switched, finished; /* the methods */
    uint32_t enter_locals, leave_locals, switched_locals;
    /* unmanaged: int64 (int32, native int, int32); int64 (); void (int64, int32); void (int64);
     * void (native int) */
    uint32_t entered_sig, left_sig, ended_sig, switch_to_sig, offer_sig;
    uint64_t entered, left, ended, switch_to, offer; /* functions of the library */
    uint64_t cell;                                   /* address of the handle, 0 at first */
};

/* Signatures of locals, after their number. */
extern const uint8_t owner_enter_locals[], owner_leave_locals[], owner_switched_locals[];
extern const size_t owner_enter_locals_len, owner_leave_locals_len, owner_switched_locals_len;

/* Bodies, without a header that needs anything else. w->failed if there is no memory. */
void owner_write_enter(struct writer *w, const struct owner_form *form, struct arena *arena);
void owner_write_leave(struct writer *w, const struct owner_form *form, struct arena *arena);
void owner_write_finished(struct writer *w, const struct owner_form *form, struct arena *arena);
void owner_write_switched(struct writer *w, const struct owner_form *form, struct arena *arena);

#endif
