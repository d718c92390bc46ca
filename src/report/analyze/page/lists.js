/* The lists: loops, accesses, sensitivity, assumptions, values, missing facts. */

function loopBound(loop) {
  if (loop.bound === undefined) {
    return "no bound";
  }
  return loop.per === "warp" || loop.warp_bound === loop.bound ? `${count(loop.bound)} per ${loop.per}`
    : `${count(loop.bound)} per thread, ${count(loop.warp_bound)} for the warp`;
}

function showLoops() {
  if (result.loops.length === 0) {
    put("loop-list", note("This kernel has no loop."));
    return;
  }
  put("loop-list", note("Bounds count the back edges of one entry of the loop."), table([
    { name: "header", kind: "place" }, { name: "source", kind: "place" }, { name: "bound", kind: "number" },
    { name: "known by", kind: "place" }, { name: "reason", kind: "words" }],
  result.loops.map((loop) => ({
    choice: "block-loop-" + loop.header,
    cells: [make("code", {}, address(loop.address)), sourcePlace(loop.file, loop.line), loopBound(loop),
      make("span", { class: "badge " + loop.source }, loop.source + (loop.fact_line ? `, line ${loop.fact_line}` : "")),
      (loop.reason ?? "") + (loop.context > 0 ? ` (calling context ${loop.context})` : "")] }))));
}

const accessName = (access) => `${access.space} ${access.atomic ? "atomic" : access.store ? "store" : "load"}`;
const transactions = (access) => access.space === "shared" ? access.wavefronts : access.sectors;
const transactionName = (access) => access.space === "shared" ? "wavefront" : "sector";

function patternName(access) {
  if (access.unbounded) {
    return "no bound";
  }
  if (access.stride !== null) {
    return `strided by ${access.stride}`;
  }
  return access.pattern === "unknown" && access.known ? "known lane by lane" : access.pattern;
}

function accessTable(all) {
  const rows = result.accesses.filter((access) => all || access.wasteful);
  const columns = [{ name: "at", kind: "place" }, { name: "source", kind: "place" }, { name: "access", kind: "place" },
    { name: "transactions", kind: "number" }, { name: "ideal", kind: "number" }, { name: "runs of a warp", kind: "number" },
    { name: "lanes", kind: "place" }, { name: "reason", kind: "words" }];
  return table(columns, rows.map((access) => ({
    choice: "address-" + access.address,
    cells: [make("code", {}, address(access.address)), sourcePlace(access.file, access.line), accessName(access),
      counted(transactions(access), transactionName(access)), count(access.ideal), count(access.runs),
      make("span", { class: "badge " + (access.wasteful && !access.known ? "unknown" : "") }, patternName(access)),
      access.reason ?? ""] })));
}

function showAccesses() {
  const wasteful = result.accesses.filter((access) => access.wasteful).length;
  if (result.accesses.length === 0) {
    put("access-list", note("This kernel accesses no memory, as far as it was analysed."));
    return;
  }
  const holder = make("div");
  const box = make("input", { type: "checkbox", id: "only-wasteful" });
  const show = () => holder.replaceChildren(accessTable(!box.checked));
  box.addEventListener("change", show);
  show();
  put("access-list", make("p", { class: "note" },
      `${counted(result.accesses.length, "access", "accesses")}, of which ${wasteful} may take more transactions than the same bytes side by side would.`),
  make("p", { class: "filter" }, box, make("label", { for: "only-wasteful" }, " only those")), holder);
}

function showAdvice() {
  const rows = result.advice ?? [];
  if (rows.length === 0) {
    place("advice").hidden = true;
    return;
  }
  put("advice", make("h3", {}, "What to do"), table([{ name: "of the upper end", kind: "number" }, { name: "source", kind: "place" },
    { name: "advice", kind: "words" }],
  rows.map((row) => ({
    choice: row.address !== undefined ? "address-" + row.address : null,
    cells: [`${(100 * row.share).toFixed(0)} %`, row.address !== undefined ? sourcePlace(row.file, row.line) : "", row.words] }))));
}

function showSensitivity() {
  const rows = result.sensitivity ?? [];
  if (rows.length === 0) {
    place("sensitivity").hidden = true;
    return;
  }
  const most = Math.max(...rows.map((row) => Math.abs(row.tenth)), 1e-9);
  const change = (saved) => (saved > 0 ? "\u2212" : "+") + count(Math.abs(saved));
  put("sensitivity-list", note("How the upper end changes with a smaller number, in cycles, by the prices of its proofs."), table([
    { name: "number" }, { name: "now", kind: "number" }, { name: "by one less", kind: "number" },
    { name: "by 10 % less", kind: "number" }, { name: "" }],
  rows.map((row) => ({
    choice: row.kind === "loop" ? "address-loop-" + row.address : null,
    cells: [row.kind === "loop" ? `bound of the loop at ${address(row.address)} ${sourcePlace(row.file, row.line)}` : row.name,
      count(row.now), change(row.per_unit), change(row.tenth), bar(Math.abs(row.tenth) / most, row.tenth > 0 ? "lower" : "upper")] }))));
}

function showAssumptions() {
  put("assumption-list", result.assumptions.length === 0 ? note("No assumption beyond the model.")
    : make("ol", { class: "assumptions" }, ...result.assumptions.map((text) => make("li", {}, text))));
  const values = result.values ?? [];
  put("value-list", values.length === 0 ? note("None was used.") : table([{ name: "number", kind: "place" }, { name: "value", kind: "number" },
    { name: "known by", kind: "place" }, { name: "source", kind: "words" }],
  values.map((value) => ({ cells: [make("code", {}, value.name), count(value.value),
    make("span", { class: "badge " + value.kind }, value.kind), value.source] }))));
}

function showMissing() {
  const facts = data.facts ?? [];
  if (!data.missing && facts.length === 0) {
    place("missing").hidden = true;
    return;
  }
  put("missing-facts", ...(facts.length === 0 ? [] : [table([{ name: "give", kind: "place" }, { name: "for", kind: "words" }],
      facts.map((fact) => ({ cells: [make("code", {}, fact.option ?? fact.fact), fact.reason] })))]));
  if (!data.missing) {
    return;
  }
  put("missing-text", note("Write this into a file, with a number for each question mark, and give it with --flow-facts FILE."),
      make("pre", { tabindex: 0 }, data.missing.join("\n")));
}
