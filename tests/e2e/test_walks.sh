#!/bin/bash
# The campaign of walks, two hundred of them.
WALKS=${WALKS:-200} exec bash "$(dirname "$0")/../campaign/walks.sh"
