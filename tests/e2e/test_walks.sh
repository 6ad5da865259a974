#!/bin/bash
# The campaign of walks, eighty of them.
WALKS=${WALKS:-40} exec bash "$(dirname "$0")/../campaign/walks.sh"
