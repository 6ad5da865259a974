#!/usr/bin/env python3
"""Holds what a report says about why lines did not run against what the program recorded and how its statements are nested.

usage: why_truth.py REPORT.json TREES.json RECORD MOST_SILENT_PERCENT

TREES.json is from make_whys.py. For each line that did not run, the last places on all ways to it are found in the tree: statements
that began and never ended, conditions that never had an outcome, and so on. A report may be silent, but not too often; what it says
must be exactly that."""
import json
import sys

ROOTS_MOST = 3


class Unknown(Exception):
    pass


class Truth:
    def __init__(self, record):
        self.seen = set(record)
        self.parent = {}
        self.breaks = []

    # --- what the program recorded ---------------------------------------------------------------

    def began(self, line):
        return f"start {line}" in self.seen

    def gave(self, line, operand, value):
        return f"{'true' if value else 'false'} {line} {operand}" in self.seen

    def allows(self, roots):
        """Did no statement complete that is said not to have?"""
        return not any(root[0] == "completed" and f"end {root[1]}" in self.seen for root in roots)

    # --- why a place was not reached ---------------------------------------------------------------

    def link(self, statements, owner, role):
        """Notes, for each statement, its block and place in it."""
        for index, node in enumerate(statements):
            node["block"], node["index"], node["owner"], node["role"] = statements, index, owner, role
            for key in ("then", "else", "body", "handler"):
                if isinstance(node.get(key), list):
                    self.link(node[key], node, key)
            for number, arm in enumerate(node.get("arms", [])):
                self.link(arm, node, number)

    def reached(self, node):
        kind = node["kind"]
        if kind in ("call", "yield", "if", "while", "switch"):
            return self.began(node["line"])
        if kind == "for":
            return self.began(node["start"])
        if kind in ("do", "catch", "finally"):
            return self.reached(node["body"][0])
        if node["line"] not in self.lines:
            raise Unknown  # Release has no line for it
        return self.lines[node["line"]]["hits"] != 0  # no record: what the report says, which other tests check

    def outcome(self, node, condition, value, count=None):
        """Why the condition, or its first `count` operands, never gave `value`."""
        operands = condition["operands"][:count]
        line = node["line"]
        last = len(operands) - 1
        joins_and = condition["join"] == "&&"
        roots = set()
        # The last operand decides if it is asked; the others decide `false` of &&, `true` of ||.
        for operand in range(last + 1):
            if operand == last or value != joins_and:
                roots |= self.operand(node, condition, operand, value)
        return roots

    def operand(self, node, condition, operand, value):
        line = node["line"]
        if self.gave(line, operand, value):
            raise Unknown  # it ran: Release made one of two equal statements
        if self.gave(line, operand, not value):
            return {("outcome", line, operand, value)}
        if operand == 0:
            return {("completed", line)} if self.began(line) else self.why_test(node)
        before = condition["join"] == "&&"
        if self.gave(line, operand - 1, before):
            return {("silent",)}  # it threw while it was asked, which no statement tells
        return self.operand(node, condition, operand - 1, before)

    def why_test(self, node):
        """Why the condition of a statement was never asked."""
        if node["kind"] == "do":
            roots = self.never_left(node["body"])
            return roots | self.continues(node["body"])
        if node["kind"] == "for":
            return {("completed", node["start"])} if self.began(node["start"]) else self.why(node)
        return self.why(node)

    def why(self, node):
        """Why the statement, which was not reached, was not."""
        if node["index"] != 0:
            return self.after(node["block"][node["index"] - 1])
        owner, role = node["owner"], node["role"]
        if owner is None:
            return {("called",)}
        kind = owner["kind"]
        if kind in ("if", "while", "for"):
            return self.outcome(owner, owner["condition"], role != "else")
        if kind == "foreach":
            return {("silent",)} if self.reached(owner) else self.why(owner)
        if kind == "switch":
            return {("case", owner["line"])} if self.reached(owner) else self.why(owner)
        if kind == "using":
            return {("silent",)} if self.reached(owner) else self.why(owner)
        if role == "handler":
            if not self.reached(owner["body"][0]):
                return self.why(owner["body"][0])
            return {("caught",)} if kind == "catch" else {("left",)}
        return self.why(owner)  # the body of try, do

    def after(self, node):
        """Why control did not get past the statement."""
        if not self.reached(node):
            return self.why(node)
        kind = node["kind"]
        if kind == "call":
            return {("completed", node["line"])}
        if kind == "yield":
            return {("resumed", node["line"])}
        if kind == "leave":
            return set()
        if kind == "if":
            roots = set()
            for value, arm in ((True, node["then"]), (False, node["else"])):
                roots |= self.never_left(arm) if arm else self.outcome(node, node["condition"], value)
            return roots
        if kind in ("while", "for", "do"):
            return self.outcome(node, node["condition"], False) | self.breaks_of(node["body"])
        if kind == "foreach":
            return {("loop", node["line"])} | self.breaks_of(node["body"])
        if kind == "switch":
            roots = set()
            for arm in node["arms"]:
                if arm[-1]["kind"] == "leave" and self.block_completes(arm):
                    roots |= self.why(arm[-1])
            return roots
        if kind in ("using", "finally"):
            return self.never_left(node["body"])
        if kind == "catch":
            return self.never_left(node["body"]) | self.never_left(node["handler"])
        raise ValueError(kind)

    def completes(self, node):
        """Can control come to the end of the statement at all?"""
        kind = node["kind"]
        if kind in ("return", "throw", "break", "continue"):
            return False
        if kind == "if":
            return not node["else"] or self.block_completes(node["then"]) or self.block_completes(node["else"])
        if kind == "switch":
            return any(arm[-1]["kind"] == "leave" and self.block_completes(arm) for arm in node["arms"])
        if kind == "do":
            return self.block_completes(node["body"]) or any(self.jumps(node["body"], "continue")) or any(self.jumps(node["body"], "break"))
        if kind in ("using", "finally"):
            return self.block_completes(node["body"])
        if kind == "catch":
            return self.block_completes(node["body"]) or self.block_completes(node["handler"])
        return True

    def block_completes(self, block):
        return all(self.completes(node) for node in block)

    def never_left(self, block):
        """Why control did not come to the end of the block."""
        if not self.block_completes(block):
            return set()
        return self.after(block[-1]) if self.reached(block[-1]) else self.why(block[-1])

    def jumps(self, block, kind):
        for node in block:
            if node["kind"] == kind:
                yield node
            for key in ("then", "else", "handler"):
                if isinstance(node.get(key), list):
                    yield from self.jumps(node[key], kind)
            if node["kind"] in ("using", "catch", "finally"):
                yield from self.jumps(node["body"], kind)
            for arm in node.get("arms", []):
                yield from self.jumps(arm, kind)

    def breaks_of(self, body):
        roots = set()
        for node in self.jumps(body, "break"):
            roots |= {("silent",)} if self.reached(node) else self.why(node)
        return roots

    def continues(self, body):
        roots = set()
        for node in self.jumps(body, "continue"):
            roots |= {("silent",)} if self.reached(node) else self.why(node)
        return roots


