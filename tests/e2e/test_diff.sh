#!/bin/bash
# `ilcov diff` says exactly what was done. Each fixtures/edits/NN-NAME.patch is one edit of fixtures/edits/sample, and NN-NAME.expected
# is all that a diff may say of it, written by hand:
#
#   METHOD KIND NAME [from NAME]     each that is not unchanged, or has lines gained or lost
#   LINE STATE FILE: TEXT            each that is not kept or still missed
#   FILE STATE FILE                  where that is all lines of a file
#   TOTAL STATE ±N lines             of each state, where it is another than of a diff of BASE with itself; likewise outcomes
#   TOTAL removed covered N          lines of BASE that are gone; likewise missed
#
# "# arguments: A" is what the program is run with, "# configuration: C" how it is built; an edit without a patch changes nothing else.
. "$(dirname "$0")/lib.sh"

if ! command -v git >/dev/null; then
    skip "edits" "no git"
    finish
fi
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
edits=$top/fixtures/edits

# said DIFF: what ilcov wrote, one line each, with the names that C# has for types.
said() {
    sed 's/System\.Int32/int/g; s/System\.Int64/long/g; s/System\.String/string/g; s/System\.Boolean/bool/g
        s/System\.Collections\.Generic\.//g' "$1" | awk '
        BEGIN { states = "kept|gained|new and covered|lost|still missed|new and missed|not run|carried" }
        $0 ~ "^(" states "): [0-9]+ lines" {
            state = $0; sub(/:.*/, "", state); sub(/.*: /, "")
            print "TOTAL " state " " $1 " lines"; print "TOTAL " state " " $3 " outcomes"
        }
        /^removed [0-9]+\+/ { split($2, n, /[+,]/); print "TOTAL removed covered " n[1] "\nTOTAL removed missed " n[2] }
        / from .*\|/ {
            kind = $1; from = $0; sub(/^[^ ]* /, ""); name = $0; sub(/ [^ ]*:[0-9]+ from .*/, "", name)
            sub(/.* from \047/, "", from); sub(/\047 \|.*/, "", from)
            print "METHOD " kind " " name (from == "" ? "" : " from " from)
        }
        match($0, /^[^ ]*:[0-9]+ (P )?/) {
            file = $1; sub(/:[0-9]+$/, "", file); $0 = substr($0, RLENGTH + 1)
            match($0, "^(" states ")"); state = substr($0, 1, RLENGTH); text = substr($0, RLENGTH + 1); gsub(/^ +| +$/, "", text)
            lines[file]++; of[file, state]++; at[++count] = file; was[count] = state; is[count] = text
        }
        END {
            for (i = 1; i <= count; i++) {
                if (was[i] == "kept" || was[i] == "still missed")
                    continue
                if (lines[at[i]] == 1 || of[at[i], was[i]] < lines[at[i]])
                    print "LINE " was[i] " " at[i] ": " is[i]
                else if (!told[at[i]]++)
                    print "FILE " was[i] " " at[i]
            }
        }' | sort
}

# changed SELF: of what is said, the totals as they differ from those of SELF.
changed() {
    awk '$1 == "TOTAL" {
            n = /lines$|outcomes$/ ? $(NF - 1) : $NF
            key = $0; sub(" " n "( |$)", " @\\1", key); sub(/ *\\1/, " ", key); sub(/@ +/, "@ ", key); sub(/ $/, "", key)
            if (NR == FNR) { self[key] = n; next }
            n -= self[key]
            if (n != 0) { if (key !~ /removed/ && n > 0) n = "+" n; sub(/@/, n, key); print key }
            next
        }
        NR != FNR' "$1" - | sort
}

# total DIFF WHAT: a number of it
total() {
    awk -v what="$2" 'index($0, "TOTAL " what " ") == 1 { print $(4 + (what ~ / /) + (what ~ / .* /) - 1) }' "$1" | head -n 1
}

# --- all are built at once, beside each other ----------------------------------------------------------------------------

mkdir base
cp -r "$edits/sample/." base
rm -rf base/*/bin base/*/obj
echo '<Project />' | tee Directory.Build.props >Directory.Build.targets
made dotnet restore base/App
names=(base)
for expected in "$edits"/[0-9]*.expected; do
    edit=$(basename "$expected" .expected)
    cp -r base "$edit"
    names+=("$edit")
    if [ -f "$edits/$edit.patch" ]; then
        (cd "$edit" && git apply --whitespace=nowarn "$edits/$edit.patch") || not_ok "$edit: the patch applies"
    fi
done
{
    echo '<Project><ItemGroup>'
    for edit in "${names[@]}"; do
        configuration=$(sed -n 's/^# configuration: //p' "$edits/$edit.expected" 2>/dev/null)
        echo "<Edit Include='$edit/App/App.csproj' AdditionalProperties='Configuration=${configuration:-Debug};OutDir=$temp/$edit/out/' />"
    done
    echo '</ItemGroup><Target Name="Build"><MSBuild Projects="@(Edit)" BuildInParallel="true" /></Target></Project>'
} >all.proj
made dotnet build all.proj --no-restore --nologo -maxcpucount:2

# run EDIT: into EDIT.ilcov
run() {
    local arguments
    arguments=$(sed -n 's/^# arguments: //p' "$edits/$1.expected" 2>/dev/null)
    # shellcheck disable=SC2086
    if ! limited "$ILCOV" run --root "$1" --data "$1.ilcov" --format none -- "$1/out/App" $arguments >"$1.out" 2>&1; then
        not_ok "$1: it runs" "$1.out"
    fi
}

for edit in "${names[@]}"; do
    run "$edit"
done

# --- a diff of BASE with itself ------------------------------------------------------------------------------------------

# compare BASE HEAD INTO
compare() {
    limited "$ILCOV" diff --root "$temp/$2" "$1.ilcov" "$2.ilcov" >"$3.dump" 2>"$3.err" || not_ok "diff $1 $2" "$3.err"
    said "$3.dump" >"$3"
}

compare base base self
same "of a file with itself: nothing but totals" "" "$(grep -v '^TOTAL' self)"
same "of a file with itself: all lines are kept or still missed" "" \
    "$(grep '^TOTAL' self | grep -v -e kept -e 'still missed' | grep -v -E ' 0( |$)')"

# --- each edit, and back -------------------------------------------------------------------------------------------------

for edit in "${names[@]:1}"; do
    compare base "$edit" forth
    changed self <forth >got
    grep -v '^#' "$edits/$edit.expected" | sort >wanted
    check "$edit" diff wanted got
done
finish
