#include "system/process/process_call.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include "system/process/process_file.h"

/* clang-format off */
#define CALL(name) {SYS_##name, #name}
static const struct {
    int number;
    const char *name;
} calls[] = {
    CALL(read), CALL(readv), CALL(pread64), CALL(preadv), CALL(write), CALL(writev), CALL(pwrite64),
    CALL(pwritev), CALL(ppoll), CALL(pselect6), CALL(epoll_pwait), CALL(nanosleep),
    CALL(clock_nanosleep), CALL(accept), CALL(accept4), CALL(connect), CALL(recvfrom),
    CALL(recvmsg), CALL(recvmmsg), CALL(sendto), CALL(sendmsg), CALL(sendfile), CALL(splice),
    CALL(wait4), CALL(waitid), CALL(flock), CALL(fcntl), CALL(openat), CALL(close), CALL(fsync),
    CALL(fdatasync), CALL(ioctl), CALL(rt_sigtimedwait), CALL(rt_sigsuspend), CALL(msgrcv),
    CALL(msgsnd), CALL(semop), CALL(semtimedop), CALL(mq_timedreceive), CALL(io_getevents),
#ifdef SYS_poll /* not on arm64 */
    CALL(open), CALL(poll), CALL(select), CALL(epoll_wait), CALL(pause),
#endif
};
/* clang-format on */

/* "0 0x3 ...", or "running". */
int process_call_of_thread(uint32_t thread)
{
    char file[40], text[16], *end = text;
    size_t len = 0;
    (void)snprintf(file, sizeof file, "task/%lu/syscall", (unsigned long)thread);
    if (!process_file_read(text, &len, sizeof text, PROCESS_SELF, file))
        return PROCESS_NO_CALL;
    long number = strtol(text, &end, 10);
    return end == text || *end != ' ' || number < 0 || number == SYS_futex ? PROCESS_NO_CALL
                                                                           : (int)number;
}

const char *process_call_name(int number)
{
    for (size_t i = 0; i < ARRAY_LEN(calls); i++)
        if (calls[i].number == number)
            return calls[i].name;
    return NULL;
}
