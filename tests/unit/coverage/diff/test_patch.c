/* test_patch.c - a unified diff tells the same whatever its context, prefixes and quotes are; what
 * can't be told is refused with the line of the diff. */
#include "coverage/diff/patch_reader.h"

#include <stdio.h>

#include "coverage/facts/facts.h"
#include "tests/support/check.h"
#include "tests/support/patch_text.h"

#define GIT(old_name, new_name)                                                                    \
    "diff --git " old_name " " new_name "\nindex 1a2b3c4..5d6e7f8 100644\n"
#define NAMES(old_name, new_name) "--- " old_name "\n+++ " new_name "\n"
#define A_CS                      GIT("a/A.cs", "b/A.cs") NAMES("a/A.cs", "b/A.cs")

static const struct {
    const char *name;
    const char *expected; /* as patch_text writes it */
    const char *diff;
} diffs[] = {
    {"nothing", "", ""},
    {"empty lines", "", "\n\r\n\n"},
    {"changed lines", "changed A.cs 3-4;", A_CS "@@ -3 +3,2 @@ class A\n-a\n+b\n+c\n"},
    {"with context", "changed A.cs 3-4;", A_CS "@@ -2,3 +2,4 @@\n \n-a\n+b\n+c\n }\n"},
    {"no end of the last line", "changed A.cs 3;", A_CS "@@ -3 +3 @@\n-a\n+b"},
    {"added lines", "changed A.cs 3-4;", A_CS "@@ -2,0 +3,2 @@\n+b\n+c\n"},
    {"deleted lines", "changed A.cs;", A_CS "@@ -3,2 +2,0 @@\n-b\n-c\n"},
    {"at the beginning", "changed A.cs 1;", A_CS "@@ -0,0 +1 @@\n+a\n"},
    {"changes in one hunk", "changed A.cs 1 3-4 6;",
     A_CS "@@ -1,5 +1,7 @@\n-a\n+b\n \n+c\n+d\n \n-e\n+e\n f\n"},
    {"changes without context between", "changed A.cs 1-2 9-11;",
     A_CS "@@ -1,2 +1,2 @@\n-a\n+b\n-c\n+d\n@@ -8,0 +9 @@\n+x\n@@ -8,0 +10,2 @@\n+x\n+y\n"},
    {"trimmed context", "changed A.cs 2;", A_CS "@@ -1,3 +1,3 @@\n\n-a\n+b\n\n"},
    {"no newline at the end", "changed A.cs 3;",
     A_CS "@@ -3 +3 @@\n-a\n\\ No newline at end of file\n+a\n\\ No newline at end of file\n"},
    {"ends in CR LF", "changed A.cs 2;",
     "diff --git a/A.cs b/A.cs\r\nindex 1..2 100644\r\n--- a/A.cs\r\n+++ b/A.cs\r\n"
     "@@ -1,2 +1,2 @@\r\n \r\n-a\r\n+b\r\n"},
    {"content ends in CR LF", "changed A.cs 2;", A_CS "@@ -1,2 +1,2 @@\n \r\n-a\r\n+a\n"},
    {"content that looks like a header", "changed A.cs 1-6; changed B.cs 1;",
     A_CS "@@ -1,3 +1,6 @@\n--- a/B.cs\n-@@ -1 +1 @@\n-\033[m\n+++ b/B.cs\n+@@ -1 +1 @@\n"
          "+diff --git a/C.cs b/C.cs\n+--- a/C.cs\n++++ b/C.cs\n+\n" GIT("a/B.cs", "b/B.cs")
              NAMES("a/B.cs", "b/B.cs") "@@ -1 +1 @@\n-\n+a\n"},
    {"the largest line", "changed A.cs 16707565;", A_CS "@@ -16707565 +16707565 @@\n-a\n+b\n"},
    {"a byte order mark", "changed A.cs 3;", "\xEF\xBB\xBF" A_CS "@@ -3 +3 @@\n-a\n+b\n"},

    {"added", "added A.cs 1-2;",
     "diff --git a/A.cs b/A.cs\nnew file mode 100644\nindex 0000000..5d6e7f8\n" NAMES(
         "/dev/null", "b/A.cs") "@@ -0,0 +1,2 @@\n+a\n+b\n"},
    {"added and empty", "added A.cs;",
     "diff --git a/A.cs b/A.cs\nnew file mode 100644\nindex 0000000..e69de29\n"},
    {"deleted", "deleted A.cs;",
     "diff --git a/A.cs b/A.cs\ndeleted file mode 100644\nindex 5d6e7f8..0000000\n" NAMES(
         "a/A.cs", "/dev/null") "@@ -1,2 +0,0 @@\n-a\n-b\n"},
    {"renamed", "renamed x/B.cs<A.cs;",
     "diff --git a/A.cs b/x/B.cs\nsimilarity index 100%\nrename from A.cs\nrename to x/B.cs\n"},
    {"renamed and changed", "renamed x/B.cs<A.cs 3;",
     "diff --git a/A.cs b/x/B.cs\nsimilarity index 90%\nrename from A.cs\nrename to x/B.cs\n"
     "index 1..2 100644\n" NAMES("a/A.cs", "b/x/B.cs") "@@ -3 +3 @@\n-a\n+b\n"},
    {"renamed over prefixes", "renamed b/A.cs<a/A.cs;",
     "diff --git a/A.cs b/A.cs\nsimilarity index 100%\nrename from a/A.cs\nrename to b/A.cs\n"},
    {"copied", "copied B.cs<A.cs;",
     "diff --git a/A.cs b/B.cs\nsimilarity index 100%\ncopy from A.cs\ncopy to B.cs\n"},
    {"rewritten", "changed A.cs 1;",
     "diff --git a/A.cs b/A.cs\ndissimilarity index 90%\nindex 1..2 100644\n" NAMES(
         "a/A.cs", "b/A.cs") "@@ -1 +1 @@\n-a\n+b\n"},
    {"a mode", "changed A.sh;", "diff --git a/A.sh b/A.sh\nold mode 100644\nnew mode 100755\n"},
    {"a mode and lines", "changed A.sh 1;",
     "diff --git a/A.sh b/A.sh\nold mode 100644\nnew mode 100755\nindex 1..2\n" NAMES(
         "a/A.sh", "b/A.sh") "@@ -1 +1 @@\n-a\n+b\n"},
    {"a link in place of a file", "added A.cs link; deleted A.cs;",
     "diff --git a/A.cs b/A.cs\ndeleted file mode 100644\nindex 1..0\n" NAMES(
         "a/A.cs",
         "/dev/null") "@@ -1 +0,0 @@\n-a\n"
                      "diff --git a/A.cs b/A.cs\nnew file mode 120000\nindex 0..1\n" NAMES(
                          "/dev/null",
                          "b/A.cs") "@@ -0,0 +1 @@\n+B.cs\n\\ No newline at end of file\n"},
    {"binary", "changed A.cs binary; added B.png binary;",
     GIT("a/A.cs", "b/A.cs") "Binary files a/A.cs and b/A.cs differ\n"
                             "diff --git a/B.png b/B.png\nnew file mode 100644\nindex 0..1\n"
                             "Binary files /dev/null and b/B.png differ\n"},
    {"binary, without names", "changed A.cs;", GIT("a/A.cs", "b/A.cs") "Binary files differ\n"},
    {"a binary patch", "changed A.png binary; changed B.cs 1;",
     GIT("a/A.png", "b/A.png") "GIT binary patch\nliteral 3\nKcmZ<{U|;|M0RjL3\n\nliteral 0\n"
                               "HcmV?d00001\n\n" GIT("a/B.cs", "b/B.cs")
                                   NAMES("a/B.cs", "b/B.cs") "@@ -1 +1 @@\n-a\n+b\n"},
    {"a submodule", "changed lib submodule;",
     "diff --git a/lib b/lib\nindex 1234567..89abcde 160000\n" NAMES(
         "a/lib", "b/lib") "@@ -1 +1 @@\n-Subproject commit 1234567\n+Subproject commit 89abcde\n"},
    {"a submodule with changes that are not committed", "changed lib submodule;",
     "diff --git a/lib b/lib\n" NAMES(
         "a/lib", "b/lib") "@@ -1 +1 @@\n-Subproject commit 12\n+Subproject commit 12-dirty\n"},
    {"a new submodule", "added lib submodule;",
     "diff --git a/lib b/lib\nnew file mode 160000\nindex 0000000..89abcde\n" NAMES(
         "/dev/null", "b/lib") "@@ -0,0 +1 @@\n+Subproject commit 89abcde\n"},
    {"a link that leads elsewhere", "changed A.cs link;",
     "diff --git a/A.cs b/A.cs\nindex 1..2 120000\n" NAMES(
         "a/A.cs", "b/A.cs") "@@ -1 +1 @@\n-B.cs\n\\ No newline at end of file\n+C.cs\n\\ No "
                             "newline at end of file\n"},
    {"an id that ends like a mode", "added A.cs 1; added B.cs 1;",
     "diff --git a/A.cs b/A.cs\nnew file mode 100644\nindex 0000000..5160000\n" NAMES(
         "/dev/null",
         "b/A.cs") "@@ -0,0 +1 @@\n+a\n"
                   "diff --git a/B.cs b/B.cs\nnew file mode 100644\nindex 0000000..5120000\n" NAMES(
                       "/dev/null", "b/B.cs") "@@ -0,0 +1 @@\n+a\n"},
    {"a submodule's log", "changed lib submodule;",
     "Submodule lib 1234567..89abcde:\n  > Why\n  < What\n"},
    {"a submodule's state", "changed lib submodule;", "Submodule lib contains modified content\n"},
    {"what is not tracked in a submodule", "", "Submodule lib contains untracked content\n"},
    {"commits that are not present", "changed a b/lib submodule;",
     "Submodule a b/lib 1234567...89abcde (commits not present)\n"},
    {"a submodule that went", "deleted lib submodule;",
     "Submodule lib 1234567...0000000 (submodule deleted)\n"},
    {"a submodule's files",
     "changed A.cs 1; changed x/lib submodule with contents; changed x/lib/A.cs 1; added "
     "x/lib/B.cs 1; changed x/liba/A.cs 1;",
     "Submodule x/lib 1234567..89abcde:\n" GIT("a/x/lib/A.cs", "b/x/lib/A.cs") NAMES(
         "a/x/lib/A.cs",
         "b/x/lib/A.cs") "@@ -1 +1 @@\n-a\n+b\n"
                         "diff --git a/x/lib/B.cs b/x/lib/B.cs\nnew file mode 100644\nindex "
                         "0..1\n" NAMES("/dev/null", "b/x/lib/B.cs") "@@ -0,0 +1 @@\n+a\n" GIT(
                             "a/x/liba/A.cs", "b/x/liba/A.cs")
                             NAMES("a/x/liba/A.cs",
                                   "b/x/liba/A.cs") "@@ -1 +1 @@\n-a\n+b\n" GIT("a/A.cs", "b/A.cs")
                                 NAMES("a/A.cs", "b/A.cs") "@@ -1 +1 @@\n-a\n+b\n"},
    {"a file that was renamed in a submodule, and one after it",
     "renamed C.cs<B.cs; changed l \303\266 submodule with contents; renamed l \303\266/D.cs<l "
     "\303\266/A.cs 1;",
     "Submodule l \303\266 1234567..89abcde (rewind):\n"
     "diff --git \"a/l \\303\\266/A.cs\" \"b/l \\303\\266/D.cs\"\nsimilarity index 90%\n"
     "rename from A.cs\nrename to D.cs\nindex 1..2 100644\n" NAMES(
         "\"a/l \\303\\266/A.cs\"",
         "\"b/l \\303\\266/D.cs\"") "@@ -1 +1 @@\n-a\n+b\n"
                                    "diff --git a/B.cs b/C.cs\nsimilarity index 100%\nrename from "
                                    "B.cs\nrename to C.cs\n"},
    {"a new submodule with its files", "added lib submodule with contents; added lib/A.cs 1;",
     "Submodule lib 0000000...89abcde (new submodule)\n"
     "diff --git a/lib/A.cs b/lib/A.cs\nnew file mode 100644\nindex 0..1\n" NAMES(
         "/dev/null", "b/lib/A.cs") "@@ -0,0 +1 @@\n+a\n"},
    {"a submodule named by several lines",
     "changed lib submodule with contents; changed lib/A.cs 1;",
     "diff --git a/lib b/lib\nindex 1234567..89abcde 160000\n" NAMES(
         "a/lib",
         "b/lib") "@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n"
                  "Submodule lib contains modified content\nSubmodule lib 1234567..89abcde:\n" GIT(
                      "a/lib/A.cs", "b/lib/A.cs")
                      NAMES("a/lib/A.cs", "b/lib/A.cs") "@@ -1 +1 @@\n-a\n+b\n"},

    {"quoted", "changed \303\244\t\"\\.cs 1;",
     GIT("\"a/\\303\\244\\t\\\"\\\\.cs\"", "\"b/\\303\\244\\t\\\"\\\\.cs\"")
         NAMES("\"a/\\303\\244\\t\\\"\\\\.cs\"",
               "\"b/\\303\\244\\t\\\"\\\\.cs\"") "@@ -1 +1 @@\n-a\n+b\n"},
    {"quoted on one side", "renamed B.cs<\303\266.cs; renamed \303\244.cs<A.cs;",
     "diff --git a/A.cs \"b/\\303\\244.cs\"\nsimilarity index 100%\nrename from A.cs\n"
     "rename to \"\\303\\244.cs\"\ndiff --git \"a/\\303\\266.cs\" b/B.cs\n"
     "similarity index 100%\nrename from \"\\303\\266.cs\"\nrename to B.cs\n"},
    {"bytes as they are", "changed \303\244.cs;",
     "diff --git a/\303\244.cs b/\303\244.cs\nold mode 100644\nnew mode 100755\n"},
    {"spaces", "changed x y/A b/A.cs 1;",
     GIT("a/x y/A b/A.cs", "b/x y/A b/A.cs")
         NAMES("a/x y/A b/A.cs\t", "b/x y/A b/A.cs\t") "@@ -1 +1 @@\n-a\n+b\n"},
    {"spaces alone", "changed A B.cs;",
     "diff --git a/A B.cs b/A B.cs\nold mode 100644\nnew mode 100755\n"},
    {"no prefix", "changed a/A.cs 1;",
     GIT("a/A.cs", "a/A.cs") NAMES("a/A.cs", "a/A.cs") "@@ -1 +1 @@\n-a\n+b\n"},
    {"no prefix, added", "added b/A.cs 1;",
     "diff --git b/A.cs b/A.cs\nnew file mode 100644\nindex 0..1\n" NAMES(
         "/dev/null", "b/A.cs") "@@ -0,0 +1 @@\n+a\n"},
    {"git's other prefixes", "changed A.cs 1; changed B.cs 1;",
     GIT("i/A.cs", "w/A.cs") NAMES("i/A.cs", "w/A.cs") "@@ -1 +1 @@\n-a\n+b\n" GIT(
         "c/B.cs", "i/B.cs") NAMES("c/B.cs", "i/B.cs") "@@ -1 +1 @@\n-a\n+b\n"},
    {"any prefixes", "changed A.cs 1;",
     GIT("before/A.cs", "now/A.cs") NAMES("before/A.cs", "now/A.cs") "@@ -1 +1 @@\n-a\n+b\n"},
    {"two folders, of no repository", "changed new/A.cs<old/A.cs 1;",
     GIT("a/old/A.cs", "b/new/A.cs") NAMES("a/old/A.cs", "b/new/A.cs") "@@ -1 +1 @@\n-a\n+b\n"},
    {"two folders, binary", "changed new/A.cs<old/A.cs binary;",
     GIT("a/old/A.cs", "b/new/A.cs") "Binary files a/old/A.cs and b/new/A.cs differ\n"},

    {"plain", "changed A.cs 1;", NAMES("A.cs", "A.cs") "@@ -1 +1 @@\n-a\n+b\n"},
    {"plain, with times", "changed x/A.cs 2;",
     "diff -ru old/x/A.cs new/x/A.cs\n" NAMES(
         "old/x/A.cs\t2026-01-01 00:00:00.000000000 +0000",
         "new/x/A.cs\t2026-01-02 00:00:00.000000000 +0000") "@@ -1,2 +1,2 @@\n \n-a\n+b\n"},
    {"plain, of other names", "changed A.cs<A.cs.orig 1;",
     NAMES("A.cs.orig", "A.cs") "@@ -1 +1 @@\n-a\n+b\n"},
    {"plain, added and deleted", "added A.cs 1; deleted B.cs; added x/C.cs 1;",
     NAMES("/dev/null", "b/A.cs") "@@ -0,0 +1 @@\n+a\n" NAMES(
         "a/B.cs", "/dev/null") "@@ -1 +0,0 @@\n-a\n" NAMES("/dev/null",
                                                            "x/C.cs") "@@ -0,0 +1 @@\n+a\n"},
    {"plain, binary", "changed A.png binary;", "Binary files old/A.png and new/A.png differ\n"},
    {"Subversion's", "changed A.cs 1;",
     "Index: A.cs\n=====\n" NAMES("A.cs\t(revision 1)",
                                  "A.cs\t(working copy)") "@@ -1 +1 @@\n-a\n+b\n"},

    {"mails", "changed A.cs 1; changed B.cs 2;",
     "From 1a2b Mon Sep 17 00:00:00 2001\nFrom: A <a@b>\nSubject: [PATCH 1/2] --- a\n\n"
     "--- not a name\nrename to C.cs\n---\n A.cs | 2 +-\n\n" A_CS
     "@@ -1 +1 @@\n-a\n+b\n-- \n2.39.5\n\n"
     "From 3c4d Mon Sep 17 00:00:00 2001\n\n+++ no name\n---\n" GIT("a/B.cs", "b/B.cs")
         NAMES("a/B.cs", "b/B.cs") "@@ -2 +2 @@\n-a\n+b\n-- \n2.39.5\n\n"},
    {"mails in CR LF", "changed A.cs 1;",
     "Subject: a\r\n\r\n---\r\n" A_CS "@@ -1 +1 @@\r\n-a\r\n+b\r\n-- \r\n2.39.5\r\n"},
    {"a log", "changed A.cs; changed B.cs 2;",
     "commit 1a2b\nAuthor: A <a@b>\n\n    Why\n\ndiff --git a/A.cs b/A.cs\nold mode 100644\n"
     "new mode 100755\n\ncommit 3c4d\n\n    new file mode 1\n\n" GIT("a/B.cs", "b/B.cs")
         NAMES("a/B.cs", "b/B.cs") "@@ -2 +2 @@\n-a\n+b\n"},
    {"a path that was not merged", "changed A.cs 1;",
     "* Unmerged path A.cs\n" A_CS "@@ -1 +1 @@\n-a\n+b\n"},
    {"changes left out", "changed A.cs 3 9;", A_CS "@@ -3 +3 @@\n-a\n+b\n@@ -7 +9 @@\n-a\n+b\n"},
    {"changes left out, up to the next", "changed A.cs 3-4;",
     A_CS "@@ -3 +3 @@\n-a\n+b\n@@ -7 +4 @@\n-a\n+b\n"},
    {"in the order of paths", "changed A.cs 1; deleted B.cs; changed a.cs 1;",
     NAMES("a/a.cs", "b/a.cs") "@@ -1 +1 @@\n-a\n+b\n" NAMES(
         "a/B.cs", "/dev/null") "@@ -1 +0,0 @@\n-a\n" A_CS "@@ -1 +1 @@\n-a\n+b\n"},
};

