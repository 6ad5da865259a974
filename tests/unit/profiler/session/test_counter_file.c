/* test_counter_file.c - the counters of a module are a file of the session, mapped shard by shard;
 * a slot is used by one process at a time and counted on in by the next.
 * It also lets one mapping fail, and takes the machine for one with larger pages. */
#include "profiler/session/counter_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bytes.h"
#include "contract/session_format.h"
#include "tests/support/check.h"
#include "tests/support/interposed.h"
#include "tests/support/temporary.h"

enum {
    PAGE = 4096,
    SHARDS = 4,
    COUNTERS = 600, /* two pages of 8 bytes each */
    METHODS = 5
};

static const uint8_t mvid[16] = {0xA0, 0xA1, 0xA2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0xFF};
#define PLAN_HASH UINT64_C(0x0123456789ABCDEF)
#define FILE_NAME "a0a1a2030405060708090a0b0c0d0eff-0123456789abcdef-%u.counts"

static unsigned maps_until_failure; /* 0: none fails */

static void *failing_mmap(void *at, size_t len, int protection, int flags, int fd, off_t offset)
{
    if (maps_until_failure != 0 && --maps_until_failure == 0) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return original.mmap(at, len, protection, flags, fd, offset);
}

static long page_len; /* 0: the machine's own */

static long page_sysconf(int name)
{
    return name == _SC_PAGESIZE && page_len != 0 ? page_len : original.sysconf(name);
}

static int interpose(void **state)
{
    (void)state;
    interposed.mmap = failing_mmap;
    interposed.sysconf = page_sysconf;
    return 0;
}

static int leave(void **state)
{
    (void)state;
    interposed = original;
    return 0;
}

struct fixture {
    struct temporary session;
    struct folder folder;
    struct windows windows;
    struct counter_file_request request;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    if (f == NULL)
        return -1;
    temporary_open(&f->session);
    folder_open(&f->folder, f->session.folder);
    windows_init(&f->windows);
    size_t stride = counter_file_stride(MODE_COUNT, COUNTERS);
    uint8_t *place = windows_peek(&f->windows, PAGE + stride, false);
    windows_take(&f->windows, place, PAGE + stride, SHARDS);
    f->request = (struct counter_file_request){
        .folder = &f->folder,
        .name = STR("Some.Name"),
        .path = STR("/some/path/Some.Name.dll"),
        .mvid = mvid,
        .plan_hash = PLAN_HASH,
        .mode = MODE_COUNT,
        .counter_count = COUNTERS,
        .method_count = METHODS,
        .shard_count = SHARDS,
        .window_count = SHARDS,
        .place = place + PAGE, /* its head is before it */
    };
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    for (uint32_t i = 0; i < f->windows.region_count; i++)
        (void)munmap(f->windows.regions[i].start, (size_t)f->windows.shard_count << WINDOW_BITS);
    folder_close(&f->folder);
    temporary_close(&f->session);
    free(f);
    return 0;
}

static struct counter_file opened(const struct counter_file_request *request)
{
    struct counter_file file;
    struct err err = {.code = ERR_NONE};
    if (!counter_file_open(&file, request, &err))
        fail_msg("%s", err.text);
    return file;
}

/* As the end of a process does: a mapping alone keeps the lock. */
static void let_go(const struct fixture *f, const struct counter_file *file)
{
    for (uint32_t i = 0; i < f->windows.region_count; i++) {
        const struct region *region = &f->windows.regions[i];
        size_t len = (size_t)f->windows.shard_count << WINDOW_BITS;
        assert_ptr_equal(mmap(region->start, len, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0),
                         region->start);
    }
    assert_true(file->head == NULL || file->head + file->head_len == file->place);
}

static struct str slot(struct fixture *f, unsigned number)
{
    char name[128];
    (void)snprintf(name, sizeof name, FILE_NAME, number);
    return temporary_read(&f->session, temporary_path(&f->session, name));
}

static uint64_t *counter(const struct fixture *f, unsigned shard, unsigned number)
{
    return (uint64_t *)(void *)(f->request.place + ((size_t)shard << WINDOW_BITS)) + number;
}

/* --- layout ----------------------------------------------------------------------------------- */

