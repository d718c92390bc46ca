#include "report/verdict_report.h"

#include "base/checked.h"
#include "base/text/quantity.h"
#include "base/text/utf8.h"
#include "formats/json/json_output.h"
#include "report/report_words.h"

#include <inttypes.h>

/* "valid: at most 9242 cycles for 120 blocks, 960 warps, on 14 SMs that hold 4 blocks each". */
static void describe_launch(const struct warpbound_verdict *verdict, struct wb_text *text)
{
  wb_text_format(text,
                 "valid: at most %" PRIu64 " cycles for %" PRIu64 " block%s, %" PRIu64
                 " warp%s, on %" PRIu64 " SM%s",
                 verdict->cycles, verdict->blocks, verdict->blocks > 1 ? "s" : "", verdict->warps,
                 verdict->warps > 1 ? "s" : "", verdict->sms, verdict->sms > 1 ? "s" : "");
  /* " that hold 6, 4, 3 or 1 blocks each,": what the proof is for, whatever the assumptions say. */
  const size_t count = verdict->resident_count;
  wb_text_string(text, verdict->sms > 1 ? " that hold " : " that holds ");
  for (size_t r = 0; r < count; r++)
    wb_text_format(text, "%s%" PRIu32,
                   r == 0           ? ""
                   : r + 1 == count ? " or "
                                    : ", ",
                   verdict->residents[r]);
  wb_text_format(text, " block%s%s,", count == 1 && verdict->residents[0] == 1 ? "" : "s",
                 verdict->sms > 1 ? " each" : "");
}

/* "valid: at most 9242 cycles for a frame of 6 steps, 1 in flight, and bounds on 2 launches
 * beside".
 */
static void describe_frame(const struct warpbound_verdict *verdict, struct wb_text *text)
{
  wb_text_string(text, "valid: ");
  if (verdict->steps > 0)
    wb_text_format(text, "at most %" PRIu64 " cycles for a frame of %s, %" PRIu64 " in flight%s",
                   verdict->cycles, WB_COUNT_OF(verdict->steps, "step"), verdict->in_flight,
                   verdict->beside > 0 ? ", and " : "");
  if (verdict->beside > 0)
    wb_text_format(text, "%s %" PRIu64 " launch%s beside %s",
                   verdict->beside > 1 ? "the bounds on" : "the bound on", verdict->beside,
                   verdict->beside > 1 ? "es" : "", verdict->steps > 0 ? "it" : "each other");
  if (verdict->same_barriers)
    wb_text_string(text, ",\nwhere all warps of a block pass the same barriers in the same order");
}

/* "under 16 assumptions and 87 numbers of orin-agx (24 documented, 63 assumed):" and the
 * assumptions, a line each. */
static void describe_grounds(const struct wb_launch_grounds *grounds, struct wb_text *text)
{
  size_t count[WB_VALUE_KIND_COUNT] = {0};
  const char *before = " (";
  if (grounds->assumptions.count == 0 && grounds->value_count == 0) {
    wb_text_string(text, "the file does not say what its numbers rest on\n");
    return;
  }
  for (size_t v = 0; v < grounds->value_count; v++)
    count[grounds->values[v].kind]++;
  if (grounds->value_count == 0) { /* of a frame, whose launches have them */
    wb_text_format(text, "under %s:\n", WB_COUNT_OF(grounds->assumptions.count, "assumption"));
    wb_text_items(text, &grounds->assumptions, 0, grounds->assumptions.count);
    return;
  }
  wb_text_format(text, "under %s and %s of ", WB_COUNT_OF(grounds->assumptions.count, "assumption"),
                 WB_COUNT_OF(grounds->value_count, "number"));
  wb_text_clean(text, grounds->device != NULL ? grounds->device : "the device");
  for (int k = 0; k < WB_VALUE_KIND_COUNT; k++) {
    if (count[k] == 0)
      continue;
    wb_text_format(text, "%s%zu %s", before, count[k], wb_value_kind_name((enum wb_value_kind)k));
    before = ", ";
  }
  wb_text_string(text, grounds->value_count > 0 ? "):\n" : ":\n");
  wb_text_items(text, &grounds->assumptions, 0, grounds->assumptions.count);
}

