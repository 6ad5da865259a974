/* guest.h - the library beside any profiler, even beside itself: `ilcov stacks` brings it into a
 * process whose library does not listen or is not there. It measures nothing, answers one request
 * (contract/protocol.h) and leaves, also if nobody asks. What measures is never touched.
 * The runtime takes such a guest since .NET 6; for an older one it is the only profiler. */
#pragma once

#include "profiler/cor.h"

/* For the class factory: false while there is one, or one still leaves. `alone`: not beside a
 * profiler, but in its place. */
NODISCARD bool guest_admit(bool alone);

/* ICorProfilerCallback, for the guest: InitializeForAttach, ProfilerDetachSucceeded,
 * ModuleUnloadStarted, ThreadDestroyed, LoadAsNotificationOnly. It listens before the attach is
 * complete: who asks waits for the runtime's answer. */
HRESULT guest_start(struct callback *self, struct unknown *pCorProfilerInfoUnk, void *pvClientData,
                    uint32_t cbClientData);
HRESULT guest_end(struct callback *self);
HRESULT guest_let_module_go(struct callback *self, ModuleID moduleId);
HRESULT guest_let_thread_go(struct callback *self, ThreadID threadId);
HRESULT guest_is_guest(struct callback *self, BOOL *pbNotificationOnly);
