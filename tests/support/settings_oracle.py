#!/usr/bin/env python3
"""Random settings files, read by ilcov and by Python's json: both refuse a file, or both have the same settings, in the same order, with
the same values and lines; and of values of which this file knows the grammar, both refuse the same.

    settings_oracle.py READ_SETTINGS SCHEMA COUNT [SEED]

READ_SETTINGS is build/read_settings, SCHEMA docs/ilcov.schema.json. A file that is read differently is kept in ./settings.finding."""
import json
import random
import re
import subprocess
import sys

read_settings, schema_path, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
rng = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
with open(schema_path, encoding="utf-8") as schema_file:
    TOP = json.load(schema_file)["properties"]
SECTIONS = {name: entry["properties"] for name, entry in TOP.items() if entry.get("type") == "object"}
BATCH = 5000


# --- what a file says -------------------------------------------------------------------------------------------------

class Wrong(Exception):
    pass


COMMENT_OR_STRING = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)


def blank(match):
    return match[0] if match[0][0] == '"' else re.sub(r"[^\n]", " ", match[0])


class Members(list):
    """Of an object: pairs."""


def pairs(members):
    if len({name for name, _ in members}) != len(members):
        raise Wrong("a name twice")
    return Members(members)


def refuse(_):
    raise Wrong("a number that is none")


def integer(text):
    value = int(text) if len(text) < 30 else 1 << 100
    if not -(1 << 63) <= value < 1 << 63:
        raise Wrong("too large")
    return value


def real(text):
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise Wrong("too large")
    return value


def check_text(value):
    if isinstance(value, str) and ("\0" in value or any(0xD800 <= ord(c) < 0xE000 for c in value)):
        raise Wrong("no text")
    if isinstance(value, Members):
        for name, item in value:
            check_text(name)
            check_text(item)
    elif isinstance(value, list):
        for item in value:
            check_text(item)


def argument_of(described):
    return re.match(r"--\S+( [^:]+)?:", described["description"])[1]


class Kind:
    def __init__(self, described):
        text = json.dumps({name: value for name, value in described.items() if name != "description"})
        self.option = re.match(r"--(\S+?)[ :]", described["description"])[1]
        self.argument = (argument_of(described) or "").strip()
        self.is_flag = '"boolean"' in text
        self.is_list = '"array"' in text
        self.is_number = '"number"' in text
        words = re.search(r'"enum": (\[[^]]*\])', text)
        self.words = json.loads(words[1]) if words else None

    def resolve(self, value):
        """A relative path is relative to /r."""
        word = ""
        if self.argument.endswith("[=FILE]"):
            word, equals, value = value.partition("=")
            if not equals or value == "":
                return word + equals
            word += equals
        elif self.argument not in ("FILE", "DIR", "BASE", "DATA") or value == "":
            return value
        return word + (value if value.startswith("/") or value == "-" else "/r/" + value)

    def item(self, value):
        if isinstance(value, str):
            return self.resolve(value)
        if self.is_number and isinstance(value, (int, float)) and not isinstance(value, bool):
            if isinstance(value, int):
                return str(value)
            text = "%.15g" % value
            return text if float(text) == value else "%.17g" % value
        raise Wrong(f"{self.option}: {value}")

    def values(self, value):
        if self.is_flag:
            if not isinstance(value, bool):
                raise Wrong(self.option)
            return ["yes" if value else "no"]
        if self.is_list and isinstance(value, list) and not isinstance(value, Members):
            return [self.item(item) for item in value]
        return [self.item(value)]

    def refuses(self, values):
        """None: not known here."""
        tests = {"PERCENT": lambda v: re.fullmatch(r"[0-9]+(\.[0-9]{1,2})?%?", v) and float(v.rstrip("%")) <= 100,
                 "TIME": is_time, "FILE": bool, "DIR": bool, "BASE": bool, "DATA": bool, "SPEC": bool, "GLOB": lambda v: True,
                 "PATTERN": lambda v: v != "" and "\n" not in v and (v[0] != "[" or "]" in v)}
        if self.is_flag:
            return False
        if self.words is not None and not self.argument.endswith("[=FILE]"):
            return any(value not in self.words for value in values)
        if self.words is not None:
            return any(not is_format(value, self.words) for value in values)
        test = tests.get(self.argument)
        return None if test is None else any(not test(value) for value in values)


