/* version.h - the version that everything has in the tests, whatever is built: a new one does not
 * link them again. */
#pragma once

#define TEST_VERSION "1.2.3-dev.4"
