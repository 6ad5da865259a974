#!/usr/bin/env python3
"""Writes C# methods of random statements, one a line, of which some throw, some conditions never come true, and so on; and their
trees as JSON, from which tests/support/why_truth.py knows why each line did not run. The program writes down what it did.

usage: make_whys.py SEED METHODS PROGRAM.cs TREES.json"""
import json
import random
import sys

HEAD = """using System;
using System.Collections.Generic;
using System.Threading.Tasks;

static class Record
{
    static readonly SortedSet<string> seen = [];
    static readonly Dictionary<string, int> asked = [];
    // How a place behaves is in its plan: t(rue), f(alse), x (throws), each time it is asked the next one; the last one stays.
    static char Next(string place, string plan)
    {
        asked.TryGetValue(place, out int n);
        asked[place] = n + 1;
        return plan[Math.Min(n, plan.Length - 1)];
    }
    public static void S(int line, string plan)
    {
        seen.Add($"start {line}");
        if (Next($"{line}", plan) == 'x')
            throw new InvalidOperationException();
        seen.Add($"end {line}");
    }
    public static bool C(int line, int operand, string plan)
    {
        seen.Add($"start {line}");
        char answer = Next($"{line}/{operand}", plan);
        if (answer == 'x')
            throw new InvalidOperationException();
        seen.Add($"{(answer == 't' ? "true" : "false")} {line} {operand}");
        return answer == 't';
    }
    public static int V(int line, string plan)
    {
        C(line, 0, plan);
        return line;
    }
    public static async Task A(int line, string plan)
    {
        await Task.Yield();
        S(line, plan);
    }
    public static void Run(Action action)
    {
        try
        {
            action();
        }
        catch (Exception)
        {
        }
    }
    public static void Write()
    {
        foreach (string what in seen)
            Console.WriteLine(what);
    }
}

sealed class Guard : IDisposable
{
    public void Dispose()
    {
    }
}

static class Program
{
"""


