/* One `complete` command per option, with the condition that its verb is being completed. */
#include "cli/completion/completion.h"

static const char takes[] = "# fish completion for ilcov(1); made by 'ilcov completion fish'\n"
                            "\n"
                            "# VERB: prints its options that take a value.\n"
                            "function __ilcov_takes\n"
                            "    switch $argv[1]\n";

static const char rest[] =
    "    end\n"
    "end\n"
    "\n"
    "# The words of the command line before the cursor, without 'ilcov'.\n"
    "function __ilcov_words\n"
    "    set -l words (commandline -opc)\n"
    "    string join \\n -- $words[2..-1]\n"
    "end\n"
    "\n"
    "# Where COMMAND of 'ilcov run' begins among these words: before the cursor, or status 1.\n"
    "function __ilcov_command_start\n"
    "    set -l words (__ilcov_words)\n"
    "    set -l takes (__ilcov_takes run)\n"
    "    set -l i 2\n"
    "    while test $i -le (count $words)\n"
    "        if test \"$words[$i]\" = --\n"
    "            math $i + 1\n"
    "            return 0\n"
    "        else if contains -- \"$words[$i]\" $takes\n"
    "            set i (math $i + 1)\n"
    "        else if not string match -q -- '-*' \"$words[$i]\"\n"
    "            echo $i\n"
    "            return 0\n"
    "        end\n"
    "        set i (math $i + 1)\n"
    "    end\n"
    "    return 1\n"
    "end\n"
    "\n"
    "# Is the verb still to be named?\n"
    "function __ilcov_needs_verb\n"
    "    test (count (__ilcov_words)) -eq 0\n"
    "end\n"
    "\n"
    "# VERB: is it being completed, and not the command that it runs?\n"
    "function __ilcov_is\n"
    "    set -l words (__ilcov_words)\n"
    "    test \"$words[1]\" = $argv[1]\n"
    "    and not begin\n"
    "        test $argv[1] = run\n"
    "        and __ilcov_command_start >/dev/null\n"
    "    end\n"
    "end\n"
    "\n"
    "# Is the command of 'ilcov run' being completed?\n"
    "function __ilcov_in_command\n"
    "    set -l words (__ilcov_words)\n"
    "    test \"$words[1]\" = run\n"
    "    and __ilcov_command_start >/dev/null\n"
    "end\n"
    "\n"
    "# What that command's own completion offers.\n"
    "function __ilcov_command\n"
    "    set -l words (__ilcov_words)\n"
    "    set -l start (__ilcov_command_start)\n"
    "    or set start (math (count $words) + 1)\n"
    "    set -l current (commandline -ct)\n"
    "    test $start -le (count $words)\n"
    "    or not string match -q -- '-*' \"$current\"\n"
    "    or return\n"
    "    set -l line (string escape -- $words[$start..-1]) $current\n"
    "    complete \"-C$line\"\n"
    "end\n"
    "\n"
    "# The IDs of the .NET processes, from the names of their sockets.\n"
    "function __ilcov_processes\n"
    "    set -q TMPDIR\n"
    "    or set -l TMPDIR /tmp\n"
    "    set -l sockets $TMPDIR/dotnet-diagnostic-*-socket\n"
    "    for number in (string replace -rf '.*/dotnet-diagnostic-(\\d+)-.*' '$1' -- $sockets)\n"
    "        test -d /proc/$number\n"
    "        and echo $number\n"
    "    end\n"
    "end\n"
    "\n"
    "function __ilcov_sessions\n"
    "    set -l sessions /dev/shm/ilcov-*\n"
    "    string join \\n -- $sessions\n"
    "    __fish_complete_directories (commandline -ct)\n"
    "end\n"
    "\n"
    "# NAME...: the names, or NAME=FILE once '=' is there.\n"
    "function __ilcov_formats\n"
    "    set -l current (string replace -r '^(--format=|-f)' '' -- (commandline -ct))\n"
    "    if string match -q '*=*' -- $current\n"
    "        set -l parts (string split -m 1 = -- $current)\n"
    "        set -l files (__fish_complete_path $parts[2])\n"
    "        printf \"$parts[1]=%s\\n\" $files\n"
    "    else\n"
    "        string join \\n -- $argv\n"
    "    end\n"
    "end\n"
    "\n"
    "complete -c ilcov -f\n"
    "complete -c ilcov -n __ilcov_needs_verb -s h -l help -d 'print the verbs'\n"
    "complete -c ilcov -n __ilcov_needs_verb -s V -l version -d 'print the version'\n"
    "complete -c ilcov -n __ilcov_needs_verb -a help -d 'print the help of a verb'\n"
    "complete -c ilcov -n __ilcov_in_command -a '(__ilcov_command)'\n";

