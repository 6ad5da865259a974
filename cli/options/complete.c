#include "cli/options/complete.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/options/options.h"
#include "coverage/session/session_directory.h"
#include "reporters/legible.h"
#include "system/file_status.h"
#include "system/folder.h"
#include "system/places.h"
#include "system/process.h"
#include "system/temporary_file.h"

struct completion_answer {
    struct text *out;
    const struct verb *const *verbs;
    const char *word; /* what candidates begin with */
    const char *kind; /* of the last line, and its number */
    int number;
};

/* What stands before `at` in the word stays. */
static void begin_at(struct completion_answer *answer, const char *at)
{
    answer->number += (int)(at - answer->word);
    answer->word = at;
}

static void offer_candidate(struct completion_answer *answer, const char *name, struct str about)
{
    if (strncmp(name, answer->word, strlen(answer->word)) == 0)
        text_addf(answer->out, "%s\t%.*s\n", name, STR_ARGS(about));
}

/* --- what can be listed ----------------------------------------------------------------------- */

/* Without what follows "; " or ": ", and without parentheses. */
static struct str brief_of(const char *help)
{
    static const char *const ends[] = {"; ", " (", ": ", " {}"};
    struct str brief = str_of(help);
    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        const char *end = strstr(help, ends[i]);
        if (end != NULL && end != help && (size_t)(end - help) < brief.len)
            brief.len = (size_t)(end - help);
    }
    return brief;
}

static void offer_words(struct completion_answer *answer,
                        bool (*word)(struct option_word *, size_t))
{
    struct option_word item;
    for (size_t i = 0; word != NULL && word(&item, i); i++)
        offer_candidate(answer, item.name, brief_of(item.summary != NULL ? item.summary : ""));
}

static void offer_verbs(struct completion_answer *answer)
{
    for (const struct verb *const *verb = answer->verbs; *verb != NULL; verb++)
        offer_candidate(answer, (*verb)->name, str_of((*verb)->brief));
}

static void offer_options(struct completion_answer *answer, const struct verb *verb)
{
    struct verb_option option;
    for (size_t i = 0; verb_option(&option, verb, i); i++) {
        char name[64], letter[] = {'-', option.row->letter, '\0'};
        (void)snprintf(name, sizeof name, "--%s", option.row->name);
        offer_candidate(answer, name, brief_of(option.help));
        if (option.row->letter != 0)
            offer_candidate(answer, letter, brief_of(option.help));
    }
}

/* The socket of a runtime, "dotnet-diagnostic-PID-START-socket", whose process is alive. */
static bool take_socket(void *context, const char *file)
{
    struct str id = str_of(file);
    char name[PROCESS_NAME_ROOM], number[16];
    if (!str_take(&id, "dotnet-diagnostic-"))
        return true;
    int pid = atoi(id.text);
    if (pid > 0 && process_lives(pid)) {
        (void)process_name_read(name, pid);
        (void)snprintf(number, sizeof number, "%d", pid);
        offer_candidate(context, number, (struct str){name, legible_defuse(name, strlen(name))});
    }
    return true;
}

struct session_place {
    struct completion_answer *answer;
    const char *folder;
};

static bool take_session(void *context, const char *name)
{
    const struct session_place *place = context;
    char path[PATH_ROOM];
    bool is_session = session_owner(name) != 0 || str_starts(str_of(name), SESSION_NAME_KEPT);
    if (is_session && path_join_in(path, str_of(place->folder), str_of(name)) &&
        file_is_folder(path) && strpbrk(path, "\t\n") == NULL) /* else it would end its line */
        offer_candidate(place->answer, path, STR("session"));
    return true;
}

/* Where the user names no place. Once a path is begun, folders are offered alone. */
static void offer_sessions(struct completion_answer *answer)
{
    const char *places[SESSION_PLACES_MOST];
    size_t count = *answer->word == '\0' ? session_places(places) : 0;
    for (size_t i = 0; i < count; i++)
        (void)folder_each_entry(places[i], take_session,
                                &(struct session_place){answer, places[i]});
    answer->kind = "folders";
}

/* --- what is expected ------------------------------------------------------------------------- */

/* FORMAT, or FORMAT=FILE */
static void offer_formats(struct completion_answer *answer,
                          bool (*word)(struct option_word *, size_t))
{
    const char *equals = strchr(answer->word, '=');
    struct option_word item;
    answer->kind = "open";
    if (equals == NULL) {
        offer_words(answer, word);
        return;
    }
    for (size_t i = 0; word(&item, i); i++)
        if (str_is((struct str){answer->word, (size_t)(equals - answer->word)}, item.name)) {
            begin_at(answer, equals + 1);
            answer->kind = "files";
            return;
        }
}

static void offer_values(struct completion_answer *answer, enum completion completes,
                         bool (*word)(struct option_word *, size_t))
{
    if (completes == COMPLETE_WORD)
        offer_words(answer, word);
    else if (completes == COMPLETE_WORD_FILE)
        offer_formats(answer, word);
    else if (completes == COMPLETE_FILE || completes == COMPLETE_FOLDER)
        answer->kind = completes == COMPLETE_FILE ? "files" : "folders";
    if (completes == COMPLETE_PROCESS || completes == COMPLETE_PROCESS_OR_SESSION)
        (void)folder_each_entry(temporary_folder(), take_socket, answer);
    if (completes == COMPLETE_SESSION || completes == COMPLETE_PROCESS_OR_SESSION)
        offer_sessions(answer);
}

/* `first`: the place of its name among the words of the line. */
static void answer_verb(struct completion_answer *answer, const struct verb *verb, int first,
                        int count, char **words)
{
    struct options_last last;
    options_read_last(&last, verb, count, words);
    if (last.row != NULL) {
        begin_at(answer, answer->word + last.at);
        offer_values(answer, last.row->completes, last.row->word);
    } else if (last.operand == 0) {
        offer_options(answer, verb);
    } else if (verb->completes == COMPLETE_COMMAND) {
        answer->kind = "command";
        answer->number = first + last.operand;
    } else if (verb->ends_at_operand && last.operand + 1 < count) { /* config VERB [OPTION...] */
        const struct verb *named = verb_named(answer->verbs, words[last.operand]);
        if (named != NULL)
            answer_verb(answer, named, first + last.operand, count - last.operand,
                        words + last.operand);
    } else if (count - last.operand <= verb->operand_max) {
        offer_values(answer, verb->completes, verb->word);
    }
}

void complete_line(struct text *out, const struct verb *const *verbs, int count, char **words)
{
    struct completion_answer answer = {out, verbs, words[count - 1], "words", 0};
    const struct verb *verb = verb_named(verbs, words[0]);
    if (count == 1) {
        offer_candidate(&answer, "help", STR("print the help for a verb"));
        offer_candidate(&answer, "--help", STR("print the verbs"));
        offer_candidate(&answer, "--version", STR("print the version"));
    }
    if (count == 1 || (count == 2 && strcmp(words[0], "help") == 0))
        offer_verbs(&answer);
    else if (verb != NULL)
        answer_verb(&answer, verb, 1, count, words);
    text_addf(out, "%s %d\n", answer.kind, answer.number);
}
