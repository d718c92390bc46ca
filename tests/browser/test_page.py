#!/usr/bin/python3
"""The page of warpbound analyze in a real browser: no complaints, links between its panes, keys, hostile
input, a large kernel. Prints TAP. Left out: other browsers, and how it looks, for which PICTURES gets
screenshots that people look at.

usage: test_page.py BUILD ROOT [PICTURES]
"""
import os
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import chromium  # noqa: E402

BUILD, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
PICTURES = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None
LISTING, SOURCE = "examples/mandelbrot.sass", "examples/mandelbrot.cu"
HOSTILE = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "\"><svg onload=alert(3)><a href=\"javascript:alert(4)\">",
    "<!--<script>", "]]><style>*{display:none}</style>", "javascript:alert(5)", "${alert(6)}`'\\u003cscript>",
    "\u202e\u2028\u2029</title></head>", "__proto__", "constructor", "%3Cscript%3E&lt;script&gt;",
]
LARGE = 10000

results = []


def check(name, right, why=""):
    results.append((name, right, why))


def page(folder, name, *words):
    """The page of a launch made by hand, and the seconds that making it took."""
    file = os.path.join(folder, name + ".html")
    start = time.monotonic()
    with open(file, "wb") as stream:
        subprocess.run([os.path.join(BUILD, "tests/tools/launch_page"), *words], stdout=stream, check=True,
                       cwd=ROOT, env={**os.environ, "WARPBOUND_SOURCE": ROOT})
    return file, time.monotonic() - start


def quiet(browser, name):
    complaints = browser.complaints()
    check(name + ": the console is silent, and nothing is fetched", not complaints, str(complaints[:3]))


# ---- a page as it should be ----

def count(browser, selector):
    return browser.value(f"document.querySelectorAll({selector!r}).length")


def chosen(browser, pane):
    """The rows of a pane that are chosen, as their ids."""
    return browser.value(f"[...document.querySelectorAll('#{pane} .chosen')].map((row) => row.id)")


def check_contents(browser):
    check("its title names the kernel", browser.value("document.title").startswith("mandelbrot"))
    check("its answer has both ends", browser.value("document.getElementById('answer').textContent").count("cycles") == 2)
    shown = browser.value("[...document.querySelectorAll('#breakdown tbody td:nth-child(2)')]"
                          ".map((cell) => Number(cell.textContent.replaceAll(',', '')))")
    check("the breakdown adds up", abs(sum(shown) - 11360) < 1e-6, str(shown))
    check("every section that is shown is in the navigation",
          browser.value("[...document.querySelectorAll('main > section')].filter((section) => !section.hidden)"
                        ".every((section) => document.querySelector('nav a[href=\"#' + section.id + '\"]'))"))
    check("the source's text is there", "float xx = x * x" in browser.value("document.getElementById('source').textContent"))
    check("every name of an aria attribute is there",
          browser.value("[...document.querySelectorAll('[aria-labelledby]')]"
                        ".every((element) => document.getElementById(element.getAttribute('aria-labelledby')))"))


def check_links(browser):
    browser.click("#s0-12")
    machine = chosen(browser, "machine")
    check("a source line chooses its instructions", len(machine) > 1, str(machine))
    check("the first of them is in sight", browser.value(
        "(() => { const row = document.querySelector('#machine .chosen').getBoundingClientRect();"
        "const pane = document.getElementById('machine').getBoundingClientRect();"
        "return row.top >= pane.top && row.bottom <= pane.bottom; })()"))
    check("the choice is in the address", browser.value("location.hash") == "#line-0-12")
    browser.click("#m40")
    check("an instruction chooses its line alone", len(chosen(browser, "source")) == 1 and chosen(browser, "machine") == ["m40"])
    check("what is chosen is said", "0x0280" in browser.value("document.getElementById('detail').textContent"))
    browser.click("#detail button[data-choice=block-loop-3]")
    check("from an instruction one comes to its loop", len(chosen(browser, "machine")) == 12)
    browser.click("#m40")
    browser.click("#loop-list tr.choosable")
    check("a loop chooses its instructions, lines and row", len(chosen(browser, "machine")) == 12 and
          len(chosen(browser, "source")) > 2 and count(browser, "#loop-list .chosen") == 1)
    browser.click("#access-list tr.choosable")
    check("an access chooses its instruction", chosen(browser, "machine") == ["m0"])
    browser.click("#sensitivity-list tr.choosable")
    check("a sensitivity chooses its loop", len(chosen(browser, "machine")) == 12)
    browser.click("#only-wasteful")
    check("the accesses can be filtered", count(browser, "#access-list tbody tr") == 1)
    if count(browser, "#graph .node") > 0:
        browser.click("#graph .node[data-choice=block-1]")
        check("a block of the graph chooses its instructions", chosen(browser, "machine")[0] == "m2")
        browser.click("#m40")
        check("an instruction chooses its block of the graph", browser.value(
            "[...document.querySelectorAll('#graph .node.chosen')].map((node) => node.dataset.choice)") == ["block-4"])
    browser.click("#graph summary")
    browser.click("#graph details tr.choosable")
    check("a block of the list chooses its instructions", chosen(browser, "machine")[0] == "m0")


