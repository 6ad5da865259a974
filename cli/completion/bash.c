/* The tables become `case` commands; what is done with them is the same for each verb. */
#include "cli/completion/completion.h"

static const char intro[] =
    "# bash completion for ilcov(1); made by 'ilcov completion bash'\n"
    "\n"
    "# VERB: sets `options` to those that it has, and `kind` to what its operands are.\n"
    "_ilcov_verb()\n"
    "{\n"
    "    case $1 in\n";

static const char values[] =
    "    *) return 1 ;;\n"
    "    esac\n"
    "}\n"
    "\n"
    "# VERB OPTION: sets `kind` to what the option's value is; status 1 when it takes none.\n"
    "_ilcov_value()\n"
    "{\n"
    "    case $1:$2 in\n";

static const char rest[] =
    "    *) return 1 ;;\n"
    "    esac\n"
    "}\n"
    "\n"
    "# KIND PREFIX WORD: adds the candidates that begin with WORD, each after PREFIX.\n"
    "_ilcov_offer()\n"
    "{\n"
    "    local prefix=$2 word=$3 path\n"
    "    local -a found=()\n"
    "    case $1 in\n"
    "    words*) mapfile -t found < <(compgen -W \"${1#words}\" -- \"$word\") ;;\n"
    "    formats*)\n"
    "        if [[ $word == *=* ]]; then\n"
    "            _ilcov_offer file \"$prefix${word%%=*}=\" \"${word#*=}\"\n"
    "            return\n"
    "        fi\n"
    "        compopt -o nospace 2>/dev/null\n"
    "        mapfile -t found < <(compgen -W \"${1#formats}\" -- \"$word\")\n"
    "        ;;\n"
    "    file | folder)\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        [[ $1 == file ]] && path=-f || path=-d\n"
    "        mapfile -t found < <(compgen \"$path\" -- \"$word\")\n"
    "        ;;\n"
    "    session)\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        [[ $word ]] || word=/dev/shm/ilcov-\n"
    "        mapfile -t found < <(compgen -d -- \"$word\")\n"
    "        ;;\n"
    "    process)\n"
    "        for path in \"${TMPDIR:-/tmp}\"/dotnet-diagnostic-*-socket; do\n"
    "            path=${path##*/dotnet-diagnostic-} path=${path%%-*}\n"
    "            [[ $path == \"$word\"* && -d /proc/$path ]] && found+=(\"$path\")\n"
    "        done\n"
    "        ;;\n"
    "    process-or-session)\n"
    "        _ilcov_offer process \"$prefix\" \"$word\"\n"
    "        _ilcov_offer session \"$prefix\" \"$word\"\n"
    "        ;;\n"
    "    esac\n"
    "    COMPREPLY+=(\"${found[@]/#/$prefix}\")\n"
    "}\n"
    "\n"
    "# FIRST: another command begins at this index of COMP_WORDS, and completes itself.\n"
    "_ilcov_command()\n"
    "{\n"
    "    if declare -F _comp_command_offset >/dev/null; then\n"
    "        _comp_command_offset \"$1\"\n"
    "    elif declare -F _command_offset >/dev/null; then\n"
    "        _command_offset \"$1\"\n"
    "    elif ((COMP_CWORD == $1)); then\n"
    "        mapfile -t COMPREPLY < <(compgen -c -- \"${COMP_WORDS[COMP_CWORD]}\")\n"
    "    else\n"
    "        _ilcov_offer file '' \"${COMP_WORDS[COMP_CWORD]}\"\n"
    "    fi\n"
    "}\n"
    "\n"
    "_ilcov()\n"
    "{\n"
    "    local -a words=() starts=()\n"
    "    local i word last current options kind operands waits= ended= left breaks\n"
    "    COMPREPLY=()\n"
    "    # bash makes '=' and ':' words of their own: join them again\n"
    "    for ((i = 0; i <= COMP_CWORD; i++)); do\n"
    "        word=${COMP_WORDS[i]}\n"
    "        if ((i > 1)) && [[ $word == [=:]* || ${COMP_WORDS[i - 1]} == [=:] ]]; then\n"
    "            words[${#words[@]} - 1]+=$word\n"
    "        else\n"
    "            words+=(\"$word\")\n"
    "            starts+=(\"$i\")\n"
    "        fi\n"
    "    done\n"
    "    last=$((${#words[@]} - 1)) current=${words[${#words[@]} - 1]}\n"
    "    if ((last == 1)); then\n"
    "        _ilcov_offer \"words $_ilcov_verbs --help --version\" '' \"$current\"\n"
    "        return\n"
    "    fi\n"
    "    _ilcov_verb \"${words[1]}\" || return\n"
    "    operands=$kind\n"
    "    for ((i = 2; i < last; i++)); do\n"
    "        word=${words[i]}\n"
    "        if [[ $waits ]]; then\n"
    "            waits=\n"
    "        elif [[ ! $ended && $word == -- ]]; then\n"
    "            ended=yes\n"
    "        elif [[ ! $ended && $word == -?* ]]; then\n"
    "            _ilcov_value \"${words[1]}\" \"$word\" && waits=$word\n"
    "        elif [[ $operands == command ]]; then\n"
    "            break\n"
    "        fi\n"
    "    done\n"
    "    if [[ $waits ]]; then\n"
    "        _ilcov_value \"${words[1]}\" \"$waits\"\n"
    "        _ilcov_offer \"$kind\" '' \"$current\"\n"
    "    elif [[ $operands == command ]] && { ((i < last)) || [[ $ended || $current != -* ]]; }; "
    "then\n"
    "        _ilcov_command \"${starts[i]}\"\n"
    "        return\n"
    "    elif [[ ! $ended && $current == --*=* ]]; then\n"
    "        _ilcov_value \"${words[1]}\" \"${current%%=*}\" &&\n"
    "            _ilcov_offer \"$kind\" \"${current%%=*}=\" \"${current#*=}\"\n"
    "    elif [[ ! $ended && $current == -[!-]?* ]] &&\n"
    "        _ilcov_value \"${words[1]}\" \"${current:0:2}\"; then\n"
    "        _ilcov_offer \"$kind\" \"${current:0:2}\" \"${current:2}\"\n"
    "    elif [[ ! $ended && $current == -* ]]; then\n"
    "        _ilcov_offer \"words $options\" '' \"$current\"\n"
    "    else\n"
    "        _ilcov_offer \"$operands\" '' \"$current\"\n"
    "    fi\n"
    "    # what bash replaces begins after the last '=' or ':'\n"
    "    breaks=${COMP_WORDBREAKS//[!=:]/}\n"
    "    if [[ $breaks ]]; then\n"
    "        left=${current%\"${current##*[$breaks]}\"}\n"
    "        COMPREPLY=(\"${COMPREPLY[@]#\"$left\"}\")\n"
    "    fi\n"
    "} &&\n"
    "    complete -F _ilcov ilcov\n";

