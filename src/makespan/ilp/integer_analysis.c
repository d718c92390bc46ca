#include "makespan/ilp/integer_analysis.h"

#include "base/file.h"

#include <inttypes.h>
#include <stdlib.h>

/* Letters of the string that a model file's title shows. */
#define LONGEST_STRING 60

/* Two lines on what the file is, and a third where its optimum is no upper bound. */
static char *make_title(const struct wb_problem *problem, const struct wb_integer_result *result)
{
  struct wb_text text = {0};
  struct wb_text string = {0};
  wb_kernel_string_write(&problem->string, &string);
  if (string.failed)
    text.failed = true;
  else
    wb_text_format(&text,
                   "Worst-case makespan of %" PRIu32 " warps: integer program of ECRTS 2012, %s "
                   "form, horizon %" PRIu32 "\nstring %.*s%s; units",
                   problem->warps, wb_integer_form_name(result->plan.form), result->plan.horizon,
                   LONGEST_STRING, string.data, string.length > LONGEST_STRING ? "..." : "");
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    if (problem->string.count[u] > 0)
      wb_text_format(&text, " %c=%" PRIu32, wb_unit_letter((enum wb_unit)u), problem->capacity[u]);
  }
  if (problem->issue_slots != WB_UNLIMITED)
    wb_text_format(&text, "; %" PRIu32 " issue slots", problem->issue_slots);
  if (result->short_horizon)
    wb_text_string(&text,
                   "\nThe horizon is below every proven bound: it may cut the worst case off");
  wb_text_free(&string);
  return wb_text_take(&text);
}

static warpbound_status solve(const struct wb_problem *problem,
                              const struct wb_integer_options *options,
                              const struct wb_linear_model *model, const struct wb_control *control,
                              struct wb_integer_result *result, warpbound_error *error)
{
  struct wb_linear_outcome outcome;
  warpbound_status status =
      options->command != NULL
          ? wb_linear_solve_by_command(model, options->command, control, &outcome, error)
          : wb_linear_solve_by_cbc(model, control, &outcome, error);
  if (status != WARPBOUND_OK)
    return status;
  result->solver = options->command != NULL ? options->command : "CBC";
  result->status = outcome.status;
  result->objective = outcome.objective;
  result->bound = outcome.bound;
  result->stop = outcome.stop;
  result->seconds = outcome.seconds;
  if (outcome.values != NULL)
    status = wb_integer_program_schedule(problem, &result->plan, outcome.values, &result->schedule,
                                         error);
  wb_linear_outcome_free(&outcome);
  return status;
}

warpbound_status wb_integer_analyse(const struct wb_problem *problem,
                                    const struct wb_integer_options *options,
                                    const struct wb_control *control,
                                    struct wb_integer_result *result, warpbound_error *error)
{
  struct wb_linear_model model;
  warpbound_status status = wb_integer_program_build(problem, &result->plan, &model, error);
  char *title = make_title(problem, result);
  model.title = title;
  if (status == WARPBOUND_OK && title == NULL)
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK) {
    result->built = true;
    result->columns = model.column_count;
    result->integers = wb_linear_integer_count(&model);
    result->rows = model.row_count;
    result->entries = model.entry_count;
  }
  if (status == WARPBOUND_OK && options->file != NULL) {
    struct wb_text text = {0};
    wb_linear_write(&model, options->format, &text);
    status = text.failed ? wb_out_of_memory(error)
                         : wb_file_write(options->file, text.data, text.length, error);
    wb_text_free(&text);
  }
  if (status == WARPBOUND_OK && options->solve)
    status = solve(problem, options, &model, control, result, error);
  wb_linear_model_free(&model);
  free(title);
  return status;
}

void wb_integer_result_free(struct wb_integer_result *result)
{
  wb_schedule_free(&result->schedule);
  *result = (struct wb_integer_result){0};
}
