#include "reporters/html/asset.h"

#include "base/asset.h"
#include "reporters/html/site_folder.h"

ASSET(style, "reporters/html/style.css");
ASSET(script, "reporters/html/script.js");

bool asset_write_all(struct destination *destination, struct err *err)
{
    bool ignores = site_folder_may_be_ignored(destination->folder);
    return destination_put_file(destination, "style.css", ASSET_STR(style), err) &&
           destination_put_file(destination, "script.js", ASSET_STR(script), err) &&
           (!ignores || destination_put_file(destination, ".gitignore", STR("*\n"), err));
}
