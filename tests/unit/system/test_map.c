/* test_map.c - address space is reserved, filled and given back, at the page size of the machine.
 * The machine is also taken for one with larger pages. */
#include "system/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/interposed.h"
#include "tests/support/temporary.h"

static long page_len;

static long page_sysconf(int name)
{
    return name == _SC_PAGESIZE ? page_len : original.sysconf(name);
}

static bool is_mapped(const uint8_t *at, size_t len)
{
    unsigned char resident[16];
    assert_true(len / map_granularity() <= sizeof resident);
    return mincore((void *)(uintptr_t)at, len, resident) == 0;
}

/* --- granularity ------------------------------------------------------------------------------ */

static void granularity_is_the_page_of_the_machine(void **state)
{
    (void)state;
    assert_int_equal(map_granularity(), getpagesize());
}

static void whole_is_the_next_multiple_of_the_page(void **state)
{
    static const size_t pages[] = {4096, 16384, 65536};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(pages); i++) {
        size_t page = pages[i];
        page_len = (long)page;
        interposed.sysconf = page_sysconf;
        size_t none = map_whole(0), least = map_whole(1), most = map_whole(page),
               more = map_whole(page + 1), many = map_whole(10 * page - 1);
        interposed = original;
        assert_int_equal(none, 0);
        assert_int_equal(least, page);
        assert_int_equal(most, page);
        assert_int_equal(more, 2 * page);
        assert_int_equal(many, 10 * page);
    }
}

/* --- reserving -------------------------------------------------------------------------------- */

/* The signal that writing there ends a process with; 0: none. */
static int signal_of_writing(uint8_t *at)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit none = {0, 0};
        (void)setrlimit(RLIMIT_CORE, &none);
        (void)signal(SIGSEGV, SIG_DFL); /* a sanitizer has a handler */
        *(volatile uint8_t *)at = 1;
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void reserved_place_may_not_be_touched(void **state)
{
    (void)state;
    size_t len = 3 * map_granularity();
    uint8_t *place = map_reserve(0, len);
    assert_non_null(place);
    assert_true(is_mapped(place, len));
    assert_int_equal(signal_of_writing(place), SIGSEGV);
    map_release(place, len);
    assert_false(is_mapped(place, len));
}

static void place_that_is_asked_for_is_that_or_none(void **state)
{
    (void)state;
    size_t len = map_granularity();
    uint8_t *place = map_reserve(0, 2 * len);
    assert_non_null(place);
    map_release(place, 2 * len);
    assert_ptr_equal(map_reserve((uintptr_t)place, 2 * len), place);
    map_release(place, 2 * len);
    assert_true(map_memory_at(place, len));
    *place = 77;
    errno = 0;
    assert_null(map_reserve((uintptr_t)place, 2 * len));
    assert_int_equal(errno, EEXIST);
    assert_int_equal(*place, 77);
    map_release(place, len);
}

static void reserving_again_drops_what_was_there(void **state)
{
    (void)state;
    size_t len = map_granularity();
    uint8_t *place = map_reserve(0, 3 * len);
    assert_non_null(place);
    assert_true(map_memory_at(place + len, len));
    place[len] = 1;
    assert_true(map_reserve_again(place + len, len));
    assert_int_equal(signal_of_writing(place + len), SIGSEGV);
    assert_true(map_memory_at(place + len, len));
    assert_int_equal(place[len], 0);
    map_release(place, 3 * len);
    assert_false(is_mapped(place + len, len));
}

/* --- memory and files ------------------------------------------------------------------------- */

static void memory_is_zero_and_not_shared(void **state)
{
    (void)state;
    size_t len = 2 * map_granularity();
    uint8_t *memory = map_memory(len);
    assert_non_null(memory);
    for (size_t i = 0; i < len; i++)
        assert_int_equal(memory[i], 0);
    assert_int_equal(signal_of_writing(memory), 0); /* a child's copy is its own */
    assert_int_equal(memory[0], 0);
    map_release(memory, len);
}

