/* Bounds that stand beside the loops in their sources: as numbers, and as expressions of
 * parameters.
 */
#include "analysis/wcet/wcet_steps.h"

#include "base/text.h"
#include "formats/flow_facts/bound_expression.h"
#include "values/interval/launch_values.h"

#include <inttypes.h>
#include <stdlib.h>

/* Where the names of an expression have their values. */
struct names {
  const struct wb_wcet_analysis *analysis;
  struct wb_list *assumptions; /* NULL: none are stated */
};

/* Nothing says whether a parameter has a sign: a value whose highest bit is set is none, for it
 * stands for two numbers. */
static bool find_value(const void *context, const char *name, size_t length, int64_t *value)
{
  const struct names *names = context;
  const struct wb_wcet_analysis *analysis = names->analysis;
  const struct wb_parameter_name *source = NULL;
  const struct wb_parameter *parameter =
      wb_launch_named_parameter(&analysis->launch, analysis->wcet->function, name, length, &source);
  if (parameter == NULL ||
      !wb_launch_parameter_number(&analysis->launch, analysis->wcet->function, parameter, value) ||
      *value < 0)
    return false;
  if (source != NULL && names->assumptions != NULL)
    wb_parameter_name_assume(source, names->assumptions);
  return true;
}

/* Says what the bound needs, where nothing is said of what the loop's counter lacks. */
static warpbound_status ask_for_name(struct wb_wcet_analysis *analysis, size_t index,
                                     const struct wb_source_bound *bound,
                                     const struct wb_expression_result *result)
{
  struct wb_wcet_loop *loop = &analysis->wcet->loops[index];
  const struct wb_parameter_name *source = NULL;
  const struct wb_parameter *parameter = wb_launch_named_parameter(
      &analysis->launch, analysis->wcet->function, result->at, result->length, &source);
  int64_t value;
  const bool given =
      parameter != NULL &&
      wb_launch_parameter_number(&analysis->launch, analysis->wcet->function, parameter, &value);
  if (parameter != NULL && !given && (loop->fact == NULL || loop->fact[0] != '-')) {
    struct wb_text option = {0};
    wb_text_format(&option, "--param %.*s=N", (int)result->length, result->at);
    free(loop->fact);
    loop->fact = wb_text_take(&option);
    if (loop->fact == NULL)
      return wb_out_of_memory(analysis->error);
  }
  if (loop->hint != NULL) /* what may bound it by its code */
    return WARPBOUND_OK;
  struct wb_text hint = {0};
  wb_text_format(&hint, "its bound in line %" PRIu32 ", '%.80s', ", bound->at_line,
                 bound->expression);
  if (given)
    wb_text_format(&hint, "takes no number whose highest bit is set: '%.*s'", (int)result->length,
                   result->at);
  else if (parameter != NULL)
    wb_text_format(&hint, "needs --param %.*s=N", (int)result->length, result->at);
  else
    wb_text_format(&hint, "has a name that no parameter has: '%.*s'", (int)result->length,
                   result->at);
  char *text = wb_text_take(&hint);
  if (text == NULL)
    return wb_out_of_memory(analysis->error);
  loop->hint = text;
  return WARPBOUND_OK;
}

/* Says that nobody knows of which loop the bound is. */
static warpbound_status ask_for_place(struct wb_wcet_analysis *analysis, size_t index,
                                      const struct wb_source_bound *bound)
{
  struct wb_wcet_loop *loop = &analysis->wcet->loops[index];
  struct wb_text hint = {0};
  if (loop->hint != NULL) /* what may bound it by its code */
    return WARPBOUND_OK;
  wb_text_format(&hint,
                 "its bound in line %" PRIu32 " may be that of another loop of the same line, one "
                 "inside the other: a flow fact has to bound each by its address",
                 bound->at_line);
  loop->hint = wb_text_take(&hint);
  return loop->hint != NULL ? WARPBOUND_OK : wb_out_of_memory(analysis->error);
}

/* The number of a bound with names; *known: all have values. */
static warpbound_status evaluate(struct wb_wcet_analysis *analysis, size_t index,
                                 const struct wb_source_bound *bound, struct wb_wcet_claim *claim,
                                 bool *known)
{
  struct wb_wcet *wcet = analysis->wcet;
  struct names names = {.analysis = analysis};
  const char *text = bound->expression;
  const size_t length = strlen(text);
  const struct wb_expression_result result =
      wb_expression_evaluate(text, length, find_value, &names);
  *known = result.status == WB_EXPRESSION_OK;
  if (result.status == WB_EXPRESSION_UNKNOWN)
    return ask_for_name(analysis, index, bound, &result);
  if (result.status != WB_EXPRESSION_OK)
    return wb_fail_at(analysis->error, WARPBOUND_INVALID_INPUT, claim->file, claim->line,
                      claim->column, "the bound '%.80s' of %.120s: expected %s at '%.20s'", text,
                      wcet->function->name, result.expected, result.at);
  if (result.value < 0)
    return wb_fail_at(analysis->error, WARPBOUND_INVALID_INPUT, claim->file, claim->line,
                      claim->column,
                      "the bound '%.80s' of %.120s is %" PRId64
                      " with the parameters that are given: expected no negative number",
                      text, wcet->function->name, result.value);
  names.assumptions = &wcet->assumptions;
  wb_expression_evaluate(text, length, find_value, &names);
  wb_list_add(&wcet->assumptions,
              "the bound '%.80s' in %.150s:%zu is of the parameters of the kernel, with the values "
              "that it is launched with: of no variable, or parameter of another function, with "
              "such a name",
              text, claim->file, claim->line);
  claim->bound = (uint64_t)result.value;
  return WARPBOUND_OK;
}

warpbound_status wb_wcet_comment_claim(struct wb_wcet_analysis *analysis, size_t index,
                                       struct wb_wcet_claim *claim, bool *found)
{
  const struct wb_wcet *wcet = analysis->wcet;
  const struct wb_instruction *line = wb_wcet_loop_line(wcet, index);
  *found = false;
  if (analysis->options->sources == NULL || !wb_wcet_loop_has_line(wcet, index))
    return WARPBOUND_OK;
  const struct wb_source_bound *bound =
      wb_source_bounds_find(&analysis->options->sources[line->source_file - 1], line->source_line);
  if (bound == NULL)
    return WARPBOUND_OK;
  if (wb_wcet_loop_shares_line(wcet, index))
    return ask_for_place(analysis, index, bound);
  *claim = (struct wb_wcet_claim){.file = wcet->code->files[line->source_file - 1],
                                  .line = bound->at_line,
                                  .column = bound->at_column,
                                  .source = WB_BOUND_COMMENT,
                                  .bound = bound->bound};
  *found = bound->expression == NULL;
  return *found ? WARPBOUND_OK : evaluate(analysis, index, bound, claim, found);
}