def told(root):
    """Some roots are the same in other words."""
    return {"case": ("neutral", *root[1:]), "loop": ("neutral", *root[1:]), "cleanup": ("completed", *root[1:])}.get(root[0], root)


def lines_of(report):
    lines = {}
    for package in report["packages"]:
        for cls in package["classes"]:
            if cls["name"] == "Program":
                lines.update({line["number"]: line for line in cls["lines"]})
    return lines


def operand_at(line, span):
    """Which operand of a line is written at the span: they are numbered in their text."""
    for number, condition in enumerate(line["conditions"]):
        if condition.get("span") == span:
            return number
    return None


def said(line, lines):
    roots = set()
    for root in line.get("never", []):
        kind = root["kind"]
        if kind == "outcome":
            at = lines.get(root["line"])
            number = operand_at(at, root["span"]) if at and "span" in root else None
            words = at["conditions"][number].get("outcomes") if number is not None else None
            if words is None:
                roots.add(("neutral", root["line"]))
            elif words[root["outcome"]] in ("true", "false"):
                roots.add(("outcome", root["line"], number, words[root["outcome"]] == "true"))
            else:
                roots.add(("neutral", root["line"]))
        elif "line" in root:
            roots.add((kind, root["line"]))
        else:
            roots.add((kind,))
    return roots


def places(method):
    """All statements of a method with the line that stands for each."""
    def walk(block):
        for node in block:
            yield node
            for key in ("then", "else", "body", "handler"):
                if isinstance(node.get(key), list):
                    yield from walk(node[key])
            for arm in node.get("arms", []):
                yield from walk(arm)
    return walk(method["body"])


def main():
    report, trees, record, most = json.load(open(sys.argv[1])), json.load(open(sys.argv[2])), open(sys.argv[3]), float(sys.argv[4])
    truth = Truth(line.strip() for line in record)
    lines = lines_of(report)
    truth.lines = lines
    missed = silent = wrong = excused = unknown = 0
    without_need, of_kind = {}, {}
    for method in trees:
        truth.link(method["body"], None, None)
        for node in places(method):
            line = lines.get(node["line"])
            if node["kind"] in ("do", "for", "catch", "finally", "using", "foreach", "leave") or line is None or line["hits"]:
                continue
            try:
                expected = truth.why(node)
            except (RecursionError, Unknown):
                expected = {("silent",)}
            missed += 1
            of_kind[method["kind"]] = of_kind.get(method["kind"], 0) + 1
            found = said(line, lines)
            if not found:
                silent += 1
                if ("silent",) in expected or len(expected) > ROOTS_MOST:
                    excused += 1
                else:
                    without_need[method["kind"]] = without_need.get(method["kind"], 0) + 1
            elif not expected or ("silent",) in expected:  # code that cannot run, or that only the report knows
                unknown += 1
                wrong += not truth.allows(found)
            elif {told(root) for root in found} != {told(root) for root in expected} or not truth.allows(found):
                wrong += 1
                if wrong <= 20:
                    print(f"line {node['line']} of {method['name']} ({method['kind']}): {sorted(map(str, found))}, not {sorted(map(str, expected))}")
    share = 100 * (silent - excused) / max(missed, 1)
    print(f"{missed} lines did not run: {wrong} wrong, {silent} silent, of which {excused} had to be; {share:.1f} % silent without need; {unknown} not held against the tree")
    print("silent without need: " + ", ".join(f"{100 * without_need.get(kind, 0) / count:.1f} % of {kind}" for kind, count in of_kind.items()))
    return wrong != 0 or share > most or missed == 0


sys.exit(main())
