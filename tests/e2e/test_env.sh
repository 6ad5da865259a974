#!/bin/bash
# What `ilcov env` prints starts coverage wherever it is used: each kind is, as what it is meant for takes it.
. "$(dirname "$0")/lib.sh"

build visitors Release
root=$top/fixtures/visitors
line=$(grep -n '// visit$' "$root/Program.cs" | cut -d: -f1)
# What a shell, XML and YAML have to quote.
odd="$temp/it's \$HOME & <odd> \"dir\""
mkdir "$odd" plain

# make SHELL OPTION...: what it prints, in env.SHELL; sets `session`, which is told on standard error.
make_env() {
    local shell=$1
    shift
    limited "$ILCOV" env --shell "$shell" "$@" >"$temp/env.$shell" 2>"$temp/env.err"
    same "$shell: exit status" 0 $?
    session=$(sed -n "s/^ilcov: the session is \(.*\); 'ilcov collect .*/\1/p" "$temp/env.err")
    check "$shell: the session is told, and there" test -d "$session"
}

# commented SHELL: the session stands in what was printed, too.
commented() {
    check "$1: the session is told in a comment" grep -qxF "# session: $session" "$temp/env.$1"
}

visit() {
    echo "visit 7" | "$program" >"$temp/visit.out" 2>&1
}

# counted SHELL: was the program measured in the session?
counted() {
    limited "$ILCOV" collect --remove -r "$root" -d x.ilcov -f cobertura=x.xml "$session" >collect.out 2>&1
    same "$1: what ran is collected: exit status" 0 $?
    check "$1: all of it" grep -q "<line number=\"$line\" hits=\"7\"" x.xml
    check "$1: and the session is removed" test ! -e "$session"
}

# --- shells -----------------------------------------------------------------------------------------
make_env sh --session-dir "$odd"
commented sh
(
    . "$temp/env.sh"
    visit
)
counted "sh (sourced)"
make_env sh --session-dir "$odd" --control -i '[visitors]*'
check "--control is in the config" grep -qx control=1 "$session/config"
check "so is what is measured" grep -qxF 'include=[visitors]*' "$session/config"
check "and the session is kept" grep -q '/ilcov-kept-' <<<"$session"
(
    eval "$(cat "$temp/env.sh")"
    visit
)
counted "sh (eval)"
limited "$ILCOV" env --session-dir plain >env.default 2>env.err
check "sh is the default" grep -q '^export ILCOV_SESSION=' env.default

# --- sessions that are waiting --------------------------------------------------------------------
mkdir "$temp/waiting"
make_env sh --session-dir "$temp/waiting"
limited env TMPDIR="$temp/waiting" "$ILCOV" doctor >doctor.out 2>&1
check "doctor lists a session that waits, with its user" grep -qF "session: $session of user $(id -u) waits for 'ilcov collect --remove': no program has reported to it" doctor.out
limited env ILCOV_SESSION="$session" "$ILCOV" collect --remove -d empty.ilcov -f none >collect.out 2>&1
same "collect takes \$ILCOV_SESSION, and an empty one has nothing to collect" 3 $?
check "but --remove removes it" test ! -e "$session"

