#!/bin/bash
# readme_pictures.sh FOLDER: makes html.png and terminal.png there, the pictures of README.md (docs/readme-*.png). Needs Debian's chromium.
folder=$(realpath "${1:?usage: readme_pictures.sh FOLDER}")
. "$(dirname "$0")/../e2e/lib.sh"

mkdir Shop
cat >Shop/Price.cs <<'CS'
namespace Shop;

public static class Price
{
    public static decimal Total(Basket basket, string? voucher)
    {
        decimal total = 0;
        foreach (Item item in basket.Items)
        {
            total += item.Price * item.Count * (item.Count >= 10 ? 0.9m : 1);
        }

        if (voucher != null && total > 50)
        {
            total -= 5;
        }

        return basket.Country switch
        {
            Country.Norway => total * 1.25m,
            Country.Sweden or Country.Denmark => total * 1.2m,
            _ => total,
        };
    }
}
CS
cat >Shop/Program.cs <<'CS'
using Shop;

Price.Total(new Basket([new Item(2, 3), new Item(1, 1)], Country.Norway), "NEW");
Price.Total(new Basket([new Item(20, 3)], Country.Denmark), null);

namespace Shop
{
    public enum Country { Norway, Sweden, Denmark, Germany }
    public record Item(decimal Price, int Count);
    public record Basket(Item[] Items, Country Country);
}
CS
compiled Shop Debug -nullable+
measure shop --root "$temp/Shop" --format html=pages -x '[*]Program' -x '[*]Shop.*t*m*' -- dotnet "$program"
same "the program runs" 0 "$status"

picture() {
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1.5 --window-size="$2" \
        --screenshot="$folder/$1" "$3" >chromium.log 2>&1
    check "$1" test -s "$folder/$1"
}
picture html.png 1000,800 "file://$(echo "$temp"/pages/files/*Price.cs*.html)"

TERM=xterm-256color LC_ALL=C.UTF-8 script -qec "stty cols 110; '$ILCOV' show -d shop.ilcov -r '$temp/Shop' Price.cs" terminal.log >terminal </dev/null
python3 - terminal >terminal.html <<'PY'
import html, re, sys
text = open(sys.argv[1], encoding="utf-8").read().replace("\r", "")
colours = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "35": "#d2a8ff", "36": "#76e3ea", "2": "#8b949e", "90": "#8b949e"}
out, depth = [], 0
for part in re.split(r"(\x1b\[[0-9;]*[A-Za-z])", text):
    code = re.fullmatch(r"\x1b\[([0-9;]*)m", part)
    if code:
        out.append("</span>" * depth)
        depth = 0
        for each in code[1].split(";"):
            style = "font-weight:bold" if each == "1" else f"color:{colours[each]}" if each in colours else ""
            if style:
                out.append(f'<span style="{style}">')
                depth += 1
    elif not part.startswith("\x1b"):
        out.append(html.escape(part))
print('<meta charset="utf-8"><body style="margin:0;background:#0d1117"><pre style="margin:16px;color:#e6edf3;font:14px/1.4 monospace">$ ilcov show Price.cs\n'
      + "".join(out) + "</pre>")
PY
picture terminal.png 1000,680 "file://$temp/terminal.html"
finish