# What methods and blocks are made of; a `yield return` cannot be in a `try` with `catch`, nor in a handler.
AWAITS = {"async", "stream", "stream-try"}
YIELDS = {"iterator", "stream"}
WITHOUT_YIELD = {"stream": "stream-try"}


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = HEAD.split("\n")[:-1]
        self.line_count = 0

    def put(self, depth, text):
        self.lines.append("    " * depth + text)
        return len(self.lines)

    def next(self):
        return len(self.lines) + 1

    def plan(self, throws):
        return "x" if self.random.random() < throws else self.random.choice(["t", "t", "tx"]) if throws else "t"

    def condition(self, loops):
        """Operands with their plans, and how they are joined."""
        choices = ["ft", "tf", "f", "t", "f", "t", "x"]
        if loops:
            choices = ["tf", "ttf", "f", "tx"]
            return {"join": None, "operands": [self.random.choice(choices)]}
        count = self.random.choice([1, 1, 2, 2, 3])
        return {"join": self.random.choice(["&&", "||"]) if count > 1 else None,
                "operands": [self.random.choice(choices) for _ in range(count)]}

    def written(self, condition, line):
        return f" {condition['join']} ".join(f'Record.C({line}, {n}, "{plan}")' for n, plan in enumerate(condition["operands"]))

    def block(self, depth, nested, kind, in_loop):
        statements = []
        for _ in range(self.random.randint(1, 3)):
            statements.append(self.statement(depth, nested, kind, in_loop))
            if statements[-1]["kind"] in ("return", "throw", "break", "continue"):
                break
        return statements

    def braced(self, depth, nested, kind, in_loop=False):
        self.put(depth, "{")
        body = self.block(depth + 1, nested + 1, kind, in_loop)
        self.put(depth, "}")
        return body

    def statement(self, depth, nested, kind, in_loop):
        choices = ["call"] * 8
        if nested < 3:
            choices += ["if", "if", "ifelse", "while", "do", "for", "foreach", "switch", "using", "lock"]
            if kind != "iterator":
                choices += ["catch", "finally"]
        if nested > 0:
            choices += ["return", "throw"]
        if in_loop:
            choices += ["break", "continue"]
        if kind in AWAITS:
            choices += ["await"] * 4
        if kind in YIELDS:
            choices += ["yield"] * 4
        return getattr(self, "put_" + self.random.choice(choices))(depth, nested, kind, in_loop)

    def put_call(self, depth, nested, kind, in_loop):
        line = self.next()
        self.put(depth, f'Record.S({line}, "{self.plan(0.12)}");')
        return {"kind": "call", "line": line}

    def put_await(self, depth, nested, kind, in_loop):
        line = self.next()
        self.put(depth, f'await Record.A({line}, "{self.plan(0.12)}");')
        return {"kind": "call", "line": line}

    def put_yield(self, depth, nested, kind, in_loop):
        line = self.next()
        self.put(depth, f'yield return Record.V({line}, "t");')
        return {"kind": "yield", "line": line}

    def put_if(self, depth, nested, kind, in_loop):
        line, condition = self.next(), self.condition(False)
        self.put(depth, f"if ({self.written(condition, line)})")
        return {"kind": "if", "line": line, "condition": condition, "then": self.braced(depth, nested, kind, in_loop), "else": []}

    def put_ifelse(self, depth, nested, kind, in_loop):
        node = self.put_if(depth, nested, kind, in_loop)
        self.put(depth, "else")
        node["else"] = self.braced(depth, nested, kind, in_loop)
        return node

    def put_while(self, depth, nested, kind, in_loop):
        line, condition = self.next(), self.condition(True)
        self.put(depth, f"while ({self.written(condition, line)})")
        return {"kind": "while", "line": line, "condition": condition, "body": self.braced(depth, nested, kind, True)}

    def put_do(self, depth, nested, kind, in_loop):
        self.put(depth, "do")
        body = self.braced(depth, nested, kind, True)
        line, condition = self.next(), self.condition(True)
        self.put(depth, f"while ({self.written(condition, line)});")
        return {"kind": "do", "line": line, "condition": condition, "body": body}

    def put_for(self, depth, nested, kind, in_loop):
        condition = self.condition(True)
        self.put(depth, "for (")
        start = self.next()
        self.put(depth + 1, f'Record.S({start}, "{self.plan(0.05)}");')
        line = self.next()
        self.put(depth + 1, f"{self.written(condition, line)};")
        step = self.next()
        self.put(depth + 1, f'Record.S({step}, "{self.plan(0.05)}"))')
        return {"kind": "for", "start": start, "line": line, "step": step, "condition": condition,
                "body": self.braced(depth, nested, kind, True)}

    def put_foreach(self, depth, nested, kind, in_loop):
        line = self.next()
        items = self.random.choice(["new int[] { 1, 2 }", "new List<int> { 1, 2 }"])
        self.put(depth, f"foreach (int item{line} in {items})")
        return {"kind": "foreach", "line": line, "list": "List" in items, "body": self.braced(depth, nested, kind, True)}

    def put_switch(self, depth, nested, kind, in_loop):
        line = self.next()
        self.put(depth, f'switch (Record.V({line}, "t") * 0 + {self.random.randint(1, 4)})')
        self.put(depth, "{")
        arms = []
        for label in ["case 1", "case 2", "default"]:
            self.put(depth + 1, label + ":")
            body = self.block(depth + 2, nested + 1, kind, False)
            if body[-1]["kind"] not in ("return", "throw"):
                self.put(depth + 2, "break;")
                body.append({"kind": "leave", "line": len(self.lines)})
            arms.append(body)
        self.put(depth, "}")
        return {"kind": "switch", "line": line, "arms": arms}

    def put_using(self, depth, nested, kind, in_loop):
        line = self.next()
        self.put(depth, "using (new Guard())")
        return {"kind": "using", "line": line, "body": self.braced(depth, nested, kind, in_loop)}

    def put_lock(self, depth, nested, kind, in_loop):
        if kind != "plain":
            return self.put_call(depth, nested, kind, in_loop)
        line = self.next()
        self.put(depth, 'lock ("")')
        return {"kind": "using", "line": line, "body": self.braced(depth, nested, kind, in_loop)}

    def put_catch(self, depth, nested, kind, in_loop):
        self.put(depth, "try")
        kind = WITHOUT_YIELD.get(kind, kind)
        body = self.braced(depth, nested, kind, in_loop)
        line = self.next()
        self.put(depth, "catch (InvalidOperationException)" if self.random.random() < 0.7 else "catch (FormatException)")
        return {"kind": "catch", "line": line, "body": body, "handler": self.braced(depth, nested, kind, in_loop)}

    def put_finally(self, depth, nested, kind, in_loop):
        self.put(depth, "try")
        body = self.braced(depth, nested, kind, in_loop)
        self.put(depth, "finally")
        self.put(depth, "{")
        line = self.next()
        awaits = kind in AWAITS and self.random.random() < 0.5
        self.put(depth + 1, f'await Record.A({line}, "t");' if awaits else f'Record.S({line}, "t");')
        handler = [{"kind": "call", "line": line}]
        for _ in range(self.random.randint(0, 2)):
            handler.append(self.put_last_if(depth + 1))
        self.put(depth, "}")
        return {"kind": "finally", "line": line, "body": body, "handler": handler}

    def put_last_if(self, depth):
        """Of a handler; nothing throws."""
        line, condition = self.next(), {"join": None, "operands": [self.random.choice(["f", "t", "tf"])]}
        self.put(depth, f"if ({self.written(condition, line)})")
        self.put(depth, "{")
        then = [self.put_call_that_completes(depth + 1)]
        self.put(depth, "}")
        return {"kind": "if", "line": line, "condition": condition, "then": then, "else": []}

    def put_call_that_completes(self, depth):
        return {"kind": "call", "line": self.put(depth, f'Record.S({self.next()}, "t");')}

    def put_return(self, depth, nested, kind, in_loop):
        return {"kind": "return", "line": self.put(depth, "yield break;" if kind in YIELDS or kind == "stream-try" else "return;")}

    def put_throw(self, depth, nested, kind, in_loop):
        return {"kind": "throw", "line": self.put(depth, "throw new InvalidOperationException();")}

    def put_break(self, depth, nested, kind, in_loop):
        return {"kind": "break", "line": self.put(depth, "break;")}

    def put_continue(self, depth, nested, kind, in_loop):
        return {"kind": "continue", "line": self.put(depth, "continue;")}

    def method(self, number):
        kind = ["plain", "plain", "async", "iterator", "lambda", "stream"][number % 6]
        name = f"M{number}"
        self.put(1, {"plain": "static void ", "async": "static async Task ", "iterator": "static IEnumerable<int> ",
                     "lambda": "static void ", "stream": "static async IAsyncEnumerable<int> "}[kind] + name + "()")
        self.put(1, "{")
        depth = 2
        if kind == "lambda":
            self.put(2, "Action action = () =>")
            self.put(2, "{")
            depth = 3
        body = []
        for _ in range(self.random.randint(2, 6)):
            body.append(self.statement(depth, 0, kind, False))
        if kind in YIELDS:
            body.append(self.put_yield(depth, 0, kind, False))
        if kind == "lambda":
            self.put(2, "};")
            if self.random.random() < 0.8:
                self.put(2, "action();")
            else:
                self.put(2, "_ = action;")
        self.put(1, "}")
        self.put(0, "")
        called = self.random.random() < 0.9
        taken = self.random.choice([0, 1, 2, 100])
        return {"name": name, "kind": kind, "body": body, "called": called, "taken": taken}

    def main(self, methods):
        self.put(1, "static void Main()")
        self.put(1, "{")
        for method in methods:
            call = {"plain": f"{method['name']}()", "lambda": f"{method['name']}()", "async": f"{method['name']}().Wait()",
                    "iterator": f"Take({method['name']}(), {method['taken']})",
                    "stream": f"TakeAsync({method['name']}(), {method['taken']}).Wait()"}[method["kind"]]
            if method["called"]:
                self.put(2, f"Record.Run(() => {call});")
        self.put(2, "Record.Write();")
        self.put(1, "}")
        for text in ["", "static void Take(IEnumerable<int> items, int count)", "{", "    if (count == 0)", "        return;",
                     "    foreach (int item in items)", "        if (--count == 0)", "            return;", "}",
                     "", "static async Task TakeAsync(IAsyncEnumerable<int> items, int count)", "{", "    if (count == 0)", "        return;",
                     "    await foreach (int item in items)", "        if (--count == 0)", "            return;", "}"]:
            self.put(1, text)
        self.put(0, "}")


def main():
    seed, count, program, trees = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
    writer = Writer(seed)
    methods = [writer.method(number) for number in range(count)]
    writer.main(methods)
    with open(program, "w", encoding="utf-8") as out:
        out.write("\n".join(writer.lines) + "\n")
    with open(trees, "w", encoding="utf-8") as out:
        json.dump(methods, out)


main()
