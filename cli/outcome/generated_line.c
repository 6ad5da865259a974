#include "cli/outcome/generated_line.h"

#include "base/number.h"
#include "cli/base/say.h"

bool generated_counts(const struct filter_options *filter, const struct facts *facts)
{
    return filter->include_generated.is_given ? filter->include_generated.yes
                                              : facts->counts_generated;
}

bool report_filter(struct report_options *out, const struct filter_options *filter,
                   const struct facts *facts, struct arena *arena, struct err *err)
{
    struct pattern *exclude = NULL;
    if (!pattern_parse_all(&exclude, filter->exclude.items, filter->exclude.count, arena, err))
        return false;
    out->exclude = exclude;
    out->exclude_count = filter->exclude.count;
    out->exclude_files = filter->exclude_files.items;
    out->exclude_file_count = filter->exclude_files.count;
    out->include_generated = generated_counts(filter, facts);
    return true;
}

void generated_line_say(struct report_left_out left_out)
{
    char lines[GROUPED_ROOM], files[GROUPED_ROOM];
    bool one = left_out.line_count == 1;
    if (left_out.line_count != 0)
        say("%s %s in %s %s %s generated code, and not counted; --include-generated counts %s",
            grouped(lines, left_out.line_count), plural(left_out.line_count, "line", "lines"),
            grouped(files, left_out.file_count), plural(left_out.file_count, "file", "files"),
            one ? "is" : "are", one ? "it" : "them");
}
