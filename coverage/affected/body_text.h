/* body_text.h - what can be known from the text of changed lines alone: are they nothing but
 * comments, and does a change stay within the body of one method? A diff shows a method that was
 * put between two others as lines within the first, and a line of a method may declare it, too.
 *
 * In doubt the answer is no. Text is taken as if no comment and no string went on from the line
 * before; lines that begin in one, such as those of raw strings, may look like comments.
 * Units:  columns from 1, in UTF-16, as compilers write them; of a line that is not ASCII they are
 *         not known. */
#ifndef ILCOV_COVERAGE_AFFECTED_BODY_TEXT_H
#define ILCOV_COVERAGE_AFFECTED_BODY_TEXT_H

#include "base/text.h"
#include "coverage/source/language.h"

/* Lines that became others. */
struct body_edit {
    const struct str *was, *now;
    uint32_t was_count, now_count;
    /* Where in `was` the body begins and ends, if that is there: lines from 0, else BODY_ELSEWHERE.
     * What is before and after it in `was` is nothing but comments, or on these lines. */
    uint32_t first, last;
    uint32_t start_column, end_column;
};

#define BODY_ELSEWHERE UINT32_MAX

/* Blank, or one comment. */
bool body_text_is_empty(struct str line, enum language language);

/* Is all that changed in the body? `*depth`: how many braces more are open than were at this place
 * of the body; 0 before its first change, and again after its last one if all of them stay. */
bool body_text_stays(const struct body_edit *edit, enum language language, int *depth);

#endif