static void stride_is_whole_pages(void **state)
{
    (void)state;
    assert_int_equal(counter_file_stride(MODE_COUNT, 0), PAGE);
    assert_int_equal(counter_file_stride(MODE_COUNT, 1), PAGE);
    assert_int_equal(counter_file_stride(MODE_COUNT, 512), PAGE);
    assert_int_equal(counter_file_stride(MODE_COUNT, 513), 2 * PAGE);
    assert_int_equal(counter_file_stride(MODE_EXACT, 513), 2 * PAGE);
    assert_int_equal(counter_file_stride(MODE_HIT, 4096), PAGE);
    assert_int_equal(counter_file_stride(MODE_HIT, 4097), 2 * PAGE);
    assert_true(counter_file_stride(MODE_COUNT, UINT32_MAX) >= (size_t)8 * UINT32_MAX);
}

/* What is mapped of a file begins and ends at a page, whatever its size on the machine. */
static void larger_pages_move_the_shards_apart(void **state)
{
    static const size_t pages[] = {16384, 65536};
    for (size_t i = 0; i < ARRAY_LEN(pages); i++) {
        struct fixture *f = *state;
        size_t page = pages[i];
        page_len = (long)page;
        f->request.plan_hash = PLAN_HASH + i;
        uint8_t *place = windows_peek(&f->windows, 2 * page, false);
        windows_take(&f->windows, place, 2 * page, SHARDS);
        f->request.place = place + page;
        size_t stride = counter_file_stride(MODE_COUNT, COUNTERS);
        struct counter_file file = opened(&f->request);
        page_len = 0;
        assert_int_equal(stride, page);
        assert_int_equal(file.head_len, page);
        *counter(f, SHARDS - 1, COUNTERS - 1) = 7;
        assert_int_equal(load_u64(file.head + COUNTERS_AT_SHARD_STRIDE), page);
        assert_int_equal(load_u64(file.head + COUNTERS_AT_SHARDS), page);
        char name[128];
        (void)snprintf(name, sizeof name, "a0a1a2030405060708090a0b0c0d0eff-%016llx-0.counts",
                       (unsigned long long)f->request.plan_hash);
        struct str bytes = temporary_read(&f->session, temporary_path(&f->session, name));
        assert_int_equal(bytes.len, (1 + SHARDS) * page);
        assert_true(load_u64((const uint8_t *)bytes.text + SHARDS * page + 8 * (COUNTERS - 1)) ==
                    7);
    }
}

static void shards_fit_room_and_budget(void **state)
{
    (void)state;
    assert_int_equal(counter_file_shards(PAGE, SHARDS_MAX, UINT64_MAX, false), SHARDS_MAX);
    assert_int_equal(counter_file_shards(1 << 20, 64, UINT64_MAX, false), 8); /* 8 MiB a module */
    assert_int_equal(counter_file_shards((1 << 20) + PAGE, 64, UINT64_MAX, false), 7);
    assert_int_equal(counter_file_shards(64 << 20, 64, UINT64_MAX, false), 1);
    assert_int_equal(counter_file_shards(PAGE, 1, UINT64_MAX, false), 1);
    assert_int_equal(counter_file_shards(PAGE, 64, 5 * PAGE + 1, false), 5);
    assert_int_equal(counter_file_shards(PAGE, 64, 0, false), 1);
    page_len = 65536; /* then SHARDS_MAX of the smallest are more than 8 MiB */
    assert_int_equal(counter_file_shards(65536, SHARDS_MAX, UINT64_MAX, false), SHARDS_MAX);
    page_len = 0;
}

static void file_is_as_its_format_says(void **state)
{
    struct fixture *f = *state;
    struct counter_file file = opened(&f->request);
    struct str bytes = slot(f, 0);
    const uint8_t *b = (const uint8_t *)bytes.text;
    size_t stride = counter_file_stride(MODE_COUNT, COUNTERS);
    assert_memory_equal(b, "ILCOVCNT", 8);
    assert_int_equal(load_u32(b + 8), COUNTERS_VERSION);
    assert_int_equal(load_u32(b + 12), MODE_COUNT);
    assert_true(load_u64(b + 16) == PLAN_HASH);
    assert_int_equal(load_u32(b + 24), SHARDS);
    assert_int_equal(load_u32(b + 28), COUNTERS);
    assert_int_equal(load_u64(b + 32), stride);
    uint64_t shards = load_u64(b + 40);
    assert_int_equal(shards % PAGE, 0);
    assert_int_equal(bytes.len, shards + SHARDS * stride);
    assert_memory_equal(b + 48, mvid, 16);
    assert_int_equal(load_u32(b + 64), METHODS);
    assert_int_equal(load_u32(b + 76), f->request.path.len);
    assert_memory_equal(b + load_u32(b + 72), f->request.path.text, f->request.path.len);
    assert_int_equal(load_u32(b + 84), f->request.name.len);
    assert_memory_equal(b + load_u32(b + 80), f->request.name.text, f->request.name.len);
    assert_int_equal(load_u32(b + 88), COUNTERS_READY);
    assert_true(load_u32(b + 68) + METHODS <= shards);
    for (size_t at = shards; at < bytes.len; at++)
        assert_int_equal(b[at], 0);
    let_go(f, &file);
}