def check_keys(browser):
    browser.value("document.getElementById('source').focus()")
    for name in ("Home", "ArrowDown", "ArrowDown"):
        browser.key(name)
    check("arrow keys choose lines", chosen(browser, "source") == ["s0-3"], str(chosen(browser, "source")))
    check("the active row is told to readers of the screen",
          browser.value("document.getElementById('source').getAttribute('aria-activedescendant')") == "s0-3")
    browser.key("Tab")
    check("Tab goes on to the machine code", browser.value("document.activeElement.id") == "machine")
    check("the focus can be seen", browser.value("getComputedStyle(document.activeElement).outlineStyle") != "none")
    browser.key("End")
    check("End goes to the last instruction", len(chosen(browser, "machine")) == 1
          and browser.value("document.querySelector('#machine .chosen') === machineRows.at(-1)"))
    browser.value("document.querySelector('#value-list').scrollIntoView(); document.querySelector('#loop-list tr.choosable').focus()")
    browser.key("Enter")
    check("Enter chooses a loop", len(chosen(browser, "machine")) == 12)
    browser.value("document.querySelector('#access-list tr.choosable').focus()")
    browser.key("ArrowDown")
    browser.key(" ")
    check("arrow keys and the space bar choose in a table",
          chosen(browser, "machine") == browser.value("[document.activeElement.dataset.choice]"
                                                      ".map((choice) => 'm' + byAddress.get(Number(choice.slice(8))))"))
    reached = []
    browser.value("document.activeElement.blur(); window.scrollTo(0, 0)")
    for _ in range(60):
        browser.key("Tab")
        reached.append(browser.value("document.activeElement.closest('section')?.id ?? document.activeElement.tagName"))
    check("Tab reaches the sections that can be used",
          {"code", "flow", "loops", "accesses"} <= set(reached), str(set(reached)))


def check_page(browser, folder):
    file, _ = page(folder, "page", LISTING, SOURCE)
    browser.open(file)
    check_contents(browser)
    check_links(browser)
    browser.open(file)
    check_keys(browser)
    quiet(browser, "a page")
    browser.open(file, "#block-4")
    check("an address with a choice opens it", len(chosen(browser, "machine")) == 7)
    for wrong in ("#block-99999", "#line-", "#line-0-x", "#instruction-1e9", "#%", "#block-loop--1", "#address-loop-5"):
        browser.open(file, wrong)
        quiet(browser, "the address " + wrong)
    file, _ = page(folder, "no_source", LISTING)
    browser.open(file)
    check("without sources the lines have their numbers", count(browser, "#source .row") > 3)
    quiet(browser, "a page without sources")
    file, _ = page(folder, "unbounded", LISTING, SOURCE, "", "unbounded")
    browser.open(file)
    check("without a bound the page says what to write", browser.value(
        "document.getElementById('bounds').hidden && !document.getElementById('missing').hidden"
        " && document.getElementById('answer').textContent.startsWith('No bound')"
        " && document.querySelectorAll('#missing-facts tbody tr').length > 0"))
    browser.click("#s0-12")
    check("without a bound lines choose instructions", len(chosen(browser, "machine")) > 1)
    quiet(browser, "a page without a bound")


# ---- hostile input ----

