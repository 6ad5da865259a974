#!/usr/bin/env python3
"""Holds the code against tests/rooms.txt: every include must be named there, no circle may run through
rooms or files, no room may grow past what one can take in, only system/ has paths of /proc, only base/ takes paths apart, and each
way to start a program has one user, no name stands twice.
With a folder as argument, checks that tree instead."""
import os
import re
import sys

MAX_LINES = 6000   # of the .c files in a room
MAX_COLUMNS = 100  # of a comment in a .c or .h file; clang-format keeps the code within as many
NOT_ROOMS = {"tests", "fixtures", "bench", "build", "docs", "packaging"}
# What belongs to system/.
POSIX = re.compile(r"(sys|net|netinet|arpa|linux)/|(unistd|fcntl|dirent|poll|pwd|grp|signal|dlfcn|spawn|sched|termios|"
                   r"pthread|elf|link|mntent|ftw|glob|fnmatch|syslog|ucontext)\.h$")
# /proc is read by system/ alone.
PROC = re.compile(r"/proc\b")
# base/path.h alone knows what separates the parts of a path, of this machine or of any. Elsewhere these characters are of formats,
# which are the same on every system.
SEPARATOR = re.compile(r"""'/'|'\\\\'|"[^"]*(?:%(?:\.\*)?s/|/%(?:\.\*)?s)""")
MAY_SEPARATE = {
    "it is the place for it": {"base/path.c"},
    "names of nested types: Outer/Inner": {
        "cli/process/frame.c", "cli/verbs/inspect_names.c", "coverage/condition_text/condition_code.c", "coverage/names/type_text.c",
        "coverage/collect/excluded_by_attribute.c", "coverage/merge/same_code.c", "metadata/names.c",
        "coverage/report/why.c", "coverage/statements/no_return.c", "scope/pattern.c",
        "coverage/collect/inlined_find.c"},
    "source code": {
        "coverage/source/generated_file.c", "coverage/report/missed_cases.c", "coverage/source/comments.c",
        "coverage/source/tokens.c"},
    "escapes": {
        "base/text.c", "cli/options/import_pattern.c", "cli/options/settings_text.c",
        "impact/test_filter.c", "coverage/session/session_text.c", "coverage/source/source_link.c", "reporters/json_writer.c",
        "scope/deps.c"},
    "an operator": {"coverage/names/display_name.c"},
    "paths in facts and reports, which have '/' on every system": {
        "cli/verbs/verb_show.c", "coverage/external/external_path.c", "coverage/report/file_choice.c", "coverage/source/paths.c",
        "reporters/html/page_name.c", "reporters/html/site_tree.c", "reporters/screen.c"},
    "git's paths and names of branches": {"cli/publish/git.c", "coverage/diff/patch_line.c"},
    "links between pages, and files beside them": {
        "reporters/html/page.c", "reporters/html/test_files.c"},
    "no path: fractions, tags, names": {
        "cli/options/import.c", "coverage/external/external_cobertura.c"},
    "messages, not paths that are opened": {"profiler/session/config.c", "profiler/session/counter_file.c"},
}
# What starts a program, and the files that may call or define it. SECURITY.md says which programs those are.
STARTS = re.compile(r"\b(posix_spawnp?|v?fork|clone3?|f?exec(?:l|v|ve|le|lp|vp|vpe|veat)|popen|system|wordexp|"
                    r"command_start|program_output_take|browser_open)\s*\(")
MAY_START = {
    "vfork": {"system/command.c"},
    "execvpe": {"system/command.c"},
    "command_start": {"system/command.c", "cli/process/target.c"},  # COMMAND, which was typed
    "posix_spawnp": {"system/program.c"},
    "program_output_take": {"system/program.c", "cli/publish/checkout.c"},  # git
    "browser_open": {"system/program.c", "cli/verbs/verb_report.c"},  # --open
}
# A static function, also one that ORDER (base/sort.h) defines; a tag.
STATIC = re.compile(r"^(?:static\b[^;{=]*?\b(\w+)\s*\(|ORDER\((\w+))", re.MULTILINE)
TAG = re.compile(r"^(?:static )?(?:const )?(?:struct|enum|union) (\w+) \{", re.MULTILINE)
COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'', re.DOTALL)

problems = []