static int file_of(struct temporary *t, size_t len)
{
    int fd = open(temporary_path(t, "file"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(posix_fallocate(fd, 0, (off_t)len), 0);
    return fd;
}

/* On machines with 4, 16 and 64 KiB pages: what is put at a place is a multiple of all. */
static void what_is_written_to_a_shared_mapping_is_in_the_file(void **state)
{
    static const size_t pages[] = {4096, 16384, 65536};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(pages); i++) {
        struct temporary t;
        size_t page = pages[i];
        temporary_open(&t);
        int fd = file_of(&t, 3 * page);
        uint8_t *head = map_shared(fd, page), *place = map_reserve(0, 2 * page);
        assert_non_null(head);
        assert_non_null(place);
        assert_true(map_shared_at(place, 2 * page, fd, page));
        assert_int_equal(close(fd), 0); /* the mapping does not need it */
        head[1] = 11;
        place[0] = 12;
        place[2 * page - 1] = 13;
        struct str bytes = temporary_read(&t, temporary_path(&t, "file"));
        assert_int_equal(bytes.len, 3 * page);
        assert_int_equal(bytes.text[1], 11);
        assert_int_equal(bytes.text[page], 12);
        assert_int_equal(bytes.text[3 * page - 1], 13);
        map_release(head, page);
        map_release(place, 2 * page);
        temporary_close(&t);
    }
}

static void failure_leaves_its_reason_in_errno(void **state)
{
    (void)state;
    size_t len = map_granularity();
    uint8_t *place = map_reserve(0, len);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    assert_non_null(place);
    errno = 0;
    assert_null(map_shared(-1, len));
    assert_int_equal(errno, EBADF);
    errno = 0;
    assert_false(map_shared_at(place, len, -1, 0));
    assert_int_equal(errno, EBADF);
    errno = 0;
    assert_null(map_shared(nothing, len)); /* opened for reading */
    assert_int_not_equal(errno, 0);
    errno = 0;
    assert_null(map_memory(0));
    assert_int_equal(errno, EINVAL);
    errno = 0;
    assert_null(map_reserve(0, (size_t)1 << 62));
    assert_int_not_equal(errno, 0);
    (void)close(nothing);
    map_release(place, len);
}

/* --- what the process may still have ---------------------------------------------------------- */

static void mappings_are_allowed_until_they_are_not(void **state)
{
    (void)state;
#ifdef __SANITIZE_THREAD__ /* which ends when it is refused memory */
    skip();
#endif
    struct rlimit before, none;
    assert_true(map_allows_more(16));
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    none = before;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_AS, &none), 0);
    bool allowed = map_allows_more(16);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_false(allowed);
}

static void address_space_that_is_left_is_below_its_limit(void **state)
{
    (void)state;
    struct rlimit before, limited;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    if (before.rlim_cur != RLIM_INFINITY)
        skip();
    assert_true(map_address_space_left() == UINT64_MAX);
    limited = before;
    limited.rlim_cur = (rlim_t)1 << 46; /* more than any sanitizer takes */
    assert_int_equal(setrlimit(RLIMIT_AS, &limited), 0);
    size_t len = (size_t)1 << 30;
    uint64_t left = map_address_space_left(), as_another = map_address_space_left_to(getpid());
    uint8_t *taken = map_reserve(0, len);
    uint64_t less = map_address_space_left();
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_non_null(taken);
    map_release(taken, len);
    assert_true(left > len && left < (uint64_t)1 << 46);
    assert_true(left - as_another < len || as_another - left < len);
    /* memcheck takes and gives back some of its own meanwhile */
    assert_true(left - less > len / 2 && left - less < 2 * len);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(granularity_is_the_page_of_the_machine),
    cmocka_unit_test(whole_is_the_next_multiple_of_the_page),
    cmocka_unit_test(reserved_place_may_not_be_touched),
    cmocka_unit_test(place_that_is_asked_for_is_that_or_none),
    cmocka_unit_test(reserving_again_drops_what_was_there),
    cmocka_unit_test(memory_is_zero_and_not_shared),
    cmocka_unit_test(what_is_written_to_a_shared_mapping_is_in_the_file),
    cmocka_unit_test(failure_leaves_its_reason_in_errno),
    cmocka_unit_test(mappings_are_allowed_until_they_are_not),
    cmocka_unit_test(address_space_that_is_left_is_below_its_limit),
};
UNIT_TESTS(tests);