/* "valid: a run of 12 blocks, 96 warps, on 4 SMs takes 943 cycles, ..." */
static void describe_run(const struct warpbound_verdict *verdict, struct wb_text *text)
{
  wb_text_format(text, "valid: a run of %s", WB_COUNT_OF(verdict->blocks, "block"));
  wb_text_format(text, ", %s", WB_COUNT_OF(verdict->warps, "warp"));
  wb_text_format(text, ", on %s", WB_COUNT_OF(verdict->sms, "SM"));
  if (verdict->steps + verdict->beside > 0)
    wb_text_format(text, ", in %s", WB_COUNT_OF(verdict->steps + verdict->beside, "step"));
  wb_text_format(text,
                 " takes %" PRIu64 " cycles: no upper end is less,\nif each warp can take its path "
                 "and the times of the file are at most those of the device",
                 verdict->cycles);
}

void wb_verdict_text(const struct warpbound_verdict *verdict, struct wb_text *text)
{
  const bool of_paths =
      verdict->claim == WARPBOUND_CLAIM_PATHS || verdict->claim == WARPBOUND_CLAIM_LAUNCH;
  if (!verdict->valid)
    wb_text_format(text, "not valid: %s", verdict->violation);
  else if (verdict->claim == WARPBOUND_CLAIM_SCHEDULE) {
    /* "valid: makespan 9 (6 warps in 2 blocks on 2 partitions, 3 strings)"; what there is one of is
     * not said. */
    wb_text_format(text, "valid: makespan %" PRIu64, verdict->cycles);
    if (verdict->blocks > 1 || verdict->partitions > 1 || verdict->strings > 1) {
      wb_text_format(text, " (%" PRIu64 " warp%s", verdict->warps, verdict->warps > 1 ? "s" : "");
      if (verdict->blocks > 1)
        wb_text_format(text, " in %" PRIu64 " blocks", verdict->blocks);
      if (verdict->partitions > 1)
        wb_text_format(text, " on %" PRIu64 " partitions", verdict->partitions);
      if (verdict->strings > 1)
        wb_text_format(text, ", %" PRIu64 " strings", verdict->strings);
      wb_text_string(text, ")");
    }
  } else if (verdict->claim == WARPBOUND_CLAIM_LAUNCH)
    describe_launch(verdict, text);
  else if (verdict->claim == WARPBOUND_CLAIM_FRAME)
    describe_frame(verdict, text);
  else if (verdict->claim == WARPBOUND_CLAIM_LAUNCH_RUN)
    describe_run(verdict, text);
  else
    wb_text_format(text, "valid: T(%" PRIu64 ") <= %" PRIu64 " cycles", verdict->warps,
                   verdict->cycles);
  if (verdict->valid && verdict->trailing > 0)
    wb_text_format(text, ", tracking %" PRIu64 " trailing warp%s", verdict->trailing,
                   verdict->trailing > 1 ? "s" : "");
  if (verdict->valid && verdict->line.divisor > 0) {
    /* "floor((4 W - 3) / 2)"; "4 W - 3" where nothing is divided. */
    const bool divided = verdict->line.divisor > 1;
    wb_text_format(text, "\nfor every W >= %" PRIu64 ": T(W) <= %s%" PRId64 " W",
                   verdict->line.from_warps, divided ? "floor((" : "", verdict->line.slope);
    if (verdict->line.offset != 0)
      wb_text_format(text, " %s %" PRIu64, verdict->line.offset < 0 ? "-" : "+",
                     wb_magnitude(verdict->line.offset));
    if (divided)
      wb_text_format(text, ") / %" PRId64 ")", verdict->line.divisor);
  }
  if (verdict->valid && verdict->claim == WARPBOUND_CLAIM_PHASES)
    wb_text_string(text, ", the sum over the phases between the barriers of one block");
  if (verdict->valid && of_paths)
    wb_text_format(text, " for warps on any paths of this system%s%s%s%s",
                   verdict->same_barriers ? ",\nwhere all warps of a block " : "",
                   verdict->same_barriers && verdict->early_ends ? "that pass a barrier " : "",
                   verdict->same_barriers ? "pass the same barriers in the same order" : "",
                   verdict->early_ends ? ",\nwhere barriers wait for the warps that have not ended"
                                       : "");
  wb_text_string(text, "\n");
  if (verdict->valid &&
      (verdict->claim == WARPBOUND_CLAIM_LAUNCH || verdict->claim == WARPBOUND_CLAIM_FRAME))
    describe_grounds(&verdict->grounds, text);
}