/* Within single quotes. */
static void add_quoted(struct text *out, struct str s)
{
    text_add_c(out, "'");
    completion_add_escaped(out, s, "'\\", "\\");
    text_add_c(out, "'");
}

/* The part of a `complete` command that says what is expected. */
static void add_action(struct text *out, enum completion completes,
                       bool (*word)(struct option_word *, size_t))
{
    static const char *const actions[] = {
        [COMPLETE_NOTHING] = "-x",
        [COMPLETE_WORD] = "-x -a '",
        [COMPLETE_WORD_FILE] = "-x -a '(__ilcov_formats",
        [COMPLETE_FILE] = "-r -F",
        [COMPLETE_FOLDER] = "-x -a '(__fish_complete_directories (commandline -ct))'",
        [COMPLETE_PROCESS] = "-x -a '(__ilcov_processes)'",
        [COMPLETE_SESSION] = "-x -a '(__ilcov_sessions)'",
        [COMPLETE_PROCESS_OR_SESSION] = "-x -a '(__ilcov_processes; __ilcov_sessions)'",
        [COMPLETE_COMMAND] = "-x -a '(__ilcov_command)'",
    };
    text_addf(out, " %s", actions[completes]);
    if (completes == COMPLETE_WORD || completes == COMPLETE_WORD_FILE) {
        completion_add_words(out, " ", word);
        text_add_c(out, completes == COMPLETE_WORD ? "'" : ")'");
    }
}

static void add_takes(struct text *out, const struct verb *verb)
{
    struct verb_option option;
    text_addf(out, "        case %s\n            string join \\n --", verb->name);
    for (size_t i = 0; verb_option(&option, verb, i); i++) {
        if (option.row->argument == NULL)
            continue;
        if (option.row->letter != 0)
            text_addf(out, " -%c", option.row->letter);
        text_addf(out, " --%s", option.row->name);
    }
    text_add_c(out, "\n");
}

static void add_verb(struct text *out, const struct verb *verb)
{
    struct verb_option option;
    text_addf(out, "\ncomplete -c ilcov -n __ilcov_needs_verb -a %s -d ", verb->name);
    add_quoted(out, str_of(verb->brief));
    text_add_c(out, "\n");
    for (size_t i = 0; verb_option(&option, verb, i); i++) {
        const struct option_row *row = option.row;
        text_addf(out, "complete -c ilcov -n '__ilcov_is %s'", verb->name);
        if (row->letter != 0)
            text_addf(out, " -s %c", row->letter);
        text_addf(out, " -l %s", row->name);
        if (row->argument != NULL)
            add_action(out, row->completes, row->word);
        text_add_c(out, " -d ");
        add_quoted(out, completion_brief(&option));
        text_add_c(out, "\n");
    }
    if (verb->completes == COMPLETE_NOTHING)
        return;
    text_addf(out, "complete -c ilcov -n '__ilcov_is %s'", verb->name);
    add_action(out, verb->completes, verb->word);
    text_add_c(out, "\n");
}

void completion_fish(struct text *out, const struct verb *const *verbs)
{
    text_add_c(out, takes);
    for (const struct verb *const *verb = verbs; *verb != NULL; verb++)
        if ((*verb)->ends_at_operand)
            add_takes(out, *verb);
    text_add_c(out, rest);
    for (const struct verb *const *verb = verbs; *verb != NULL; verb++)
        add_verb(out, *verb);
}