static void shards_lie_a_window_apart_and_in_the_file(void **state)
{
    struct fixture *f = *state;
    struct counter_file file = opened(&f->request);
    size_t stride = counter_file_stride(MODE_COUNT, COUNTERS);
    for (unsigned s = 0; s < SHARDS; s++) {
        *counter(f, s, 0) = 100 + s;
        *counter(f, s, COUNTERS - 1) = 200 + s;
    }
    struct str bytes = slot(f, 0);
    const uint8_t *shards = (const uint8_t *)bytes.text;
    shards += load_u64(shards + COUNTERS_AT_SHARDS);
    for (unsigned s = 0; s < SHARDS; s++) {
        assert_true(load_u64(shards + s * stride) == 100 + s);
        assert_true(load_u64(shards + s * stride + 8 * (COUNTERS - 1)) == 200 + s);
    }
    let_go(f, &file);
}

static void verdicts_are_written(void **state)
{
    static const uint8_t verdicts[METHODS] = {1, 0, 1, 12, 5};
    struct fixture *f = *state;
    struct counter_file file = opened(&f->request);
    counter_file_add_verdicts(&file, verdicts, METHODS);
    struct str bytes = slot(f, 0);
    const uint8_t *b = (const uint8_t *)bytes.text;
    assert_memory_equal(b + load_u32(b + COUNTERS_AT_VERDICTS), verdicts, METHODS);
    let_go(f, &file);
}

/* What one process or load declined is missing from the sum, whatever the others counted. */
static void gravest_verdict_stays(void **state)
{
    enum {
        MANY = 1200
    };
    static uint8_t first[MANY], second[MANY], both[MANY];
    struct fixture *f = *state;
    for (unsigned i = 0; i < MANY; i++) {
        first[i] = (uint8_t)(i % 3);
        second[i] = (uint8_t)(i % 5);
        both[i] = first[i] > second[i] ? first[i] : second[i];
    }
    f->request.method_count = MANY;
    struct counter_file file = opened(&f->request);
    counter_file_add_verdicts(&file, first, MANY);
    let_go(f, &file);
    file = opened(&f->request);
    counter_file_add_verdicts(&file, second, MANY);
    struct str bytes = slot(f, 0);
    const uint8_t *b = (const uint8_t *)bytes.text;
    assert_memory_equal(b + load_u32(b + COUNTERS_AT_VERDICTS), both, MANY);
    for (size_t at = load_u32(b + COUNTERS_AT_VERDICTS) + MANY; at < bytes.len; at++)
        assert_int_equal(b[at], 0);
    let_go(f, &file);
}

static void module_without_name_path_and_methods_has_a_file_too(void **state)
{
    struct fixture *f = *state;
    f->request.name = f->request.path = (struct str){NULL, 0};
    f->request.method_count = f->request.counter_count = 0;
    struct counter_file file = opened(&f->request);
    struct counter_file again = opened(&f->request);
    assert_int_equal(temporary_count(&f->session), 2);
    counter_file_add_verdicts(&file, NULL, 0);
    let_go(f, &file);
    let_go(f, &again);
}

static void long_names_move_the_shards(void **state)
{
    static char path[3 * PAGE];
    struct fixture *f = *state;
    memset(path, 'x', sizeof path);
    f->request.path = (struct str){path, sizeof path};
    f->request.place += sizeof path; /* its head is longer, and lies in the window, too */
    struct counter_file file = opened(&f->request);
    struct str bytes = slot(f, 0);
    const uint8_t *b = (const uint8_t *)bytes.text;
    assert_int_equal(load_u64(b + COUNTERS_AT_SHARDS), 4 * PAGE);
    *counter(f, 0, 0) = 9;
    bytes = slot(f, 0);
    assert_true(load_u64((const uint8_t *)bytes.text + 4 * PAGE) == 9);
    let_go(f, &file);
}

