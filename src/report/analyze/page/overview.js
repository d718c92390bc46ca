/* The answer, both ends on one scale, the breakdown, and occupancy. */

function kindOf(bound) {
  return make("span", { class: "kind " + bound.kind }, bound.kind);
}

function showTitle() {
  const kernel = result.demangled ?? result.kernel;
  document.title = (result.name ?? kernel) + " \u2013 Warpbound";
  put("title", result.name ? result.name + ": " + kernel : kernel);
  const launch = result.launch;
  const size = (numbers) => numbers.filter((number, at) => at === 0 || number > 1 || numbers[2] > 1).join(" \u00d7 ");
  const sizes = launch.grid[0] > 0 && launch.block[0] > 0
    ? `grid ${size(launch.grid)}, block ${size(launch.block)} threads` : "sizes of the launch not given";
  put("kicker", `${data.file} \u00b7 ${sizes}`
      + ` \u00b7 ${result.device.product || result.device.name} (${result.device.name}, sm_${result.device.architecture})`
      + ` at ${clock(result.device.clock)}`);
}

function showAnswer() {
  if (!data.bounded) {
    put("answer", "No bound yet: facts are missing. ", make("a", { href: "#missing" }, "What to write"));
    put("verdicts", make("li", { class: "missing" }, "facts are missing"));
    return;
  }
  const lower = ["at least ", make("strong", {}, count(result.lower.cycles) + " cycles"), " = ",
    make("strong", {}, time(result.seconds.lower, false)), " (", kindOf(result.lower), "), "];
  put("answer", "Worst case: ", ...(result.lower.cycles > 0 ? lower : []), "at most ",
      make("strong", {}, count(result.upper.cycles) + " cycles"), " = ",
      make("strong", {}, time(result.seconds.upper, true)), " (", kindOf(result.upper), ")",
      result.lower.cycles > 0 ? "" : "; no lower end is known");
  const verdicts = [];
  const say = (name, allowed, against) => verdicts.push(make("li",
      { class: against.verdict === "met" && !against.proven ? "not-shown" : against.verdict.replace(" ", "-") },
      `${name} of ${allowed} ${against.words}`));
  if (result.deadline) {
    say("deadline", time(result.deadline.seconds, false), result.deadline);
  }
  if (result.budget) {
    say("budget", counted(result.budget.cycles, "cycle"), result.budget);
  }
  const reasons = result.upper.estimate_reasons ?? result.lower.estimate_reasons ?? [];
  const whose = result.upper.estimate_reasons ? "estimate" : "lower end an estimate";
  reasons.forEach((reason) => verdicts.push(make("li", { class: "not-shown" },
      `${whose} because: ${reason.place}: ${reason.reason}; to prove it: ${reason.remedy}`)));
  const parts = [...result.breakdown].sort((a, b) => b.cycles - a.cycles);
  if (result.lower.cycles > 0)
    verdicts.push(make("li", {}, "measured runs may be below the lower end, a run of the model; one above the upper end refutes a number or an assumption"));
  verdicts.push(make("li", {}, `limited by: ${parts[0].name} (${percent(parts[0].cycles / result.upper.cycles)})`));
  const occupancy = result.occupancy;
  verdicts.push(make("li", {}, `${counted(occupancy.resident_blocks, "block")} an SM, limited by ${occupancy.limited_by}; `
      + counted(occupancy.waves, "wave")));
  put("verdicts", ...verdicts);
}

