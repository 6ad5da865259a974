#include "system/file/file_lock.h"

#include <errno.h>
#include <sys/file.h>

enum file_locked file_lock_try(int file, enum file_lock lock)
{
    int operation = lock == FILE_LOCK_SHARED ? LOCK_SH : LOCK_EX;
    int result;
    do
        result = flock(file, operation | LOCK_NB);
    while (result != 0 && errno == EINTR);
    if (result == 0)
        return FILE_LOCKED;
    return errno == EWOULDBLOCK ? FILE_LOCK_TAKEN : FILE_LOCK_FAILED;
}