def is_time(value):
    found = re.fullmatch(r"([0-9]+)(ms|s|m|h)?", value)
    if not found:
        return False
    total = int(found[1]) * {None: 1000, "ms": 1, "s": 1000, "m": 60000, "h": 3600000}[found[2]]
    return 0 < total <= 24 * 3600000


def is_format(value, words):
    word, equals, path = value.partition("=")
    return word in words and (not equals or path != "" and word != "none")


KINDS = {None: {key: Kind(entry) for key, entry in TOP.items() if key not in SECTIONS and key != "$schema"}}
KINDS.update({verb: {key: Kind(entry) for key, entry in entries.items()} for verb, entries in SECTIONS.items()})


def settings_of(members, verb):
    for key, value in members:
        if verb is None and key == "$schema":
            if not isinstance(value, str):
                raise Wrong(key)
        elif verb is None and key in SECTIONS:
            if not isinstance(value, Members):
                raise Wrong(key)
            yield from settings_of(value, key)
        elif key in KINDS[verb]:
            kind = KINDS[verb][key]
            values = kind.values(value)
            yield verb, kind, values
        else:
            raise Wrong(f"unknown {key}")


def expected(data):
    try:
        if b"\0" in data:
            raise Wrong("no text")
        text = COMMENT_OR_STRING.sub(blank, data.decode("utf-8").removeprefix("\ufeff"))
        top = json.loads(text, object_pairs_hook=pairs, parse_constant=refuse, parse_int=integer, parse_float=real)
        check_text(top)
        if not isinstance(top, Members):
            raise Wrong("no object")
        named = dict(top)
        if isinstance(named.get("schema"), str) and isinstance(named.get("generator"), Members):
            raise Wrong("a report")
        return list(settings_of(top, None))
    except (Wrong, ValueError, RecursionError):
        return None


# --- random files -----------------------------------------------------------------------------------------------------

STRINGS = ["", "80", "79.95", "101", "x", "a/b.c", "/abs", "-", "hit", "exact", "fast", "sh", "cobertura", "html=site", "json=-", "none",
           "text=/t", "lcov=", "[A.*]*", "[A", "*.g.cs", "line>=80", "[A]lost=0", "branch>=-0.1", "60s", "500ms", "25h", "0", "N.Mark",
           "main...HEAD", "http://x//y /* z */", "é€😀", "\\", '"', "a\nb", "\t", "a\u2028b", "10MiB", "yes", "true"]
NUMBERS = ["0", "-0", "80", "79.5", "79.95", "1e2", "1E1", "100.001", "0.1", "1e-7", "-5", "9223372036854775807", "9223372036854775808",
           "1e400", "01", "1.", ".5", "+1", "NaN", "Infinity", "0x10", "1e", "123456789012345678", "0.30000000000000004"]
BLANKS = ["", "", "", " ", "\n", "\t", "\r\n", "  ", "// c\n", "/* c */", "/**/", "// \"a\": 1\n", "/* \n\n */", "/* é */", "//\n", "/", "#"]


def blanks():
    return rng.choice(BLANKS[:-2]) if rng.random() < 0.999 else rng.choice(BLANKS)


def string(text):
    if rng.random() < 0.1:
        return json.dumps(text)  # escapes
    if rng.random() < 0.01:
        return '"' + rng.choice(["\\ud800", "\\udc00", "\\ud83d\\ude00", "\\u0000", "\\u0041", "\\x", "\\", "\x01", "a\nb"]) + '"'
    return json.dumps(text, ensure_ascii=False)


def value(kind, depth=0):
    chance = rng.random()
    if kind is not None and chance < 0.85:
        if kind.is_flag:
            return rng.choice(["true", "false"])
        if kind.is_list and chance < 0.4:
            items = [string(sample(kind)) for _ in range(rng.randrange(4))]
            return "[" + ",".join(blanks() + item + blanks() for item in items) + "]"
        if kind.is_number and chance < 0.5:
            return rng.choice(NUMBERS[:9])
        return string(sample(kind))
    if chance < 0.9 or depth > 3:
        return rng.choice(["true", "false", "null", rng.choice(NUMBERS), string(rng.choice(STRINGS))])
    if chance < 0.95:
        return "[" + ",".join(value(None, depth + 1) for _ in range(rng.randrange(3))) + "]"
    return "{" + ",".join(string(rng.choice(STRINGS)) + ":" + value(None, depth + 1) for _ in range(rng.randrange(3))) + "}"


