/* The graph and the timeline: drawings that come as SVG text. Of that text only shapes and texts are
   taken over, element by element: no script, style, link or foreign element gets into the page. */
const SVG = "http://www.w3.org/2000/svg";
const SHAPES = new Set(["svg", "g", "path", "polygon", "polyline", "ellipse", "circle", "rect", "line", "text", "tspan", "title", "desc"]);
const ATTRIBUTES = new Set(["width", "height", "viewBox", "class", "transform", "d", "points", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy",
  "r", "rx", "ry", "dx", "dy", "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-opacity",
  "opacity", "font-family", "font-size", "font-weight", "font-style", "text-anchor", "dominant-baseline", "preserveAspectRatio"]);

function copyShape(from) {
  const link = from.localName === "a";
  if (from.namespaceURI !== SVG || !(link || SHAPES.has(from.localName))) {
    return null;
  }
  const to = document.createElementNS(SVG, link ? "g" : from.localName);
  for (const attribute of from.attributes) {
    if (ATTRIBUTES.has(attribute.name) && !/url\s*\(/i.test(attribute.value)) {
      to.setAttribute(attribute.name, attribute.value);
    }
  }
  const tip = link ? from.getAttributeNS("http://www.w3.org/1999/xlink", "title") : null;
  if (tip) {
    const title = document.createElementNS(SVG, "title");
    title.textContent = tip;
    to.append(title);
  }
  for (const child of from.childNodes) {
    const copy = child.nodeType === Node.TEXT_NODE ? document.createTextNode(child.data)
      : child.nodeType === Node.ELEMENT_NODE ? copyShape(child) : null;
    if (copy !== null) {
      to.append(copy);
    }
  }
  return to;
}

/* The drawing of an SVG text; null where it is none. */
function drawing(text) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return root.localName === "svg" ? copyShape(root) : null;
}

/* The number of a node's block: its title is f0b12. */
function blockOfNode(node) {
  const name = /^f\d+b(\d+)$/.exec(node.querySelector("title")?.textContent ?? "");
  return name ? Number(name[1]) : -1;
}

function showGraph() {
  const picture = data.graph ? drawing(data.graph) : null;
  if (picture === null) {
    put("graph", note("No picture: Graphviz was not there, or the graph is too large to be read as one. Its blocks:"), blockTable());
    return;
  }
  const nodes = new Map();
  for (const node of picture.querySelectorAll("g.node")) {
    const block = blockOfNode(node);
    if (block >= 0 && block < blocks.length) {
      nodes.set(block, node);
      node.setAttribute("tabindex", "0");
      node.setAttribute("role", "button");
      node.setAttribute("aria-label", `block ${block} at ${address(instructions[blocks[block][0]]?.[ADDRESS] ?? 0)}`);
      node.dataset.choice = "block-" + block;
    }
  }
  followers.push((chosen) => {
    const touched = new Set([...chosen].map((index) => instructions[index][BLOCK]));
    nodes.forEach((node, block) => node.classList.toggle("chosen", touched.has(block)));
  });
  picture.setAttribute("role", "group");
  picture.setAttribute("aria-label", "Control flow graph");
  put("graph", make("div", { class: "picture" }, picture), make("details", {}, make("summary", {}, "The same as a list"), blockTable()));
}

function blockTable() {
  const leaves = blocks.map(() => []);
  data.code.edges.forEach(([from, to, kind]) => leaves[from].push(kind === "fallthrough" ? String(to) : `${to} (${kind})`));
  return table([{ name: "block", kind: "number" }, { name: "from", kind: "place" }, { name: "to", kind: "place" },
    { name: "runs of a warp", kind: "number" }, { name: "cycles", kind: "number" }, { name: "goes on to blocks", kind: "words" }],
  blocks.map(([first, last], block) => ({ choice: "block-" + block, cells: [String(block),
    make("code", {}, address(instructions[first]?.[ADDRESS] ?? 0)), make("code", {}, address(instructions[last]?.[ADDRESS] ?? 0)),
    count(instructions[first]?.[RUNS] ?? 0),
    count(instructionsOfBlock(block).reduce((sum, index) => sum + instructions[index][CYCLES], 0)), leaves[block].join(", ")] })));
}

function showScopes() {
  const scopes = data.code.scopes.filter(([open, point]) => open < instructions.length && point < instructions.length);
  if (scopes.length === 0) {
    return;
  }
  put("scopes", make("h3", {}, "Scopes of convergence barriers"), table([{ name: "opens at", kind: "place" },
    { name: "its lanes meet at", kind: "place" }, { name: "inside of the scope opened at", kind: "place" }],
  scopes.map(([open, point, parent]) => ({ choice: "instruction-" + open, cells: [make("code", {}, address(instructions[open][ADDRESS])),
    make("code", {}, address(instructions[point][ADDRESS])),
    parent >= 0 && scopes[parent] ? make("code", {}, address(instructions[scopes[parent][0]][ADDRESS])) : ""] }))));
}

function showTimeline() {
  const picture = data.timeline ? drawing(data.timeline) : null;
  if (picture === null) {
    place("timeline").hidden = true;
    return;
  }
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-labelledby", "timeline-title");
  put("timeline-picture", note(result.simulation ? `${counted(result.simulation.cycles, "cycle")} by ${result.simulation.policy}`
    + (result.lower.kind === "lower" ? ": a run that the model allows, so that no correct bound is below it." : ".") : ""), make("div", { class: "picture", tabindex: 0 }, picture));
}
