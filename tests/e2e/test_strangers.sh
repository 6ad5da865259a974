#!/bin/bash
# A stranger's repository starts no program, whatever its configuration of git, its hooks and its ilcov.json say: SECURITY.md.
NEEDS_DOTNET=no
. "$(dirname "$0")/lib.sh"
unset ILCOV_SESSION SOURCE_DATE_EPOCH "${!GIT_@}"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
export HOME=$temp
"$top/build/make_data" run.ilcov

# --- traps: each leaves its name in `ran` --------------------------------------------------------------------------------------

mkdir traps bin
printf '#!/bin/sh\necho "${0##*/}" >>%s/ran\n' "$temp" >lazy # what would wait for git, which waits for it
{ cat lazy && echo exec cat; } >trap                       # what git talks to
chmod +x trap lazy
ln -s ../lazy bin/git-remote-trap
PATH=$temp/bin:$PATH
mkdir hooks
for hook in fsmonitor-watchman query-watchman post-checkout post-index-change pre-auto-gc reference-transaction; do
    ln -s ../trap "hooks/$hook"
done

# unsprung WHAT
unsprung() {
    same "$1" '' "$(sort -u ran 2>/dev/null | tr '\n' ' ')"
    rm -f ran
}

# All settings that this git knows, and some that its list lacks or that other versions have; x stands for every name in them. Without
# those that are left out, the folder would be no repository.
settings() {
    {
        git help --config
        printf '%s\n' filter.x.process core.virtualFilesystem credential.x.helper http.x.proxy trailer.x.{command,cmd} \
            gpg.{ssh,x509,openpgp}.program merge.x.driver alias.{diff,config,rev-parse,ls-files,merge-base,hash-object,fetch} \
            pager.{diff,config,rev-parse} hook.x.command
    } | sed 's/<[^>]*>\|\*$/x/g' | grep -xE '[A-Za-z0-9]+\.[^ ]+' | sort -u |
        grep -vixE 'include(If\.x)?\.path|core\.(bare|worktree|repositoryFormatVersion)|extensions\.(worktreeConfig|objectFormat)'
}

# One line each.
hostile() {
    local key value rest
    while read -r key; do
        case ${key,,} in
        alias.* | submodule.*.update) value="!$temp/traps/$key" ;;
        core.hookspath) value=$temp/hooks ;;
        *.required) value=true ;;
        *) value=$temp/traps/$key ;;
        esac
        rest=${key#*.}
        case $rest in
        *.*) printf '[%s "%s"] %s = %s\n' "${key%%.*}" "${rest%.*}" "${rest##*.}" "$value" ;;
        *) printf '[%s] %s = %s\n' "${key%%.*}" "$rest" "$value" ;;
        esac
    done
}

# pruned COMMAND...: leaves out what is no command, so that git refuses it, until the command succeeds.
pruned() {
    local said try
    for try in {1..300}; do
        ! limited "$@" >pruned.log 2>&1 </dev/null || return 0
        said=$(sed 's/.*in file [^ ]*hostile. at line \([0-9]*\).*/line \1/; s/.*bad config line \([0-9]*\) in file.*/line \1/
            s/.*'"traps\/\([^' ]*\)"'.*/\1/; /^line\|^[A-Za-z]*\.[^ ]*$/!d' pruned.log | tail -1)
        case $said in
        '') break ;;
        line*) sed -i "${said#line }d" hostile ;;
        *) sed -i "\\|/$said\$|d" hostile ;;
        esac
    done
    return 1
}

# --- every setting, and each form of --patch -----------------------------------------------------------------------------------

repository() {
    git -c init.defaultBranch=main init -q "$1"
    printf '*.cs filter=x diff=x merge=x\n' >"$1/.gitattributes"
    seq 5 >"$1/A.cs"
    git -C "$1" add -A
    git -C "$1" commit -qm first
    git -C "$1" checkout -qb work
}

# patch SPEC [FOLDER]: what changed, to ilcov.
patch() {
    limited "$ILCOV" diff --no-config -r "${2:-app}" --patch "$1" -f json=patch.json run.ilcov
}

repository lib
repository app
git -C app -c protocol.file.allow=always submodule --quiet add "$temp/lib" lib
git -C app add -A
git -C app commit -qm submodule
sed -i 2s/2/x/ app/A.cs
git -C app commit -qam second
git clone -q --bare app bare
git -C bare config uploadpack.allowFilter true
sed -i 3s/3/x/ app/A.cs app/lib/A.cs
check "the repository is read" patch main

