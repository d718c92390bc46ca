#!/usr/bin/python3
"""The page and the plots of warpbound evt in a real browser: no complaints, both themes, hostile names, letters
that stay in their picture and do not hide each other. Prints TAP. Left out: other browsers and fonts.

usage: test_measured_page.py BUILD ROOT [PICTURES]
"""
import os
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import chromium  # noqa: E402

BUILD, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
PICTURES = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None
HOSTILE = ["</title><script>alert(1)</script>", "<img src=x onerror=alert(2)>", "]]><style>*{display:none}</style>",
           "m" * 3000]
# The letters of a picture that stand outside of it, and numbers of an axis that touch.
LETTERS = """(() => {
  const found = [];
  for (const svg of document.querySelectorAll("svg.chart")) {
    const page = svg.getBoundingClientRect();
    const boxes = [...svg.querySelectorAll("text")].map((text) => [text, text.getBoundingClientRect()]);
    for (const [text, box] of boxes)
      if (box.left < page.left - 1 || box.right > page.right + 1 || box.top < page.top || box.bottom > page.bottom + 1)
        found.push("outside: " + text.textContent.slice(0, 60));
    const ticks = boxes.filter(([text]) => text.classList.contains("tick"));
    for (const [one, a] of ticks)
      for (const [other, b] of ticks)
        if (one !== other && a.left < b.right && b.left < a.right && a.top + 4 < b.bottom && b.top + 4 < a.bottom)
          found.push("over each other: " + one.textContent + " and " + other.textContent);
  }
  return found;
})()"""

results = []


def check(name, right, why=""):
    results.append((name, right, why))


def analysed(folder, name, samples, *words):
    """The page of a file of times."""
    plots = os.path.join(folder, name)
    subprocess.run([os.path.join(BUILD, "src/warpbound"), "evt", samples, "--plots", plots, *words], check=True,
                   stdout=subprocess.DEVNULL, cwd=ROOT)
    return os.path.join(plots, "index.html")


def written(folder, name, series):
    """A file of times, of series by name."""
    file = os.path.join(folder, name + ".csv")
    with open(file, "w", encoding="utf-8") as stream:
        stream.write("name,time (cycles)\n")
        for title, values in series:
            stream.writelines('"%s",%.12g\n' % (title.replace('"', '""'), value) for value in values)
    return file


def check_file(browser, file, name, plots):
    browser.open(file)
    complaints = browser.complaints()
    check(name + ": the console is silent, and nothing is fetched", not complaints, str(complaints[:3]))
    count = browser.value("document.querySelectorAll('figure > svg > title').length")
    check(f"{name}: {plots} plots with a title", count == plots, str(count))
    found = browser.value(LETTERS)
    check(name + ": letters stay in the pictures, apart from each other", not found, str(found[:5]))
    scrolls = browser.value("document.documentElement.scrollWidth - window.innerWidth")
    check(name + ": the page is not wider than the window", scrolls <= 0, str(scrolls))


def check_themes(browser):
    papers = []
    for scheme in ("light", "dark", "print"):
        browser.scheme(scheme)
        papers.append(browser.value("getComputedStyle(document.querySelector('.paper')).fill"))
    browser.scheme("light")
    check("light, dark, and light on paper", papers[0] == papers[2] == "rgb(255, 255, 255)" != papers[1], str(papers))


def times(seed, scale, count):
    rng = random.Random(seed)
    return [scale * (50 + rng.expovariate(1)) for _ in range(count)]


def check_series(browser, folder):
    """Scales from 1e-8 to 1e12, a heavy tail, a step, ticks, and equal values."""
    rng = random.Random(5)
    series = [(f"scale {scale:g}", times(1, scale, 600)) for scale in (1e-8, 1, 12345.678, 1e12)]
    series.append(("heavy", [1000 + 100 * rng.paretovariate(1.5) for _ in range(2000)]))
    series.append(("step", [1000 + rng.gauss(0, 10) + (100 if i > 700 else 0) for i in range(1000)]))
    series.append(("ticks", [1000 + 32 * int(rng.expovariate(0.3)) for _ in range(3000)]))
    series.append(("narrow", [123456789 + rng.random() for _ in range(500)]))
    series.append(("equal", [7] * 200))
    file = written(folder, "series", series)
    for title, values in series:
        one = written(folder, "one", [(title, values)])
        made = analysed(folder, title.replace(" ", "-"), one, "--column", "2", "--fit-anyway")
        plots = len(os.listdir(os.path.dirname(made))) - 1
        check_file(browser, made, title, plots)
    made = analysed(folder, "all", file, "--column", "2", "--group", "1")
    browser.open(made)
    rows = browser.value("document.querySelectorAll('.comparison tbody tr').length")
    check("a table compares the series", rows == len(series), str(rows))


def check_hostile(browser, folder):
    file = written(folder, "hostile", [(name, times(2, 1, 300)) for name in HOSTILE])
    made = analysed(folder, "hostile", file, "--column", "2", "--group", "1")
    check_file(browser, made, "hostile names", len(os.listdir(os.path.dirname(made))) - 1)
    elements = browser.value("document.querySelectorAll('script, img, h2 *, figure style').length")
    check("hostile names: they make no elements", elements == 0, str(elements))


def main():
    program = chromium.find()
    if program is None:
        print("1..0 # SKIP no Chromium: scripts/test-browser --install")
        return 1
    with tempfile.TemporaryDirectory() as folder, chromium.Chromium(program) as browser:
        example = analysed(folder, "example", "examples/times.csv")
        check_file(browser, example, "the example", 8)
        check_themes(browser)
        if PICTURES:
            for scheme in ("light", "dark"):
                browser.scheme(scheme)
                browser.picture(os.path.join(PICTURES, "times-" + scheme + ".png"))
            browser.scheme("light")
        check_series(browser, folder)
        check_hostile(browser, folder)
    for number, (name, right, why) in enumerate(results, 1):
        print(f"{'ok' if right else 'not ok'} {number} - {name}")
        if not right and why:
            print("# " + why)
    print(f"1..{len(results)}")
    return 0 if all(right for _, right, _ in results) else 1


sys.exit(main())
