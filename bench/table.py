"""Results as a table, for the terminal and for Markdown."""

HEADS = ("", "variant", "without", "with", "figure", "95 % interval", "rounds", "bar")
SIGNS = {"ratio": "×", "ratio of ratios": "×", "growth": "×", "geometric mean": "×"}
SECONDS_FROM = 1000  # ms


def number(value):
    """Three digits or more; none that only look exact."""
    if value is None:
        return ""
    size = abs(value)
    return f"{value:.0f}" if size >= 100 else f"{value:.1f}" if size >= 10 else f"{value:.2f}"


def amount(value, unit):
    if value is None:
        return ""
    if unit == "ms" and abs(value) >= SECONDS_FROM:
        return f"{number(value / 1000)} s"
    return f"{number(value)} {unit}" if unit else number(value)


def figure(result, value):
    """A value of the row's own figure: of a ratio two decimals."""
    if value is None:
        return ""
    return f"{value:.2f}" if result["kind"] in SIGNS else amount(value, result["unit"])


def verdict(result):
    """Where the figure lies; nothing fails by it."""
    if result["bar"] is None:
        return ""
    bar = figure(result, result["bar"])
    return bar if result["figure"] <= result["bar"] else f"{bar}: missed"


def row_name(result):
    of = result["reference"]
    return result["name"] + (f" (to {of})" if of not in (None, "bare") else "")


def cells(result):
    low, high = figure(result, result["low"]), figure(result, result["high"])
    value = figure(result, result["figure"]) + SIGNS.get(result["kind"], "")
    if result["kind"] == "value":
        without, with_ = "", ""
    else:
        without, with_ = amount(result["base"], result["unit"]), amount(result["with"], result["unit"])
    return (row_name(result), result["variant"], without, with_,
            value, f"{low} – {high}" if low else "–", str(result["rounds"]), verdict(result))


def by_group(results):
    groups = {}
    for result in results:
        groups.setdefault(result["group"], []).append(result)
    return groups


def text(results):
    """For a terminal: one table for each group."""
    lines = []
    for group, rows in by_group(results).items():
        table = [HEADS] + [cells(result) for result in rows]
        widths = [max(len(row[column]) for row in table) for column in range(len(HEADS))]
        lines += ["", group]
        for row in table:
            padded = [cell.ljust(width) if column < 2 or column == 7 else cell.rjust(width)
                      for column, (cell, width) in enumerate(zip(row, widths))]
            lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def markdown(results, with_group=False):
    """One table; with the name of the group in each row, or without."""
    heads, rule = HEADS, "| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |"
    if with_group:
        heads, rule = ("group", *HEADS), "| --- " + rule
    lines = ["| " + " | ".join(heads) + " |", rule]
    lines += ["| " + " | ".join(((result["group"].split(":")[0],) if with_group else ()) + cells(result)).replace("*", r"\*") + " |"
              for result in results]
    return "\n".join(lines)