static void only_its_owner_may_read_it(void **state)
{
    struct fixture *f = *state;
    struct counter_file file = opened(&f->request);
    struct stat st;
    char name[128];
    (void)snprintf(name, sizeof name, FILE_NAME, 0);
    assert_int_equal(stat(temporary_path(&f->session, name), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    let_go(f, &file);
}

/* --- slots ------------------------------------------------------------------------------------ */

static void slot_in_use_is_left_alone(void **state)
{
    struct fixture *f = *state;
    struct counter_file first = opened(&f->request);
    *counter(f, 0, 7) = 70;
    struct counter_file second = opened(&f->request); /* mapped over the first */
    assert_int_equal(temporary_count(&f->session), 2);
    assert_true(*counter(f, 0, 7) == 0);
    *counter(f, 0, 7) = 1;
    const uint8_t *b = (const uint8_t *)slot(f, 0).text;
    assert_true(load_u64(b + load_u64(b + COUNTERS_AT_SHARDS) + 56) == 70);
    let_go(f, &first);
    let_go(f, &second);
}

static void free_slot_is_counted_on_in(void **state)
{
    struct fixture *f = *state;
    struct counter_file first = opened(&f->request);
    *counter(f, 2, 3) = 41;
    let_go(f, &first);
    struct counter_file second = opened(&f->request);
    assert_int_equal(temporary_count(&f->session), 1);
    assert_true(*counter(f, 2, 3) == 41);
    (*counter(f, 2, 3))++;
    let_go(f, &second);
    struct counter_file third = opened(&f->request);
    assert_true(*counter(f, 2, 3) == 42);
    let_go(f, &third);
}

static void death_frees_a_slot_and_keeps_its_counts(void **state)
{
    struct fixture *f = *state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)opened(&f->request);
        *counter(f, 1, 1) = 5;
        (void)kill(getpid(), SIGKILL);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    struct counter_file file = opened(&f->request);
    assert_int_equal(temporary_count(&f->session), 1);
    assert_true(*counter(f, 1, 1) == 5);
    let_go(f, &file);
}

static void another_plan_has_another_file(void **state)
{
    struct fixture *f = *state;
    struct counter_file first = opened(&f->request);
    f->request.plan_hash++;
    struct counter_file second = opened(&f->request);
    assert_int_equal(temporary_count(&f->session), 2);
    let_go(f, &first);
    let_go(f, &second);
}

/* Of the same name but another layout: with other methods, counters, path. */
static void file_of_another_layout_is_left_alone(void **state)
{
    struct fixture *f = *state;
    struct counter_file first = opened(&f->request);
    *counter(f, 0, 0) = 3;
    let_go(f, &first);
    struct str before = slot(f, 0);
    for (int change = 0; change < 3; change++) {
        struct counter_file_request request = f->request;
        request.method_count += change == 0;
        request.counter_count -= change == 1;
        if (change == 2)
            request.path = STR("/another/path");
        struct counter_file file = opened(&request);
        assert_int_equal(temporary_count(&f->session), 2 + (unsigned)change);
        let_go(f, &file);
    }
    struct str after = slot(f, 0);
    assert_int_equal(before.len, after.len);
    assert_memory_equal(before.text, after.text, before.len);
}

/* How many shards a process takes depends on its threads. */
static void file_with_other_shards_is_counted_on_in(void **state)
{
    static const uint32_t wanted[] = {1, 3, SHARDS};
    struct fixture *f = *state;
    f->request.shard_count = 3;
    struct counter_file first = opened(&f->request);
    *counter(f, 2, 0) = 3;
    let_go(f, &first);
    for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
        f->request.shard_count = f->request.window_count = wanted[i];
        struct counter_file file = opened(&f->request);
        assert_int_equal(temporary_count(&f->session), 1);
        assert_int_equal(file.shard_count, wanted[i] > 3 ? wanted[i] : 3);
        assert_true(wanted[i] < 3 || *counter(f, 2, 0) == 3);
        let_go(f, &file);
    }
}

/* --- windows ---------------------------------------------------------------------------------- */

static uint32_t shards_in(struct fixture *f, unsigned number)
{
    struct str bytes = slot(f, number);
    const uint8_t *b = (const uint8_t *)bytes.text;
    uint32_t count = load_u32(b + COUNTERS_AT_SHARD_COUNT);
    assert_int_equal(bytes.len, load_u64(b + COUNTERS_AT_SHARDS) +
                                    count * load_u64(b + COUNTERS_AT_SHARD_STRIDE));
    return count;
}

static void another_window_is_another_shard_of_the_file(void **state)
{
    struct fixture *f = *state;
    struct err err = {.code = ERR_NONE};
    f->request.shard_count = f->request.window_count = 1;
    struct counter_file file = opened(&f->request);
    size_t stride = counter_file_stride(MODE_COUNT, COUNTERS);
    *counter(f, 0, 5) = 10;
    for (unsigned w = 1; w < SHARDS; w++) {
        assert_true(counter_file_add_window(&file, &f->folder, UINT64_MAX, &err));
        assert_int_equal(shards_in(f, 0), w + 1);
        assert_true(*counter(f, w, 5) == 0);
        *counter(f, w, 5) = 10 + w;
    }
    const uint8_t *b = (const uint8_t *)slot(f, 0).text;
    const uint8_t *shards = b + load_u64(b + COUNTERS_AT_SHARDS);
    for (unsigned w = 0; w < SHARDS; w++)
        assert_true(load_u64(shards + w * stride + 40) == 10 + w);
    let_go(f, &file);
}

