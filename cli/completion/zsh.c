/* _arguments knows how options are parsed; the tables become its specifications. */
#include "cli/completion/completion.h"

#include <limits.h>

static const char intro[] =
    "#compdef ilcov\n"
    "# zsh completion for ilcov(1); made by 'ilcov completion zsh'\n"
    "\n"
    "# The IDs of the .NET processes, from the names of their sockets.\n"
    "_ilcov_processes()\n"
    "{\n"
    "    local -a numbers=(${TMPDIR:-/tmp}/dotnet-diagnostic-*-socket(N:t))\n"
    "    numbers=(/proc/${^${${numbers#dotnet-diagnostic-}%%-*}}(N:t))\n"
    "    _wanted processes expl 'process ID' compadd -a numbers\n"
    "}\n"
    "\n"
    "_ilcov_sessions()\n"
    "{\n"
    "    local -a sessions=(/dev/shm/ilcov-*(N/))\n"
    "    _alternative 'sessions:session:compadd -a sessions' 'folders:folder:_files -/'\n"
    "}\n"
    "\n"
    "_ilcov_processes_and_sessions()\n"
    "{\n"
    "    _alternative 'processes:process ID:_ilcov_processes' 'sessions:session:_ilcov_sessions'\n"
    "}\n"
    "\n"
    "# NAME[=FILE]; the names are the arguments.\n"
    "_ilcov_formats()\n"
    "{\n"
    "    if compset -P '*='; then\n"
    "        _files\n"
    "    else\n"
    "        _wanted formats expl format compadd -S '' - \"$@\"\n"
    "    fi\n"
    "}\n"
    "\n"
    "_ilcov()\n"
    "{\n"
    "    local context state state_descr line expl ret=1\n"
    "    typeset -A opt_args\n"
    "    local -a verbs=(\n";

static const char dispatch[] = "        'help:print the help of a verb'\n"
                               "        '--help:print the verbs'\n"
                               "        '--version:print the version'\n"
                               "    )\n"
                               "    if ((CURRENT == 2)); then\n"
                               "        _describe verb verbs\n"
                               "        return\n"
                               "    fi\n"
                               "    shift words\n"
                               "    ((CURRENT--))\n"
                               "    case $words[1] in\n";

static const char outro[] = "    help)\n"
                            "        ((CURRENT == 2)) && _describe verb verbs && ret=0\n"
                            "        ;;\n"
                            "    esac\n"
                            "    return ret\n"
                            "}\n"
                            "\n"
                            "_ilcov \"$@\"\n";

/* In a specification within single quotes. */
static void add_message(struct text *out, struct str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.text[i];
        if (c == '\'')
            text_add_c(out, "'\\'");
        else if (c == '[' || c == ']' || c == ':' || c == '\\')
            text_add_c(out, "\\");
        text_add(out, (struct str){&s.text[i], 1});
    }
}

/* ":MESSAGE:ACTION" */
static void add_action(struct text *out, const char *message, enum completion completes,
                       bool (*word)(struct option_word *, size_t))
{
    static const char *const actions[] = {
        [COMPLETE_NOTHING] = " ",
        [COMPLETE_WORD] = "(",
        [COMPLETE_WORD_FILE] = "_ilcov_formats",
        [COMPLETE_FILE] = "_files",
        [COMPLETE_FOLDER] = "_files -/",
        [COMPLETE_PROCESS] = "_ilcov_processes",
        [COMPLETE_SESSION] = "_ilcov_sessions",
        [COMPLETE_PROCESS_OR_SESSION] = "_ilcov_processes_and_sessions",
        [COMPLETE_COMMAND] = "_command_names -e",
    };
    text_add_c(out, ":");
    add_message(out, str_of(message));
    text_addf(out, ":%s", actions[completes]);
    if (completes == COMPLETE_WORD || completes == COMPLETE_WORD_FILE)
        completion_add_words(out, " ", word);
    if (completes == COMPLETE_WORD)
        text_add_c(out, ")");
}

/* '(-q --quiet)'{-q,--quiet}'[no summary]'; an option with a value may be repeated. */
static void add_option(struct text *out, const struct verb_option *option)
{
    const struct option_row *row = option->row;
    bool takes = row->argument != NULL;
    text_add_c(out, " \\\n            ");
    if (row->letter != 0 && takes)
        text_addf(out, "'*'{-%c+,--%s=}'", row->letter, row->name);
    else if (row->letter != 0)
        text_addf(out, "'(-%c --%s)'{-%c,--%s}'", row->letter, row->name, row->letter, row->name);
    else
        text_addf(out, "'%s--%s%s", takes ? "*" : "", row->name, takes ? "=" : "");
    text_add_c(out, "[");
    add_message(out, completion_brief(option));
    text_add_c(out, "]");
    if (takes)
        add_action(out, row->argument, row->completes, row->word);
    text_add_c(out, "'");
}

static void add_operands(struct text *out, const struct verb *verb)
{
    bool any = verb->operand_max == INT_MAX;
    if (verb->completes == COMPLETE_COMMAND) {
        text_add_c(out, " \\\n            '(-)1");
        add_action(out, "command", verb->completes, NULL);
        text_add_c(out, "' \\\n            '*::argument:_normal'");
        return;
    }
    for (int i = 1; i <= (any ? 1 : verb->operand_max); i++) {
        text_add_c(out, " \\\n            '");
        if (any)
            text_add_c(out, "*");
        else
            text_addf(out, "%d", i);
        add_action(out, "operand", verb->completes, verb->word);
        text_add_c(out, "'");
    }
}

void completion_zsh(struct text *out, const struct verb *const *verbs)
{
    text_add_c(out, intro);
    for (const struct verb *const *verb = verbs; *verb != NULL; verb++) {
        text_addf(out, "        '%s:", (*verb)->name);
        add_message(out, str_of((*verb)->brief));
        text_add_c(out, "'\n");
    }
    text_add_c(out, dispatch);
    for (const struct verb *const *verb = verbs; *verb != NULL; verb++) {
        struct verb_option option;
        text_addf(out, "    %s)\n        _arguments -s -S", (*verb)->name);
        for (size_t i = 0; verb_option(&option, *verb, i); i++)
            add_option(out, &option);
        add_operands(out, *verb);
        text_add_c(out, " && ret=0\n        ;;\n");
    }
    text_add_c(out, outro);
}
