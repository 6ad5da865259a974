# lib.sh - what the end-to-end tests share. A test is a bash script that sources this first and ends with `finish`:
#
#     test_NAME.sh [-v] [-x] [--keep] [PART]
#
#   -v      shows what the command of each check printed
#   -x      shows each command before it runs, with the file and line it comes from
#   --keep  keeps the temporary directory, and says where it is
#   PART    counts and shows only the checks that have it in their names. All commands run: a check needs what those before it made.
#
#   ILCOV    the program under test         (build/ilcov; libilcov.so lies beside it)
#   EXPECT   tests/support/expect_coverage  (build/expect_coverage)
#   LIMIT    seconds that one command may take (300)
#   ILCOV_LONG=1     also what only repeats a property in another variant (`long`); tests/campaign/long.sh sets it
#   ILCOV_DOTNET=11  on .NET 11 instead of 10 (`on_dotnet_11`)
#   NEEDS_DOTNET=no  before it is sourced: a test that runs without .NET
#
# Prints `ok - what` or `not ok - what` for each check, and `N passed, N failed` in the last line; the exit status tells the
# same. Builds go to build/e2e (kept: the next run is quick; what `build` makes is every test's, and nobody writes into it),
# all else to a temporary directory that is removed.

set -u
is_verbose='' is_traced='' keeps_temp='' asked_part=''
take_options() {
    local option
    for option; do
        case $option in
        -v) is_verbose=yes ;;
        -x) is_traced=yes ;;
        --keep) keeps_temp=yes ;;
        -*) printf '%s: there is no option %s; there are -v, -x and --keep\n' "${0##*/}" "$option" >&2 && exit 2 ;;
        *) asked_part=$option ;;
        esac
    done
}
case ${0##*/} in test_*) take_options "$@" ;; esac # other scripts have arguments of their own
ulimit -c 0

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd) || exit 2
name=$(basename "$0" .sh)