# process LINE...: a session that a process has reported to, as the library would.
process() {
    make_env sh --session-dir "$temp/waiting"
    (umask 077 && printf '%s\n' $'ilcov-process\t0' $'program\t/usr/bin/dotnet' "$@" >"$session/process-1-1")
}
process $'declined\t3\t'
limited "$ILCOV" collect --remove -d empty.ilcov -f none "$session" >collect.out 2>&1
same "so has one whose programs were all declined" 3 $?
check "and it is removed" test ! -e "$session"
make_env sh --session-dir "$temp/waiting"
mkdir copy && cp "$(dirname "$program")"/* copy
(
    . "$temp/env.sh"
    echo "visit 7" | "copy/$(basename "$program")" >visit.out 2>&1
)
mv copy gone
rm "$session"/*.module # which a session keeps of a temporary one
limited "$ILCOV" collect --remove -r "$root" -d gone.ilcov -f none "$session" >collect.out 2>&1
same "an assembly that is gone: exit status" 3 $?
check "the session is kept" test -d "$session"
check "which is said" grep -qF "the session $session was kept, so that you can collect it again" collect.out
mv gone copy
limited "$ILCOV" collect --remove -r "$root" -d there.ilcov -f none "$session" >collect.out 2>&1
same "once it is there again: exit status" 0 $?
check "the session is removed" test ! -e "$session"
limited "$ILCOV" collect >collect.out 2>&1
same "without both there is nothing to collect" 2 $?
check "which names both" grep -qF 'no SESSION to collect, and $ILCOV_SESSION names none' collect.out
limited "$ILCOV" env --shell bash >env.out 2>env.err
check "bash is sh" grep -qF "unknown shell 'bash'; did you mean 'sh'?" env.err
limited "$ILCOV" env --shell powershell >env.out 2>env.err
check "powershell is pwsh" grep -qF "unknown shell 'powershell'; did you mean 'pwsh'?" env.err

make_env pwsh --session-dir "$odd"
commented pwsh
if command -v pwsh >/dev/null; then
    limited pwsh -NoProfile -Command ". { $(cat "$temp/env.pwsh") }; 'visit 7' | & '$program'" >pwsh.out 2>&1
else
    (
        # $env:NAME = 'value', where '' is a quote
        while IFS= read -r text; do
            case $text in
            '#'*) continue ;;
            esac
            [[ $text =~ ^\$env:([A-Z_0-9]+)\ =\ \'(.*)\'$ ]] || exit
            export "${BASH_REMATCH[1]}=${BASH_REMATCH[2]//\'\'/\'}"
        done <"$temp/env.pwsh"
        visit
    )
fi
counted pwsh

# --- CI systems -------------------------------------------------------------------------------------
make_env github --session-dir "$odd"
check "github: nothing but NAME=value" test -z "$(grep -v '^[A-Z_0-9]*=' "$temp/env.github")"
(
    while IFS= read -r text; do
        export "${text?}"
    done <"$temp/env.github"
    visit
)
counted github

make_env gitlab --session-dir "$odd"
commented gitlab
# As a reader of YAML and then GitLab take it: '' is a quote, $$ a dollar.
(
    block=no
    while IFS= read -r text; do
        case $text in
        '#'*) continue ;;
        variables:) block=yes && continue ;;
        esac
        [[ $block = yes && $text =~ ^\ \ ([A-Z_0-9]+):\ \'(.*)\'$ ]] || exit
        value=${BASH_REMATCH[2]//\'\'/\'}
        export "${BASH_REMATCH[1]}=${value//\$\$/\$}"
    done <"$temp/env.gitlab"
    visit
)
counted gitlab
if python3 -c 'import yaml' 2>/dev/null; then
    limited "$ILCOV" env --shell gitlab --session-dir "$odd" >env.gitlab 2>env.err
    check "gitlab: it is YAML, all of its values texts" python3 -c '
import sys, yaml
variables = yaml.safe_load(open("env.gitlab"))["variables"]
sys.exit(not all(isinstance(value, str) for value in variables.values()))'
else
    skip "gitlab: it is YAML" "python3 has no yaml"
fi

# --- containers -------------------------------------------------------------------------------------
# take_docker ARGUMENT...: what a container would get of `docker run ARGUMENT...`.
take_docker() {
    mounts=() variables=() user=
    while [ $# -gt 0 ]; do
        case $1 in
        -e) variables+=("$2") ;;
        -v) mounts+=("$2") ;;
        --user) user=$2 ;;
        *) return 1 ;;
        esac
        shift 2
    done
}
make_env docker --session-dir "$odd"
eval "take_docker $(cat "$temp/env.docker")"
same "docker: nothing but what 'docker run' takes" 0 $?
same "docker: the session is mounted where it is" "$session:$session" "${mounts[0]}"
library=$(dirname "$(realpath "$ILCOV")")/libilcov.so
same "docker: the library is mounted, to be read" "$library:$library:ro" "${mounts[1]}"
same "docker: the session's owner counts in it" "$(id -u):$(id -g)" "$user"
(
    export "${variables[@]}"
    visit
)
counted docker
make_env docker --session-dir plain
if [[ $library$temp == *[!A-Za-z0-9_./-]* ]]; then
    skip "docker: with plain paths it needs no eval" "the paths here have special characters"
else
    # shellcheck disable=SC2046
    take_docker $(cat "$temp/env.docker")
    same "docker: with plain paths it needs no eval" "CORECLR_PROFILER={1C0FC0DE-5EED-4C0F-A11C-C0DEC0DE11C0}" "${variables[2]}"
fi
same "docker: it is one line" 1 "$(grep -c '' "$temp/env.docker")"
mkdir a:b
limited "$ILCOV" env --shell docker --session-dir a:b >env.out 2>env.err
same "docker: a path that it cannot mount: exit status" 3 $?
one_line_about "docker: a path that it cannot mount is told" env.err "a:b/ilcov-kept-"
check "docker: and no session is left" test -z "$(ls a:b)"

# --- test runs, with settings that the project has already -------------------------------------------
cp -r "$top/fixtures/sample" "$temp/sample"
make_env runsettings --session-dir plain
check "runsettings: the session is told in a comment" grep -qF "<!-- session: $session -->" "$temp/env.runsettings"
cat >own.runsettings <<'XML'
<RunSettings><RunConfiguration><MaxCpuCount>1</MaxCpuCount></RunConfiguration></RunSettings>
XML
make_env runsettings --session-dir "$odd" --merge own.runsettings
same "runsettings: what was there stays" 1 "$(xmllint --xpath 'string(/RunSettings/RunConfiguration/MaxCpuCount)' "$temp/env.runsettings")"
check "runsettings: it is XML" xmllint --noout "$temp/env.runsettings"
same "runsettings: its variables are told" "$session" \
    "$(xmllint --xpath 'string(/RunSettings/RunConfiguration/EnvironmentVariables/ILCOV_SESSION)' "$temp/env.runsettings")"
cd sample || exit 2
frugally
made dotnet build
cd .. || exit 2
(cd sample && limited dotnet test --no-build --settings "$temp/env.runsettings" >"$temp/test.out" 2>&1)
same "runsettings: dotnet test: exit status" 0 $?
limited "$ILCOV" collect --remove -r "$temp/sample" -d sample.ilcov -f cobertura=sample.xml "$session" >collect.out 2>&1
same "runsettings: what ran is collected: exit status" 0 $?
expected "runsettings: every line as written" sample.xml "$temp/sample"

# MSTest 4.4 is of Microsoft.Testing.Platform 2.3, the first here that reads variables from testconfig.json.
cp -r "$top/fixtures/suites" "$temp/suites"
cd suites || exit 2
echo '{ "test": { "runner": "Microsoft.Testing.Platform" } }' >global.json
if building dotnet build tests/WithMsTest >"$temp/build.log" 2>&1; then
    echo '{ /* ours */ "mstest": { "timeout": { "test": 60000 } } }' >"$temp/own.json"
    make_env testconfig --session-dir "$odd" --merge "$temp/own.json"
    check "testconfig: what was there stays" grep -q '"test": 60000' "$temp/env.testconfig"
    same "testconfig: its variables are told" "$session" \
        "$(python3 -c 'import json, sys; print(json.load(sys.stdin)["environmentVariables"]["ILCOV_SESSION"])' <"$temp/env.testconfig")"
    limited dotnet test --no-build --project tests/WithMsTest --config-file "$temp/env.testconfig" >"$temp/test.out" 2>&1
    same "testconfig: dotnet test: exit status" 0 $?
    limited "$ILCOV" collect --remove -r "$temp/suites" -d "$temp/config.ilcov" -f cobertura="$temp/config.xml" "$session" \
        >"$temp/collect.out" 2>&1
    same "testconfig: what ran is collected: exit status" 0 $?
    limited "$ILCOV" run -q -r "$temp/suites" -d "$temp/run.ilcov" -f cobertura="$temp/run.xml" -- \
        dotnet test --no-build --project tests/WithMsTest >"$temp/test.out" 2>&1
    same "testconfig: with run: exit status" 0 $?
    check "testconfig: something ran" grep -q 'hits="[1-9]' "$temp/config.xml"
    same "testconfig: the same lines as with run" "$(grep -o '<line .*' "$temp/run.xml")" "$(grep -o '<line .*' "$temp/config.xml")"