function showBars() {
  if (!data.bounded) {
    place("bounds").hidden = true;
    return;
  }
  const rows = [...(result.lower.cycles > 0
    ? [["lower", result.lower.cycles, result.seconds.lower, result.lower.method, "lower"]] : []),
    ["upper", result.upper.cycles, result.seconds.upper, result.upper.method, "upper"]];
  if (result.deadline) {
    rows.push(["deadline", result.deadline.cycles, result.deadline.seconds, result.deadline.words, "allowed"]);
  }
  if (result.budget) {
    rows.push(["budget", result.budget.cycles, result.budget.cycles / result.device.clock, result.budget.words, "allowed"]);
  }
  const most = Math.min(2 * result.upper.cycles, Math.max(...rows.map((row) => row[1])));
  put("bars", ...rows.map(([name, cycles, seconds, words, kind]) => make("div", { class: "bar-row" },
      make("span", {}, name === "upper" || name === "lower" ? `${name} end` : name),
      bar(cycles / most, kind + (cycles > most ? " cut" : "")),
      make("span", { class: "number" }, `${counted(cycles, "cycle")}, ${time(seconds, name === "upper")}; ${words}`))),
      note(`One block alone on the GPU: at most ${counted(result.block_alone.cycles, "cycle")} (${result.block_alone.kind}, `
        + `${result.block_alone.method}).` + (result.lower.cycles > 0
        ? ` The upper end is ${(result.upper.cycles / result.lower.cycles).toFixed(2)} times the lower one.` : "")));
}

function showBreakdown() {
  if (!data.bounded) {
    return;
  }
  const parts = result.breakdown.map((part, at) => ({ ...part, at })).filter((part) => part.numerator !== 0);
  const stack = make("div", { class: "stack", "aria-hidden": "true" }, ...parts.filter((part) => part.cycles > 0).map((part) => {
    const piece = make("span", { class: "part-" + part.at, title: part.name + ": " + count(part.cycles) });
    piece.style.width = 100 * part.cycles / result.upper.cycles + "%";
    return piece;
  }));
  const rows = parts.map((part) => ({ cells: [
    make("span", {}, make("span", { class: "swatch part-" + part.at }), part.name),
    count(part.cycles), percent(part.cycles / result.upper.cycles), part.words] }));
  put("breakdown", stack, table([{ name: "part" }, { name: "cycles", kind: "number" }, { name: "share", kind: "number" },
    { name: "what it is", kind: "words" }], rows, ["upper end", count(result.upper.cycles), "100.0 %", "the sum of the parts"]));
}

/* The sizes of shared memory that an SM can be set to, where they make a difference. */
function carveouts(occupancy) {
  if (occupancy.carveouts.length < 2) {
    return [];
  }
  const size = (row) => (row.least_bytes < row.most_bytes ? `${count(row.least_bytes)} to ` : "") + counted(row.most_bytes, "byte");
  return [note("The shared memory of an SM can be set to several sizes; the worst of them counts: "
    + occupancy.carveouts.map((row) => `${size(row)}: ${counted(row.resident_blocks, "block")}, at most `
      + counted(row.upper, "cycle") + (row.worst ? " (the worst)" : "")).join("; ") + ".")];
}

function showOccupancy() {
  const occupancy = result.occupancy;
  if (!occupancy) {
    place("occupancy").hidden = true;
    return;
  }
  const limits = Object.entries(occupancy.blocks_by_limit);
  const most = Math.max(1, ...limits.map(([, blocks]) => blocks ?? 0));
  const warps = occupancy.resident_blocks * occupancy.block_warps;
  put("occupancy-list",
      note(`${counted(occupancy.resident_blocks, "block")} of ${counted(occupancy.block_warps, "warp")} on an SM: `
        + `${warps} of ${occupancy.most_warps} warps (${percent(warps / occupancy.most_warps)}). `
        + `A block needs ${counted(occupancy.registers, "register")} a thread, `
        + `${counted(occupancy.static_shared + occupancy.dynamic_shared, "byte")} of shared memory, `
        + `${counted(occupancy.barriers, "barrier")}. ${counted(result.launch.blocks, "block")} on `
        + `${counted(result.device.sms, "SM")}: ${counted(occupancy.waves, "wave")}.`),
      ...carveouts(occupancy),
      ...limits.map(([name, blocks]) => make("div", { class: "bar-row" },
        make("span", {}, name + (name === occupancy.limited_by ? " (limits)" : "")),
        bar(blocks === null ? 1 : blocks / most, name === occupancy.limited_by ? "upper" : "allowed"),
        make("span", { class: "number" }, blocks === null ? "any number of blocks" : counted(blocks, "block")))));
}
