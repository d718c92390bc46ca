/* Fills the page, then listens: choosing by pointer and keyboard, and by the address. */

function showNavigation() {
  const sections = [...document.querySelectorAll("main > section")].filter((section) => !section.hidden);
  put("nav", ...sections.map((section) => make("a", { href: "#" + section.id }, section.dataset.name)));
}

/* What an event chooses: the nearest element that says so. */
const chosenBy = (event) => event.target.closest("[data-choice]");

function listenToPointer() {
  document.addEventListener("click", (event) => {
    const row = chosenBy(event);
    if (row) {
      activate(row);
    }
  });
}

/* Chooses a row; in a pane it becomes the one that the arrow keys start from. */
function activate(row) {
  const pane = row.closest(".rows");
  if (pane) {
    pane.querySelector(".active")?.classList.remove("active");
    row.classList.add("active");
    pane.setAttribute("aria-activedescendant", row.id);
  }
  choose(row.dataset.choice, pane);
}

const STEPS = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -Infinity, End: Infinity };

/* Arrow keys in a pane, and among the rows of a table. */
function move(event, rows, at, step) {
  event.preventDefault();
  const next = at < 0 && Number.isFinite(step) ? 0 : at + step;
  return rows[Math.min(rows.length - 1, Math.max(0, next))];
}

function keyInPane(event, pane) {
  const rows = pane.id === "machine" ? machineRows : [...pane.querySelectorAll(".row")];
  const row = move(event, rows, rows.indexOf(pane.querySelector(".active") ?? pane.querySelector(".chosen")), STEPS[event.key]);
  if (row) {
    activate(row);
    row.scrollIntoView({ block: "nearest" });
  }
}

function keyInTable(event, line) {
  const rows = [...line.parentElement.children].filter((row) => row.tabIndex === 0);
  const row = move(event, rows, rows.indexOf(line), STEPS[event.key]);
  row?.focus();
}

function listenToKeys() {
  document.addEventListener("keydown", (event) => {
    const row = chosenBy(event);
    if (event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    if (event.key in STEPS && event.target.classList?.contains("rows")) {
      keyInPane(event, event.target);
    } else if (event.key in STEPS && row?.tagName === "TR") {
      keyInTable(event, row);
    } else if (row && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      activate(row);
    }
  });
}

/* "#block-3" chooses the block, where it is one. */
function chooseByAddress() {
  let choice = "";
  try {
    choice = decodeURIComponent(location.hash.slice(1));
  } catch {
    return;
  }
  if (/^(instruction|line|block|address)-/.test(choice)) {
    choose(choice, null);
    place("code").scrollIntoView();
  }
}

for (const show of [showTitle, showAnswer, showBars, showBreakdown, showOccupancy, showMachine, showSource, showGraph, showScopes,
  showLoops, showAccesses, showTimeline, showSensitivity, showAdvice, showMissing, showAssumptions, showNavigation]) {
  show();
}
put("footer", `Warpbound ${data.version}. This page needs no network; what it shows is in it as JSON, as of warpbound analyze --json.`);
listenToPointer();
listenToKeys();
window.addEventListener("hashchange", chooseByAddress);
chooseByAddress();
