/* An SVG badge for a README: "coverage 79%", with the share of lines rounded down. The colour only
 * repeats the number. Each text has the width that it gets, whatever font draws it. */
#include <inttypes.h>
#include <stdio.h>

#include "base/number.h"
#include "coverage/report/report.h"
#include "reporters/report/report_formats.h"

enum {
    HEIGHT = 20,
    LABEL_WIDTH = 62,
    MARGIN = 5, /* on both sides of a text */
    GLYPH_WIDTH = 7,
    TEXT_ROOM = 16
};

/* Dark enough for white text (WCAG 2, 4.5 : 1). */
static const char *colour_of(const struct report_totals *totals, uint32_t percent)
{
    if (totals->lines_valid == 0)
        return "#5f6368";
    return percent >= 90   ? "#1b7530"
           : percent >= 75 ? "#6b6a00"
           : percent >= 50 ? "#a34a00"
                           : "#b3261e";
}

static void put_badge_text(FILE *file, const char *text, int start, int width)
{
    (void)fprintf(file,
                  "  <text x=\"%d\" y=\"14\" textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\">%s"
                  "</text>\n",
                  start + MARGIN, width - 2 * MARGIN, text);
}

bool badge_write(const struct format_job *job, struct err *err)
{
    const struct report_totals *totals = &job->report->totals;
    uint32_t percent = number_percent_x100(totals->lines_covered, totals->lines_valid) / 100;
    char value[TEXT_ROOM] = "none";
    FILE *file = job->destination->file;
    (void)err;
    if (totals->lines_valid != 0)
        (void)snprintf(value, sizeof value, "%" PRIu32 "%%", percent);
    int value_width = (int)str_of(value).len * GLYPH_WIDTH + 2 * MARGIN;
    int width = LABEL_WIDTH + value_width;
    (void)fprintf(
        file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" role=\"img\" "
        "aria-label=\"coverage: %s\">\n"
        "  <title>coverage: %s</title>\n"
        "  <rect width=\"%d\" height=\"%d\" rx=\"3\" fill=\"#444c56\"/>\n"
        "  <path d=\"M%d 0h%da3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-%dz\" fill=\"%s\"/>\n"
        "  <g fill=\"#fff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" "
        "font-size=\"11\">\n",
        width, HEIGHT, value, value, width, HEIGHT, LABEL_WIDTH, value_width - 3, value_width - 3,
        colour_of(totals, percent));
    put_badge_text(file, "coverage", 0, LABEL_WIDTH);
    put_badge_text(file, value, LABEL_WIDTH, value_width);
    (void)fputs("  </g>\n</svg>\n", file);
    return true;
}
