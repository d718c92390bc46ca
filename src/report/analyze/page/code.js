/* Source beside machine code, and what is chosen: a set of instructions, which every pane, list and
   picture shows. */
const [ADDRESS, TEXT, FILE, LINE, BLOCK, RUNS, CYCLES, TIMING] = [0, 1, 2, 3, 4, 5, 6, 7];
const instructions = data.code.instructions;
const blocks = data.code.blocks;
const machineRows = [];
const sourceRows = new Map(); /* by "file-line" */
const byAddress = new Map(instructions.map((instruction, index) => [instruction[ADDRESS], index]));
const lineKey = (instruction) => instruction[LINE] > 0 ? instruction[FILE] + "-" + instruction[LINE] : null;
const followers = []; /* called with the set of chosen instructions and the choice */

/* ---- rows ---- */

function heated(row, cycles, most) {
  if (cycles > 0 && most > 0) {
    row.style.setProperty("--share", Math.sqrt(cycles / most).toFixed(3));
  }
}

function machineRow(instruction, index, most) {
  const block = instruction[BLOCK];
  const begins = block >= 0 && blocks[block][0] === index;
  const row = make("div", { class: "row" + (begins ? " begin" : "") + (block < 0 ? " unreached" : ""), role: "option",
    id: "m" + index, "aria-selected": "false" },
  make("span", { class: "at" }, address(instruction[ADDRESS])),
  make("span", { class: "number" }, instruction[RUNS] > 0 ? count(instruction[RUNS]) + "\u00d7" : ""),
  make("span", { class: "number" }, instruction[CYCLES] > 0 ? count(instruction[CYCLES]) : ""),
  make("span", { class: "text" }, instruction[TEXT]));
  heated(row, instruction[CYCLES], most);
  row.dataset.choice = "instruction-" + index;
  return row;
}

function showMachine() {
  const most = instructions.reduce((so_far, instruction) => Math.max(so_far, instruction[CYCLES]), 0);
  const list = document.createDocumentFragment();
  list.append(make("div", { class: "name", role: "presentation" }, "address, runs of a warp, cycles of the upper end, instruction"));
  instructions.forEach((instruction, index) => {
    const row = machineRow(instruction, index, most);
    machineRows.push(row);
    list.append(row);
  });
  if (data.code.left_out > 0) {
    list.append(make("div", { class: "name", role: "presentation" }, counted(data.code.left_out, "more instruction")));
  }
  place("machine").append(list);
}

/* Cycles by "file-line". */
function lineCycles() {
  const cycles = new Map();
  for (const instruction of instructions) {
    const key = lineKey(instruction);
    if (key !== null) {
      cycles.set(key, (cycles.get(key) ?? 0) + instruction[CYCLES]);
    }
  }
  return cycles;
}

function sourceRow(file, line, text, cycles, most) {
  const key = file + "-" + line;
  const spent = cycles.get(key);
  const row = make("div", { class: "row" + (spent === undefined ? " unreached" : ""), role: "option", id: "s" + key, "aria-selected": "false" },
    make("span", { class: "at" }, String(line)), make("span", { class: "number" }, spent > 0 ? count(spent) : ""),
    make("span", { class: "text" }, text));
  heated(row, spent ?? 0, most);
  row.dataset.choice = "line-" + key;
  sourceRows.set(key, row);
  return row;
}

function showSource() {
  const cycles = lineCycles();
  if (cycles.size === 0) {
    place("source-pane").hidden = true;
    document.querySelector(".panes").classList.add("single");
    return;
  }
  const most = Math.max(...cycles.values());
  const files = [...data.files.entries()].filter(([, file]) => file.first !== undefined);
  if (cycles.has("-1-" + instructions.find((row) => row[FILE] < 0 && row[LINE] > 0)?.[LINE])) {
    files.push([-1, { name: "file not known", lines: null }]);
  }
  for (const [index, file] of files) {
    const list = document.createDocumentFragment();
    list.append(make("div", { class: "name", role: "presentation" }, "line, cycles, " + file.name + (file.lines ? "" : " (text not given: --sources)")));
    if (file.lines) {
      file.lines.forEach((text, at) => list.append(sourceRow(index, file.first + at, text, cycles, most)));
    } else {
      const lines = [...cycles.keys()].filter((key) => key.startsWith(index + "-")).map((key) => Number(key.slice(String(index).length + 1)));
      lines.sort((a, b) => a - b).forEach((line) => list.append(sourceRow(index, line, "", cycles, most)));
    }
    place("source").append(list);
  }
}

/* ---- what is chosen ---- */

const instructionsOfBlock = (block) => {
  const [first, last] = blocks[block];
  return Array.from({ length: Math.min(last, instructions.length - 1) - first + 1 }, (unused, at) => first + at);
};

/* The blocks of the loop with a header, those of inner loops included. */
function blocksOfLoop(header) {
  const loops = data.code.loops;
  const wanted = loops.findIndex((loop) => loop[0] === header);
  const inside = (loop) => loop >= 0 && (loop === wanted || inside(loops[loop][1]));
  const found = blocks.map((unused, block) => block).filter((block) => inside(data.code.innermost[block] ?? -1));
  return wanted < 0 ? [header] : found;
}

const loopAt = (where) => result.loops.find((loop) => loop.address === where);

/* The instructions of a choice: "instruction-5", "line-0-12", "block-3", "block-loop-2" (by header),
   "address-288", "address-loop-288". Nothing for what is none. */
