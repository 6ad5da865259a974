"""Ratios as an SVG: a line for each row, a dot for each variant, its 95 % interval beside it. The axis is logarithmic, so that
half and twice are equally far from 1."""
import math
from xml.sax.saxutils import escape

WIDTH, LEFT, RIGHT = 860, 190, 30
HEAD, LINE, FOOT = 64, 30, 34
STYLES = {  # in the order in which they are drawn: a colour that also differs in brightness, and a shape
    "microsoft": ("#b0641a", "diamond"),
    "coverlet": ("#8a5cb0", "triangle"),
    "exact": ("#6b7785", "square"),
    "hit": ("#1f9d8a", "circle"),
    "count": ("#1f5fbf", "circle"),
}
NAMES = {"count": "ilcov count", "hit": "ilcov hit", "exact": "ilcov exact", "coverlet": "coverlet", "microsoft": "Microsoft"}
TICKS = (0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.35, 1.5, 1.75, 2, 2.5, 3, 4, 5, 7, 10, 15, 20, 30, 50)
CLOSEST = 34  # pixels between two ticks


def shape(kind, x, y, colour):
    if kind == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}"/>'
    points = {"square": ((-4.5, -4.5), (4.5, -4.5), (4.5, 4.5), (-4.5, 4.5)), "triangle": ((0, -5.5), (5, 4), (-5, 4)),
              "diamond": ((0, -6), (6, 0), (0, 6), (-6, 0))}[kind]
    return f'<polygon points="{" ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in points)}" fill="{colour}"/>'


class Axis:
    def __init__(self, values):
        self.low, self.high = math.log(min([0.95, *values]) * 0.98), math.log(max([1.2, *values]) * 1.02)

    def x(self, ratio):
        share = (math.log(ratio) - self.low) / (self.high - self.low)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def ticks(self):
        """Those that fit, 1 always."""
        kept = [1]
        for tick in TICKS:
            if self.low <= math.log(tick) <= self.high and all(abs(self.x(tick) - self.x(other)) >= CLOSEST for other in kept):
                kept.append(tick)
        return sorted(kept)


def legend(variants):
    parts, x = [], LEFT
    for variant in variants:
        colour, kind = STYLES[variant]
        parts.append(shape(kind, x, 42, colour) + f'<text x="{x + 11}" y="46">{NAMES[variant]}</text>')
        x += 34 + 7 * len(NAMES[variant])
    return parts


def svg(title, results):
    """Of rows that are ratios to bare; rows of one name share a line."""
    lines = {}
    for result in results:
        if result["variant"] in STYLES and result["figure"] > 0:
            lines.setdefault(result["name"], {})[result["variant"]] = result
    values = [value for line in lines.values() for result in line.values()
              for value in (result["low"], result["figure"], result["high"]) if value]
    axis, bottom = Axis(values), HEAD + LINE * len(lines)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + FOOT}" width="{WIDTH}" height="{bottom + FOOT}" '
        f'role="img" aria-label="{escape(title, {chr(34): "&quot;"})}">',
        "<style>text { font: 13px sans-serif; fill: #222 } .title { font-weight: bold; font-size: 15px } .axis { stroke: #ccc } "
        ".one { stroke: #666 } .paper { fill: #fff }</style>",
        f'<rect class="paper" width="{WIDTH}" height="{bottom + FOOT}"/>',
        f'<text class="title" x="12" y="22">{escape(title)}</text>',
        *legend([variant for variant in reversed(STYLES) if any(variant in line for line in lines.values())]),
    ]
    for tick in axis.ticks():
        x = axis.x(tick)
        parts.append(f'<line class="{"one" if tick == 1 else "axis"}" x1="{x:.1f}" x2="{x:.1f}" y1="{HEAD}" y2="{bottom}"/>'
                     f'<text x="{x:.1f}" y="{bottom + 20}" text-anchor="middle">{tick:g}×</text>')
    for number, (name, line) in enumerate(lines.items()):
        y = HEAD + LINE * (number + 0.5)
        parts.append(f'<text x="{LEFT - 14}" y="{y + 4:.1f}" text-anchor="end">{escape(name)}</text>')
        for variant, (colour, kind) in STYLES.items():
            if variant in line:
                result = line[variant]
                if result["low"]:
                    parts.append(f'<line x1="{axis.x(result["low"]):.1f}" x2="{axis.x(result["high"]):.1f}" y1="{y:.1f}" y2="{y:.1f}" '
                                 f'stroke="{colour}" stroke-width="3" stroke-opacity="0.45"/>')
                parts.append(shape(kind, axis.x(result["figure"]), y, colour))
    return "\n".join([*parts, "</svg>", ""])
