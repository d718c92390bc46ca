#include "report/group_trace.h"

#include "base/text/quantity.h"

#include <inttypes.h>
#include <stdio.h>

static uint32_t address_of(const struct warpbound_trace *trace, uint32_t instruction)
{
  return instruction < trace->function->instruction_count
             ? trace->function->instructions[instruction].address
             : 0;
}

/* ---- text ---- */

void wb_group_trace_answer(const struct warpbound_trace *trace, struct wb_text *text)
{
  wb_text_count_of(text, trace->releases, "release");
  wb_text_string(text, ", at most ");
  wb_text_count_of(text, trace->most_groups, "group");
  wb_text_string(text, "\n");
}

static void write_wait(const struct wb_lane_group *group, struct wb_text *text)
{
  if (group->wait == WB_GROUP_IN_SCOPE)
    wb_text_format(text, "wait in scope %" PRIu64, group->scope);
  else
    wb_text_string(text, "wait for the warp");
}

static void write_result(const struct warpbound_trace *trace, const struct wb_group_result *result,
                         struct wb_text *text)
{
  const struct wb_lane_group *group = &result->group;
  wb_text_format(text, "%08" PRIx32 " ", group->lanes);
  if (group->wait != WB_GROUP_READY) {
    write_wait(group, text);
    return;
  }
  wb_text_format(text, "%s at %04" PRIx32 " as group %" PRIu64,
                 result->cause == WB_GROUP_WENT ? "go on" : "run on",
                 address_of(trace, group->instruction), group->number);
  if (result->cause == WB_GROUP_RELEASED)
    wb_text_format(text, " after scope %" PRIu64, result->scope);
  else if (result->cause == WB_GROUP_YIELDED)
    wb_text_format(text, " before the others of scope %" PRIu64, result->scope);
  else if (result->cause == WB_GROUP_WARP)
    wb_text_string(text, " after all lanes have come");
}

/* A group that goes on whole has no word. */
static bool is_plain(const struct wb_trace_step *step, const struct wb_group_result *result)
{
  return result->cause == WB_GROUP_WENT && result->group.wait == WB_GROUP_READY &&
         result->group.number == step->group;
}

void wb_group_trace_remark(const struct warpbound_trace *trace, const struct wb_trace_step *step,
                           struct wb_text *text)
{
  const char *before = "    ; ";
  if (step->doing == 0)
    wb_text_format(text, "%snone does", before);
  else if (step->doing != step->active)
    wb_text_format(text, "%s%08" PRIx32 " do", before, step->doing);
  if (step->doing != step->active)
    before = ", ";
  if (step->scope != 0) {
    wb_text_format(text, "%smakes scope %" PRIu64, before, step->scope);
    before = ", ";
  }
  if (step->unbound != 0) {
    wb_text_format(text, "%s%08" PRIx32 " are in no scope of it", before, step->unbound);
    before = ", ";
  }
  for (uint32_t r = 0; r < step->result_count; r++) {
    const struct wb_group_result *result = &trace->results[step->first_result + r];
    if (is_plain(step, result))
      continue;
    wb_text_string(text, before);
    write_result(trace, result, text);
    before = ", ";
  }
}

void wb_group_trace_end(const struct warpbound_trace *trace, struct wb_text *text)
{
  for (size_t g = 0; g < trace->run.waiting_count; g++) {
    const struct wb_lane_group *group = &trace->run.waiting[g];
    wb_text_format(text, "   %04" PRIx32 "  %5" PRIu64 "  %08" PRIx32 "  ",
                   address_of(trace, group->instruction), group->number, group->lanes);
    write_wait(group, text);
    wb_text_string(text, "\n");
  }
}

/* ---- JSON ---- */

static json_t *lanes_json(uint32_t lanes)
{
  char digits[9];
  snprintf(digits, sizeof digits, "%08" PRIx32, lanes);
  return json_string(digits);
}

static json_t *group_json(const struct warpbound_trace *trace, const struct wb_lane_group *group)
{
  static const char *const waits[] = {
      [WB_GROUP_READY] = "nothing", [WB_GROUP_IN_SCOPE] = "scope", [WB_GROUP_IN_WARP] = "warp"};
  return json_pack("{s:I, s:o, s:I, s:s}", "group", (json_int_t)group->number, "lanes",
                   lanes_json(group->lanes), "address",
                   (json_int_t)address_of(trace, group->instruction), "waits_for",
                   waits[group->wait]);
}

