#!/bin/sh
# measure.sh - ilcov for one project and one of its frameworks. Ilcov.MSBuild.targets starts this in the project's folder.
#
#   measure.sh ILCOV FOLDER PROJECT FRAMEWORK FRAMEWORKS VERB [OPTION VALUE]... [REST...]
#
#   check     are the options right, and those of the tests, REST, which is `-- /dev/null/dotnet test ARG...`? Prints what is wrong,
#             or which files get other names. Writes nothing.
#   begin     removes what an earlier run wrote; an error if another project has one of the files
#   run       that, then `ilcov run`; REST is `-- COMMAND...`
#   collect   `ilcov collect --remove`; REST is the session
#
# FRAMEWORK may be empty for `check`. FRAMEWORKS are all that the project lists, with ; between them, or nothing if it has one. FOLDER is for
# what ilcov remembers of the project.
#
# Each project and each framework has files of its own. Where several could write one file, its name gets what tells them apart, before
# the extension (.cobertura.xml is one): the project, if another lies beside it or the file is outside of its folder; and the
# framework, if the project lists several. A file that has it in its name or that of its folder keeps its name; a folder further up
# may belong to several. Whichever project of one name is the first to write a file outside of its folder has it.
set -u
ilcov=$1 folder=$2 project=$3 framework=${4:-FRAMEWORK} frameworks=$(printf %s "$5" | tr -d '[:space:]') verb=$6
shift 6
files='' renamed=''

several_projects() {
    set -- *.[cfv][sb]proj
    [ $# -gt 1 ]
}

is_outside() {
    case $1 in /* | ../* | */../*) ;; *) return 1 ;; esac
}

# insert NAME FORMAT: into the path `own`
insert() {
    path=//$own above=${path%/*} above=${above%/*}
    case ${path#"$above"}/ in *[/.]"$1"[/.]*) return ;; esac
    end=''
    case ${own##*/} in ?*.*) end=.${own##*.} ;; esac
    case ${own%"$end"} in *?".$2") end=.$2$end ;; esac
    own=${own%"$end"}.$1$end
}

# give_name FILE FORMAT: sets `own`
give_name() {
    own=${1%/}
    if is_outside "$own" || several_projects; then insert "$project" "$2"; fi
    [ -z "$frameworks" ] || insert "$framework" "$2"
    files=$files$own'
'
    [ "$own" != "${1%/}" ] || own=$1
}

# What a format writes for which no file is named; nothing if that is a stream.
usual_file() {
    case $1 in *[!a-z0-9-]*) return ;; esac
    "$ilcov" report --list-formats | sed -n "s/^$1 \{1,10\}\([^ ][^ ]*\) .*/\1/p"
}

# rename OPTION VALUE: sets `value`
rename() {
    value=$2
    case $1=$2 in
    -f=*=-) ;;
    -d=*)
        give_name "$2" ilcov
        value=$own
        ;;
    -f=*=*)
        give_name "${2#*=}" "${2%%=*}"
        value=${2%%=*}=$own
        ;;
    -f=*)
        usual=$(usual_file "$2")
        [ -z "$usual" ] || give_name "$usual" "$2"
        [ -z "$usual" ] || [ "$own" = "$usual" ] || value=$2=$own
        ;;
    esac
}

# --- whose a file is ---------------------------------------------------------------------------------------------------
is_project() {
    set -- "$1".*proj
    [ -e "$1" ]
}

# claim FILE: in a list beside it. A line is appended at once, so of two builds one is the first.
claim() {
    claims=${1%/*}/.ilcov-projects tab=$(printf '\t')
    mine=${1##*/}$tab$(pwd -P)/$project
    { mkdir -p -- "${1%/*}/" && { grep -qxF -e "$mine" "$claims" || printf '%s\n' "$mine" >>"$claims"; }; } 2>/dev/null
    [ -r "$claims" ] || return 0 # ilcov has the words for a folder that cannot be written
    while IFS= read -r line && [ "$line" != "$mine" ]; do
        other=${line#"${1##*/}$tab"}
        if [ "$other" != "$line" ] && is_project "$other"; then
            echo "ilcov: $1 belongs to the project $other: name another file for one of them," \
                "or remove $claims if that project no longer writes it" >&2
            return 1
        fi
    done <"$claims"
}

claim_all() {
    printf %s "$files" | while IFS= read -r file; do
        ! is_outside "$file" || claim "$file" || exit 1
    done || exit 1
}

# --- what an earlier run wrote ---------------------------------------------------------------------------------------
# Whether ilcov made FILE: another tool, or its user, may have replaced it.
is_own() {
    [ -f "$1" ] && [ ! -L "$1" ] || return
    case $(head -c 1000 <"$1" | tr -d '\000') in
    'SQLite format 3'*IlCo* | '<?xml '*'?>
<!-- ilcov '* | '{'*'"generator": {"name": "ilcov"'* | '<!-- ilcov report -->'*) ;;
    *) return 1 ;;
    esac
}

# A list is as old as the start of its run, which did not write what is older. A framework that the project no longer lists has no
# run of its own that would do it.
forget() {
    mkdir -p "$folder" || exit
    for list in "$folder"/*.files; do
        of=${list##*/}
        case ";${frameworks:-$framework};" in
        *";${of%.files};"*) [ "$of" = "$framework.files" ] || continue ;;
        esac
        [ -f "$list" ] || continue
        while IFS= read -r file; do
            [ ! "$file" -nt "$list" ] || ! is_own "$file" || rm -f -- "$file"
        done <"$list"
        rm -f "$list"
    done
    printf %s "$files" >"$folder/$framework.files"
}

# A run that gets as far as starting a command which cannot exist has nothing against its options.
check() {
    said=$("$ilcov" run --quiet "$@" 2>&1)
    if [ $? -ne 126 ]; then
        printf '%s\n' "$said"
        exit 1
    fi
    printf '%s\n' "$said" | sed '/^ilcov: \/dev\/null\/dotnet /d'
    printf %s "$renamed"
}

# --- all -------------------------------------------------------------------------------------------------------------
# tell OPTION VALUE NOW
tell() {
    [ "$2" = "$3" ] || renamed="${renamed}ilcov: $2 becomes $3, because each project and framework has files of its own
"
}

left=$# data=no format=no
while [ $left -gt 1 ] && [ "$1" != -- ]; do
    rename "$1" "$2"
    tell "$1" "$2" "$value"
    case $1 in -d) data=yes ;; -f) format=yes ;; esac
    set -- "$@" "$1" "$value"
    shift 2
    left=$((left - 2))
done
if [ $data = no ]; then
    rename -d TestResults/run.ilcov
    set -- "$@" -d "$value"
fi
if [ $format = no ]; then
    rename -f cobertura=TestResults/coverage.cobertura.xml
    set -- "$@" -f "$value"
fi
while [ $left -gt 0 ]; do # REST is behind the options again
    set -- "$@" "$1"
    shift
    left=$((left - 1))
done

case $verb in
check) check "$@" ;;
begin) claim_all && forget ;;
run)
    claim_all
    forget
    exec "$ilcov" run "$@"
    ;;
collect) exec "$ilcov" collect --remove "$@" ;;
esac
