#include "tests/support/version.h"

#include "base/version.h"

const char ilcov_version[] = TEST_VERSION;