elif grep -q 'NU110[12]' "$temp/build.log"; then
    skip "testconfig" "a package that it needs is not available"
else
    not_ok "testconfig: builds" "$temp/build.log"
fi
cd .. || exit 2

cp -r "$top/fixtures/visitors" "$temp/launched"
mkdir "$temp/launched/Properties"
(cd launched && made dotnet build)
echo '{ "profiles": { "own": { "commandName": "Project", "applicationUrl": "http://localhost:1" } } }' >own.json
make_env launchsettings --session-dir "$odd" --merge own.json
same "launchsettings: what was there stays, and is in the new profile" 2 "$(grep -c 'http://localhost:1' "$temp/env.launchsettings")"
cp "$temp/env.launchsettings" "$temp/launched/Properties/launchSettings.json"
(cd launched && echo "visit 7" | limited dotnet run --no-build --launch-profile ilcov >"$temp/visit.out" 2>&1)
root=$temp/launched
counted "launchsettings"

# --- refused ----------------------------------------------------------------------------------------
refuses() {
    local what=$1 word=$2
    shift 2
    limited env "$@" "$ILCOV" env --session-dir "$temp/plain" >env.out 2>env.err
    same "$what: exit status" 2 $?
    one_line_about "$what is told" env.err "$word"
    check "$what: nothing is printed" test ! -s env.out
}
rm -rf plain && mkdir plain
for shell in runsettings testconfig launchsettings; do
    limited "$ILCOV" env --shell "$shell" --session-dir plain --merge "$top/LICENSE" >env.out 2>env.err
    same "$shell: a file of another kind: exit status" 3 $?
    one_line_about "$shell: a file of another kind is told" env.err "$top/LICENSE:1"