# absolute FILE: its path from anywhere.
absolute() {
    case $1 in
    /*) printf '%s\n' "$1" ;;
    *) printf '%s\n' "$PWD/$1" ;;
    esac
}

ILCOV=$(absolute "${ILCOV:-$top/build/ilcov}")
EXPECT=$(absolute "${EXPECT:-$top/build/expect_coverage}")
# The interpreter itself: what a version manager adds to each of hundreds of starts is more than the work of most.
if command -v python3 >/dev/null && [ "$(head -c 2 "$(command -v python3)")" = '#!' ]; then
    PATH=$(python3 -S -c 'import os, sys; print(os.path.dirname(sys.executable))'):$PATH
fi
PATH=${ILCOV%/*}:$PATH # messages name commands as a user would type them
LIMIT=${LIMIT:-300}
passed=0 failed=0 skipped=0
net=net10.0 built=$top/build/e2e/fixtures

temp=$(mktemp -d "${TMPDIR:-/tmp}/ilcov-$name.XXXXXX") || exit 2
# clean_up: what EXIT does; a test that has more to do there calls it.
clean_up() {
    [ -n "$keeps_temp" ] || rm -rf "$temp"
}
[ -z "$keeps_temp" ] || printf '# %s keeps %s\n' "$name" "$temp"
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
cd "$temp" || exit 2

# is_asked_for WHAT: does the command line ask for this check?
is_asked_for() {
    case $1 in *"$asked_part"*) ;; *) return 1 ;; esac
}

# ok WHAT [FILE]: FILE holds what was seen, as for not_ok.
ok() {
    is_asked_for "$1" || return 0
    passed=$((passed + 1))
    printf 'ok - %s\n' "$1"
    [ -z "$is_verbose" ] || [ $# -eq 1 ] || sed 's/^/#   /' "$2"
}

# not_ok WHAT [FILE]: FILE holds what was seen; its last lines are shown.
not_ok() {
    is_asked_for "$1" || return 0
    failed=$((failed + 1))
    printf 'not ok - %s\n' "$1"
    if [ $# -gt 1 ] && [ -f "$2" ]; then
        tail -n 40 "$2" | sed 's/^/#   /'
    fi
}

skip() {
    is_asked_for "$1" || return 0
    skipped=$((skipped + 1))
    printf 'ok - %s # skipped: %s\n' "$1" "$2"
}

# check WHAT COMMAND...: does the command succeed?
check() {
    local what=$1
    shift
    if "$@" >"$temp/check.log" 2>&1; then
        ok "$what" "$temp/check.log"
    else
        not_ok "$what" "$temp/check.log"
    fi
}

# same WHAT EXPECTED GOT
same() {
    if [ "$2" = "$3" ]; then
        ok "$1"
    else
        printf 'expected: %s\ngot:      %s\n' "$2" "$3" >"$temp/same.log"
        not_ok "$1" "$temp/same.log"
    fi
}

# uncovered_agrees: of all that a test measured, is `show --uncovered` the missed lines of the JSON report?
uncovered_agrees() {
    if command -v python3 >/dev/null && [ -n "$(find "$temp" -name '*.ilcov' -print -quit 2>/dev/null)" ]; then
        check "show --uncovered is the missed lines of the JSON report, of every data file" \
            limited python3 -S "$top/tests/support/uncovered.py" "$ILCOV" "$temp"
    fi
}

finish() {
    uncovered_agrees
    if [ "$skipped" -gt 0 ]; then
        printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    else
        printf '%d passed, %d failed\n' "$passed" "$failed"
    fi
    if [ "$((passed + failed + skipped))" -eq 0 ]; then
        printf '%s: no check has %s in its name\n' "$name" "${asked_part:-a name}" >&2
        exit 2
    fi
    [ "$failed" -eq 0 ]
    exit
}

# broken WHAT FILE: what all that follows needs is not to be had.
broken() {
    asked_part=''
    not_ok "$@"
    finish
}

# long: may the test take long? `make check` tries each property once; another build, runtime or mode of it comes with ILCOV_LONG=1.
long() {
    [ -n "${ILCOV_LONG:-}" ]
}

# limited COMMAND...: killed when it takes too long (status 124, or 137).
limited() {
    timeout --kill-after=10 "$LIMIT" "$@"
}

# building COMMAND...: limited, for a command that only builds what is tested. The SDK's tools are precompiled and end soon, so
# compiling their methods again as they get warm would cost a third of the time. What is tested keeps the runtime's defaults.
building() {
    limited env DOTNET_TieredPGO=0 DOTNET_TC_CallCountingDelayMs=FFFFFF "$@"
}

# frugally: from here on nothing is compiled again as it gets warm, not even under ilcov, and MSBuild below the working directory
# works in one process: under ilcov no node stays for the next build, so each further one has to compile all of MSBuild. For tests
# that are not about the runtime's tiers or the build.
frugally() {
    export DOTNET_TieredPGO=0 DOTNET_TC_CallCountingDelayMs=FFFFFF
    echo -maxcpucount:1 >Directory.Build.rsp
}

# made COMMAND...: a step that builds what is tested; the test ends when it fails.
made() {
    if ! building "$@" >"$temp/made.log" 2>&1; then
        broken "$*" "$temp/made.log"
    fi
}

# on_dotnet_11: from here on, what is for .NET 10 is built for .NET 11 instead, with the same SDK, and runs there (tests/dotnet11). Skipped
# as a test, with status 1, if that is not to be had.
on_dotnet_11() {
    local root=$top/build/e2e/dotnet11
    if building bash "$top/tests/dotnet11/root.sh" "$root" >"$temp/root.log" 2>&1; then
        net=net11.0 built=$root/fixtures
        export DOTNET_ROOT=$root PATH=$root:$PATH BeforeMicrosoftNETSdkTargets=$top/tests/dotnet11/dotnet11.targets
        return 0
    elif grep -q 'NU110[12]' "$temp/root.log"; then
        skip ".NET 11" "its runtime is not to be had"
    else
        not_ok ".NET 11: a root is made" "$temp/root.log"
    fi
    return 1
}

# library FOLDER / test_project FOLDER PROJECT...: a class library, or a project of xunit tests that refers to others, as `dotnet new` and
# `dotnet add` make them, which take seconds each. tests/e2e/test_new_user.sh has the real ones.
library() {
    mkdir -p "$1"
    cat >"$1/${1##*/}.csproj" <<'XML'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net10.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings><Nullable>enable</Nullable>
  </PropertyGroup>
