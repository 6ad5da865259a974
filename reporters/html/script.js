// script.js - what the pages of an HTML report can do beyond links: buttons and keys, and on an index filter and sort.
// Everything can be read and reached without it.
"use strict";
(() => {
  const root = document.documentElement;
  const header = document.querySelector("header");
  const tools = document.createElement("section");
  const keys = [];
  tools.className = "tools";
  tools.setAttribute("aria-label", "Tools");

  // Pages of a folder opened without a server may be refused storage.
  const store = {
    get(name) { try { return localStorage.getItem("ilcov-" + name); } catch { return null; } },
    set(name, value) { try { localStorage.setItem("ilcov-" + name, value); } catch { /* not remembered */ } },
  };

  const make = (tag, text, parent) => {
    const element = document.createElement(tag);
    element.textContent = text;
    if (parent) parent.append(element);
    return element;
  };

  // A key, and a button for the same unless `label` is empty.
  const offer = (key, label, what, act) => {
    keys.push({ key, what, act });
    if (!label) return null;
    const button = make("button", label, tools);
    button.type = "button";
    button.title = what;
    make("kbd", key, button);
    button.addEventListener("click", act);
    return button;
  };

  const follow = (selector) => {
    const link = document.querySelector(selector);
    if (link) location.href = link.href;
  };

  // --- a source page -------------------------------------------------------------------------------------------------
  const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let here = null;

  const show = (element) => {
    if (here) here.classList.remove("here");
    here = element;
    here.classList.add("here");
    here.setAttribute("tabindex", "-1");
    here.focus({ preventScroll: true });
    const top = here.getBoundingClientRect().top + scrollY - innerHeight / 3;
    scrollTo({ top, behavior: reduced ? "auto" : "smooth" });
  };

  // The next of these after where the reader is: what was shown last, else what is on the screen. Around at the end.
  const step = (selector, forward) => {
    const all = [...document.querySelectorAll(selector)];
    if (!all.length) return;
    const after = (element) => here
      ? Boolean(here.compareDocumentPosition(element) & (forward ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING))
      : (element.getBoundingClientRect().top > 0) === forward;
    const found = forward ? all.find(after) : all.reverse().find(after);
    show(found || all[0]);
  };

  const source = document.querySelector(".code .s");
  if (source) {
    const misses = ".s b, .s i", branches = ".s i";
    if (document.querySelector(misses)) {
      offer("j", "Next miss", "Next line or branch that was missed", () => step(misses, true));
      offer("k", "Previous", "Previous one", () => step(misses, false));
    }
    if (document.querySelector(branches)) {
      offer("b", "Next branch", "Next line with an outcome that never happened", () => step(branches, true));
      offer("B", "", "Previous such line", () => step(branches, false));
    }
    for (const element of source.querySelectorAll("b")) element.tabIndex = -1;
  }

  // --- the tests of a line: their names are in files beside the pages, which are loaded when someone asks -------------
  const numbers = document.querySelector(".n");
  const counts = document.querySelector(".t[data-tests]");
  let closeTests = () => false;
  if (counts) {
    const namesAFile = 500, shownAtOnce = 100;
    const [, folder, pageFile] = /^(.*\/)(.*)$/.exec(counts.dataset.tests);
    const said = {}, loads = {};
    globalThis.ilcovTests = (file, data) => { said[file] = data; };
    // A script may be loaded from a folder that no server serves, where fetch() is refused.
    const load = (file) => loads[file] ||= new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = folder + file;
      script.onload = () => (file in said ? done(said[file]) : script.onerror());
      script.onerror = () => { delete loads[file]; failed(new Error(folder + file + " cannot be read")); };
      document.head.append(script);
    });

    const expand = (runs) => {
      const all = [];
      for (let i = 0, at = 0; i < runs.length; i += 2) {
        at += runs[i];
        for (let n = 0; n < runs[i + 1]; n++) all.push(at++);
      }
      return all;
    };
    const testsOf = (page, line) => {
      const found = page.lines.find(([first, last]) => first <= line && line <= last);
      const all = new Set();
      if (found) for (const set of expand(found[2])) for (const test of expand(page.sets[set])) all.add(test);
      return [...all].sort((a, b) => a - b);
    };
    const namesOf = async (tests) => {
      const files = [...new Set(tests.map((test) => Math.floor(test / namesAFile)))];
      const names = await Promise.all(files.map((file) => load("names-" + file + ".js")));
      return tests.map((test) => names[files.indexOf(Math.floor(test / namesAFile))][test % namesAFile]);
    };

    const panel = document.createElement("dialog");
    panel.className = "who";
    panel.setAttribute("aria-labelledby", "who");
    document.body.append(panel);
    let asker = null;
    closeTests = () => {
      const was = panel.open;
      panel.close();
      if (was && asker) asker.focus();
      return was;
    };
    const kinds = [
      ["", "test", "tests"],
      ["Code around the tests of a class ran it, such as a constructor or a set-up method:"],
      ["Static constructors ran it, or what they call:"],
      ["Code outside of all tests ran it."],
    ];
    const listNames = async (tests, parent) => {
      const list = make("ul", "", parent);
      const more = make("button", "", parent);
      let at = 0;
      const go = async () => {
        more.disabled = true;
        const names = await namesOf(tests.slice(at, at + shownAtOnce));
        for (const name of names) make("li", name, list);
        at += names.length;
        more.disabled = false;
        more.hidden = at === tests.length;
        more.textContent = "Show " + Math.min(shownAtOnce, tests.length - at) + " of " + (tests.length - at) + " more";
      };
      more.type = "button";
      more.hidden = true;
      more.addEventListener("click", () => go().catch((error) => make("p", error.message, parent)));
      await go();
    };
    const open = async (button, line) => {
      asker = button;
      panel.replaceChildren();
      const close = make("button", "Close", panel);
      close.type = "button";
      close.addEventListener("click", closeTests);
      const title = make("h2", "Line " + line, panel);
      title.id = "who";
      title.tabIndex = -1;
      if (!panel.open) panel.show();
      title.focus();
      try {
        const page = await load(pageFile);
        const tests = testsOf(page, line);
        let first = 0;
        for (const [kind, [text, one, many]] of kinds.entries()) {
          const end = first + page.kinds[kind];
          const own = tests.filter((test) => test >= first && test < end);
          first = end;
          if (asker !== button) return;
          if (kind === 0) title.textContent = "Line " + line + ": " + (own.length || "no") + " " + (own.length === 1 ? one : many);
          if (!own.length) continue;
          const part = make("div", "", panel);
          if (text) make("p", text, part);
          if (kind !== 3) await listNames(own, part);
        }
      } catch (error) {
        make("p", error.message, panel);
      }
    };

    // Each count becomes a button. One of them is in the order of the Tab key; arrows lead to the others.
    const lineOf = numbers.textContent.split("\n");
    const buttons = [];
    const button = (text, line) => {
      const made = make("button", text);
      made.type = "button";
      made.tabIndex = buttons.length ? -1 : 0;
      made.title = (text === "\u25CB" ? "no test" : text + (text === "1" ? " test" : " tests")) + " ran line " + line;
      made.setAttribute("aria-label", made.title);
      made.addEventListener("click", () => open(made, Number(line)));
      made.addEventListener("focus", () => {
        for (const other of counts.querySelectorAll("[tabindex='0']")) other.tabIndex = -1;
        made.tabIndex = 0;
      });
      buttons.push(made);
      return made;
    };
    let row = 0;
    const enliven = (parent) => {
      for (const child of [...parent.childNodes]) {
        if (child.nodeType !== Node.TEXT_NODE) { enliven(child); continue; }
        const parts = document.createDocumentFragment();
        for (const [index, text] of child.data.split("\n").entries()) {
          if (index) { parts.append("\n"); row++; }
          if (text) parts.append(text === "?" ? text : button(text, lineOf[row]));
        }
        child.replaceWith(parts);
      }
    };
    enliven(counts);
    counts.addEventListener("keydown", (event) => {
      const at = buttons.indexOf(event.target);
      const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
      if (at < 0 || next === undefined) return;
      event.preventDefault();
      if (buttons[next]) buttons[next].focus();
    });
    offer("w", "Tests", "Which tests ran a line: goes to the first count on the screen", () => {
      const seen = buttons.find((made) => made.getBoundingClientRect().top > 0);
      (seen || buttons[buttons.length - 1]).focus();
    });
  }

  // A line without an id of its own: all lines are equally high.
  const go = () => {
    const match = /^#L(\d+)$/.exec(location.hash);
    if (!numbers || !match || document.getElementById("L" + match[1])) return;
    const box = numbers.getBoundingClientRect();
    const style = getComputedStyle(numbers);
    const top = box.top + scrollY + parseFloat(style.paddingTop) + (Number(match[1]) - 1) * parseFloat(style.lineHeight);
    scrollTo(0, top - innerHeight / 3);
  };
  addEventListener("hashchange", go);
  go();

  if (document.querySelector("a[rel=next], a[rel=prev]")) {
    offer("]", "", "Next file", () => follow("a[rel=next]"));
    offer("[", "", "Previous file", () => follow("a[rel=prev]"));
  }
  if (document.querySelector(".way")) offer("u", "Up", "The folder that this is in", () => follow(".way li:last-child a"));

  // --- an index ------------------------------------------------------------------------------------------------------
  const table = document.querySelector(".tree, .changed");
  if (table) {
    const isTree = table.matches(".tree");
    const body = table.tBodies[0];
    const depth = (row) => isTree ? Number(/\bd(\d)\b/.exec(row.className)[1]) : 0;
    const rows = [...body.rows].map((row) => ({ row, depth: depth(row), children: [], parent: null }));
    const open = [];
    for (const entry of rows) {
      open.length = Math.min(open.length, entry.depth);
      entry.parent = open[open.length - 1] || null;
      if (entry.parent) entry.parent.children.push(entry);
      open.push(entry);
      const th = entry.row.cells[0];
      const own = (th.querySelector("a") || th.firstChild).textContent;
      entry.name = entry.parent ? entry.parent.name + (entry.row.matches(".file") ? "/" : " ") + own : own;
      entry.own = own;
      entry.missed = !isTree || [3, 5].some((cell) => entry.row.cells[cell].textContent !== "");
      entry.key = (entry.name + " " + th.textContent).toLowerCase();
    }

    const filter = make("input", "", tools);
    filter.type = "search";
    filter.placeholder = "Filter by name";
    filter.setAttribute("aria-label", "Filter by name");
    keys.push({ key: "/", what: "Filter by name", act: () => filter.focus() });
    const hide = isTree && offer("h", "Hide covered", "Hide what was covered as a whole", () => {
      hide.setAttribute("aria-pressed", String(hide.getAttribute("aria-pressed") !== "true"));
      store.set("hide", hide.getAttribute("aria-pressed"));
      update();
    });
    if (hide) hide.setAttribute("aria-pressed", store.get("hide") === "true" ? "true" : "false");
    const shown = make("output", "", tools);
    let sorted = null;

    const update = () => {
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      const hides = hide && hide.getAttribute("aria-pressed") === "true";
      let count = 0, leaves = 0;
      for (const entry of rows.slice().reverse()) {
        const fits = (!hides || entry.missed) && words.every((word) => entry.key.includes(word));
        const leaf = entry.children.length === 0;
        entry.seen = leaf ? fits : entry.children.some((child) => child.seen) || (fits && words.length > 0);
        entry.row.hidden = !entry.seen || (sorted !== null && !leaf);
        leaves += leaf ? 1 : 0;
        count += leaf && entry.seen ? 1 : 0;
      }
      shown.textContent = count === leaves ? "" : count + " of " + leaves;
    };
    filter.addEventListener("input", update);

    // No share is more than a share of 100 %; an empty count is 0.
    const value = (entry, column) => {
      const text = column === 0 ? entry.name : entry.row.cells[column].textContent.trim();
      if (isText[column]) return text;
      const number = parseFloat(text);
      return Number.isNaN(number) ? (text === "" ? 0 : 101) : number;
    };
    const isText = [...table.tHead.rows[0].cells].map((cell, column) => column === 0 || rows.some(({ row }) =>
      /^[^\d\u2013]/.test(row.cells[column].textContent.trim())));
    // Sorted rows stand alone, so they have their whole names.
    const sort = (column, down) => {
      sorted = column;
      const order = rows.slice();
      if (column !== null)
        order.sort((a, b) => {
          const x = value(a, column), y = value(b, column);
          return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1) || (a.name < b.name ? -1 : 1);
        });
      for (const entry of order) {
        const th = entry.row.cells[0], link = th.querySelector("a");
        if (link) link.textContent = column === null ? entry.own : entry.name;
        body.append(entry.row);
      }
      table.classList.toggle("flat", column !== null);
      update();
    };
    [...table.tHead.rows[0].cells].forEach((cell, column) => {
      if (cell.tagName !== "TH") return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...cell.childNodes);
      cell.append(button);
      button.addEventListener("click", () => {
        const first = isText[column] || (isTree && [2, 4, 6].includes(column)) ? "ascending" : "descending";
        const other = first === "ascending" ? "descending" : "ascending";
        const now = cell.getAttribute("aria-sort");
        const next = now === null ? first : now === first ? other : null;
        for (const any of table.tHead.rows[0].cells) any.removeAttribute("aria-sort");
        if (next) cell.setAttribute("aria-sort", next);
        sort(next ? column : null, next === "descending");
      });
    });

    const move = (by) => {
      const seen = [...body.rows].filter((row) => !row.hidden);
      const at = seen.findIndex((row) => row.classList.contains("here"));
      const next = seen[Math.max(0, Math.min(seen.length - 1, at + by))];
      if (!next) return;
      if (at >= 0) seen[at].classList.remove("here");
      next.classList.add("here");
      const link = next.querySelector("a");
      if (link) link.focus();
      next.scrollIntoView({ block: "nearest" });
    };
    offer("j", "", "Next row", () => move(1));
    offer("k", "", "Previous row", () => move(-1));
    update();
  }

  // --- theme and help ------------------------------------------------------------------------------------------------
  const themes = ["auto", "light", "dark"];
  let theme = themes.includes(store.get("theme")) ? store.get("theme") : "auto";
  const button = offer("t", "Theme", "Theme: as the system, light, dark", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    store.set("theme", theme);
    paint();
  });
  const paint = () => {
    if (theme === "auto") root.removeAttribute("data-theme");
    else root.dataset.theme = theme;
    button.firstChild.textContent = "Theme: " + theme;
  };
  paint();

  const help = document.createElement("dialog");
  help.setAttribute("aria-label", "Keys");
  offer("?", "Keys", "This list", () => (help.open ? help.close() : help.showModal()));
  make("h2", "Keys", help);
  const list = make("table", "", help);
  for (const { key, what } of keys) {
    const row = list.insertRow();
    make("kbd", key, row.insertCell());
    make("span", what, row.insertCell());
  }
  const close = make("button", "Close", help);
  close.addEventListener("click", () => help.close());
  document.body.append(help);

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && closeTests()) return;
    const typing = event.target.closest("input");
    if (typing) {
      if (event.key === "Escape") typing.blur();
      return;
    }
    const found = keys.find(({ key }) => key === event.key);
    if (!found || (help.open && event.key !== "?")) return;
    event.preventDefault();
    found.act();
  });

  header.after(tools);
})();
