#!/bin/sh
# rewrite_framework.sh - the properties of the rewriter (tests/support/check_rewrite.h), proven over every body of the
# shared framework, in every mode. Prints `1 passed, 0 failed` or the wrong methods.
cd "$(dirname "$0")/../.." || exit 2
framework=$(dotnet --list-runtimes | sed -n 's/^Microsoft\.NETCore\.App \([^ ]*\) \[\(.*\)\]$/\2\/\1/p' | tail -n 1)
exec build/rewrite_all "$framework"/*.dll