function instructionsOf(choice) {
  const parts = choice.split("-");
  const number = Number(parts.at(-1));
  if (!Number.isInteger(number)) {
    return [];
  }
  if (choice.startsWith("address-loop-")) {
    return loopAt(number) ? instructionsOf("block-loop-" + loopAt(number).header) : [];
  }
  if (choice.startsWith("block-loop-")) {
    return number < blocks.length ? blocksOfLoop(number).flatMap(instructionsOfBlock) : [];
  }
  switch (parts[0]) {
    case "instruction":
      return number < instructions.length ? [number] : [];
    case "address":
      return byAddress.has(number) ? [byAddress.get(number)] : [];
    case "block":
      return number < blocks.length ? instructionsOfBlock(number) : [];
    case "line":
      return [...instructions.keys()].filter((index) => lineKey(instructions[index]) === choice.slice(5));
    default:
      return [];
  }
}

function detailOf(chosen) {
  const at = instructions[chosen[0]];
  const cycles = chosen.reduce((sum, index) => sum + instructions[index][CYCLES], 0);
  const total = instructions.reduce((sum, instruction) => sum + instruction[CYCLES], 0);
  const share = total > 0 ? ` (${percent(cycles / total)} of all)` : "";
  if (chosen.length > 1) {
    return `${counted(chosen.length, "instruction")} from ${address(at[ADDRESS])} on: ${count(cycles)} cycles${share}`;
  }
  const parts = [`${address(at[ADDRESS])} ${at[TEXT]}`, sourcePlace(at[FILE] >= 0 ? data.files[at[FILE]].name : "", at[LINE]),
    at[BLOCK] >= 0 ? `block ${at[BLOCK]}` : "not reached", `runs ${count(at[RUNS])}\u00d7 in a warp, ${count(cycles)} cycles${share}`];
  if (at[TIMING]) {
    const [stall, latency, waits] = at[TIMING];
    const boards = [0, 1, 2, 3, 4, 5].filter((board) => waits >> board & 1);
    parts.push(`stall ${stall}, latency ${latency}` + (boards.length > 0 ? `, waits for scoreboard ${boards.join(", ")}` : ""));
  }
  const access = result.accesses.find((one) => one.address === at[ADDRESS]);
  if (access) {
    parts.push(`${accessName(access)} of ${counted(transactions(access), transactionName(access))}, ideal ${access.ideal}`);
  }
  return parts.filter((part) => part !== "").join("; ");
}

/* From an instruction to its block and the loops around it. */
function widerChoices(chosen) {
  const block = chosen.length === 1 ? instructions[chosen[0]][BLOCK] : -1;
  if (block < 0) {
    return [];
  }
  const choices = [make("button", { type: "button", "data-choice": "block-" + block }, "Its block")];
  const loop = data.code.innermost[block] ?? -1;
  if (loop >= 0) {
    choices.push(make("button", { type: "button", "data-choice": "block-loop-" + data.code.loops[loop][0] }, "Its loop"));
  }
  return choices;
}

let marked = [];

function mark(row, on) {
  row.classList.toggle("chosen", on);
  if (row.hasAttribute("aria-selected")) {
    row.setAttribute("aria-selected", String(on));
  }
}

/* Scrolls a row to the middle of its pane, without moving the page. */
function reveal(row) {
  const pane = row?.closest(".rows");
  if (pane && (row.offsetTop < pane.scrollTop + 40 || row.offsetTop > pane.scrollTop + pane.clientHeight - 40)) {
    pane.scrollTop = row.offsetTop - pane.offsetTop - pane.clientHeight / 3;
  }
}

/* Chooses, and makes everything follow; from: the pane in which it was chosen, which stays. */
function choose(choice, from) {
  const chosen = instructionsOf(choice);
  marked.forEach((row) => mark(row, false));
  marked = [];
  const keys = new Set(chosen.map((index) => lineKey(instructions[index])));
  const rows = [...chosen.map((index) => machineRows[index]), ...[...keys].map((key) => sourceRows.get(key)),
    ...document.querySelectorAll("tr.choosable")].filter((row) => row !== undefined && row !== null);
  for (const row of rows) {
    if (row.tagName !== "TR" || row.dataset.choice === choice
        || (chosen.length === 1 && row.dataset.choice === "address-" + instructions[chosen[0]][ADDRESS])) {
      mark(row, true);
      marked.push(row);
    }
  }
  if (choice.startsWith("line-") && sourceRows.has(choice.slice(5)) && chosen.length === 0) {
    mark(sourceRows.get(choice.slice(5)), true);
    marked.push(sourceRows.get(choice.slice(5)));
  }
  followers.forEach((follow) => follow(new Set(chosen), choice));
  place("detail").hidden = false;
  put("detail", chosen.length > 0 ? detailOf(chosen) : "No machine code belongs to this line.", ...widerChoices(chosen),
      make("a", { href: "#code" }, "Show the code"));
  if (chosen.length > 0 && from !== place("machine")) {
    reveal(machineRows[chosen[0]]);
  }
  if (chosen.length > 0 && from !== place("source")) {
    reveal(sourceRows.get(lineKey(instructions[chosen[0]])));
  }
  remember(choice);
}

/* The choice stands in the address, so that it can be sent to others. */
function remember(choice) {
  try {
    history.replaceState(null, "", "#" + choice);
  } catch {
    /* Some browsers forbid it for files: the page works without. */
  }
}
