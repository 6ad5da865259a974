"""Runs the queries of docs/data-file.md on a data file and prints their rows, tab between columns; also
compares its table of columns with the file's own schema."""
import re
import sqlite3
import sys


def columns_of(text):
    tables = {}
    for row in re.findall(r"^\| `(\w+)`(?:, a view)? \| [^|]* \| ([^|]*) \|$", text, re.M):
        tables[row[0]] = re.findall(r"`(\w+)`", row[1])
    tables["meta"] = ["key", "value"]
    return tables


def main():
    text = open(sys.argv[1], encoding="utf-8").read()
    db = sqlite3.connect("file:%s?mode=ro" % sys.argv[2], uri=True)
    schema = {
        name: [row[1] for row in db.execute("PRAGMA table_info(%s)" % name)]
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
    }
    if schema != columns_of(text):
        print("schema: %s, but the page says %s" % (schema, columns_of(text)))
    for number, query in enumerate(re.findall(r"```sql\n(.*?)```", text, re.S), 1):
        for row in db.execute(query):
            print("%d\t%s" % (number, "\t".join(map(str, row))))


main()