/* What an earlier process left is used before the file grows. */
static void window_takes_a_shard_that_is_there(void **state)
{
    struct fixture *f = *state;
    struct err err = {.code = ERR_NONE};
    f->request.shard_count = 2;
    f->request.window_count = 1;
    struct counter_file file = opened(&f->request);
    assert_true(counter_file_add_window(&file, &f->folder, UINT64_MAX, &err));
    assert_int_equal(shards_in(f, 0), 2);
    assert_true(counter_file_add_window(&file, &f->folder, UINT64_MAX, &err));
    assert_int_equal(shards_in(f, 0), 3);
    let_go(f, &file);
}

/* When the process that made it had fewer threads. */
static void file_that_was_left_grows_to_what_is_wanted(void **state)
{
    struct fixture *f = *state;
    f->request.shard_count = f->request.window_count = 2;
    struct counter_file file = opened(&f->request);
    *counter(f, 1, 5) = 10;
    let_go(f, &file);
    f->request.shard_count = f->request.window_count = SHARDS;
    file = opened(&f->request);
    assert_int_equal(shards_in(f, 0), SHARDS);
    assert_int_equal(file.shard_count, SHARDS);
    for (unsigned w = 0; w < SHARDS; w++) {
        assert_true(*counter(f, w, 5) == (w == 1 ? 10 : 0));
        *counter(f, w, 6) = w;
    }
    for (unsigned w = 0; w < SHARDS; w++)
        assert_true(*counter(f, w, 6) == w);
    let_go(f, &file);
}

/* Nothing is lost then but what two threads lose who count in one. */
static void window_without_room_shows_a_shard_that_is_there(void **state)
{
    struct fixture *f = *state;
    struct err err = {.code = ERR_NONE};
    f->request.shard_count = 2;
    f->request.window_count = 3; /* at load */
    struct counter_file file = opened(&f->request);
    size_t stride = counter_file_stride(MODE_COUNT, COUNTERS);
    assert_true(counter_file_add_window(&file, &f->folder, stride - 1, &err)); /* later */
    assert_int_equal(shards_in(f, 0), 2);
    *counter(f, 2, 1) = 5;
    assert_true(*counter(f, 0, 1) == 5);
    *counter(f, 3, 1) = 6;
    assert_true(*counter(f, 1, 1) == 6);
    let_go(f, &file);
}

static void window_of_private_memory_is_private_memory(void **state)
{
    struct fixture *f = *state;
    struct counter_file file;
    struct err err = {.code = ERR_NONE};
    f->request.window_count = 1;
    assert_true(counter_file_private(&file, &f->request, &err));
    assert_true(counter_file_add_window(&file, &f->folder, UINT64_MAX, &err));
    *counter(f, 1, 0) = 1;
    assert_true(*counter(f, 0, 0) == 0);
    assert_int_equal(temporary_count(&f->session), 0);
}

/* By whatever has its name now: nothing of it is mapped, and no thread gets that shard. */
static void window_of_a_file_that_was_replaced_is_refused(void **state)
{
    struct fixture *f = *state;
    struct err err = {.code = ERR_NONE};
    char name[128];
    f->request.shard_count = f->request.window_count = 1;
    struct counter_file file = opened(&f->request);
    (void)snprintf(name, sizeof name, FILE_NAME, 0);
    assert_int_equal(unlink(temporary_path(&f->session, name)), 0);
    assert_false(counter_file_add_window(&file, &f->folder, UINT64_MAX, &err));
    assert_int_equal(err.code, ERR_IO);
    (void)temporary_file(&f->session, name, "theirs", 6);
    assert_false(counter_file_add_window(&file, &f->folder, UINT64_MAX, &err));
    assert_int_equal(file.window_count, 1);
    assert_int_equal(temporary_read(&f->session, temporary_path(&f->session, name)).len, 6);
    let_go(f, &file);
}

