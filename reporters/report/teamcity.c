/* Service messages for TeamCity's chart of coverage and its failure conditions:
 *
 *   ##teamcity[buildStatisticValue key='CodeCoverageAbsLCovered' value='34']
 *
 * L: lines, R: branches, M: methods, C: types. TeamCity computes percentages itself, and loses
 * their decimals when it is given them. */
#include <inttypes.h>

#include "coverage/report/report.h"
#include "reporters/report/report_formats.h"

static void put_pair(FILE *file, char what, uint64_t covered, uint64_t valid)
{
    (void)fprintf(
        file,
        "##teamcity[buildStatisticValue key='CodeCoverageAbs%cCovered' value='%" PRIu64 "']\n"
        "##teamcity[buildStatisticValue key='CodeCoverageAbs%cTotal' value='%" PRIu64 "']\n",
        what, covered, what, valid);
}

/* A type in several files is one. */
static void count_types(uint64_t *covered, uint64_t *valid, const struct report_package *package)
{
    bool ran = false;
    for (uint32_t i = 0; i < package->class_count; i++) {
        bool is_last = i + 1 == package->class_count ||
                       !str_eq(package->classes[i].name, package->classes[i + 1].name);
        ran = ran || package->classes[i].totals.lines_covered != 0;
        *valid += is_last;
        *covered += is_last && ran;
        ran = ran && !is_last;
    }
}

bool teamcity_write(const struct format_job *job, struct err *err)
{
    const struct report_totals *totals = &job->report->totals;
    FILE *file = job->destination->file;
    uint64_t covered = 0, valid = 0;
    (void)err;
    for (uint32_t i = 0; i < job->report->package_count; i++)
        count_types(&covered, &valid, &job->report->packages[i]);
    put_pair(file, 'L', totals->lines_covered, totals->lines_valid);
    put_pair(file, 'R', totals->branches_covered, totals->branches_valid);
    put_pair(file, 'M', totals->methods_covered, totals->methods_valid);
    put_pair(file, 'C', covered, valid);
    return true;
}
