#include "report/trace_report.h"

#include "base/text/quantity.h"
#include "formats/json/json_output.h"
#include "report/group_trace.h"
#include "report/kernel_name.h"
#include "report/style.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The instruction of a step. */
static const struct wb_instruction *instruction_of(const struct warpbound_trace *trace,
                                                   const struct wb_trace_step *step)
{
  return &trace->function->instructions[step->instruction];
}

static void write_head(const struct warpbound_trace *trace, bool colour, struct wb_text *text)
{
  const char *bold = wb_style(WB_STYLE_BOLD, colour);
  const char *plain = wb_style(WB_STYLE_PLAIN, colour);
  wb_text_format(text, "\n%s", bold);
  wb_kernel_name_write_both(trace->function->name, text);
  wb_text_format(text, "%s (%s", plain, trace->code->format);
  if (trace->function->sm > 0)
    wb_text_format(text, ", sm_%" PRIu32, trace->function->sm);
  wb_text_format(text, "), %" PRIu32 " lane%s, seed %" PRIu64 "\n", trace->lanes,
                 trace->lanes == 1 ? "" : "s", trace->seed);
  wb_text_format(text, "%saddress  %s  active    instruction%s\n", bold,
                 trace->groups ? "group" : "depth", plain);
}

static void write_guard(const struct wb_instruction *instruction, struct wb_text *text)
{
  char name[8];
  if (instruction->guard == WB_NO_REGISTER)
    return;
  wb_register_name(instruction->guard, name);
  wb_text_format(text, "@%s%s ", instruction->guard_negated ? "!" : "", name);
}

/* Divergence and reconvergence in the step. */
static void write_remark(const struct warpbound_trace *trace, const struct wb_trace_step *step,
                         struct wb_text *text)
{
  const struct wb_instruction *all = trace->function->instructions;
  const char *before = "    ; ";
  if (step->doing == 0)
    wb_text_format(text, "%snone does", before);
  else if (step->doing != step->active)
    wb_text_format(text, "%s%08" PRIx32 " do", before, step->doing);
  if (step->doing != step->active)
    before = ", ";
  if (step->matched != UINT32_MAX)
    wb_text_format(text, "%swait at %04" PRIx32, before, all[step->matched].address);
  else
    wb_text_string(text, step->reactivated ? before : "");
  if (step->reactivated)
    wb_text_format(text, "%s%08" PRIx32 " run again at %04" PRIx32,
                   step->matched != UINT32_MAX ? ", " : "", step->next_active,
                   all[step->next].address);
}

static void write_step(const struct warpbound_trace *trace, const struct wb_trace_step *step,
                       struct wb_text *text)
{
  const struct wb_instruction *instruction = instruction_of(trace, step);
  wb_text_format(text, "   %04" PRIx32 "  %5" PRIu64 "  %08" PRIx32 "  ", instruction->address,
                 trace->groups ? step->group : step->depth, step->active);
  write_guard(instruction, text);
  wb_text_format(text, "%s%s%s", instruction->opcode, instruction->operands[0] != '\0' ? " " : "",
                 instruction->operands);
  if (trace->groups)
    wb_group_trace_remark(trace, step, text);
  else
    write_remark(trace, step, text);
  wb_text_string(text, "\n");
}

static void write_answer(const struct warpbound_trace *trace, bool colour, struct wb_text *text)
{
  wb_text_string(text, wb_style(WB_STYLE_BOLD, colour));
  wb_text_count_of(text, trace->step_count, "step");
  wb_text_string(text, wb_style(WB_STYLE_PLAIN, colour));
  const char *end = ", where --steps ended the run: ";
  if (trace->ended)
    end = ", to the end of all lanes: ";
  else if (trace->run.deadlock)
    end = ", then all lanes that are left wait for others (deadlock): ";
  wb_text_string(text, end);
  wb_text_count_of(text, trace->splits, "split");
  wb_text_string(text, ", ");
  if (trace->groups) {
    wb_group_trace_answer(trace, text);
    return;
  }
  wb_text_count_of(text, trace->reactivations, "reactivation");
  wb_text_format(text, ", deepest stack %" PRIu32 "\n", trace->deepest);
}

void wb_trace_text(const struct warpbound_trace *trace, bool quiet, bool colour,
                   struct wb_text *text)
{
  write_answer(trace, colour, text);
  if (quiet)
    return;
  write_head(trace, colour, text);
  for (size_t s = 0; s < trace->step_count && !text->failed; s++)
    write_step(trace, &trace->steps[s], text);
  wb_group_trace_end(trace, text);
}

static json_t *step_json(const struct warpbound_trace *trace, const struct wb_trace_step *step)
{
  const struct wb_instruction *instruction = instruction_of(trace, step);
  char active[9];
  char doing[9];
  snprintf(active, sizeof active, "%08" PRIx32, step->active);
  snprintf(doing, sizeof doing, "%08" PRIx32, step->doing);
  return json_pack("{s:I, s:s, s:s, s:s, s:s, s:I, s:b, s:b}", "address",
                   (json_int_t)instruction->address, "opcode", instruction->opcode, "operands",
                   instruction->operands, "active", active, "doing", doing, "depth",
                   (json_int_t)step->depth, "split", (int)step->split, "reactivated",
                   (int)step->reactivated);
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

/* Of a warp with an activation stack. */
static json_t *trace_json(const struct warpbound_trace *trace)
{
  return json_pack("{s:s, s:I, s:I, s:I, s:I, s:b, s:I, s:I, s:I, s:o}", "kernel",
                   trace->function->name, "sm", (json_int_t)trace->function->sm, "lanes",
                   (json_int_t)trace->lanes, "seed", (json_int_t)trace->seed, "steps",
                   (json_int_t)trace->step_count, "ended", (int)trace->ended, "splits",
                   (json_int_t)trace->splits, "reactivations", (json_int_t)trace->reactivations,
                   "deepest_stack", (json_int_t)trace->deepest, "trace", steps_json(trace));
}

void wb_trace_json(const struct warpbound_trace *trace, struct wb_text *text)
{
  json_t *object = trace->groups ? wb_group_trace_json(trace) : trace_json(trace);
  wb_kernel_name_json(object, trace->function->name);
  char *json = wb_json_text(object);
  if (json != NULL)
    wb_text_string(text, json);
  else
    text->failed = true;
  free(json);
}
