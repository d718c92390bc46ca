#include "groups/group_trace.h"

#include "groups/simt_text.h"
#include "unit.h"

struct visit {
  struct group_trace *trace;
  const char *const *lines;
};

void group_trace_tell(struct group_trace *trace, const char *lines, const char *label,
                      uint32_t lanes)
{
  const uint32_t at = simt_text_label(simt_lines(lines), label);
  assert_true(at < GROUP_TRACE_PLACES);
  trace->told[at] = true;
  trace->taken[at] = lanes;
}

static uint32_t decide(void *context, uint32_t instruction, uint32_t active, uint32_t proposed)
{
  const struct group_trace *trace = ((const struct visit *)context)->trace;
  assert_int_equal(proposed & ~active, 0);
  return trace->told[instruction] ? trace->taken[instruction] : proposed;
}

/* Each lane of the group is in a result, or has ended; who was let go waited before. */
static void check_results(const struct wb_group_step *step)
{
  uint32_t went = 0;
  for (size_t r = 0; r < step->result_count; r++) {
    const struct wb_group_result *result = &step->results[r];
    if (result->cause == WB_GROUP_WENT) {
      assert_int_equal(result->group.lanes & went, 0);
      assert_int_equal(result->group.lanes & ~step->active, 0);
    }
    if (result->cause == WB_GROUP_WENT || result->cause == WB_GROUP_UNITED)
      went |= result->group.lanes & step->active;
    else
      assert_int_equal(result->group.wait, WB_GROUP_READY);
    assert_true(result->group.number > 0 && result->group.number <= step->state->last_group);
    assert_int_equal(result->scope != 0,
                     result->cause == WB_GROUP_RELEASED || result->cause == WB_GROUP_YIELDED);
  }
  assert_int_equal(step->live & ~step->state->live, step->active & ~went);
  assert_null(wb_lane_groups_check(step->state));
}

static bool visit(void *context, const struct wb_group_step *step)
{
  const struct visit *visit = context;
  struct group_trace *trace = visit->trace;
  const char *line = visit->lines[step->instruction];
  const char *colon = strchr(line, ':');
  char place[16];
  const size_t used = strlen(trace->text);
  snprintf(place, sizeof place, "%u", step->instruction);
  if (colon != NULL)
    snprintf(place, sizeof place, "%.*s", (int)(colon - line), line);
  snprintf(trace->text + used, sizeof trace->text - used, "%s%s:%x", used > 0 ? " " : "", place,
           step->active);
  check_results(step);
  trace->unbound |= step->unbound;
  trace->linked |= step->linked;
  trace->splits += step->split;
  trace->scopes += step->scope != 0;
  for (size_t r = 0; r < step->result_count; r++)
    trace->causes[step->results[r].cause]++;
  return true;
}

void group_trace_run(struct group_trace *trace, const char *lines)
{
  FREED_BY(wb_code_free) struct wb_code code;
  struct visit context = {trace, simt_lines(lines)};
  simt_text_make_barriers(context.lines, &code);
  code.functions[0].kernel = !trace->no_kernel;
  assert_true(code.functions[0].instruction_count <= GROUP_TRACE_PLACES);
  struct wb_group_run_options options = trace->options;
  options.lanes = options.lanes > 0 ? options.lanes : 4;
  options.step_limit = options.step_limit > 0 ? options.step_limit : GROUP_TRACE_STEPS;
  options.visit = visit;
  options.decide = decide;
  options.context = &context;
  trace->text[0] = '\0';
  trace->status = wb_group_run(&code, &code.functions[0], &options, &trace->run, &trace->error);
}

void group_trace_expect(struct group_trace *trace, const char *lines, const char *text)
{
  trace->options.policy = WB_GROUPS_LOWEST;
  group_trace_run(trace, lines);
  assert_ok(trace->status);
  assert_string_equal(trace->text, text);
  assert_true(trace->run.ended);
  assert_false(trace->run.deadlock);
  assert_int_equal(trace->unbound, 0);
}