static const struct {
    const char *name;
    enum err_code code;
    const char *says;
    const char *diff;
} refusals[] = {
    {"no diff", ERR_FORMAT, "line 2: this is not a unified diff: \"hello\"", "\nhello\nworld\n"},
    {"a diff of another kind", ERR_FORMAT, "line 1: this is not a unified diff",
     "*** a/A.cs\n--- b/A.cs\n***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n"},
    {"a combined diff", ERR_UNSUPPORTED, "line 1: a combined diff",
     "diff --cc A.cs\nindex 1,2..3\n--- a/A.cs\n+++ b/A.cs\n@@@ -1,1 -1,1 +1,1 @@@\n- a\n "
     "-b\n++c\n"},
    {"a combined hunk", ERR_FORMAT, "line 5: no hunk after the names",
     A_CS "@@@ -1,1 -1,1 +1,1 @@@\n- a\n -b\n++c\n"},
    {"colours", ERR_UNSUPPORTED, "line 1: the diff has colours",
     "\033[1mdiff --git a/A.cs b/A.cs\033[m\n"},
    {"colours of a hunk", ERR_UNSUPPORTED, "line 5: the diff has colours",
     A_CS "\033[36m@@ -1 +1 @@\033[m\n\033[31m-a\033[m\n"},
    {"colours of lines", ERR_UNSUPPORTED, "line 6: the diff has colours",
     A_CS "@@ -1 +1 @@\n\033[31m-a\033[m\n"},
    {"UTF-16", ERR_UNSUPPORTED, "line 1: the diff is UTF-16", "\xFF\xFE-\n"},
    {"a file twice", ERR_UNSUPPORTED, "line 8: A.cs was changed on line 1 already",
     A_CS "@@ -1 +1 @@\n-a\n+b\n" A_CS "@@ -7 +7 @@\n-a\n+b\n"},
    {"renamed after a change", ERR_UNSUPPORTED, "line 8: A.cs was changed on line 1 already",
     A_CS "@@ -1 +1 @@\n-a\n+b\ndiff --git a/A.cs b/B.cs\nrename from A.cs\nrename to B.cs\n"},
    {"deleted after a change", ERR_UNSUPPORTED, "line 8: A.cs was changed on line 1 already",
     A_CS "@@ -1 +1 @@\n-a\n+b\n" NAMES("a/A.cs", "/dev/null") "@@ -1 +0,0 @@\n-b\n"},
    {"changed after a rename", ERR_UNSUPPORTED, "line 4: B.cs was changed on line 1 already",
     "diff --git a/A.cs b/B.cs\nrename from A.cs\nrename to B.cs\n" GIT("a/B.cs", "b/B.cs")
         NAMES("a/B.cs", "b/B.cs") "@@ -1 +1 @@\n-a\n+b\n"},

    {"cut in a hunk", ERR_FORMAT, "line 6: the diff ends in the hunk of line 5",
     A_CS "@@ -1 +1 @@\n-a\n"},
    {"cut after the names", ERR_FORMAT, "line 5: no hunk after the names", A_CS},
    {"cut between the names", ERR_FORMAT, "line 4: not the new name",
     GIT("a/A.cs", "b/A.cs") "--- a/A.cs\n"},
    {"an old line more than counted", ERR_FORMAT,
     "line 7: not a line that the hunk's header counts", A_CS "@@ -1 +1 @@\n-a\n-b\n+c\n"},
    {"more new lines than counted", ERR_FORMAT, "line 8: not a line that the hunk's header counts",
     A_CS "@@ -1 +1 @@\n-a\n+b\n+c\n"},
    {"more context than counted", ERR_FORMAT, "line 8: not a line that the hunk's header counts",
     A_CS "@@ -1 +1 @@\n-a\n+b\n c\n"},
    {"more old lines than counted", ERR_FORMAT, "line 7: not a line that the hunk's header counts",
     A_CS "@@ -0,0 +1 @@\n+a\n-b\n"},
    {"no line of a hunk", ERR_FORMAT, "line 6: not a line that the hunk's header counts",
     A_CS "@@ -1 +1 @@\n*a\n"},
    {"another diff in a hunk", ERR_FORMAT, "line 6: not a line that the hunk's header counts",
     A_CS "@@ -1 +1 @@\n" A_CS},
    {"a hunk without a file", ERR_FORMAT, "line 1: a hunk without a file", "@@ -1 +1 @@\n-a\n+b\n"},
    {"a hunk of a file without names", ERR_FORMAT, "line 3: a hunk without a file",
     GIT("a/A.cs", "b/A.cs") "@@ -1 +1 @@\n-a\n+b\n"},
    {"no header", ERR_FORMAT, "line 5: not a hunk header: \"@@ -1 1 @@\"", A_CS "@@ -1 1 @@\n"},
    {"an open header", ERR_FORMAT, "line 5: not a hunk header", A_CS "@@ -1 +1\n"},
    {"line 0", ERR_FORMAT, "line 5: not a hunk header", A_CS "@@ -0 +1 @@\n"},
    {"no count", ERR_FORMAT, "line 5: not a hunk header", A_CS "@@ -1, +1 @@\n"},
    {"a line too large", ERR_LIMIT, "line 5: a hunk goes past line 16707565",
     A_CS "@@ -1 +16707566 @@\n-a\n+b\n"},
    {"a count too large", ERR_LIMIT, "line 5: a hunk goes past line",
     A_CS "@@ -1,99999999999999999999 +1 @@\n-a\n"},
    {"hunks out of order", ERR_FORMAT, "line 8: a hunk begins before the last one ends",
     A_CS "@@ -7 +7 @@\n-a\n+b\n@@ -7 +8 @@\n-a\n+b\n"},
    {"names of another file", ERR_FORMAT, "line 4: not the file named above",
     GIT("a/A.cs", "b/A.cs") NAMES("a/B.cs", "b/BA.cs") "@@ -1 +1 @@\n-a\n+b\n"},
    {"no name", ERR_FORMAT, "line 2: not the file", NAMES("", "") "@@ -1 +1 @@\n-a\n+b\n"},
    {"renamed to nothing", ERR_FORMAT, "line 3: a file without a name",
     "diff --git a/A.cs b/B.cs\nrename from A.cs\nrename to \n"},
    {"an open quote", ERR_FORMAT, "line 2: a quoted name has no end",
     NAMES("a", "\"b\\\"") "@@ -1 +1 @@\n-a\n+b\n"},
    {"an unknown escape", ERR_FORMAT, "line 1: a quoted name has an unknown escape at byte 2",
     NAMES("\"a\\q\"", "b") "@@ -1 +1 @@\n-a\n+b\n"},
    {"an escaped NUL", ERR_FORMAT, "unknown escape",
     NAMES("\"a\\000\"", "b") "@@ -1 +1 @@\n-\n+\n"},
    {"one quoted name", ERR_FORMAT, "line 1: a second name is missing", "diff --git \"a/A.cs\"\n"},
};