static void window_that_cannot_be_mapped_is_refused(void **state)
{
    struct fixture *f = *state;
    struct err err = {.code = ERR_NONE};
    f->request.shard_count = f->request.window_count = 1;
    struct counter_file file = opened(&f->request);
    maps_until_failure = 1;
    assert_failed(counter_file_add_window(&file, &f->folder, UINT64_MAX, &err), err, ERR_MEMORY);
    maps_until_failure = 0;
    assert_int_equal(file.window_count, 1);
    assert_false(file.place_is_lost);
    assert_true(counter_file_add_window(&file, &f->folder, UINT64_MAX, &err));
    *counter(f, 1, 0) = 1;
    let_go(f, &file);
}

/* A process died between making the file and calling it ready. */
static void unfinished_file_is_left_alone(void **state)
{
    struct fixture *f = *state;
    struct counter_file first = opened(&f->request);
    memset(first.head + COUNTERS_AT_READY, 0, 4);
    let_go(f, &first);
    struct counter_file second = opened(&f->request);
    assert_int_equal(temporary_count(&f->session), 2);
    let_go(f, &second);
}

/* Whoever changed it: nothing is counted where a header does not say just what is asked for. */
static void header_with_any_byte_wrong_is_left_alone(void **state)
{
    struct fixture *f = *state;
    struct counter_file file = opened(&f->request);
    let_go(f, &file);
    for (size_t i = 0; i < COUNTERS_HEADER_LEN; i++) {
        char name[128];
        (void)snprintf(name, sizeof name, FILE_NAME, 0);
        int fd = open(temporary_path(&f->session, name), O_RDWR | O_CLOEXEC);
        uint8_t was = 0, is = 0;
        assert_int_equal(pread(fd, &was, 1, (off_t)i), 1);
        is = was ^ 0x5A;
        assert_int_equal(pwrite(fd, &is, 1, (off_t)i), 1);
        file = opened(&f->request);
        *counter(f, 0, 0) = 1;
        let_go(f, &file);
        if (temporary_count(&f->session) != 2)
            fail_msg("byte %zu was believed", i);
        (void)snprintf(name, sizeof name, FILE_NAME, 1);
        assert_int_equal(unlink(temporary_path(&f->session, name)), 0);
        assert_int_equal(pwrite(fd, &was, 1, (off_t)i), 1);
        (void)close(fd);
    }
}

static void other_files_of_that_name_are_left_alone(void **state)
{
    struct fixture *f = *state;
    char name[128];
    (void)snprintf(name, sizeof name, FILE_NAME, 0);
    const char *path = temporary_file(&f->session, name, "mine", 4);
    struct counter_file file = opened(&f->request);
    assert_int_equal(temporary_count(&f->session), 2);
    assert_str(temporary_read(&f->session, path), "mine");
    let_go(f, &file);
}

static void links_are_not_followed(void **state)
{
    struct fixture *f = *state;
    char name[128];
    struct counter_file file;
    struct err err = {.code = ERR_NONE};
    (void)snprintf(name, sizeof name, FILE_NAME, 0);
    const char *target = temporary_file(&f->session, "target", "", 0);
    assert_int_equal(symlink(target, temporary_path(&f->session, name)), 0);
    assert_failed(counter_file_open(&file, &f->request, &err), err, ERR_IO);
    assert_int_equal(temporary_read(&f->session, target).len, 0);
}

enum {
    RACERS = 16,
    RACES = 20
};

static pid_t start_racer(struct fixture *f, const int go[2])
{
    pid_t child = fork();
    char byte;
    if (child != 0)
        return child;
    (void)close(go[1]);
    (void)!read(go[0], &byte, 1);
    (void)opened(&f->request);
    *counter(f, 0, 0) += 1;
    _exit(0);
}

/* What all slots have counted; removes them. */
static uint64_t take_counts(struct fixture *f)
{
    uint64_t sum = 0;
    char name[128];
    for (unsigned i = 0; temporary_count(&f->session) != 0; i++) {
        assert_true(i < RACERS);
        const uint8_t *b = (const uint8_t *)slot(f, i).text;
        sum += load_u64(b + load_u64(b + COUNTERS_AT_SHARDS));
        (void)snprintf(name, sizeof name, FILE_NAME, i);
        assert_int_equal(unlink(temporary_path(&f->session, name)), 0);
    }
    return sum;
}

/* All ask for the name that is free. */
static void processes_that_make_slots_at_once_lose_nothing(void **state)
{
    struct fixture *f = *state;
    for (unsigned race = 0; race < repeated(RACES); race++) {
        pid_t racers[RACERS];
        int go[2];
        assert_int_equal(pipe(go), 0);
        for (unsigned i = 0; i < RACERS; i++)
            racers[i] = start_racer(f, go);
        (void)close(go[0]);
        (void)close(go[1]);
        for (unsigned i = 0; i < RACERS; i++) {
            int status = 0;
            assert_int_equal(waitpid(racers[i], &status, 0), racers[i]);
            assert_int_equal(status, 0);
        }
        assert_int_equal(take_counts(f), RACERS);
    }
}

