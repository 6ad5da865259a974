# annotations.awk - what sources say of their coverage (expect_coverage.c has the grammar), in a Debug build:
#
#   awk -f annotations.awk [-v ROOT=DIR/] FILE...
#
#   FILE  NUMBER  HITS  BRANCHES-COVERED  BRANCHES     a line that is reported; BRANCHES is 0 where there are none
#
# with tabs between. FILE is without ROOT.
FNR == 1 {
    file = FILENAME
    if (index(file, ROOT) == 1)
        file = substr(file, length(ROOT) + 1)
}

match($0, /\/\/ cov( [0-9]+)?:/) {
    text = substr($0, RSTART + RLENGTH)
    number = substr($0, RSTART + 7, RLENGTH - 8)
    if (number == "")
        number = FNR
    other = 0
    hits = covered = total = ""
    count = split(text, words, /[ \t\r]+/)
    for (i = 1; i <= count; i++) {
        if (words[i] == "debug:") {
            other = 0
            hits = covered = total = ""
        } else if (words[i] == "release:") {
            other = 1
        } else if (!other && words[i] ~ /^hits=/) {
            hits = substr(words[i], 6)
        } else if (!other && words[i] ~ /^branches=/) {
            split(substr(words[i], 10), parts, "/")
            covered = parts[1]
            total = parts[2]
        }
    }
    if (hits != "")
        printf "%s\t%d\t%.0f\t%d\t%d\n", file, number, hits, covered, total
}
