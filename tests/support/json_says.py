#!/usr/bin/env python3
"""json_says.py VERB[:NAME] [HUMAN JSON]...: does what `ilcov VERB --json` printed say what `ilcov VERB` printed for people, of the same
input? What people got is made again from the JSON, as far as it can be, and compared. NAME (ps): only programs of this name.

    doctor | ps | merge | data | assembly | uncovered | show"""
import datetime
import json
import re
import sys

verb, _, wanted_name = sys.argv[1].partition(":")
human, said = "", {}


def plural(count, one, many):
    return f"{count} {one if count == 1 else many}"


def utc(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def compare(expected, seen):
    if expected == seen:
        return
    for number, (left, right) in enumerate(zip(expected + [None] * len(seen), seen + [None] * len(expected))):
        if left != right:
            sys.exit(f"line {number + 1}:\nfrom JSON: {left!r}\nprinted:   {right!r}")


def doctor():
    """Memory and sessions change from one call to the next."""
    def still(line):
        return re.sub(r"[\d,]+ MiB free", "N MiB free", line)

    def lasting(lines):
        return [still(line) for line in lines if not re.match(r"\w+ +session", line)]

    lines = [f"{check['state']:<8} {check['check']}: {check['text']}" for check in said["checks"]]
    compare(lasting(lines), lasting(human.splitlines()))
    if said["problems"] != sum(check["state"] == "problem" for check in said["checks"]):
        sys.exit("problems do not add up")


def ps():
    def ours(rows):
        return [row for row in rows if row[4] == wanted_name]

    rows = [[str(p["pid"]), utc(p["since"]), p["mode"] or "-", p["user"], p["program"], p["session"]] for p in said["programs"]]
    printed = [line.split(None, 5) for line in human.splitlines()[1:]]
    if not ours(rows):
        sys.exit(f"no program {wanted_name}")
    compare(ours(rows), ours(printed))


def merge():
    lines = [f"ilcov: {warning}" for warning in said["warnings"]]
    lines.append(f"ilcov: {said['output']}: {plural(said['runs'], 'run', 'runs')} of {plural(said['files'], 'file', 'files')}, "
                 f"{plural(said['assemblies'], 'assembly', 'assemblies')}")
    lines += [f"ilcov: {note}" for note in said["notes"]]
    if "carried_methods" in said:
        lines += [line for line in human.splitlines() if " carried from " in line
                  and line.startswith(f"ilcov: {plural(said['carried_methods'], 'method is', 'methods are')} carried")]
    compare(lines, human.splitlines())


def data():
    kinds = {"measured": "measured", "partial": "measured in part", "carried": "carried", "external": "from an external report"}
    states = {"instrumented": "instrumented", "not_loaded": "never loaded", "external": "from an external report"}
    lines = []
    for run in said["runs"]:
        line = f"run {run['id']} {utc(run['started'])}: {kinds[run['kind']]}"
        line += f", mode {run['mode']}" if "mode" in run else ""
        line += f", root {run['root']}" if "root" in run else ""
        line += f", {run['reason']}" if "reason" in run else ""
        line += f", {run['label']}" if "label" in run else ""
        line += f", {run['folded_runs']} runs in one" if "folded_runs" in run else ""
        lines.append(line)
    for module in said["assemblies"]:
        if module["state"] == "skipped":
            lines.append(f"{module['name']}, skipped ({module['reason']})")
            continue
        line = f"{module['name']}, identity sha256:{module['identity']}, {states[module['state']]}"
        line += f" in {plural(module['runs'], 'run', 'runs')}" if "runs" in module else ""
        line += f" ({module['reason']})" if "reason" in module else ""
        line += f", {plural(module['methods'], 'method', 'methods')}"
        lines.append(line + (f" ({module['generated_methods']} generated)" if module["generated_methods"] else ""))
        for method in module.get("selected", []):
            lines.append(f"{method['token']:08x} {method['type']}.{method['name']}{method['signature']}: code {method['code']}"
                         + (f", {method['generated']}" if "generated" in method else ""))
    compare(lines, human.splitlines())


def block_line(block):
    counts = {"never_runs": "never runs", "counter": f"counter {block.get('counter')}", "edges_out": "sum of the edges out of it",
              "edges_in": "sum of the edges into it", "values": "sum of its values"}
    line = f"  block {block['number']}, {counts[block['count']]}"
    if "value_counter" in block:
        line += f", value at its end {block['value_counter']} {block['value_counter'] + 1}"
    edges = [f"{'branches to' if edge['branches'] else 'falls through to'} block {edge['to']}"
             + (f" (counter {edge['counter']})" if "counter" in edge else "") for edge in block["edges"]]
    return line + ("; " + ", ".join(edges) if edges else "")


def code_lines(method):
    for clause in method["clauses"]:
        line = (f"  try IL_{clause['try_start']:04x} to IL_{clause['try_end']:04x}, {clause['kind']} "
                f"IL_{clause['handler_start']:04x} to IL_{clause['handler_end']:04x}")
        yield line + (f", filter IL_{clause['filter_start']:04x}" if clause["kind"] == "filter" else "")
    for block in method["blocks"]:
        yield block_line(block)
        for instruction in block["instructions"]:
            for point in instruction.get("points", []):
                yield "    -- hidden" if point["hidden"] else (
                    f"    -- {point['start_line']}:{point['start_column']}-{point['end_line']}:{point['end_column']}")
            line = f"    IL_{instruction['offset']:04x}  {instruction['opcode']}"
            line += f" {instruction['operand']}" if "operand" in instruction else ""
            yield line + (f"  // {instruction['rule']}" if "rule" in instruction else "")


def assembly():
    module = said["assembly"]
    line = f"{module['name']}, MVID {module['mvid']}, identity sha256:{module['identity']}"
    if "no_symbols" in module:
        line += f", no symbols: {module['no_symbols']}"
    else:
        line += f", symbols {module['symbols'] or 'nowhere'}"
    lines = [line + (" (the id matches, the checksum does not)" if module["checksum_differs"] else "")]
    for method in said["methods"]:
        line = f"{method['token']:08x} {method['type']}.{method['name']}{method['signature']}: "
        if not method["instrumented"]:
            lines.append(line + method["reason"])
            continue
        frame = ", keeps its frame (a tail call)" if method["keeps_frame"] else ""
        lines.append(line + f"{method['code_size']} bytes, {method['block_count']} blocks, {method['counter_count']} counters{frame}, "
                            f"code {method['code']}")
        if "blocks" in method:
            lines += code_lines(method)
    lines += [f"{plural(verdict['methods'], 'method', 'methods')}: {verdict['text']}" for verdict in said["verdicts"]]
    compare(lines, human.splitlines())


def uncovered():
    lines = []
    for entry in said["uncovered"]:
        ranges = [(entry["first_line"], entry["last_line"]) for entry in entry["ranges"]]
        lines.append(entry["path"] + ":" + ",".join(str(a) if a == b else f"{a}-{b}" for a, b in ranges))
    compare(lines, human.splitlines())


def show():
    """Of FILE: hits, signs and texts of lines, and the words below them, of which an underlined one has only the end."""
    signs = {"covered": " ", "missed": " ", "partial": "~"}
    lines, words = [], []
    for file in said["files"]:
        for line in file["lines"]:
            sign = "-" if file["not_loaded"] else signs[line["state"]]
            lines.append((line["number"], line["hits"], sign, line.get("text", "").strip()))
            words += line.get("missing", [])
        words += [f"did not run: {entry['text']}" for entry in file["reasons"]]
        words += [f"excluded: {entry['reason']}" for entry in file["excluded"]]
    seen_lines, seen_words = [], []
    for text in human.splitlines():
        code = re.match(r" *(\d+) +(\d+)(?: ([-~x ])(?:  (.*))?)?$", text)
        if code:
            seen_lines.append((int(code[1]), int(code[2]), code[3] or " ", (code[4] or "").strip()))
        elif re.match(r" {10,}\S", text):
            seen_words.append(re.sub(r"^ *\^* ?", "", text).strip())
    compare(sorted(lines), sorted(line for line in seen_lines if line[2] != "x"))
    left = list(words)
    for word in seen_words:
        found = [entry for entry in left if entry == word or entry.endswith(" " + word)]
        if not found:
            sys.exit(f"JSON does not say {word!r}")
        left.remove(found[0])
    if left:
        sys.exit(f"only JSON says {left}")
    print(len(lines), "lines,", len(words), "words")


for human_path, json_path in zip(sys.argv[2::2], sys.argv[3::2]):
    with open(human_path, encoding="utf-8") as file:
        human = file.read()
    with open(json_path, encoding="utf-8") as file:
        said = json.load(file)
    {"doctor": doctor, "ps": ps, "merge": merge, "data": data, "assembly": assembly, "uncovered": uncovered, "show": show}[verb]()
