#include "system/library.h"

#include <dlfcn.h>
#include <stddef.h>

void library_pin(const void *address)
{
    Dl_info self;
    if (dladdr(address, &self) != 0 && self.dli_fname != NULL)
        (void)dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE); /* never closed */
}
