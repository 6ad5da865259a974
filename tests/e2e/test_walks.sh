#!/bin/bash
# The campaign of walks, twenty of them, and with a library that comes.
WALKS=${WALKS:-20} exec bash "$(dirname "$0")/../campaign/walks.sh"
