#!/usr/bin/env python3
"""check_html.py REPORT AXE.js [PICTURES]: an HTML report in Chromium, driven over WebDriver. Each page is served from loopback with
the headers of servers that forbid scripts, and of those that allow the report's own. Checked are: keys, filter, sorting, links to a
line, dark, print, phone width, contrast, the console, that nothing is loaded from elsewhere, and what axe-core finds. With
PICTURES, pictures of the pages go into that folder. Of a report with a comparison beside it, the pages of the comparison are checked, and
that their tables can be filtered and sorted. Prints `ok` or `not ok` for each check."""
import base64
import contextlib
import http.client
import http.server
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time

STRICT = "default-src 'none'; style-src 'self'"
OWN = STRICT + "; script-src 'self'"
passed = failed = 0


def check(what, fine, seen=""):
    global passed, failed
    passed, failed = passed + bool(fine), failed + (not fine)
    print(("ok - " if fine else "not ok - ") + what + ("" if fine else f": {seen}"), flush=True)


# --- a server and a browser -------------------------------------------------------------------------------------------------------
class Handler(http.server.SimpleHTTPRequestHandler):
    policy = OWN

    def end_headers(self):
        self.send_header("Content-Security-Policy", Handler.policy)
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *args):
        pass

    def do_GET(self):
        if self.path == "/favicon.ico":  # browsers ask for it on their own
            self.send_response(204)
            self.end_headers()
        else:
            super().do_GET()


@contextlib.contextmanager
def server(folder):
    make = lambda *args: Handler(*args, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), make) as served:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{served.server_address[1]}/"
        served.shutdown()


class Browser:
    def __init__(self, port):
        self.port = port
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1400,900"]}
        self.path = ""
        wanted = {"browserName": "chrome", "goog:chromeOptions": options,
                  "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.path = "/session/" + answer["sessionId"]

    def call(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(method, self.path + path, None if body is None else json.dumps(body))
        value = json.loads(connection.getresponse().read())["value"]
        connection.close()
        if isinstance(value, dict) and "error" in value:
            raise RuntimeError(value["error"] + ": " + value["message"])
        return value

    def open(self, url):
        self.call("POST", "/url", {"url": "about:blank"})
        self.call("POST", "/url", {"url": url})

    def run(self, script, *args):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(args)})

    def wait(self, script, *args):
        return self.call("POST", "/execute/async", {"script": script, "args": list(args)})

    def devtools(self, command, **params):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": params})

    def press(self, *keys):
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def log(self, kind):
        return self.call("POST", "/se/log", {"type": kind})

    def size(self, width, height, phone=False):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)

    def media(self, scheme, kind=""):
        self.devtools("Emulation.setEmulatedMedia", media=kind, features=[{"name": "prefers-color-scheme", "value": scheme},
                                                                          {"name": "prefers-reduced-motion", "value": "reduce"}])

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", "/screenshot")))

    def settle(self, condition, *args):
        for _ in range(50):
            if self.run("return " + condition, *args):
                return True
            time.sleep(0.1)
        return False


@contextlib.contextmanager
def browser():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as driver:
        try:
            for _ in range(100):
                with contextlib.suppress(OSError):
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                time.sleep(0.1)
            made = Browser(port)
            try:
                yield made
            finally:
                made.call("DELETE", "")
        finally:
            driver.terminate()


# --- contrast ---------------------------------------------------------------------------------------------------------------------
COLOURS = """
const probe = document.body.appendChild(document.createElement("span")), found = {};
for (const name of arguments[0]) {
  probe.style.color = getComputedStyle(document.documentElement).getPropertyValue("--" + name);
  found[name] = getComputedStyle(probe).color.match(/\\d+/g).slice(0, 3).map(Number);
}
probe.remove();
return found;"""
PAIRS = [("ink", "paper"), ("faint", "paper"), ("link", "paper"), ("hit-ink", "paper"), ("ink", "raised"), ("faint", "raised"),
         ("link", "raised"), ("miss-ink", "miss"), ("ink", "miss"), ("part-ink", "part"), ("ink", "part"), ("faint", "out"),
         ("ink", "here"), ("link", "here"), ("miss-ink", "paper"), ("part-ink", "paper"), ("apart-ink", "apart")]


def brightness(colour):
    parts = [part / 255 for part in colour]
    parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def check_contrast(b, state):
    colours = b.run(COLOURS, sorted({name for pair in PAIRS for name in pair}))
    for text, paper in PAIRS:
        light, dark = sorted((brightness(colours[text]), brightness(colours[paper])), reverse=True)
        ratio = (light + 0.05) / (dark + 0.05)
        check(f"{state}: contrast of {text} on {paper}", ratio >= 4.5, f"{ratio:.2f}")


