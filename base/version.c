#include "base/version.h"

const char ilcov_version[] = ILCOV_VERSION;
