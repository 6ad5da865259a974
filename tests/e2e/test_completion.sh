#!/bin/bash
# What the shells complete: each is asked itself. bash is there; zsh and fish are skipped by name where they are not installed.
NEEDS_DOTNET=no
. "$(dirname "$0")/lib.sh"

mkdir -p place/dir zsh bin
printf '#!/bin/sh\n' >bin/ilcov-try
chmod +x bin/ilcov-try
ln -s "$(realpath "$ILCOV")" bin/ilcov
export PATH=$temp/bin:$PATH TMPDIR=$temp/sockets
mkdir "$TMPDIR"
: >place/report.xml >place/other.txt
for shell in bash zsh fish; do
    "$ILCOV" completion $shell >script.$shell
    check "$shell: its script is printed" test -s script.$shell
done
cp script.zsh zsh/_ilcov

# A .NET process is known by its socket; the second one is gone.
sleep 600 &
alive=$!
until_true runs $alive sleep
trap 'kill $alive; clean_up' EXIT
: >"$TMPDIR/dotnet-diagnostic-$alive-1-socket" >"$TMPDIR/dotnet-diagnostic-999999999-1-socket"

# --- the shells ------------------------------------------------------------------------------------------------------
# ask_SHELL LINE: the candidates for its last word, one a line.

# The words as bash takes them apart: '=' and ':' are words of their own.
ask_bash()
{
    bash -c '. "$1"; shift
        cd place
        line=$1
        read -ra COMP_WORDS <<<"${line//=/ = }"
        [[ $line == *" " ]] && COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$line COMP_POINT=${#line}
        compopt() { :; }
        _ilcov
        printf "%s\n" "${COMPREPLY[@]}"' bash script.bash "$1"
}
ask_zsh()
{
    (cd place && limited zsh -f "$top/tests/support/zsh_candidates.zsh" "$temp/zsh" "$1")
}
ask_fish()
{
    (cd place && limited fish --no-config -c 'source ../script.fish; complete "-C$argv[1]"' "$1" | cut -f 1)
}

# offers SHELL LINE CANDIDATE...: these, in any order, and perhaps others.
offers()
{
    local shell=$1 line=$2 wanted
    shift 2
    "ask_$shell" "$line" >offered 2>&1
    for wanted in "$@"; do
        # fish repeats what stands before '='; bash and zsh do not
        grep -qxE -- "(-f|--[a-z]+=|cobertura=)*$wanted/?" offered || {
            echo "'$line' is not offered $wanted, but:"
            cat offered
            return 1
        }
    done
}
# lacks SHELL LINE CANDIDATE: is it not offered?
lacks()
{
    "ask_$1" "$2" >offered 2>&1
    ! grep -qx -- "$3" offered
}
# only SHELL LINE CANDIDATE...: these and no others.
only()
{
    offers "$@" || return
    [ "$(sort -u offered | grep -c .)" = $(($# - 2)) ] || {
        echo "'$2' is offered more:"
        cat offered
        return 1
    }
}
# runs_nothing SHELL: are names that a shell would take apart offered as they are, and commands in the line left alone?
odd=$temp/'o $(touch ran) *'
mkdir -p "$odd/ilcov-12-abcdef"
runs_nothing()
{
    TMPDIR=$odd "ask_$1" 'ilcov collect ' >offered 2>&1
    grep -q 'touch.* ran.*ilcov-12-abcdef' offered || { cat offered; return 1; }
    "ask_$1" 'ilcov report $(touch ran) -d ../o' >offered 2>&1
    grep -q 'touch.* ran' offered || { cat offered; return 1; }
    [ -z "$(find "$temp" -name ran)" ]
}

for shell in bash zsh fish; do
    if ! command -v $shell >/dev/null; then
        skip "$shell" "it is not installed"
        continue
    fi
    check "$shell: verbs" only $shell 'ilcov r' run report
    check "$shell: verbs of help" offers $shell 'ilcov ' run env collect attach detach snapshot stacks ps report merge diff inspect doctor completion
    check "$shell: options of the verb" only $shell 'ilcov run --inc' --include --include-generated --include-tests
    check "$shell: not those of another verb" lacks $shell 'ilcov report --inc' --include
    check "$shell: options on both sides of an operand" only $shell 'ilcov report report.xml --fail' --fail-under
    check "$shell: words of a value" only $shell 'ilcov run --mode ' count hit exact
    check "$shell: also after '='" only $shell 'ilcov run --mode=e' exact
    check "$shell: formats" only $shell 'ilcov run -f cob' cobertura
    check "$shell: each verb has its own formats" only $shell 'ilcov diff -f mark' markdown
    check "$shell: a file after a format" only $shell 'ilcov run -f cobertura=re' report.xml
    check "$shell: also after '='" only $shell 'ilcov run --format=cobertura=re' report.xml
    check "$shell: shells of env" only $shell 'ilcov env --shell ' sh pwsh runsettings testconfig launchsettings docker github gitlab
    check "$shell: shells of completion" only $shell 'ilcov completion ' bash zsh fish
    check "$shell: files for a file" only $shell 'ilcov run -d ' report.xml other.txt dir
    check "$shell: folders for a folder" only $shell 'ilcov run --root ' dir
    check "$shell: files for an operand" only $shell 'ilcov merge -o other.txt re' report.xml
    check "$shell: .NET processes that are alive" only $shell 'ilcov attach ' $alive
    check "$shell: the command of run" only $shell 'ilcov run -q ilcov-tr' ilcov-try
    check "$shell: also after '--'" only $shell 'ilcov run -d other.txt -- ilcov-tr' ilcov-try
    check "$shell: its arguments are not options of run" lacks $shell 'ilcov run ilcov-try --mo' --mode
    check "$shell: nothing of a line or a name is run" runs_nothing $shell
    check "$shell: its files" offers $shell 'ilcov run --mode hit -- ilcov-try re' report.xml
done

# --- bash, with the completion of other commands ---------------------------------------------------------------------
if [ -e /usr/share/bash-completion/bash_completion ]; then
    check "bash: the command's own completion takes over" bash -c '. /usr/share/bash-completion/bash_completion
        . ./script.bash
        _ilcov_try() { COMPREPLY=("asked:$2:${COMP_WORDS[0]}"); }
        complete -F _ilcov_try ilcov-try
        compopt() { :; }
        COMP_WORDS=(ilcov run --mode = hit -- ilcov-try su) COMP_CWORD=7
        COMP_LINE="ilcov run --mode=hit -- ilcov-try su" COMP_POINT=${#COMP_LINE}
        _ilcov
        echo "${COMPREPLY[*]}"
        [ "${COMPREPLY[*]}" = asked:su:ilcov-try ]'
else
    skip "bash: the command's own completion takes over" "bash-completion is not installed"
fi
finish