static struct view view_of(const char *text)
{
    return (struct view){(const uint8_t *)text, strlen(text)};
}

static void a_diff_tells_files_and_lines(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(diffs); i++) {
        struct patch patch;
        struct err err = {0};
        struct view diff = exact_copy(view_of(diffs[i].diff));
        if (!patch_read(&patch, diff, &arena, &err))
            fail_msg("%s: %s", diffs[i].name, err.text);
        struct str got = patch_text(&patch, &arena);
        if (!str_is(got, diffs[i].expected))
            fail_msg("%s: \"%s\" instead of \"%s\"", diffs[i].name, got.text, diffs[i].expected);
        exact_free(diff);
        arena_reset(&arena);
    }
    arena_free(&arena);
}

static void what_is_refused_is_named_with_its_line(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(refusals); i++) {
        struct patch patch;
        struct err err = {0};
        struct view diff = exact_copy(view_of(refusals[i].diff));
        if (patch_read(&patch, diff, &arena, &err) || err.code != refusals[i].code ||
            strstr(err.text, refusals[i].says) == NULL)
            fail_msg("%s: \"%s\" does not say \"%s\"", refusals[i].name, err.text,
                     refusals[i].says);
        assert_int_equal(patch.file_count, 0);
        exact_free(diff);
    }
    arena_free(&arena);
}