def check_hostile(browser, folder):
    for number, text in enumerate(HOSTILE):
        file, _ = page(folder, f"hostile{number}", LISTING, SOURCE, text)
        browser.open(file)
        browser.value("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        browser.click("#m5")
        name = f"hostile text {number}"
        quiet(browser, name)
        check(name + ": no element of it is there", browser.value(
            "document.querySelectorAll('img, iframe, object, embed, a:not([href^=\"#\"]), form, base, svg a, foreignObject').length"
            " === 0 && document.querySelectorAll('script').length === 2 && document.querySelectorAll('style').length === 1"))
        check(name + ": no element has a handler or a reference out", browser.value(
            "[...document.querySelectorAll('*')].every((element) => [...element.attributes].every((attribute) =>"
            " !/^on/i.test(attribute.name) && !/^(src|xlink:href|formaction|srcdoc|style)$/i.test(attribute.name) ||"
            " attribute.name === 'style' && element.style.length > 0))"))
        check(name + ": it is shown as it is", browser.value("document.querySelector('#assumption-list li:last-child').textContent")
              .strip() == text.strip(), browser.value("document.querySelector('#assumption-list li:last-child').textContent"))


# ---- large kernels ----

def large_listing(file):
    """Branches over a few instructions, again and again."""
    lines = ["\tcode for sm_52", "\t\tFunction : large", '\t.headerflags    @"EF_CUDA_SM52 EF_CUDA_PTX_SM(EF_CUDA_SM52)"']

    def where(index):  # of three instructions there is a control word before
        return 8 + 8 * (index + index // 3)
    for index in range(LARGE - 2):
        text = f"FFMA R{index % 30}, R1, R2, R{index % 29} ;"
        if index % 10 == 4:
            text = f"ISETP.NE.AND P0, PT, R{index % 30}, c[0x0][0x140], PT ;"
        elif index % 10 == 5:
            text = f"@P0 BRA {where(min(index + 5, LARGE - 2)):#x} ;"
        lines.append(f"        /*{where(index):04x}*/                    {text}")
    lines.append(f"        /*{where(LARGE - 2):04x}*/                    EXIT ;")
    lines.append(f"        /*{where(LARGE - 1):04x}*/                    BRA {where(LARGE - 1):#x} ;")
    with open(file, "w", encoding="utf-8") as stream:
        stream.write("\n".join(lines) + "\n")


def check_large(browser, folder):
    listing = os.path.join(folder, "large.sass")
    large_listing(listing)
    file, made = page(folder, "large", os.path.relpath(listing, ROOT))
    loaded = browser.open(file)
    quiet(browser, "a large kernel")
    check("a large kernel has all of its rows", count(browser, "#machine .row") == LARGE, str(count(browser, "#machine .row")))
    start = time.monotonic()
    browser.click("#m5000")
    browser.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    followed = time.monotonic() - start
    check("a large kernel opens and follows soon", loaded < 20 and followed < 8, f"{loaded:.2f} s, {followed:.2f} s")
    print(f"# {LARGE} instructions: analysed and written in {made:.2f} s, {os.path.getsize(file)} bytes, "
          f"opened in {loaded:.2f} s, a click followed in {followed:.2f} s")


# ---- pictures ----

def take_pictures(browser, folder):
    file, _ = page(folder, "picture", LISTING, SOURCE)
    os.makedirs(PICTURES, exist_ok=True)
    for scheme in ("light", "dark", "print"):
        browser.open(file, "" if scheme == "print" else "#block-loop-3")
        browser.scheme(scheme)
        browser.picture(os.path.join(PICTURES, scheme + ".png"))
    browser.paper(os.path.join(PICTURES, "paper.pdf"))
    browser.scheme("light")


def main():
    program = chromium.find()
    if program is None:
        print("1..0 # SKIP no Chromium: scripts/test-browser --install")
        return 1
    with tempfile.TemporaryDirectory() as folder, chromium.Chromium(program) as browser:
        check_page(browser, folder)
        check_hostile(browser, folder)
        check_large(browser, folder)
        if PICTURES:
            take_pictures(browser, folder)
    for number, (name, right, why) in enumerate(results, 1):
        print(f"{'ok' if right else 'not ok'} {number} - {name}")
        if not right and why:
            print("# " + why)
    print(f"1..{len(results)}")
    return 0 if all(right for _, right, _ in results) else 1


sys.exit(main())
