/* import_tools.h - the readers of the settings of each tool, an XML element in. */
#ifndef ILCOV_CLI_SETTINGS_IMPORT_TOOLS_H
#define ILCOV_CLI_SETTINGS_IMPORT_TOOLS_H

#include "cli/settings/imported.h"

void import_coverlet(struct import *import, const xmlNode *configuration);
void import_microsoft(struct import *import, const xmlNode *configuration);
/* `group` is a PropertyGroup. Returns whether one of its properties is coverlet's. */
bool import_properties(struct import *import, const xmlNode *group);
/* After all groups: properties that are about each other. */
void import_properties_end(struct import *import);

#endif