done
limited "$ILCOV" env --session-dir plain --merge own.json >env.out 2>env.err
same "--merge with a shell that has no file: exit status" 2 $?
one_line_about "--merge with a shell that has no file is told" env.err "--merge requires --shell runsettings"
check "and no session is left" test -z "$(ls plain)"
refuses "another profiler" Datadog CORECLR_ENABLE_PROFILING=1 'CORECLR_PROFILER={846F5F1C-F9AE-4B07-969E-05C26BC060D8}'
refuses "diagnostics that are disabled" DOTNET_EnableDiagnostics DOTNET_EnableDiagnostics=0
refuses "a second env in the first" "already runs under ilcov" CORECLR_ENABLE_PROFILING=1 \
    'CORECLR_PROFILER={1C0FC0DE-5EED-4C0F-A11C-C0DEC0DE11C0}'
check "nothing is left of what was refused" test -z "$(ls plain)"
limited "$ILCOV" env --session-dir "$temp/nowhere" >env.out 2>env.err
same "where no session can be made: exit status" 3 $?
limited "$ILCOV" env --shell fish >env.out 2>env.err
same "an unknown shell: exit status" 2 $?
limited "$ILCOV" env --session-dir plain >/dev/full 2>env.err
same "an output that is full: exit status" 3 $?
check "leaves no session" test -z "$(ls plain)"
finish