def sample(kind):
    if kind.words is not None and rng.random() < 0.7:
        return rng.choice(kind.words) + (rng.choice(["", "=x/y", "=-", "="]) if kind.argument.endswith("[=FILE]") else "")
    return rng.choice(STRINGS)


def misspelt(key):
    return rng.choice([key.lower() + "x", key[:-1], re.sub("([A-Z])", r"-\1", key).lower() + "-", key.upper(), "", "schema"])


def members(verb):
    keys = list(KINDS[verb])
    for _ in range(rng.randrange(6)):
        if verb is None and rng.random() < 0.15:
            section = rng.choice(list(SECTIONS))
            yield section, "{" + ",".join(member(*pair) for pair in members(section)) + blanks() + "}"
        elif verb is None and rng.random() < 0.05:
            yield "$schema", string("x")
        else:
            key = rng.choice(keys)
            yield (key if rng.random() < 0.98 else misspelt(key)), value(KINDS[verb][key])


def member(key, text):
    return blanks() + string(key) + blanks() + ":" + blanks() + text + blanks()


def once(found):
    """Names that occur twice are rare."""
    return found if rng.random() < 0.05 else dict(found).items()


def damage(data):
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        at, to = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        what = rng.randrange(6)
        if what == 0:
            data = data[:at] + data[at + 1:]
        elif what == 1:
            data = data[:at] + bytes([rng.choice(b"{}[]\",:/*\\ \n\r\t\0\xff\xc3\x80\xed09aetu.-+")]) + data[at:]
        elif what == 2:
            data = data[:at] + bytes([rng.randrange(256)]) + data[at + 1:]
        elif what == 3:
            data = data[:at]
        elif what == 4:
            data = data[:at] + data[to:]
        else:
            data = data[:to] + data[at:to][:200] + data[to:]
    return data


def random_file():
    text = blanks() + "{" + ",".join(member(*pair) for pair in once(list(members(None)))) + blanks() + "}" + blanks()
    if rng.random() < 0.02:
        text = "\ufeff" + text
    data = text.encode("utf-8", "surrogatepass")
    return damage(data) if rng.random() < 0.3 else data


# --- both -------------------------------------------------------------------------------------------------------------

def line_of(data, nth):
    """The lines of names are checked by their number alone: they rise, and none is past the end."""
    return data.count(b"\n") + 1 >= nth


def differs(data, read):
    want = expected(data)
    if "error" in read:
        if want is not None:
            return f"an error, but Python reads {[(verb, kind.option, values) for verb, kind, values in want]}"
        return None if re.match(r"/r/ilcov\.json:([0-9]+:|.* report)", read["error"]) else "an error without a place"
    if want is None:
        return "settings, but Python refuses the file"
    last = 1
    if len(read["settings"]) != len(want):
        return f"{len(want)} settings"
    for (verb, kind, values), (its_verb, option, line, its_values, refused) in zip(want, read["settings"]):
        if (verb, kind.option, values) != (its_verb, option, its_values):
            return f"{verb} {kind.option} {values}"
        if line < last or not line_of(data, line):
            return f"line {line}"
        if kind.refuses(values) not in (None, refused):
            return f"{kind.option} {values}: refused is {refused}"
        last = line
    return None


done = valid = 0
while done < count:
    files = [random_file() for _ in range(min(BATCH, count - done))]
    out = subprocess.run([read_settings], input=b"".join(b"%d\n%s" % (len(data), data) for data in files), stdout=subprocess.PIPE,
                         check=True).stdout.decode().split("\n")
    for data, answer in zip(files, out):
        read = json.loads(answer)
        why = differs(data, read)
        if why is not None:
            with open("settings.finding", "wb") as finding:
                finding.write(data)
            print(f"{data!r}\n{answer}\n{why}\nsettings differ: the file is in settings.finding")
            sys.exit(1)
        valid += "settings" in read
    done += len(files)
print(f"{done} files, {valid} of them valid: read as Python reads them")
