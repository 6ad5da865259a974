/* excluded_by_comment.h - what the comments of one source (comments.h) exclude: single lines, and
 * ranges from a start to its end. A malformed comment is reported and ignored; a start without an
 * end excludes the rest of the file.
 * Owner:  everything lives in the arena, reasons too: REASON_COMMENT, with the text of the comment
 *         as its remark. */
#pragma once

#include "base/list.h"
#include "contract/reason.h"
#include "coverage/source/comments.h"

struct ignored_lines {
    uint32_t first, last; /* equal for a single line */
    const struct reason *reason;
    bool is_single;
    bool is_used; /* it has excluded something */
};

struct ignored {
    struct ignored_lines *items;
    uint32_t count;
};

/* `name` of the source, for `warnings` (struct str): "a.cs:7: ilcov:ignore-end without a start". */
NODISCARD bool ignored_make(struct ignored *out, const struct comments *comments, struct str name,
                            struct list *warnings, struct arena *arena, struct err *err);

/* Why the statement is excluded; NULL if it is not: it starts or ends on a single line, or starts
 * between a start and an end. */
const struct reason *ignored_reason(struct ignored *ignored, uint32_t start_line,
                                    uint32_t end_line);
