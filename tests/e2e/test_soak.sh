#!/bin/bash
# The soak campaign, for ten seconds.
SOAK_SECONDS=10 exec bash "$(dirname "$0")/../campaign/soak.sh"
