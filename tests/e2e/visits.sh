# visits.sh - what tests share that attach to programs which run already: such a program reads from its input what it is to
# do, and says when that is done (fixtures/attach). Sourced behind lib.sh.
#
#   attach_options  an array: what each `attach` of the test has besides
#   sessions        where they are made ($temp)
#
# What waits here waits for a state, and not for long enough: a busy machine may start nothing for seconds.

started=()
attach_options=()
trap 'for id in "${started[@]}"; do kill -9 "$id" 2>/dev/null; done; clean_up' EXIT

# start NAME COMMAND...: in the background; what it is to do comes from `tell`. Sets `pid`, and `told` to NAME.
start() {
    told=$1
    shift
    rm -f "$told.in" "$told.pipe"
    mkfifo "$told.in" "$told.pipe"
    : >"$told.out" # or what one before has said is taken for its own
    exec {input}<>"$told.in"
    # a pipe: what is done to its files is not to be done to its output
    cat <"$told.pipe" >"$told.out" {input}<&- &
    copier=$!
    "$@" <"$told.in" >"$told.pipe" 2>"$told.err" {input}<&- &
    pid=$!
    started+=("$pid" "$copier")
}

# printed: waits until all that the program printed, which has ended, is in its file.
printed() {
    until_true over "$copier"
}

# seen TEXT FILE [TIMES]: waits until it stands there.
seen() {
    local times
    for _ in $(seq 3000); do
        times=$(grep -c -e "$1" "$2" 2>/dev/null)
        [ "${times:-0}" -ge "${3:-1}" ] && return
        sleep 0.05
    done
    return 1
}

# ready: waits until the program that was started can be told something.
ready() {
    seen '^ready$' "$told.out"
}

tell() {
    local before
    before=$(grep -c -x "done $*" "$told.out")
    echo "$*" >&"$input"
    seen "^done $*\$" "$told.out" $((before + 1))
}

# attach NAME OPTION...: to `pid`, in the folder `from` ($temp); returns when it counts or gave up. Sets `attacher` and `session`.
attach() {
    begin_to_attach "$@"
    attached "$1" "$attacher"
}

# begin_to_attach NAME OPTION...: the same, without waiting. Sets `attacher`.
begin_to_attach() {
    local into=$1
    shift
    : >"$into.said"
    # not `limited`: a function in the background is a shell, which would get the signal
    env --chdir "${from:-.}" timeout --kill-after=10 "$LIMIT" "$ILCOV" attach --timeout 60s --data "$temp/$into.ilcov" \
        --format "cobertura=$temp/$into.xml" --session-dir "${sessions:-$temp}" "${attach_options[@]}" "$@" "$pid" \
        >"$into.log" 2>"$into.said" {input}<&- &
    attacher=$!
    started+=("$attacher")
}

# attached NAME PID: waits until that attacher counts or gave up. Sets `session`.
attached() {
    until grep -q counting "$1.said" || over "$2"; do
        sleep 0.02
    done
    session=$(find "${sessions:-$temp}" -maxdepth 1 -name 'ilcov-[0-9]*-*' | head -1)
}

# leave [SIGNAL]: ends the attacher. Sets `status`.
leave() {
    kill -"${1:-INT}" "$attacher" 2>/dev/null
    wait "$attacher"
    status=$?
}