# --- what every page must be ------------------------------------------------------------------------------------------------------
def check_axe(b, axe, state):
    b.run(axe + "; window.axe = axe;")
    found = b.wait("const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(r => done(r.violations.map("
                   "v => v.id + ' ' + v.nodes.length + ' ' + v.nodes[0].html.slice(0, 120) + ' ' + v.nodes[0].failureSummary)))")
    check(f"{state}: axe-core finds nothing", not found, found)


def check_requests(b, base, state):
    urls = []
    for entry in b.log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            urls.append(message["params"]["request"]["url"])
    outside = [url for url in urls if not url.startswith((base, "about:", "chrome:", "data:"))]
    check(f"{state}: nothing is loaded from elsewhere", not outside, outside)


def check_console(b, state, allowed=()):
    errors = [entry["message"] for entry in b.log("browser")
              if entry["level"] in ("SEVERE", "WARNING") and not any(text in entry["message"] for text in allowed)]
    check(f"{state}: the console is empty", not errors, errors)


def check_states(b, base, page, axe):
    for scheme in ("light", "dark"):
        for width, height, phone in ((1400, 900, False), (400, 800, True)):
            state = f"{page}, {scheme}, {width}"
            b.size(width, height, phone)
            b.media(scheme)
            b.open(base + page)
            check_axe(b, axe, state)
            wide = b.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
            check(f"{state}: does not scroll sideways", wide <= 0, wide)
            check_console(b, state)
            check_requests(b, base, state)
        check_contrast(b, f"{page}, {scheme}")
    b.size(1000, 900)
    b.open(base + page)
    title = b.run("return document.querySelector('h1').offsetWidth")
    check(f"{page}, 1000: the title has room beside the totals", title >= 200, title)
    wide = b.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    check(f"{page}, 1000: does not scroll sideways", wide <= 0, wide)
    b.size(1400, 900)
    b.media("dark", "print")
    b.open(base + page)
    paper = b.run("return getComputedStyle(document.body).backgroundColor")
    check(f"{page}: prints on white", paper in ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"), paper)
    check(f"{page}: prints no buttons", b.run("return !document.querySelector('.tools').offsetParent"))
    check(f"{page}: prints", len(base64.b64decode(b.devtools("Page.printToPDF")["data"])) > 1000)
    b.media("light")


def check_strict(b, base, pages):
    Handler.policy = STRICT
    for page in pages:
        b.open(base + page)
        check(f"{page}, no script: no script ran", b.run("return !document.querySelector('.tools')"))
        check(f"{page}, no script: has its style", b.run("return getComputedStyle(document.body).margin") == "0px")
        check_console(b, f"{page}, no script", ("script.js",))
        check_requests(b, base, f"{page}, no script")
        for link in b.run("return [...new Set([...document.links].map(a => a.href.split('#')[0]))].slice(0, 40)"):
            code = b.wait("const done = arguments[1]; done(new URL(arguments[0]).origin === location.origin)", link)
            check(f"{page}, no script: {link.rsplit('/', 1)[-1]} is in the report", code, link)
    Handler.policy = OWN


# --- keys -------------------------------------------------------------------------------------------------------------------------
HERE = "document.querySelector('.here')"


def check_index_keys(b, base):
    b.open(base + "index.html")
    rows = "[...document.querySelectorAll('.tree tbody tr')].filter(row => !row.hidden).length"
    every = b.run("return " + rows)
    b.press("/")
    check("/ goes to the filter", b.run("return document.activeElement.type === 'search'"))
    b.press(*"zzz")
    check("the filter hides what does not fit", b.settle(rows + " === 0"))
    b.press("\ue00c")
    b.run("const f = document.querySelector('input[type=search]'); f.value = ''; f.dispatchEvent(new Event('input')); f.blur();")
    check("an empty filter shows all", b.settle(rows + " === arguments[0]", every))
    b.press("j", "j")
    second = b.run(f"return {HERE} && {HERE}.id")
    b.press("k")
    check("j and k go through the rows", second and b.run(f"return {HERE}.id") != second, second)
    b.press("h")
    check("h hides what is covered", b.run("return document.querySelector('[aria-pressed=true]') !== null"))
    b.press("h")
    theme = "document.documentElement.dataset.theme || 'auto'"
    seen = []
    for _ in range(3):
        b.press("t")
        seen.append(b.run("return " + theme))
    check("t goes through the themes", seen == ["light", "dark", "auto"], seen)
    b.press("?")
    check("? shows the keys", b.settle("document.querySelector('dialog').open"))
    b.press("\ue00c")
    check("Escape closes them", b.settle("!document.querySelector('dialog').open"))
    order = "return [...document.querySelectorAll('.tree tbody tr')].filter(r => !r.hidden).map(r => r.id).join()"
    tree = b.run(order)
    click = "document.querySelector('.tree thead th:nth-of-type(2) button').click()"
    sort = "document.querySelector('.tree thead th:nth-of-type(2)').getAttribute('aria-sort')"
    orders = []
    for _ in range(3):
        b.run(click)
        orders.append((b.run("return " + sort), b.run(order)))
    check("a heading sorts up, down and back", [o[0] for o in orders] == ["ascending", "descending", None], orders)
    check("the third click gives the tree back", orders[2][1] == tree)


def check_source_keys(b, base, page):
    b.open(base + page)
    b.press("j")
    check("j goes to a miss", b.run(f"return {HERE} !== null && {HERE}.matches('.s b, .s i')"))
    first = b.run(f"return {HERE}.textContent")
    b.press("j")
    check("j goes on", b.run(f"return {HERE}.textContent") != first)
    b.press("k")
    check("k goes back", b.run(f"return {HERE}.textContent") == first)
    b.press("b")
    check("b goes to a line that missed an outcome", b.run(f"return {HERE}.matches('.s i')"))
    b.press("B")
    check("B goes back", b.run(f"return {HERE}.matches('.s i')"))
    for key, selector in (("]", "a[rel=next]"), ("[", "a[rel=prev]"), ("u", ".way li:last-child a")):
        b.open(base + page)
        target = b.run("const link = document.querySelector(arguments[0]); return link && link.href.split('#')[0]", selector)
        if target:
            b.press(key)
            check(f"{key} follows its link", b.settle("location.href.split('#')[0] === arguments[0]", target))
    b.open(base + page)
    top = b.run("return document.querySelector('.code').getBoundingClientRect().top")
    check("the source begins in the first third of the screen, or right below", top <= 0.37 * 900, top)
    folded = b.run("return [...document.querySelectorAll('.missed details')].map(d => d.open)")
    check("what is too long for that is folded", folded and not any(folded), folded)
    b.run("document.querySelector('.missed summary').click()")
    check("and can be opened", b.settle("document.querySelector('.missed details').open"))
    numbers = b.run("return document.querySelectorAll('.n a[id]').length")
    last = b.run("return document.querySelector('.n').textContent.trim().split('\\n').length") if numbers else 0
    for line in (12, max(last - 2, 1)):
        b.open(base + page + f"#L{line}")
        top = b.run("""const n = document.querySelector('.n'), style = getComputedStyle(n);
            return n.getBoundingClientRect().top + parseFloat(style.paddingTop) + (arguments[0] - 1) * parseFloat(style.lineHeight)""",
                    line)
        check(f"#L{line} shows line {line}", 0 <= top < 900, top)
    text = b.run("const s = getSelection(); s.selectAllChildren(document.querySelector('.s')); return s.toString()")
    check("selected text is the source alone", len(text) > 100 and "\n1\n2\n" not in text)


# --- the tests of lines -----------------------------------------------------------------------------------------------------------
WHO = "document.querySelector('.who')"


def asked(b, number):
    """Clicks a count. What is shown: heading, paragraphs, names; all of them, however many there are."""
    b.run("document.querySelectorAll('.t button')[arguments[0]].click()", number)
    b.settle(f"{WHO}.open && / tests?$/.test({WHO}.querySelector('h2').textContent)")
    more = f"[...{WHO}.querySelectorAll('div button')].find(button => !button.hidden)"
    b.settle(f"!{WHO}.querySelector('div button[disabled]')")
    while b.run(f"const more = {more}; if (more) more.click(); return Boolean(more)"):
        b.settle(f"!{WHO}.querySelector('div button[disabled]')")
    return b.run(f"return [{WHO}.querySelector('h2').textContent, [...{WHO}.querySelectorAll('p')].map(p => p.textContent), "
                 f"[...{WHO}.querySelectorAll('div')].map(part => [...part.querySelectorAll('li')].map(li => li.textContent))]")


def check_tests(b, base, folder, page, axe):
    """Counts are buttons; names are loaded when one is asked for, from a server and from disk."""
    with open(os.path.join(folder, page), encoding="utf-8") as file:
        text = re.search("<pre class=t[^>]*>\n(.*?)</pre>", file.read(), re.S)[1]
    counts = [count for count in re.sub("</?em>", "", text).split("\n") if count not in ("", "?")]
    for where in (base, "file://" + folder + "/"):
        b.log("performance")
        b.open(where + page)
        check("counts of tests are buttons", b.run("return [...document.querySelectorAll('.t button')].map(b => b.textContent)") == counts)
        check("one of them is in the order of Tab", b.run("return document.querySelectorAll('.t [tabindex=\"0\"]').length") == 1)
        urls = [json.loads(entry["message"])["message"] for entry in b.log("performance")]
        early = [url["params"]["request"]["url"] for url in urls if url["method"] == "Network.requestWillBeSent"]
        early = [url for url in early if url.startswith(where + "tests/")]
        check("no names are loaded before someone asks", not early, early)
        for number in {0, len(counts) // 2, len(counts) - 1, counts.index(max(counts, key=lambda c: int(c) if c.isdigit() else 0))}:
            title, _, lists = asked(b, number)
            shown = counts[number] if counts[number].isdigit() else "no"
            check(f"{where[:4]}: {counts[number]} tests are shown", re.search(rf": {shown} tests?$", title), title)
            if shown != "no":
                check(f"{where[:4]}: their names", len(lists[0]) == int(shown) == len(set(lists[0])) and all(lists[0]), lists[:1])
        b.press("\ue00c")
        check("Escape closes the names, and goes back to the count",
              b.settle(f"!{WHO}.open") and b.run("return document.activeElement.matches('.t button')"))
        b.press("w")
        first = b.run("return document.activeElement.title")
        b.press("\ue015")
        check("an arrow leads to the next count", b.run("return document.activeElement.title") != first)
        b.press("\ue013")
        check("... and back", b.run("return document.activeElement.title") == first)
        b.press("\ue007")
        check("Enter asks", b.settle(f"{WHO}.open"))
        check("the heading has the focus", b.settle("document.activeElement.id === 'who'"))
    check_console(b, "tests")
    for scheme in ("light", "dark"):
        for width, height, phone in ((1400, 900, False), (400, 800, True)):
            b.size(width, height, phone)
            b.media(scheme)
            b.open(base + page)
            asked(b, 0)
            check_axe(b, axe, f"the tests of a line, {scheme}, {width}")
            box = b.run(f"const box = {WHO}.getBoundingClientRect(); return [box.left, box.right, box.bottom, innerWidth, innerHeight]")
            check(f"the tests of a line, {scheme}, {width}: on the screen", box[0] >= 0 and box[1] <= box[3] and box[2] <= box[4], box)
    b.size(1400, 900)
    b.media("light")


# --- tables: the hotspots, and those of a comparison ------------------------------------------------------------------------------
def check_table(b, base, page):
    """The filter, and the sorting of each column: numbers by value, with none as 0, all else as text."""
    b.open(base + page)
    rows = "[...document.querySelectorAll('.tree tbody tr, .changed tbody tr')]"
    every = b.run(f"return {rows}.map(row => row.cells[0].textContent)")
    wanted = every[-1].split(" ")[0].split("(")[0][-8:]
    b.press("/")
    b.press(*wanted)
    fits = sum(wanted.lower() in name.lower() for name in every)
    check(f"{page}: the filter leaves what has {wanted!r}", b.settle(f"{rows}.filter(row => !row.hidden).length === arguments[0]", fits), fits)
    b.run("const f = document.querySelector('input[type=search]'); f.value = ''; f.dispatchEvent(new Event('input')); f.blur();")
    check(f"{page}: no filter shows all", b.settle(f"{rows}.every(row => !row.hidden)"))
    titles = b.run("return [...document.querySelector('.tree, .changed').tHead.rows[0].cells].map(cell => cell.tagName === 'TH')")
    for column, has_title in enumerate(titles):
        if not has_title:
            continue
        click = f"document.querySelector('.tree, .changed').tHead.rows[0].cells[{column}].querySelector('button').click()"
        texts = f"return {rows}.map(row => row.cells[{column}].textContent.trim())"
        original, orders = b.run(texts), []
        for _ in range(3):
            b.run(click)
            way = b.run(f"return document.querySelector('.tree, .changed').tHead.rows[0].cells[{column}].getAttribute('aria-sort')")
            orders.append((way, b.run(texts)))
        ways = [way for way, _ in orders]
        check(f"{page}: column {column} sorts both ways and back", ways[2] is None and {ways[0], ways[1]} == {"ascending", "descending"}, ways)
        check(f"{page}: the third click gives the order back", orders[2][1] == original)
        for way, seen in orders[:2]:
            as_number = [float(text.split("\u00a0")[0]) if text[:1].isdigit() else 101.0 if text == "\u2013" else 0.0 for text in seen]
            is_text = any(text and not text[0].isdigit() and text != "\u2013" for text in original)
            keys = seen if is_text else as_number
            right = sorted(keys, reverse=way == "descending")
            check(f"{page}: column {column} is {way}", keys == right or is_text and len(set(keys)) > 1 and
                  sorted(keys) == sorted(right), keys[:9])


def check_narrow(b, base, page):
    """On a phone the two sides stand below each other: a row that only the other one has is not there. Were there such rows?"""
    lines = """return [...document.querySelectorAll('.beside .n')].map(n => [...n.childNodes].filter(node =>
        node.nodeType === Node.TEXT_NODE || getComputedStyle(node).display !== 'none').map(node => node.textContent).join('')
        .replace(/\\n$/, '').split('\\n'))"""
    b.size(1400, 900)
    b.open(base + page)
    wide = b.run(lines)
    b.size(400, 800, True)
    b.open(base + page)
    narrow = b.run(lines)
    b.size(1400, 900)
    check(f"{page}: no filling rows on a phone", not any("" in side for side in narrow), narrow)
    check(f"{page}: all else is there", [[text for text in side if text] for side in wide] == narrow)
    return any("" in side for side in wide)


def check_changes(b, base, folder, axe):
    indexes = sorted(name for name in os.listdir(folder) if name.startswith("changes") and name.endswith(".html"))
    pages = sorted(("changes/" + name for name in os.listdir(folder + "/changes")),
                   key=lambda page: (-os.path.getsize(os.path.join(folder, page)), page))
    check("there is a page of each kind", len(indexes) == 5 and len(pages) > 2, indexes)
    for page in indexes + pages[:2]:
        check_states(b, base, page, axe)
    check_strict(b, base, indexes + pages[:1])
    check_table(b, base, "changes.html")
    check_table(b, base, "changes-methods.html")
    two = [page for page in pages if "beside two" in open(os.path.join(folder, page), encoding="utf-8").read()]
    check("there are filling rows side by side", any([check_narrow(b, base, page) for page in two]))
    check_console(b, "changes")
    edited = next((page for page in two if re.search(r"<del>-\d", open(os.path.join(folder, page), encoding="utf-8").read())), pages[0])
    return ("changes.html", "changes"), (edited, "change"), ("changes-methods.html", "methods")


def take_pictures(b, base, shown, folder):
    for width, phone in ((1400, False), (400, True)):
        for scheme in ("light", "dark"):
            b.size(width, 900 if width > 400 else 800, phone)
            b.media(scheme)
            for page, name in shown:
                b.open(base + page)
                b.picture(os.path.join(folder, f"{name}-{width}-{scheme}.png"))


def check_report(b, base, folder, axe):
    sizes = {f"files/{name}": os.path.getsize(os.path.join(folder, "files", name)) for name in os.listdir(folder + "/files")}
    files = sorted(sizes, key=lambda page: (-sizes[page], page))

    def with_misses(page):
        with open(os.path.join(folder, page), encoding="utf-8") as file:
            text = file.read()
        return "<i>" in text and "<b role=region" in text and "rel=next" in text and "rel=prev" in text

    source = next((page for page in files if with_misses(page)), files[0])
    pages = [page for page in ("index.html", "types.html", "hotspots.html", "left-out.html") if os.path.exists(f"{folder}/{page}")]
    for page in pages + [source, files[-1]]:
        check_states(b, base, page, axe)
    check_strict(b, base, pages + [source])
    check_index_keys(b, base)
    check_source_keys(b, base, source)
    check_table(b, base, "hotspots.html")
    check_console(b, "keys")
    for page in files:
        with open(os.path.join(folder, page), encoding="utf-8") as file:
            told = " data-tests=" in file.read()
        if told:
            check_tests(b, base, folder, page, axe)
            break
    return (("index.html", "index"), (source, "source"), (source + "#L60", "lines"), ("types.html", "types"),
            ("hotspots.html", "hotspots"))


def main():
    folder, axe = os.path.abspath(sys.argv[1]), open(sys.argv[2], encoding="utf-8").read()
    with server(folder) as base, browser() as b:
        has_changes = os.path.exists(os.path.join(folder, "changes.html"))
        shown = (check_changes if has_changes else check_report)(b, base, folder, axe)
        if len(sys.argv) > 3:
            take_pictures(b, base, shown, sys.argv[3])
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


main()