static bool has_path(const struct patch *patch, struct str path)
{
    for (uint32_t i = 0; i < patch->file_count; i++)
        if (str_eq(patch->files[i].path, path))
            return true;
    return false;
}

/* A cut name may be another one: of the last file, which is then not one of the whole. */
static void every_truncation_is_refused_or_a_beginning(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(diffs); i++)
        for (size_t len = 0; len < strlen(diffs[i].diff); len++) {
            struct patch patch, whole;
            struct err err = {0};
            uint32_t others = 0;
            struct view diff = exact_copy((struct view){view_of(diffs[i].diff).data, len});
            assert_true(patch_read(&whole, view_of(diffs[i].diff), &arena, NULL));
            if (!patch_read(&patch, diff, &arena, &err)) {
                assert_failed(false, err, err.code);
                assert_int_not_equal(err.code, ERR_NONE);
            }
            for (uint32_t j = 0; j < patch.file_count; j++)
                others += !has_path(&whole, patch.files[j].path);
            assert_true(others <= 1);
            exact_free(diff);
            arena_reset(&arena);
        }
    arena_free(&arena);
}

static void lines_beyond_any_memory_are_not_allocated_for(void **state)
{
    struct patch patch;
    struct arena arena;
    struct err err = {0};
    (void)state;
    arena_init(&arena, NULL, 0, 4096);
    assert_failed(
        patch_read(&patch, view_of(A_CS "@@ -1,16000000 +1,16000000 @@\n-a\n"), &arena, &err), err,
        ERR_FORMAT);
    arena_free(&arena);
}