static void slot_that_is_not_private_is_refused(void **state)
{
    struct fixture *f = *state;
    char name[128];
    struct counter_file file = opened(&f->request);
    struct err err = {.code = ERR_NONE};
    let_go(f, &file);
    (void)snprintf(name, sizeof name, FILE_NAME, 0);
    const char *path = temporary_path(&f->session, name);
    assert_int_equal(chmod(path, 0620), 0);
    assert_failed(counter_file_open(&file, &f->request, &err), err, ERR_IO);
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(link(path, temporary_path(&f->session, "second")), 0);
    assert_failed(counter_file_open(&file, &f->request, &err), err, ERR_IO);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_failed(counter_file_open(&file, &f->request, &err), err, ERR_IO);
    assert_int_equal(temporary_count(&f->session), 2);
}

/* --- failures --------------------------------------------------------------------------------- */

static void missing_session_is_reported(void **state)
{
    struct fixture *f = *state;
    struct counter_file file;
    struct err err = {.code = ERR_NONE};
    folder_close(&f->folder);
    folder_open(&f->folder, "/nowhere/at/all");
    assert_failed(counter_file_open(&file, &f->request, &err), err, ERR_IO);
    assert_non_null(strstr(err.text, "/nowhere/at/all"));
}

static void session_with_too_long_a_name_is_reported(void **state)
{
    static char dir[FOLDER_PATH_MAX];
    struct fixture *f = *state;
    struct counter_file file;
    struct err err = {.code = ERR_NONE};
    memset(dir, 'd', sizeof dir - 1);
    folder_close(&f->folder);
    folder_open(&f->folder, dir);
    assert_failed(counter_file_open(&file, &f->request, &err), err, ERR_IO);
}

