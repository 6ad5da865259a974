# common.sh - what the scripts of this folder share; each sources it first. Sets here, top, out and ilcov.
set -u
export LC_ALL=C DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 2
top=$(dirname "$here")
out=$top/build/bench
ilcov=${ILCOV:-$top/build/ilcov}

die() {
    printf 'bench: %s\n' "$1" >&2
    [ $# -lt 2 ] || tail -n 20 "$2" >&2
    exit 1
}

# quietly WHAT COMMAND...: shows the command's output only when it fails.
quietly() {
    local what=$1
    shift
    "$@" >"$out/log" 2>&1 </dev/null || die "$what failed" "$out/log"
}
