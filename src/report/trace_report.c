#include "report/trace_report.h"

#include "base/text/quantity.h"
#include "formats/json/json_output.h"
#include "report/kernel_name.h"
#include "report/style.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void wb_trace_head(struct wb_trace *trace)
{
  const char *bold = wb_style(WB_STYLE_BOLD, trace->colour);
  const char *plain = wb_style(WB_STYLE_PLAIN, trace->colour);
  wb_text_format(trace->text, "\n%s", bold);
  wb_kernel_name_write_both(trace->function->name, trace->text);
  wb_text_format(trace->text, "%s (%s", plain, trace->code->format);
  if (trace->function->sm > 0)
    wb_text_format(trace->text, ", sm_%u", trace->function->sm);
  wb_text_format(trace->text, "), %u lane%s, seed %llu\n", trace->options->lanes,
                 trace->options->lanes == 1 ? "" : "s", (unsigned long long)trace->options->seed);
  wb_text_format(trace->text, "%saddress  depth  active    instruction%s\n", bold, plain);
}

static void write_guard(const struct wb_instruction *what, struct wb_text *text)
{
  char name[8];
  if (what->guard == WB_NO_REGISTER)
    return;
  wb_register_name(what->guard, name);
  wb_text_format(text, "@%s%s ", what->guard_negated ? "!" : "", name);
}

/* Remarks on a step that a reader would not expect. */
static void write_remark(const struct wb_trace *trace, const struct wb_simt_step *step)
{
  const struct wb_instruction *all = trace->function->instructions;
  const char *before = "    ; ";
  if (step->doing == 0)
    wb_text_format(trace->text, "%snone does", before);
  else if (step->doing != step->active)
    wb_text_format(trace->text, "%s%08x do", before, step->doing);
  if (step->doing != step->active)
    before = ", ";
  if (step->matched != UINT32_MAX)
    wb_text_format(trace->text, "%swait at %04x", before, all[step->matched].address);
  else
    wb_text_string(trace->text, step->reactivated ? before : "");
  if (step->reactivated)
    wb_text_format(trace->text, "%s%08x run again at %04x", step->matched != UINT32_MAX ? ", " : "",
                   step->next_active, all[step->next].address);
}

static void write_step(const struct wb_trace *trace, const struct wb_simt_step *step)
{
  const struct wb_instruction *what = &trace->function->instructions[step->instruction];
  wb_text_format(trace->text, "   %04x  %5u  %08x  ", what->address, step->depth, step->active);
  write_guard(what, trace->text);
  wb_text_format(trace->text, "%s%s%s", what->opcode, what->operands[0] != '\0' ? " " : "",
                 what->operands);
  write_remark(trace, step);
  wb_text_string(trace->text, "\n");
}

static void add_step(const struct wb_trace *trace, const struct wb_simt_step *step)
{
  const struct wb_instruction *what = &trace->function->instructions[step->instruction];
  char active[9];
  char doing[9];
  snprintf(active, sizeof active, "%08x", step->active);
  snprintf(doing, sizeof doing, "%08x", step->doing);
  json_array_append_new(trace->steps,
                        json_pack("{s:I, s:s, s:s, s:s, s:s, s:I, s:b, s:b}", "address",
                                  (json_int_t)what->address, "opcode", what->opcode, "operands",
                                  what->operands, "active", active, "doing", doing, "depth",
                                  (json_int_t)step->depth, "split", (int)step->split, "reactivated",
                                  (int)step->reactivated));
}

bool wb_trace_step(void *context, const struct wb_simt_step *step)
{
  struct wb_trace *trace = context;
  trace->splits += step->split;
  trace->reactivations += step->reactivated;
  if (step->depth > trace->deepest)
    trace->deepest = step->depth;
  if (trace->steps != NULL)
    add_step(trace, step);
  else
    write_step(trace, step);
  return !trace->text->failed;
}

void wb_trace_answer(const struct wb_trace *trace, const struct wb_simt_run *run,
                     struct wb_text *text)
{
  wb_text_string(text, wb_style(WB_STYLE_BOLD, trace->colour));
  wb_text_count_of(text, run->steps, "step");
  wb_text_string(text, wb_style(WB_STYLE_PLAIN, trace->colour));
  wb_text_string(text,
                 run->ended ? ", to the end of all lanes: " : ", where --steps ended the run: ");
  wb_text_count_of(text, trace->splits, "split");
  wb_text_string(text, ", ");
  wb_text_count_of(text, trace->reactivations, "reactivation");
  wb_text_format(text, ", deepest stack %" PRIu32 "\n", trace->deepest);
}

void wb_trace_json(struct wb_trace *trace, const struct wb_simt_run *run)
{
  json_t *object = json_pack(
      "{s:s, s:I, s:I, s:I, s:I, s:b, s:I, s:I, s:I, s:o}", "kernel", trace->function->name, "sm",
      (json_int_t)trace->function->sm, "lanes", (json_int_t)trace->options->lanes, "seed",
      (json_int_t)trace->options->seed, "steps", (json_int_t)run->steps, "ended", (int)run->ended,
      "splits", (json_int_t)trace->splits, "reactivations", (json_int_t)trace->reactivations,
      "deepest_stack", (json_int_t)trace->deepest, "trace", trace->steps);
  wb_kernel_name_json(object, trace->function->name);
  trace->steps = NULL;
  char *json = wb_json_text(object);
  if (json != NULL)
    wb_text_string(trace->text, json);
  else
    trace->text->failed = true;
  free(json);
}