</Project>
XML
}
test_project() {
    local folder=$1 project
    shift
    mkdir -p "$folder"
    {
        sed '/<ProjectReference/d; /<\/Project>/d' "$top/fixtures/sample/tests/Calculator.Tests/Calculator.Tests.csproj"
        echo '<ItemGroup>'
        for project; do
            printf '<ProjectReference Include="%s" />\n' "$(realpath --relative-to "$folder" "$project/${project##*/}.csproj")"
        done
        echo '</ItemGroup></Project>'
    } >"$folder/${folder##*/}.csproj"
}

# find_compiler: sets `compiler`, the command that compiles C# for $net, once.
compiler=()
find_compiler() {
    local dotnet references
    [ ${#compiler[@]} -eq 0 ] || return
    dotnet=$(dirname "$(readlink -f "$(command -v dotnet)")")
    references=("$dotnet"/packs/Microsoft.NETCore.App.Ref/*/ref/$net)
    references=("${references[-1]}"/*.dll)
    compiler=(dotnet exec "$dotnet/sdk/$(dotnet --version)/Roslyn/bincore/csc.dll" -noconfig)
    # That of `make check`, where all wait for one.
    [ -z "${SharedCompilationId:-}" ] || compiler+=("-shared:$SharedCompilationId")
    compiler+=(-nologo -nostdlib+ -warn:0 -deterministic+ -debug:portable "${references[@]/#/-r:}")
}

# compiled FOLDER CONFIGURATION [OPTION...]: the C# sources of FOLDER, with the options that `dotnet build` gives its compiler, which is
# a fifth of the work: for a program that refers to no other project and to no package. Sets `program`, which `dotnet` runs.
compiled() {
    local folder=$1 configuration=$2
    shift 2
    program=$temp/$folder.$configuration/$folder.dll
    find_compiler
    if [ "$configuration" = Debug ]; then
        set -- -optimize- '-define:TRACE;DEBUG' "$@"
    else
        set -- -optimize+ '-define:TRACE;RELEASE' "$@"
    fi
    mkdir -p "${program%/*}"
    made "${compiler[@]}" -checksumalgorithm:SHA256 -target:exe "$@" "-out:$program" "$temp/$folder"/*.cs
    printf '{"runtimeOptions":{"tfm":"%s","framework":{"name":"Microsoft.NETCore.App","version":"%s.0"}}}\n' $net "${net#net}" \
        >"${program%.dll}.runtimeconfig.json"
}

# recompiled PROJECT OUTPUT [OPTION...]: the C# sources of a library that `dotnet build` has built, into its folder OUTPUT, with what that
# gives the compiler in Debug builds: a tenth of its work.
recompiled() {
    local project=$1 output=$2
    shift 2
    find_compiler
    building "${compiler[@]}" -nullable+ -target:library '-define:TRACE;DEBUG' "-out:$output/$project.dll" "$@" \
        "$project"/*.cs "$project"/obj/Debug/$net/*.cs >compile.log 2>&1 ||
        not_ok "$project compiles" compile.log
}

# solution NAME PROJECT...: of these folders.
solution() {
    local name=$1 project
    shift
    {
        echo '<Solution>'
        for project; do
            printf '<Project Path="%s" />\n' "$project/${project##*/}.csproj"
        done
        echo '</Solution>'
    } >"$name.slnx"
}

# lower WORD
lower() {
    printf '%s\n' "$1" | tr '[:upper:]' '[:lower:]'
}

# is_built FIXTURE STAMP: is nothing of it newer than the stamp?
is_built() {
    [ -e "$2" ] && [ -z "$(find "$top/fixtures/$1" "$top/fixtures/Directory.Build.props" "$top/fixtures/Directory.Build.targets" \
        -newer "$2" -print -quit)" ]
}

# build FIXTURE CONFIGURATION: sets `program` to what it built, or what was built before by any test or build_fixtures.sh. A
# fixture that does not compile ends the test.
build() {
    local place=$built/$1 stamp
    stamp=$place/$2.built
    program=$place/bin/$1/$(lower "$2")/$1
    ! is_built "$1" "$stamp" || return 0
    mkdir -p "$place"
    {
        flock 9
        is_built "$1" "$stamp" && return 0
        touch "$stamp.new"
        if ! building dotnet build "$top/fixtures/$1" --configuration "$2" --nologo --artifacts-path "$place" \
            >"$temp/build.log" 2>&1 9>&-; then
            broken "$1 compiles ($2)" "$temp/build.log"
        fi
        mv "$stamp.new" "$stamp"
    } 9>"$place/lock"
}

# build_for FRAMEWORK FIXTURE [CONFIGURATION]: the same with its runtime, which comes from NuGet, in Release; skipped as a test if it is
# not available. Tests share this build, too.
build_for() {
    local place=$top/build/e2e/fixtures/$2-$1 configuration=${3:-Release} stamp
    stamp=$place/$configuration.published
    program=$place/publish/$2/$(lower "$configuration")_linux-x64/$2
    ! is_built "$2" "$stamp" || return 0
    mkdir -p "$place"
    {
        flock 9
        is_built "$2" "$stamp" && return 0
        touch "$stamp.new"
        if building dotnet publish "$top/fixtures/$2" --configuration "$configuration" --runtime linux-x64 --self-contained true \
            -p:Framework="$1" --nologo --artifacts-path "$place" >"$temp/build.log" 2>&1 9>&-; then
            mv "$stamp.new" "$stamp"
            return 0
        elif grep -q 'NU110[12]' "$temp/build.log"; then
            skip "$1" "its runtime is not available"
        else
            not_ok "$1: publishes" "$temp/build.log"
        fi
        return 1
    } 9>"$place/lock"
}

# measure NAME OPTION... -- COMMAND...: runs the command under ilcov. Sets `status`; what it printed is in NAME.out and
# NAME.err, the report in NAME.xml, the data in NAME.ilcov.
measure() {
    local into=$1
    shift
    limited "$ILCOV" run --data "$into.ilcov" --format "cobertura=$into.xml" "$@" >"$into.out" 2>"$into.err"
    status=$?
}

# expected WHAT REPORT ROOT OPTION...: does the report say what the sources below ROOT say of themselves?
expected() {
    local what=$1 report=$2 root=$3
    shift 3
    local -a files
    mapfile -t files < <(cd "$root" && grep -rl --include='*.cs' --include='*.vb' --include='*.fs' \
        --include='*.template' \
        --exclude-dir=bin --exclude-dir=obj '// cov' . | sort)
    check "$what" "$EXPECT" "$@" "$report" "$root" "${files[@]}"
}

# until_true COMMAND...: waits until it succeeds, on a machine that is busy, too; fails after two minutes.
until_true() {
    local _
    for _ in $(seq 2400); do
        ! "$@" 2>/dev/null || return 0
        sleep 0.05
    done
    return 1
}

# runs PID NAME: has what was started in the background become that program? Before, it is this shell.
runs() {
    [ "$(cat "/proc/$1/comm")" = "$2" ]
}

# over PID: has it ended, whether waited for or not?
over() {
    ! grep -q '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$1/status" 2>/dev/null
}

# one_line_about WHAT FILE WORD: is FILE one line that has WORD in it?
one_line_about() {
    if [ "$(grep -c '' "$2")" -eq 1 ] && grep -qF -e "$3" "$2"; then
        ok "$1"
    else
        not_ok "$1" "$2"
    fi
}

# edited_sample: a small program as it was and as it is, in base and head, with base.ilcov, head.ilcov and base.xml of their runs and
# whole.patch between them. A file moves, one is new, one goes; a method is renamed, one edited, one removed, one loses its coverage.
edited_sample() {
    local edits=$top/fixtures/edits side edit
    echo '<Project />' | tee Directory.Build.props >Directory.Build.targets
    for side in base head; do
        cp -r "$edits/sample" $side
        rm -rf $side/*/bin $side/*/obj
    done
    git init --quiet
    for edit in "$edits"/{03,05,20,36,37,49}-*.patch; do
        made git -C head apply --directory=head --unsafe-paths "$edit" || made git apply --directory=head "$edit"
    done
    git diff --no-index --src-prefix=a/ --dst-prefix=b/ base head >whole.patch
    sed -i 's#a/base/#a/#g; s#b/head/#b/#g; s#a/head/#a/#g; s#b/base/#b/#g' whole.patch
    for side in base head; do
        made dotnet build $side/App --nologo -maxcpucount:1 -p:EnableSourceControlManagerQueries=false -p:RunAnalyzers=false -o $side/out
        limited "$ILCOV" run --root $side --data $side.ilcov --format cobertura=$side.xml -- $side/out/App >out 2>&1 ||
            not_ok "$side: it runs" out
    done
}

for tool in "$ILCOV" "$EXPECT"; do
    if [ ! -x "$tool" ]; then
        printf '%s: %s is missing: run `make all %s` first\n' "$name" "$tool" "${tool#"$top"/}" >&2
        exit 2
    fi
done
if [ "${NEEDS_DOTNET:-yes}" = yes ] && ! command -v dotnet >/dev/null; then
    printf '%s: no .NET SDK: `dotnet` is not on the PATH\n' "$name" >&2
    exit 2
fi
if [ "${ILCOV_DOTNET:-10}" = 11 ] && ! on_dotnet_11; then
    finish
fi
if [ -n "$is_traced" ]; then
    exec {BASH_XTRACEFD}>&2
    PS4='+ ${BASH_SOURCE##*/}:$LINENO: '
    set -x
fi