settings | while read -r key; do ln -sf ../trap "traps/$key"; done
settings | hostile >hostile
asked=$(wc -l <hostile)
for config in app/.git/config app/.git/modules/lib/config; do
    printf '[include] path = %s/hostile\n' "$temp" >>"$config"
    cp hooks/* "${config%/*}/hooks"
done
check "git lives with settings that are commands" pruned git -C app diff --submodule=diff main
sprung=$(sort -u ran)
rm -f ran
for spec in main...HEAD main..HEAD main; do
    check "--patch $spec, with them" pruned patch "$spec"
    unsprung "--patch $spec starts none of their programs"
done

for trap in core.fsmonitor diff.external diff.x.command filter.x.process; do # else the traps would be none
    check "git itself starts $trap" grep -qx "$trap" <<<"$sprung"
done


# --- where settings can be -----------------------------------------------------------------------------------------------------

# filters FILE: all that are programs, one driver each, of which one must not fail, and a name that -c cannot say.
filters() {
    printf '%s\n' filter.{x,y}.clean filter.y.required filter.z.process | hostile >"$1"
}
printf 'A.cs filter=x\nB.cs filter=y\nC.cs filter=z text eol=crlf\n' >attributes
# placed PLACE: a work tree whose files have filters; sets `config`, for filters.
placed() {
    rm -rf placed && repository placed
    cp placed/A.cs placed/B.cs && seq 5 | sed 's/$/\r/' >placed/C.cs
    git -C placed add -A && git -C placed commit -qm more
    cp attributes placed/.git/info/attributes
    sed -i 2s/2/x/ placed/?.cs
    case $1 in
    "its own") filters settings.of && cat settings.of >>placed/.git/config ;;
    included) filters placed/.filters && git -C placed config include.path ../.filters ;;
    "included on a condition") filters placed/.filters && git -C placed config "includeIf.onbranch:w*.path" ../.filters ;;
    "of the work tree") git -C placed config extensions.worktreeConfig true && filters placed/.git/config.worktree ;;
    "the user's") filters .gitconfig ;;
    esac
}
for place in "its own" included "included on a condition" "of the work tree" "the user's"; do
    placed "$place"
    [ "$place" != "the user's" ] || export GIT_CONFIG_GLOBAL=$temp/.gitconfig
    check "filters: $place" patch main placed
    unsprung "filters are not run: $place"
    export GIT_CONFIG_GLOBAL=/dev/null
done
placed none
printf '[filter "a=b"] clean = %s\n' "$temp/traps/filter.x.clean" >>placed/.git/config
echo '*.cs filter=a=b' >placed/.git/info/attributes
patch main placed >said 2>&1
same "a filter that cannot be switched off is refused" 3 $?
unsprung "and is not run"

# --- what a partial clone lacks ------------------------------------------------------------------------------------------------

# Each row: how the remote is reached, and a setting with a program for that.
fetching() {
    rm -rf partial && git clone -q --no-checkout --filter=blob:none "file://$temp/bare" partial 2>made.log &&
        git -C partial branch -q main origin/main
    git -C partial config remote.origin.url "$1"
    [ $# -eq 1 ] || git -C partial config "$2" "$3"
}
trap=$temp/lazy
while read -r row; do
    fetching $row
    git -C partial config protocol.ext.allow always
    patch main..origin/work partial >said 2>&1
    same "nothing is fetched: ${row//"$temp"/}" 3 $?
    unsprung "nothing is started: ${row//"$temp"/}"
    check "ilcov says how: ${row//"$temp"/}" grep -q "the clone is partial, and ilcov fetches nothing: run 'git diff [0-9a-f]\{8\} [0-9a-f]\{8\}' in" said
done <<END
ext::$trap
file://$temp/bare remote.origin.uploadpack $trap
ssh://127.0.0.1/bare core.sshCommand $trap
git://127.0.0.1/bare core.gitProxy $trap
trap::anything
file://$temp/bare remote.origin.vcs trap
END
fetching "file://$temp/bare"
git -C partial diff main origin/work >/dev/null 2>&1
check "what git has fetched is read" patch main..origin/work partial

# --- a repository within a folder that is checked in ---------------------------------------------------------------------------

# embedded FOLDER: looks like a repository to git, and can be checked in.
embedded() {
    mkdir -p "$1"/objects/{info,pack} "$1/refs/heads"
    touch "$1/objects/.keep" "$1/refs/heads/.keep"
    echo 'ref: refs/heads/main' >"$1/HEAD"
    printf '[core] repositoryformatversion = 1\n[core] bare = false\n[core] worktree = .\n[core] fsmonitor = %s\n[extensions] partialclone = origin
[remote "origin"] url = ext::%s\n[remote "origin"] promisor = true\n[protocol "ext"] allow = always\n' "$temp/traps/core.fsmonitor" "$trap" >"$1/config"
}
rm -rf evil victim && repository evil
mkdir evil/TestResults && cp run.ilcov evil/TestResults
git -C evil add -Af && git -C evil commit -qm base
git -C evil update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,bare
git -C evil commit -qm link && git -C evil branch link && git -C evil reset -q --hard HEAD~1
embedded evil/bare
echo '{ "patch": "HEAD..origin/link", "gate": ["patch>=0"] }' >evil/ilcov.json
echo '{ "root": "bare", "patch": "1111111111111111111111111111111111111111..HEAD", "gate": ["patch>=0"] }' >evil/root.json
git -C evil add -Af && git -C evil commit -qm evil && git clone -q evil victim
cd victim || exit 2
for config in ilcov.json root.json; do
    for verb in report show diff "merge -o ../merged.ilcov TestResults/run.ilcov" "tests A.cs" affected "affected --run -- true" config; do
        limited "$ILCOV" ${verb%% *} --config "$config" ${verb#"${verb%% *}"} >/dev/null 2>&1 </dev/null
    done
done
limited "$ILCOV" diff --no-config --patch HEAD..origin/link TestResults/run.ilcov >/dev/null 2>&1
cd ..
unsprung "no verb starts what a folder says that looks like a repository"

# --- what is written -----------------------------------------------------------------------------------------------------------

rm -rf victim && repository victim && mkdir victim/out
cp run.ilcov victim && ln -s "$temp" victim/away && ln -s ../kept victim/coverage.cobertura.xml && echo kept >kept
cd victim || exit 2
# written STATUS FORMAT: of a report whose format is that of the settings file that is found.
written() {
    printf '{ "report": { "format": "%s" } }\n' "$2" >ilcov.json
    limited "$ILCOV" report -q run.ilcov >../log 2>&1
    same "a found settings file writes $2: status" "$1" "$?"
}
for path in ../outside away/outside "$temp/outside" out/../../outside .git/config .git/hooks/x out/.GIT/x; do
    written 2 "lcov=$path"
    check "... and the line says where that is" grep -q "ilcov.json:1: this would write to /.*'*; a settings file that ilcov found" ../log
done
for path in ../site .git .; do
    written 2 "html=$path"
done
written 0 lcov=out/new/coverage.info
written 0 lcov=-
same "nothing is written elsewhere" '' "$(find .. -maxdepth 1 -name outside -o -maxdepth 1 -name site)"
check "git's configuration stays" git status
rm ilcov.json
"$ILCOV" report -q run.ilcov -f cobertura >../log 2>&1
same "a link with the name that a report has by default: status" 2 "$?"
same "... leads nowhere" kept "$(cat ../kept)"
check "... and a line says so" grep -q "coverage.cobertura.xml is a link, a pipe or a device; to write there, name it with --format" ../log
# usual NAME TARGET COMMAND...: nobody named the file that the command writes.
usual() {
    local name=$1 target=$2
    shift 2
    rm -rf "$name"
    if [ "$target" = pipe ]; then mkfifo "$name"; else ln -s "$target" "$name"; fi
    limited "$ILCOV" "$@" >../log 2>&1
    check "$name, which is or leads to $target, is not written" grep -q "$name is a link, a pipe or a device" ../log
    rm -f "$name"
}
usual coverage.cobertura.xml .git/config report -q run.ilcov -f cobertura
usual coverage.cobertura.xml ilcov.json report -q run.ilcov -f cobertura
usual coverage.cobertura.xml pipe report -q run.ilcov -f cobertura
usual coverage-html .git/hooks report -q run.ilcov -f html
usual coverage-diff.json ../kept diff -q run.ilcov run.ilcov -f json
usual coverage-diff.json pipe diff -q run.ilcov run.ilcov -f json
usual cov.1.xml .git/config report -q run.ilcov -f cobertura=cov.xml --split 1KiB
usual cov.1.xml pipe report -q run.ilcov -f cobertura=cov.xml --split 1KiB
mkfifo pipe
written 2 lcov=pipe
for patch in pipe -; do
    printf '{ "report": { "patch": "%s", "gate": "patch>=1" } }\n' "$patch" >ilcov.json
    limited "$ILCOV" report -q run.ilcov -f none >../log 2>&1
    same "a found settings file cannot wait at $patch: status" 2 "$?"
done
rm ilcov.json pipe
check "git's configuration stays" git status
ln -sf ../kept coverage.cobertura.xml
"$ILCOV" report -q run.ilcov -f cobertura=coverage.cobertura.xml >../log 2>&1
same "a link that was typed is followed: status" 0 "$?"
check "... to its file" grep -q '<coverage' ../kept
cd ..
finish