/* A limit on the size of files does what a full disk does, without one. */
static void no_room_is_reported_and_leaves_no_file(void **state)
{
    struct fixture *f = *state;
    struct rlimit before, small;
    struct counter_file file;
    struct err err = {.code = ERR_NONE};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 2 * PAGE; /* and no SIGXFSZ comes */
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool done = counter_file_open(&file, &f->request, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_failed(done, err, ERR_IO);
    assert_non_null(strstr(err.text, "no room"));
    assert_int_equal(temporary_count(&f->session), 0);
}

static void full_disk_is_reported_and_leaves_no_file(void **state)
{
    struct fixture *f = *state;
    struct counter_file file;
    struct err err = {.code = ERR_NONE};
    if (mount("none", f->session.folder, "tmpfs", 0, "size=16k") != 0)
        skip();
    folder_close(&f->folder);
    assert_int_equal(chmod(f->session.folder, 0700), 0);
    folder_open(&f->folder, f->session.folder);
    bool done = counter_file_open(&file, &f->request, &err);
    unsigned files = temporary_count(&f->session);
    uint64_t room = counter_file_room(&f->folder);
    folder_close(&f->folder);
    assert_int_equal(umount(f->session.folder), 0);
    assert_failed(done, err, ERR_IO);
    assert_int_equal(files, 0);
    assert_int_equal(room, 16 << 10);
}

/* Many modules cost the target no descriptor, and what it closes is not ours. */
static void no_descriptor_is_kept(void **state)
{
    struct fixture *f = *state;
    int before = dup(STDOUT_FILENO);
    (void)close(before);
    struct counter_file file = opened(&f->request);
    int after = dup(STDOUT_FILENO);
    (void)close(after);
    assert_int_equal(before, after);
    let_go(f, &file);
}

/* The target's user, root directory or descriptors may have changed: the directory is still found
 * by the descriptor that was kept, and without it by its path. */
static void directory_is_found_from_another_root(void **state)
{
    struct fixture *f = *state;
    if (geteuid() != 0)
        skip();
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct counter_file file;
        _exit(chroot("/proc") != 0 || !counter_file_open(&file, &f->request, NULL));
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(temporary_count(&f->session), 1);
}

static void users_file_under_a_reused_number_is_left_alone(void **state)
{
    struct fixture *f = *state;
    int number = f->folder.directory.fd;
    assert_int_equal(dup2(STDOUT_FILENO, number), number);
    struct counter_file file = opened(&f->request);
    assert_int_equal(temporary_count(&f->session), 1);
    let_go(f, &file);
    folder_close(&f->folder);
    assert_true(fcntl(number, F_GETFD) >= 0); /* theirs */
    assert_int_equal(close(number), 0);
}

/* As windows_peek left it: reserved, and nothing else. */
static void assert_place_is_reserved(const struct fixture *f)
{
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    assert_non_null(maps);
    const uintptr_t start = (uintptr_t)f->request.place - PAGE;
    uintptr_t end = start;
    while (fgets(line, sizeof line, maps) != NULL) {
        unsigned long from = 0, to = 0;
        char rights[8];
        assert_int_equal(sscanf(line, "%lx-%lx %7s", &from, &to, rights), 3);
        if (from != end)
            continue;
        assert_string_equal(rights, "---p");
        end = to;
    }
    (void)fclose(maps);
    assert_true(end - start >= (size_t)SHARDS << WINDOW_BITS);
}

/* Nothing is mapped then, so nothing keeps the file's lock. */
static void failing_map_leaves_nothing(void **state)
{
    struct fixture *f = *state;
    struct counter_file file;
    struct err err = {.code = ERR_NONE};
    for (unsigned map = 1; map <= SHARDS;
         map++) { /* what stands before the shards is in the first */
        maps_until_failure = map;
        assert_failed(counter_file_open(&file, &f->request, &err), err, ERR_MEMORY);
        assert_false(file.place_is_lost);
        assert_place_is_reserved(f);
    }
    for (unsigned map = 1; map <= SHARDS; map++) {
        maps_until_failure = map;
        assert_failed(counter_file_private(&file, &f->request, &err), err, ERR_MEMORY);
        assert_place_is_reserved(f);
    }
    maps_until_failure = 0;
    file = opened(&f->request);
    assert_int_equal(temporary_count(&f->session), 1);
    let_go(f, &file);
}

static void private_memory_counts_in_the_same_place(void **state)
{
    static const uint8_t verdicts[METHODS] = {0};
    struct fixture *f = *state;
    struct counter_file file;
    struct err err = {.code = ERR_NONE};
    assert_true(counter_file_private(&file, &f->request, &err));
    assert_null(file.head);
    for (unsigned s = 0; s < SHARDS; s++) {
        assert_true(*counter(f, s, COUNTERS - 1) == 0);
        *counter(f, s, COUNTERS - 1) = 1;
    }
    counter_file_add_verdicts(&file, verdicts, METHODS);
    assert_int_equal(temporary_count(&f->session), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
static const struct CMUnitTest tests[] = {
    cmocka_unit_test(stride_is_whole_pages),
    TEST(larger_pages_move_the_shards_apart),
    cmocka_unit_test(shards_fit_room_and_budget),
    TEST(file_is_as_its_format_says),
    TEST(shards_lie_a_window_apart_and_in_the_file),
    TEST(verdicts_are_written),
    TEST(gravest_verdict_stays),
    TEST(module_without_name_path_and_methods_has_a_file_too),
    TEST(long_names_move_the_shards),
    TEST(only_its_owner_may_read_it),
    TEST(slot_in_use_is_left_alone),
    TEST(free_slot_is_counted_on_in),
    TEST(death_frees_a_slot_and_keeps_its_counts),
    TEST(another_plan_has_another_file),
    TEST(file_of_another_layout_is_left_alone),
    TEST(file_with_other_shards_is_counted_on_in),
    TEST(another_window_is_another_shard_of_the_file),
    TEST(window_takes_a_shard_that_is_there),
    TEST(file_that_was_left_grows_to_what_is_wanted),
    TEST(window_without_room_shows_a_shard_that_is_there),
    TEST(window_of_private_memory_is_private_memory),
    TEST(window_of_a_file_that_was_replaced_is_refused),
    TEST(window_that_cannot_be_mapped_is_refused),
    TEST(unfinished_file_is_left_alone),
    TEST(header_with_any_byte_wrong_is_left_alone),
    TEST(other_files_of_that_name_are_left_alone),
    TEST(links_are_not_followed),
    TEST(processes_that_make_slots_at_once_lose_nothing),
    TEST(slot_that_is_not_private_is_refused),
    TEST(missing_session_is_reported),
    TEST(session_with_too_long_a_name_is_reported),
    TEST(no_room_is_reported_and_leaves_no_file),
    TEST(full_disk_is_reported_and_leaves_no_file),
    TEST(no_descriptor_is_kept),
    TEST(directory_is_found_from_another_root),
    TEST(users_file_under_a_reused_number_is_left_alone),
    TEST(failing_map_leaves_nothing),
    TEST(private_memory_counts_in_the_same_place),
};
UNIT_TESTS_WITH(tests, interpose, leave);