static json_t *result_json(const struct warpbound_trace *trace,
                           const struct wb_group_result *result)
{
  static const char *const causes[] = {[WB_GROUP_WENT] = "instruction",
                                       [WB_GROUP_RELEASED] = "release",
                                       [WB_GROUP_YIELDED] = "early-release",
                                       [WB_GROUP_WARP] = "warp",
                                       [WB_GROUP_UNITED] = "unite"};
  json_t *object = group_json(trace, &result->group);
  const uint64_t scope = result->scope != 0 ? result->scope : result->group.scope;
  if (object == NULL || json_object_set_new(object, "cause", json_string(causes[result->cause])) ||
      (scope != 0 && json_object_set_new(object, "scope", json_integer((json_int_t)scope)))) {
    json_decref(object);
    return NULL;
  }
  return object;
}

static json_t *results_json(const struct warpbound_trace *trace, const struct wb_trace_step *step)
{
  json_t *results = json_array();
  for (uint32_t r = 0; r < step->result_count && results != NULL; r++) {
    if (json_array_append_new(results,
                              result_json(trace, &trace->results[step->first_result + r])) != 0) {
      json_decref(results);
      results = NULL;
    }
  }
  return results;
}

static json_t *step_json(const struct warpbound_trace *trace, const struct wb_trace_step *step)
{
  const struct wb_instruction *instruction = &trace->function->instructions[step->instruction];
  json_t *object = json_pack("{s:I, s:s, s:s, s:o, s:o, s:I, s:b, s:o}", "address",
                             (json_int_t)instruction->address, "opcode", instruction->opcode,
                             "operands", instruction->operands, "active", lanes_json(step->active),
                             "doing", lanes_json(step->doing), "group", (json_int_t)step->group,
                             "split", (int)step->split, "groups", results_json(trace, step));
  if (object != NULL &&
      ((step->scope != 0 &&
        json_object_set_new(object, "makes_scope", json_integer((json_int_t)step->scope))) ||
       (step->unbound != 0 && json_object_set_new(object, "unbound", lanes_json(step->unbound))))) {
    json_decref(object);
    return NULL;
  }
  return object;
}

/* A new reference, or NULL where memory is out. */
static json_t *steps_json(const struct warpbound_trace *trace)
{
  json_t *steps = json_array();
  for (size_t s = 0; s < trace->step_count && steps != NULL; s++) {
    if (json_array_append_new(steps, step_json(trace, &trace->steps[s])) != 0) {
      json_decref(steps);
      steps = NULL;
    }
  }
  return steps;
}

static json_t *waiting_json(const struct warpbound_trace *trace)
{
  json_t *waiting = json_array();
  for (size_t g = 0; g < trace->run.waiting_count && waiting != NULL; g++) {
    if (json_array_append_new(waiting, group_json(trace, &trace->run.waiting[g])) != 0) {
      json_decref(waiting);
      waiting = NULL;
    }
  }
  return waiting;
}

json_t *wb_group_trace_json(const struct warpbound_trace *trace)
{
  static const char *const orders[] = {
      [WB_GROUPS_RANDOM] = "random", [WB_GROUPS_LOWEST] = "lowest", [WB_GROUPS_HIGHEST] = "highest",
      [WB_GROUPS_NEWEST] = "newest", [WB_GROUPS_MOST] = "most",     [WB_GROUPS_FEWEST] = "fewest",
      [WB_GROUPS_STARVE] = "starve"};
  static const char *const reconvergence[] = {[WB_RECONVERGENCE_YIELD] = "yield",
                                              [WB_RECONVERGENCE_NEVER] = "never",
                                              [WB_RECONVERGENCE_ALWAYS] = "always"};
  return json_pack(
      "{s:s, s:I, s:I, s:I, s:I, s:b, s:b, s:o, s:I, s:I, s:I, s:s, s:s, s:s, s:o}", "kernel",
      trace->function->name, "sm", (json_int_t)trace->function->sm, "lanes",
      (json_int_t)trace->lanes, "seed", (json_int_t)trace->seed, "steps",
      (json_int_t)trace->step_count, "ended", (int)trace->ended, "deadlock",
      (int)trace->run.deadlock, "waiting", waiting_json(trace), "splits", (json_int_t)trace->splits,
      "releases", (json_int_t)trace->releases, "most_groups", (json_int_t)trace->most_groups,
      "order", orders[trace->how.policy], "reconvergence", reconvergence[trace->how.reconvergence],
      "masks", trace->how.masks_together ? "together" : "apart", "trace", steps_json(trace));
}