static void names_longer_than_any_path_are_refused(void **state)
{
    struct patch patch;
    struct arena arena;
    struct err err = {0};
    static char diff[40000];
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (int len = 4095; len < 18000; len += len < 4097 ? 1 : 13000) {
        (void)snprintf(diff, sizeof diff, "--- %0*d\n+++ %0*d\n@@ -1 +1 @@\n-a\n+b\n", len, 0, len,
                       0);
        assert_int_equal(patch_read(&patch, view_of(diff), &arena, &err), len < 4096);
        (void)snprintf(diff, sizeof diff, "diff --git %0*d %0*d\n", len, 0, len, 0);
        assert_int_equal(patch_read(&patch, view_of(diff), &arena, &err), len < 4096);
    }
    assert_int_equal(err.code, ERR_LIMIT);
    arena_free(&arena);
}

/* Context around it is no part of a hunk. */
static void hunks_are_the_same_with_and_without_context(void **state)
{
    static const char *const same[] = {
        A_CS "@@ -2 +2 @@\n-a\n+b\n@@ -4,0 +5,2 @@\n+c\n+d\n@@ -7,2 +8,0 @@\n-e\n-f\n",
        A_CS "@@ -1,9 +1,9 @@\n 1\n-a\n+b\n 3\n 4\n+c\n+d\n 5\n 6\n-e\n-f\n 9\n",
    };
    static const struct patch_hunk expected[] = {
        {.old_start = 2, .old_count = 1, .new_start = 2, .new_count = 1},
        {.old_start = 5, .new_start = 5, .new_count = 2},
        {.old_start = 7, .old_count = 2, .new_start = 9}};
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(same); i++) {
        struct patch patch;
        struct err err = {0};
        if (!patch_read(&patch, view_of(same[i]), &arena, &err))
            fail_msg("%s", err.text);
        assert_int_equal(patch.files[0].hunk_count, ARRAY_LEN(expected));
        for (size_t k = 0; k < ARRAY_LEN(expected); k++) {
            struct patch_hunk hunk = patch.files[0].hunks[k];
            assert_int_equal(hunk.old_start, expected[k].old_start);
            assert_int_equal(hunk.old_count, expected[k].old_count);
            assert_int_equal(hunk.new_start, expected[k].new_start);
            assert_int_equal(hunk.new_count, expected[k].new_count);
        }
    }
    arena_free(&arena);
}

