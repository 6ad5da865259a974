/* test_name.h - the parts of the name of a test (fact_test): "N.C+D.M" is M of N.C+D. Where the
 * name of a method has dots, its class ends at the last one. */
#pragma once

#include "base/text.h"

/* What is before the last dot; empty without one. */
struct str test_name_class(struct str name);
/* What is after it; without one, all. */
struct str test_name_method(struct str name);
