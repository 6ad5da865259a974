/* html.h - a folder of pages for people: index.html, types.html, hotspots.html, left-out.html, a
 * page for each source file in files/, style.css and script.js. It needs no server and nothing from
 * outside. */
#pragma once

#include "reporters/format.h"

/* As format.h says; the writer is a struct site. site_folder_sweep must follow html_close. */
void *html_open(const struct format_job *job, struct err *err);
bool html_take(void *writer, const struct report_file *files, uint32_t count, struct err *err);
bool html_close(void *writer, struct err *err);
