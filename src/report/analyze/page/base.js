/* The page on a launch. First: its data, elements, numbers and times. Nothing of the data is ever
   read as HTML: elements are made one by one, and texts are set as texts. */
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const result = data.result;

const place = (id) => document.getElementById(id);

/* An element with attributes; `class`, and `on...` never. Children are elements or texts. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(key, value === true ? "" : String(value));
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function put(id, ...children) {
  place(id).replaceChildren(...children.filter((child) => child !== null));
}

const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
const count = (number) => grouped.format(number);
const counted = (number, thing, things = thing + "s") => count(number) + " " + (number === 1 ? thing : things);
const address = (number) => "0x" + number.toString(16).padStart(4, "0");
const percent = (share) => (share * 100).toFixed(1) + " %";

/* A time with four digits: an upper end is rounded up, a lower one down. */
function time(seconds, up) {
  const units = [[1, "s"], [1e-3, "ms"], [1e-6, "\u00b5s"], [1e-9, "ns"]];
  const [size, name] = units.find((unit) => seconds >= unit[0]) ?? units[3];
  const value = seconds / size;
  const digits = value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : 3;
  const scale = 10 ** digits;
  const slack = value * scale * 1e-12;
  const rounded = up ? Math.ceil(value * scale - slack) : Math.floor(value * scale + slack);
  return (rounded / scale).toFixed(digits) + " " + name;
}

function clock(hertz) {
  return hertz >= 1e9 ? +(hertz / 1e9).toPrecision(10) + " GHz" : +(hertz / 1e6).toPrecision(10) + " MHz";
}

const baseName = (path) => path.split(/[\\/]/).pop();

/* "kernel.cu:12" of a file and a line; "" where they are not known. */
function sourcePlace(file, line) {
  if (!line) {
    return "";
  }
  return file ? baseName(file) + ":" + line : "line " + line;
}

/* A table. columns: {name, kind} with kind "number", "place" or "words"; rows: {cells, choice, id},
   a cell being a text or an element. choice: what choosing the row chooses. */
function table(columns, rows, foot) {
  const head = make("tr", {}, ...columns.map((column) => make("th", { class: column.kind, scope: "col" }, column.name)));
  const body = make("tbody");
  const cellsOf = (cells) => cells.map((cell, at) => make("td", { class: columns[at].kind }, cell));
  for (const row of rows) {
    const line = make("tr", {}, ...cellsOf(row.cells));
    if (row.choice) {
      line.className = "choosable";
      line.tabIndex = 0;
      line.dataset.choice = row.choice;
    }
    body.append(line);
  }
  const whole = make("table", {}, make("thead", {}, head), body);
  if (foot) {
    whole.append(make("tfoot", {}, make("tr", {}, ...cellsOf(foot))));
  }
  return make("div", { class: "scroll", tabindex: rows.length > 12 ? 0 : null, role: "group", "aria-label": "Table" }, whole);
}

/* A bar of a share of the track. */
function bar(share, kind) {
  const filled = make("div", { class: "bar " + kind });
  filled.style.width = Math.min(100, Math.max(0, share * 100)) + "%";
  return make("div", { class: "bar-track", "aria-hidden": "true" }, filled);
}

const note = (text) => make("p", { class: "note" }, text);
