/* version.h - the version of the program and its library, such as "0.1.0" or, before that is
 * released, "0.1.0-dev.4" (packaging/version.sh). One file has it, so that a new version compiles
 * nothing else again. */
#pragma once

extern const char ilcov_version[];
