#!/bin/sh
# version.sh - what the version of this tree has behind VERSION of the Makefile, so that no two builds have one version:
#
#   -dev.N          N commits since that line changed
#   -dev.N.hHASH    the same with changes that are not committed
#   -dev.hHASH      without git, or in a clone that is not whole; HASH is that of all files
#
#   version.sh          prints it
#   version.sh date     prints the time of the last commit, in seconds; 0 without git
#
# Tests, fixtures and benchmarks are in no package, so they do not matter.
set -eu
cd "$(dirname "$0")/.."
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
export LC_ALL=C

# A source package may lie in a checkout of something else.
is_checkout() {
    [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ] && git rev-parse -q --verify HEAD >/dev/null
}

# The Makefile compiles hidden files of a room, too.
tree_hash() {
    find . \( -path './.?*' -o -path ./build -o -path ./tests -o -path ./fixtures -o -path ./bench \) -prune -o -type f -exec sha256sum {} + |
        sort -k 2 | sha256sum | cut -c 1-12
}

# Whatever the user's settings hide, and sources that git ignores, are compiled as well.
changes() {
    set -- ':!build' ':!tests' ':!fixtures' ':!bench'
    git status --porcelain --untracked-files=normal -- . "$@"
    git ls-files --others -- '*.[ch]' '*.def' "$@"
}

suffix() {
    if ! is_checkout || [ "$(git rev-parse --is-shallow-repository)" != false ]; then
        echo "-dev.h$(tree_hash)"
        return
    fi
    changed=$(git -c log.showSignature=false log -1 --format=%H -G'^VERSION := ' -- Makefile)
    number=$(git rev-list --count "$changed..HEAD")
    if [ -n "$(changes)" ]; then
        echo "-dev.$number.h$(tree_hash)"
    else
        echo "-dev.$number"
    fi
}

case ${1-} in
date) if is_checkout; then git -c log.showSignature=false log -1 --format=%ct; else echo 0; fi ;;
*) suffix ;;
esac