def read_rooms(path):
    """Room -> the rooms that it may include."""
    rooms = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#"):
                room, _, named = line.partition(":")
                rooms[room] = named.split()
    for room, named in rooms.items():
        if named[:1] == ["*"]:
            rooms[room] = [other for other in rooms if other != room and other not in named[2:]]
    return rooms


def check_table(top, rooms):
    """The table of rooms in ARCHITECTURE.md says of each what it does."""
    with open(os.path.join(top, "ARCHITECTURE.md"), encoding="utf-8") as file:
        described = set(re.findall(r"^\| `([a-z_/]+)` \|", file.read(), re.MULTILINE))
    for room in sorted(described ^ set(rooms)):
        problems.append(f"{room}: tests/rooms.txt or the table of rooms in ARCHITECTURE.md lacks it")


def sources(top):
    for folder, subfolders, files in os.walk(top):
        relative = os.path.relpath(folder, top)
        if relative == ".":
            subfolders[:] = sorted(s for s in subfolders if s not in NOT_ROOMS and not s.startswith("."))
        for file in sorted(files):
            if file.endswith((".c", ".h", ".def")):
                yield os.path.normpath(os.path.join(relative, file))


def includes_of(path):
    with open(path, encoding="utf-8") as file:
        return re.findall(r'^#include (["<])([^">]+)[">]', file.read(), re.MULTILINE)


def lines_with_proc(path):
    """Numbers of the lines that have "/proc" in a string."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return [text.count("\n", 0, match.start()) + 1 for match in COMMENT_OR_STRING.finditer(text)
            if match[0][0] == '"' and PROC.search(match[0])]


def check_separators(top):
    listed = {source for sources_of in MAY_SEPARATE.values() for source in sources_of}
    found = set()
    for source in sources(top):
        if os.path.dirname(source) == "system":
            continue
        with open(os.path.join(top, source), encoding="utf-8") as file:
            text = file.read()
        for match in COMMENT_OR_STRING.finditer(text):
            if match[0][0] == "/" or SEPARATOR.match(match[0]) is None:
                continue
            found.add(source)
            if source not in listed:
                problems.append(f"{source}:{text.count(chr(10), 0, match.start()) + 1}: {match[0]} takes a path apart or joins "
                                "it: only base/path.h may; MAY_SEPARATE names files whose text is a format's")
    for source in sorted(listed - found):
        if os.path.exists(os.path.join(top, source)):
            problems.append(f"MAY_SEPARATE names {source}, which has no separator: take it out")


def check_starts(top):
    for source in sources(top):
        if not source.endswith(".c"):
            continue
        with open(os.path.join(top, source), encoding="utf-8") as file:
            text = COMMENT_OR_STRING.sub(" ", file.read())
        for name in sorted(set(STARTS.findall(text))):
            if source not in MAY_START.get(name, ()):
                problems.append(f"{source} calls {name}, which starts a program: only files in MAY_START may")


def check_names(top):
    """grep and a debugger's `break` find one thing: no static function, tag or .c file has the name of another."""
    places = {}
    for source in sources(top):
        if source.endswith(".c"):
            places.setdefault(f"file {os.path.basename(source)}", []).append(source)
        with open(os.path.join(top, source), encoding="utf-8") as file:
            text = file.read()
        names = {f"static function {a or b}" for a, b in STATIC.findall(text)} | {f"tag {tag}" for tag in TAG.findall(text)}
        for name in names:
            places.setdefault(name, []).append(source)
    for name, found in sorted(places.items()):
        if len(found) > 1:
            problems.append(f"{name} stands in {' and in '.join(found)}")


def check_reasons(top):
    """A reason is its number: its text may change, so nothing may compare it."""
    definitions = os.path.join(top, "contract/reason.def")
    if not os.path.exists(definitions):
        return
    with open(definitions, encoding="utf-8") as file:
        texts = {f'"{text}"' for text in re.findall(r'^REASON\(\d+, \w+, "([^"{]*)"', file.read(), re.MULTILINE)}
    for source in sources(top):
        if source == "contract/reason.def":
            continue
        with open(os.path.join(top, source), encoding="utf-8") as file:
            for text in sorted(texts & set(COMMENT_OR_STRING.findall(file.read()))):
                problems.append(f"{source} has the text of a reason, {text}: only contract/reason.def may")