static void add_kind(struct text *out, enum completion completes,
                     bool (*word)(struct option_word *, size_t))
{
    static const char *const names[] = {
        [COMPLETE_NOTHING] = "nothing",   [COMPLETE_WORD] = "words",
        [COMPLETE_WORD_FILE] = "formats", [COMPLETE_FILE] = "file",
        [COMPLETE_FOLDER] = "folder",     [COMPLETE_PROCESS] = "process",
        [COMPLETE_SESSION] = "session",   [COMPLETE_PROCESS_OR_SESSION] = "process-or-session",
        [COMPLETE_COMMAND] = "command",
    };
    text_addf(out, "kind='%s", names[completes]);
    if (word != NULL)
        completion_add_words(out, " ", word);
    text_add_c(out, "'");
}

static void add_verb(struct text *out, const struct verb *verb)
{
    struct verb_option option;
    text_addf(out, "    %s)\n        options='", verb->name);
    for (size_t i = 0; verb_option(&option, verb, i); i++) {
        if (option.row->letter != 0)
            text_addf(out, "-%c ", option.row->letter);
        text_addf(out, "--%s ", option.row->name);
    }
    text_add_c(out, "' ");
    add_kind(out, verb->completes, verb->word);
    text_add_c(out, "\n        ;;\n");
}

static void add_values(struct text *out, const struct verb *verb)
{
    struct verb_option option;
    for (size_t i = 0; verb_option(&option, verb, i); i++) {
        const struct option_row *row = option.row;
        if (row->argument == NULL)
            continue;
        text_add_c(out, "    ");
        if (row->letter != 0)
            text_addf(out, "%s:-%c | ", verb->name, row->letter);
        text_addf(out, "%s:--%s) ", verb->name, row->name);
        add_kind(out, row->completes, row->word);
        text_add_c(out, " ;;\n");
    }
}

void completion_bash(struct text *out, const struct verb *const *verbs)
{
    text_add_c(out, intro);
    for (const struct verb *const *verb = verbs; *verb != NULL; verb++)
        add_verb(out, *verb);
    text_add_c(out, values);
    for (const struct verb *const *verb = verbs; *verb != NULL; verb++)
        add_values(out, *verb);
    text_add_c(out, rest);
    text_add_c(out, "_ilcov_verbs='");
    for (const struct verb *const *verb = verbs; *verb != NULL; verb++)
        text_addf(out, "%s%s", verb == verbs ? "" : " ", (*verb)->name);
    text_add_c(out, " help'\n");
}
