#!/usr/bin/env python3
"""json_schema.py [--strict] SCHEMA FILE...: are the files valid? A file NAME.jsonl is a value a line. A schema may refer to one that
lies beside it. --strict: members that no schema names are wrong, too. Prints what is wrong; exit status 1."""
import json
import pathlib
import sys

from jsonschema import Draft202012Validator

STRICT = sys.argv[1] == "--strict"
if STRICT:
    del sys.argv[1]


def within(value, name, folder, others):
    """The schema as a part of another one: `name` is where it is, or "" for the outermost."""
    if isinstance(value, list):
        return [within(item, name, folder, others) for item in value]
    if not isinstance(value, dict):
        return value
    out = {key: within(item, name, folder, others) for key, item in value.items()}
    if STRICT and value.get("type") == "object" and "properties" in value and "additionalProperties" not in value:
        out["additionalProperties"] = False
    if isinstance(value.get("$ref"), str):
        file, _, place = value["$ref"].partition("#")
        if file and file not in others:
            others[file] = None
            schema = json.loads((folder / file).read_text(encoding="utf-8"))
            Draft202012Validator.check_schema(schema)
            del schema["$schema"]
            others[file] = within(schema, file, folder, others)
        at = file or name
        out["$ref"] = "#" + (f"/$defs/{at}" if at else "") + place
    return out


def read(path):
    """Strict: no name twice in an object, nothing but numbers of JSON."""
    def members(pairs):
        names = [name for name, _ in pairs]
        if len(set(names)) != len(names):
            raise ValueError(f"{path}: a member is there twice: {names}")
        return dict(pairs)

    def refuse(text):
        raise ValueError(f"{path}: {text}")

    text = pathlib.Path(path).read_bytes().decode("utf-8")
    if not text.endswith("\n"):
        raise ValueError(f"{path}: the last line has no end")
    parts = text.splitlines() if str(path).endswith(".jsonl") else [text]
    return [json.loads(part, object_pairs_hook=members, parse_constant=refuse) for part in parts]


def main():
    place = pathlib.Path(sys.argv[1])
    schema = json.loads(place.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    others = {}
    schema = within(schema, "", place.parent, others)
    schema.setdefault("$defs", {}).update(others)
    validator = Draft202012Validator(schema)
    count = 0
    for path in sys.argv[2:]:
        for number, value in enumerate(read(path), 1):
            for error in validator.iter_errors(value):
                print(f"{path}: {number}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")
                count += 1
    sys.exit(count != 0)


main()