json_t *wb_verdict_json(const struct warpbound_verdict *verdict)
{
  const warpbound_line *line = &verdict->line;
  const bool of_paths =
      verdict->claim == WARPBOUND_CLAIM_PATHS || verdict->claim == WARPBOUND_CLAIM_LAUNCH;
  if (!verdict->valid)
    return json_pack("{s:b, s:s}", "valid", 0, "violation", verdict->violation);
  if (verdict->claim == WARPBOUND_CLAIM_SCHEDULE)
    return json_pack("{s:b, s:I, s:I, s:I, s:I, s:I}", "valid", 1, "makespan",
                     (json_int_t)verdict->cycles, "warps", (json_int_t)verdict->warps, "blocks",
                     (json_int_t)verdict->blocks, "partitions", (json_int_t)verdict->partitions,
                     "strings", (json_int_t)verdict->strings);
  if (verdict->claim == WARPBOUND_CLAIM_LAUNCH_RUN)
    return json_pack("{s:b, s:I, s:I, s:I, s:I, s:{s:I, s:s, s:s}}", "valid", 1, "warps",
                     (json_int_t)verdict->warps, "blocks", (json_int_t)verdict->blocks, "sms",
                     (json_int_t)verdict->sms, "steps",
                     (json_int_t)verdict->steps + (json_int_t)verdict->beside, "lower", "cycles",
                     (json_int_t)verdict->cycles, "kind", "lower", "method", "launch-run");
  /* Proof of an upper end of any kind. */
  static const char *const methods[] = {
      [WARPBOUND_CLAIM_POTENTIAL] = "potential", [WARPBOUND_CLAIM_RUNS] = "run-abstraction",
      [WARPBOUND_CLAIM_PHASES] = "phases",       [WARPBOUND_CLAIM_PATHS] = "paths",
      [WARPBOUND_CLAIM_LAUNCH] = "launch",       [WARPBOUND_CLAIM_FRAME] = "frame"};
  json_t *object = json_pack(
      "{s:b, s:I, s:{s:I, s:s, s:s}}", "valid", 1, "warps", (json_int_t)verdict->warps, "upper",
      "cycles", (json_int_t)verdict->cycles, "kind", "upper", "method", methods[verdict->claim]);
  if (line->divisor > 0)
    wb_json_put(&object, "line",
                json_pack("{s:I, s:I, s:I, s:I}", "from_warps", (json_int_t)line->from_warps,
                          "slope", (json_int_t)line->slope, "offset", (json_int_t)line->offset,
                          "divisor", (json_int_t)line->divisor));
  if (of_paths) {
    wb_json_put(&object, "assumes_same_barriers", json_boolean(verdict->same_barriers));
    if (verdict->early_ends)
      wb_json_put(&object, "early_ends", json_true());
  }
  if (verdict->claim == WARPBOUND_CLAIM_FRAME) {
    wb_json_put(&object, "assumes_same_barriers", json_boolean(verdict->same_barriers));
    wb_json_put(&object, "steps", json_integer((json_int_t)verdict->steps));
    wb_json_put(&object, "beside", json_integer((json_int_t)verdict->beside));
    wb_json_put(&object, "in_flight", json_integer((json_int_t)verdict->in_flight));
    wb_json_put(&object, "assumptions", wb_json_list(&verdict->grounds.assumptions));
  }
  if (verdict->claim != WARPBOUND_CLAIM_LAUNCH)
    return object;
  const struct wb_launch_grounds *grounds = &verdict->grounds;
  json_t *residents = json_array();
  for (size_t r = 0; r < verdict->resident_count; r++)
    wb_json_push(&residents, json_integer((json_int_t)verdict->residents[r]));
  wb_json_put(&object, "resident_blocks", residents);
  if (grounds->device != NULL)
    wb_json_put(&object, "device", wb_json_clean(grounds->device));
  wb_json_put(&object, "values", wb_launch_grounds_values(grounds));
  wb_json_put(&object, "assumptions", wb_json_list(&grounds->assumptions));
  return object;
}
