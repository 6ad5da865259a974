# table.awk - the table of constructs, in Markdown.
#
#   awk -f table.awk EXPECTED ILCOV COVERLET MICROSOFT SOURCE...
#
# EXPECTED is of tests/support/annotations.awk, the reports are of tests/support/read_cobertura.c (plain). A construct is
# what stands from a line `// construct: NAME` to the next; without a name it is in no row. In it may stand
#
#   // why: TEXT           why ilcov is right where it differs from both others; lines of it are put together
#   // wrong: TEXT         ilcov is wrong here, and not what is annotated is reported
#   // braces: counted     lines with nothing but the beginning or end of a block are compared as well
#
# Exit status 1, with a line for each on standard error: ilcov differs from both and no `why` tells; ilcov is not what is
# annotated and `wrong` does not tell, or `wrong` tells and it is.
BEGIN {
    FS = "\t"
    tools = split("ilcov coverlet microsoft", tool, " ")
}

FNR == 1 {
    input++
    if (input > 4)
        end_row()
}

input == 1 {
    expected[$1, $2] = 1
    keep("expected", $1, $2, $3, $4, $5)
}

input > 1 && input <= 4 && $1 != "total" { keep(tool[input - 1], $1, $2, $4, $5, $6) }

input > 4 { source_line(FILENAME) }

END {
    end_row()
    print_row("**all**", all["ilcov"], all["coverlet"], all["microsoft"], "")
    printf "\n%d constructs. ilcov differs from both others in %d and is wrong in %d.\n", rows, differing, wrong_rows
    exit failed
}

function keep(who, file, number, hits, covered, total) {
    line[who, file, number] = hits > 0 ? "1" : "0"
    if (total > 0) {
        branches_covered[who, file, number] = covered
        branches_total[who, file, number] = total
    }
}

function complain(text) {
    print in_file ": " name ": " text >"/dev/stderr"
    failed = 1
}

function text_behind(mark,   text) {
    text = $0
    sub(".*// " mark ": *", "", text)
    return text
}

function begins_or_ends_a_block() {
    return $0 ~ /^[ \t]*[{}][ \t]*$/ || $0 ~ /^[ \t]*(Public|End|Else|Case|Next)( |$)/
}

function source_line(file,   i) {
    if ($0 ~ /\/\/ construct:/) {
        end_row()
        name = text_behind("construct")
        in_file = file
        return
    }
    if ($0 ~ /\/\/ why:/)
        why = why (why == "" ? "" : " ") text_behind("why")
    else if ($0 ~ /\/\/ wrong:/)
        wrong = text_behind("wrong")
    else if ($0 ~ /\/\/ braces: counted/)
        braces = 1
    else if (braces || (file, FNR) in expected || !begins_or_ends_a_block()) {
        take("expected", file)
        for (i = 1; i <= tools; i++)
            take(tool[i], file)
    }
}

# Line FNR goes into the row that is open.
function take(who, file,   key) {
    key = who SUBSEP file SUBSEP FNR
    if (!(key in line) || name == "")
        return
    valid[who]++
    covered[who] += line[key]
    lines_of[who] = lines_of[who] " " FNR ":" line[key]
    if (key in branches_total) {
        of[who] += branches_total[key]
        ways[who] += branches_covered[key]
        branches_of[who] = branches_of[who] " " FNR ":" branches_covered[key] "/" branches_total[key]
    }
}

function cell(who) {
    if (!valid[who])
        return "–"
    return covered[who] "/" valid[who] (of[who] ? " · " ways[who] "/" of[who] : "")
}

# Lines and branches are two questions: ilcov may agree with one tool about lines, and with the other about branches.
function differs() {
    return lines_of["ilcov"] != lines_of["coverlet"] && lines_of["ilcov"] != lines_of["microsoft"] ||
           branches_of["ilcov"] != branches_of["coverlet"] && branches_of["ilcov"] != branches_of["microsoft"]
}

# A bar would end the cell, in code as well.
function print_row(what, a, b, c, reason) {
    gsub(/\|/, "\\\\|", what)
    printf "| %s | %s | %s | %s | %s |\n", what, a, b, c, reason
}

function end_row(   good, i) {
    if (name != "") {
        good = lines_of["ilcov"] == lines_of["expected"] && branches_of["ilcov"] == branches_of["expected"]
        rows++
        if (good == (wrong != ""))
            complain(good ? "is right, but said to be wrong" : "is " cell("ilcov") ", and should be " cell("expected"))
        if (!good) {
            wrong_rows++
            why = "**wrong**, should be " cell("expected") ": " wrong
        } else if (differs()) {
            differing++
            if (why == "")
                complain("ilcov " cell("ilcov") ", coverlet " cell("coverlet") ", Microsoft " cell("microsoft") ": why?")
        } else if (why != "") {
            complain("a `why`, and no difference")
        }
        print_row(name, cell("ilcov"), cell("coverlet"), cell("microsoft"), why)
        for (i = 1; i <= tools; i++)
            add_up(tool[i])
    }
    name = why = wrong = ""
    braces = 0
    split("", valid); split("", covered); split("", of); split("", ways); split("", lines_of); split("", branches_of)
}

function add_up(who) {
    sum_valid[who] += valid[who]
    sum_covered[who] += covered[who]
    sum_of[who] += of[who]
    sum_ways[who] += ways[who]
    all[who] = sum_covered[who] "/" sum_valid[who] " · " sum_ways[who] "/" sum_of[who]
}
