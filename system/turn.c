#include "system/turn.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "system/clock.h"
#include "system/process/process_file.h"

enum {
    AGAIN_MS = 10
};

int turn_take_folder(const char *folder, int64_t until)
{
    int turn = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (turn >= 0 && flock(turn, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK || clock_ms() >= until) {
            (void)close(turn);
            return -1;
        }
        (void)usleep(AGAIN_MS * 1000);
    }
    return turn;
}

int turn_take_process(pid_t pid, int64_t until)
{
    char path[PROCESS_PATH_ROOM];
    process_file_path(path, pid, "");
    return turn_take_folder(path, until);
}

void turn_end(int turn)
{
    if (turn >= 0)
        (void)close(turn);
}
