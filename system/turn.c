#include "system/turn.h"

#include "system/clock.h"
#include "system/file/file_lock.h"
#include "system/file/open_file.h"
#include "system/process/process_file.h"

enum {
    AGAIN_MS = 10
};

int turn_take_folder(const char *folder, int64_t until)
{
    int turn = file_open(folder, FILE_READ | FILE_FOLDER);
    enum file_locked locked = FILE_LOCK_FAILED;
    while (turn >= 0 && (locked = file_lock_try(turn, FILE_LOCK_EXCLUSIVE)) == FILE_LOCK_TAKEN &&
           clock_ms() < until)
        clock_rest(AGAIN_MS);
    if (locked == FILE_LOCKED)
        return turn;
    (void)file_close(turn);
    return -1;
}

int turn_take_process(int pid, int64_t until)
{
    char path[PROCESS_PATH_ROOM];
    process_file_path(path, pid, "");
    return turn_take_folder(path, until);
}

void turn_end(int turn)
{
    (void)file_close(turn);
}