def circles(arrows):
    """Strongly connected components of more than one node (Tarjan)."""
    order, low, stack, found = {}, {}, [], []

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        for other in sorted(arrows.get(node, ())):
            if other not in order:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], order[other])
        if low[node] == order[node]:
            component = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(component) > 1:
                found.append(sorted(component))

    sys.setrecursionlimit(10000)
    for node in sorted(arrows):
        if node not in order:
            visit(node)
    return found


def check_tree(top):
    rooms = read_rooms(os.path.join(top, "tests/rooms.txt"))
    check_table(top, rooms)
    between_rooms, between_files, size, used = {}, {}, {}, {room: set() for room in rooms}
    of_one_system, seen_outside = set(), {}
    for source in sources(top):
        room = os.path.dirname(source)
        if room not in rooms:
            problems.append(f"{source}: tests/rooms.txt does not name {room or 'the top folder'}")
            continue
        path = os.path.join(top, source)
        if room != "system":
            problems.extend(f"{source}:{line}: a path of /proc: only system/ may have it, see system/process.h"
                            for line in lines_with_proc(path))
        if source.endswith(".c"):
            with open(path, encoding="utf-8") as file:
                lines = sum(1 for _ in file)
            size[room] = size.get(room, 0) + lines
        for bracket, include in includes_of(path):
            if bracket == "<":
                if POSIX.match(include) and room == "system":
                    of_one_system.add(source)
                elif POSIX.match(include):
                    problems.append(f"{source} includes <{include}>, a POSIX header: only system/ may")
                continue
            other = os.path.dirname(include)
            if other == "system" and room != "system":
                seen_outside.setdefault(include, source)
            if other != room:
                if other == "impact" and include != "impact/impact.h":
                    problems.append(f"{source} includes {include}: other rooms include impact/impact.h alone")
                between_rooms.setdefault(room, set()).add(other)
                used[room].add(other)
                if other not in rooms[room]:
                    problems.append(f"{source} includes {include}, but tests/rooms.txt does not let {room} include {other}")
            a, b = os.path.splitext(source)[0], os.path.splitext(include)[0]
            if a != b:
                between_files.setdefault(a, set()).add(b)
    for header in sorted(of_one_system & set(seen_outside)):
        problems.append(f"{header} includes a POSIX header, and {seen_outside[header]} includes it: a header that other rooms "
                        "see must suit every operating system")
    for room, others in sorted(rooms.items()):
        if room == "cli/verbs":
            continue
        for other in sorted(set(others) - used[room]):
            problems.append(f"tests/rooms.txt lets {room} include {other}, which it does not need")
    for kind, arrows in (("rooms", between_rooms), ("files", between_files)):
        for circle in circles(arrows):
            problems.append(f"a circle between {kind}: {', '.join(circle)}")
    for room, lines in sorted(size.items()):
        if lines > MAX_LINES:
            problems.append(f"{room} has {lines} lines in its .c files; {MAX_LINES} are the most")
    for room in sorted(rooms):
        if not os.path.isdir(os.path.join(top, room)):
            problems.append(f"tests/rooms.txt names {room}, which is not there")


def check_comment_columns(top):
    """clang-format does not break comments (ReflowComments: a table in one would become a paragraph)."""
    for folder, subfolders, files in os.walk(top):
        subfolders[:] = sorted(s for s in subfolders if s not in ("build", "bin", "obj") and not s.startswith("."))
        for name in sorted(files):
            if not name.endswith((".c", ".h")):
                continue
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                in_comment = False
                for number, line in enumerate(file, 1):
                    has_comment = in_comment or "/*" in line
                    if "/*" in line or "*/" in line:
                        in_comment = line.rfind("/*") > line.rfind("*/")
                    if has_comment and len(line.rstrip("\n")) > MAX_COLUMNS:
                        problems.append(f"{os.path.relpath(path, top)}:{number}: a comment of {len(line) - 1} columns; "
                                        f"{MAX_COLUMNS} are the most")


top = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
check_comment_columns(top)
check_tree(top)
check_separators(top)
check_starts(top)
check_names(top)
check_reasons(top)
for problem in problems:
    print(problem)
print(f"{0 if problems else 1} passed, {len(problems)} failed")
sys.exit(1 if problems else 0)
