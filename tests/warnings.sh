#!/bin/bash
# warnings.sh COMPILER OPTION... -- FILE...: what the compiler warns of in each file, as errors; nothing is generated.
#
# clang takes three times as long to start as to read a file, and its driver starts the compiler proper once a file. That takes
# several files, so it is asked for the command and gets them itself.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
command=()
while [ "$1" != -- ]; do
    command+=("$1")
    shift
done
shift
command+=(-Werror -fsyntax-only)
proper=$("${command[@]}" '-###' "$1" 2>&1 | tail -n 1)
case $proper in
*' "-cc1" '*) eval "command=(${proper% *})" ;;
esac
printf '%s\0' "$@" | xargs -0 -n 64 -P "$(nproc)" "${command[@]}"