static void old_lines_have_new_numbers_until_they_change(void **state)
{
    static const struct {
        const char *diff;
        uint32_t new_lines[12]; /* of old lines 0, 1, ... */
    } cases[] = {
        {A_CS "@@ -2 +2 @@\n-a\n+b\n@@ -4,0 +5,2 @@\n+c\n+d\n@@ -7,2 +8,0 @@\n-e\n-f\n",
         {0, 1, 0, 3, 4, 7, 8, 0, 0, 9, 10, 11}},
        {A_CS "@@ -0,0 +1,3 @@\n+a\n+b\n+c\n", {0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}},
        {A_CS "@@ -3 +3 @@\n-a\n+b\n@@ -6 +8 @@\n-a\n+b\n",
         {0, 1, 2, 0, 0, 0, 0, 9, 10, 11, 12, 13}}, /* something was left out between them */
        {"diff --git a/A.cs b/A.cs\nrename from B.cs\nrename to A.cs\n",
         {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
        {NAMES("/dev/null", "b/A.cs") "@@ -0,0 +1 @@\n+a\n", {0}},
        {GIT("a/A.cs", "b/A.cs") "Binary files a/A.cs and b/A.cs differ\n", {0}},
    };
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct patch patch;
        assert_true(patch_read(&patch, view_of(cases[i].diff), &arena, NULL));
        const struct patch_file *file = patch_find(&patch, STR("A.cs"));
        assert_non_null(file);
        for (uint32_t old_line = 0; old_line < ARRAY_LEN(cases[i].new_lines); old_line++)
            assert_int_equal(patch_new_line(file, old_line), cases[i].new_lines[old_line]);
        assert_int_equal(patch_new_line(file, FACT_LINE_LIMIT), 0);
        assert_int_equal(patch_new_line(file, UINT32_MAX), 0);
    }
    arena_free(&arena);
}

static void files_are_found_by_their_new_path(void **state)
{
    struct patch patch;
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_true(patch_read(&patch,
                           view_of("diff --git a/C.cs b/B.cs\nrename from C.cs\nrename to B.cs\n"
                                   "diff --git a/D.cs b/D.cs\ndeleted file mode 100644\n" A_CS
                                   "@@ -1 +1 @@\n-a\n+b\n"),
                           &arena, NULL));
    assert_ptr_equal(patch_find(&patch, STR("A.cs")), &patch.files[0]);
    assert_ptr_equal(patch_find(&patch, STR("B.cs")), &patch.files[1]);
    assert_null(patch_find(&patch, STR("C.cs")));
    assert_null(patch_find(&patch, STR("D.cs")));
    assert_null(patch_find(&patch, STR("")));
    assert_null(patch_find(&(struct patch){.files = NULL}, STR("A.cs")));
    arena_free(&arena);
}

static void all_lines_of_a_copy_are_new(void **state)
{
    static const char diff[] = "diff --git a/A.cs b/B.cs\ncopy from A.cs\ncopy to B.cs\n"
                               "diff --git a/A.cs b/C.cs\nrename from A.cs\nrename to C.cs\n";
    struct patch patch;
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_true(patch_read(&patch, view_of(diff), &arena, NULL));
    assert_true(patch_has_line(patch_find(&patch, STR("B.cs")), 7));
    assert_false(patch_has_line(patch_find(&patch, STR("C.cs")), 7));
    arena_free(&arena);
}

/* Each line as "-a" or "+b", side by side: first the old ones of a hunk. */
static const char *texts_of(const char *diff, struct arena *arena)
{
    struct patch patch;
    struct str all = STR("");
    struct err err = {0};
    struct text text = text_in(arena);
    if (!patch_read(&patch, view_of(diff), arena, &err))
        fail_msg("%s", err.text);
    for (uint32_t i = 0; i < patch.files[0].hunk_count; i++)
        for (const char *side = "-+"; *side != '\0'; side++) {
            struct str line, rest = patch.files[0].hunks[i].text;
            while (patch_next_text(&line, &rest, *side))
                text_addf(&text, "%u%c%.*s;", i, *side, STR_ARGS(line));
        }
    assert_true(text_take(&all, &text, &err));
    return all.text;
}

static void hunks_have_the_text_of_their_lines(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_string_equal(texts_of(A_CS "@@ -3,2 +3 @@\n-a\n--b\n++c\n@@ -9 +8,0 @@\n-\n", &arena),
                        "0-a;0--b;0++c;1-;");
    /* With context, with the end of the file, and with lines that end in CR LF. */
    assert_string_equal(texts_of(A_CS "@@ -1,4 +1,3 @@\n-a\r\n+b\r\n x\r\n-c\r\n-d\r\n"
                                      "\\ No newline at end of file\r\n+e\r\n",
                                 &arena),
                        "0-a;0+b;1-c;1-d;1+e;");
    /* Two hunks that touch are one. */
    assert_string_equal(texts_of(A_CS "@@ -1 +1 @@\n-a\n+b\n@@ -2 +2 @@\n-c\n+d\n", &arena),
                        "0-a;0-c;0+b;0+d;");
    arena_free(&arena);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_diff_tells_files_and_lines),
    cmocka_unit_test(what_is_refused_is_named_with_its_line),
    cmocka_unit_test(every_truncation_is_refused_or_a_beginning),
    cmocka_unit_test(lines_beyond_any_memory_are_not_allocated_for),
    cmocka_unit_test(names_longer_than_any_path_are_refused),
    cmocka_unit_test(hunks_are_the_same_with_and_without_context),
    cmocka_unit_test(old_lines_have_new_numbers_until_they_change),
    cmocka_unit_test(files_are_found_by_their_new_path),
    cmocka_unit_test(all_lines_of_a_copy_are_new),
    cmocka_unit_test(hunks_have_the_text_of_their_lines),
};
UNIT_TESTS(tests);
