/* driver.c - runs a fuzz target without libFuzzer:
 *
 *     fuzz_<name> [OPTION]... [FILE|FOLDER]...
 *
 * over the target's own seeds and the files given, over each of them cut at every byte (at every
 * Nth of a long one with --cut-step N), and over --mutations N of them, which depend on nothing
 * but --seed N. Each input is a malloc of its exact size, so that ASan sees the first byte read
 * past it. An input that ends the program is kept beside it, in <program>.finding. --seconds N
 * ends the mutations early; --seeds-to FOLDER writes the target's own seeds to files and does
 * nothing else. */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/fuzz/mutate.h"

enum {
    INPUTS_MAX = 4096,
    INPUT_LEN_MAX = 1 << 20,
    CUT_LEN_MAX = 64 << 10, /* longer inputs are not cut at every byte */
    SHORT_LEN = 512,        /* these are, whatever --cut-step says: most are one header */
    INPUT_SECONDS = 20      /* that one may take */
};

static struct view inputs[INPUTS_MAX];
static size_t input_count;
static const char *program;     /* argv[0] */
static const char *target;      /* its name */
static const char *seed_folder; /* --seeds-to */
static struct view running;     /* what a crash is to be blamed on */

static _Noreturn void give_up(const char *what)
{
    fprintf(stderr, "%s: %s: %s\n", target, what, strerror(errno));
    exit(2);
}

/* --- inputs ----------------------------------------------------------------------------------- */

static void write_file(const char *path, struct view bytes)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, bytes.data, bytes.len) != (ssize_t)bytes.len || close(fd) != 0)
        give_up(path);
}

static struct view copy_of(struct view bytes)
{
    uint8_t *copy = malloc(bytes.len != 0 ? bytes.len : 1);
    if (copy == NULL)
        give_up("memory");
    if (bytes.len != 0)
        memcpy(copy, bytes.data, bytes.len);
    return (struct view){copy, bytes.len};
}

static void release(struct view bytes)
{
    free((void *)(uintptr_t)bytes.data);
}

static void add_input(const char *name, struct view input)
{
    (void)name;
    if (input_count < INPUTS_MAX)
        inputs[input_count++] = copy_of(input);
}

static void write_seed(const char *name, struct view input)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", seed_folder, name);
    write_file(path, input);
}

static void add_file(const char *path)
{
    static uint8_t bytes[INPUT_LEN_MAX];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t len = fd >= 0 ? read(fd, bytes, sizeof bytes) : -1;
    if (len < 0)
        give_up(path);
    (void)close(fd);
    add_input(path, (struct view){bytes, (size_t)len});
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* In the order of names: mutations depend on it. */
static void add_path(const char *path)
{
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, is_visible, alphasort);
    if (count < 0 && errno == ENOTDIR)
        add_file(path);
    for (int i = 0; i < count; i++) {
        char name[4096];
        (void)snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        add_file(name);
        free(entries[i]);
    }
    free(entries);
}

/* --- running ---------------------------------------------------------------------------------- */

/* Keeps the input; whatever raised the signal ends the program as it would have. */
static void keep_finding(int signal_number)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s.finding", program);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd >= 0) {
        ssize_t written = write(fd, running.data, running.len);
        (void)written;
        (void)close(fd);
    }
    fprintf(stderr, "%s: the input of %zu bytes is in %s%s\n", target, running.len, path,
            signal_number == SIGALRM ? ": it did not come back in time" : "");
    (void)signal(SIGABRT, SIG_DFL);
    abort();
}

static void run(struct view input)
{
    struct view copy = copy_of(input);
    running = input;
    (void)alarm(INPUT_SECONDS);
    (void)LLVMFuzzerTestOneInput(copy.data, copy.len);
    (void)alarm(0);
    release(copy);
}

static unsigned long run_cut(struct view input, size_t step)
{
    unsigned long cut = 0;
    if (input.len > CUT_LEN_MAX)
        return 0;
    for (size_t len = 0; len < input.len; len += len < SHORT_LEN ? 1 : step, cut++)
        run((struct view){input.data, len});
    return cut;
}

static unsigned long run_mutations(uint64_t seed, unsigned long count, time_t until)
{
    static uint8_t bytes[INPUT_LEN_MAX];
    struct mutator mutator = {.state = seed};
    unsigned long done = 0;
    for (; done < count && input_count != 0; done++) {
        if (until != 0 && done % 64 == 0 && time(NULL) >= until)
            break;
        run(mutate(&mutator, bytes, sizeof bytes, inputs, input_count));
    }
    return done;
}

/* --- the program ------------------------------------------------------------------------------ */

static int usage(void)
{
    fprintf(stderr,
            "usage: %s [--seed N] [--mutations N] [--seconds N] [--cut-step N] "
            "[--seeds-to FOLDER] [FILE|FOLDER]...\n",
            target);
    return 2;
}

/* ASan and UBSan must end with a signal, or the input would be lost. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "abort_on_error=1";
}

const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void)
{
    return "abort_on_error=1:print_stacktrace=1";
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"seed", required_argument, NULL, 's'},     {"mutations", required_argument, NULL, 'm'},
        {"seconds", required_argument, NULL, 't'},  {"cut-step", required_argument, NULL, 'c'},
        {"seeds-to", required_argument, NULL, 'o'}, {0},
    };
    unsigned long seed = 1, mutations = 10000, seconds = 0, cut_step = 1, cut = 0;
    program = argv[0];
    target = strrchr(argv[0], '/') != NULL ? strrchr(argv[0], '/') + 1 : argv[0];
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option == 's')
            seed = strtoul(optarg, NULL, 0);
        else if (option == 'm')
            mutations = strtoul(optarg, NULL, 0);
        else if (option == 't')
            seconds = strtoul(optarg, NULL, 0);
        else if (option == 'c')
            cut_step = strtoul(optarg, NULL, 0);
        else if (option == 'o')
            seed_folder = optarg;
        else
            return usage();
    }
    if (seed_folder != NULL) {
        fuzz_seeds(write_seed);
        return 0;
    }
    if (cut_step == 0)
        return usage();
    fuzz_seeds(add_input);
    for (int i = optind; i < argc; i++)
        add_path(argv[i]);
    (void)signal(SIGABRT, keep_finding);
    (void)signal(SIGALRM, keep_finding);
    for (size_t i = 0; i < input_count; i++) {
        run(inputs[i]);
        cut += run_cut(inputs[i], cut_step);
    }
    time_t until = seconds != 0 ? time(NULL) + (time_t)seconds : 0;
    unsigned long mutated = run_mutations(seed, mutations, until);
    printf("%s: %zu inputs, cut at %lu places, %lu mutations from seed %lu: no finding\n", target,
           input_count, cut, mutated, seed);
    for (size_t i = 0; i < input_count; i++)
        release(inputs[i]);
    arena_free(fuzz_arena());
    return 0;
}
