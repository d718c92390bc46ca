/* Solution files and solver commands: any bytes give an error with a message, or values for
 * every column that are numbers. */
#include "base/memory.h"
#include "linear/model_writer.h"
#include "linear/solution_file.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A model whose names the seeds use. */
static struct wb_linear_model make_model(void)
{
  struct wb_linear_model model = {.maximise = true};
  wb_linear_add_row(&model, 0, 3, "most");
  for (int t = 1; t <= 4; t++)
    wb_linear_add_entry(&model, wb_linear_add_column(&model, 0, 1, true, "x_t%d", t), 1);
  return model;
}

static void check_outcome(const struct wb_linear_model *model,
                          const struct wb_linear_outcome *outcome)
{
  bool found = outcome->status == WB_LINEAR_OPTIMAL || outcome->status == WB_LINEAR_FEASIBLE;
  if (found != (outcome->values != NULL))
    abort();
  for (size_t j = 0; found && j < model->column_count; j++) {
    if (!isfinite(outcome->values[j]))
      abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct wb_linear_model model = make_model();
  uint32_t *order = wb_lp_column_order(&model);
  struct wb_linear_outcome outcome;
  warpbound_error error = {0};
  warpbound_status status =
      wb_linear_solution_parse("fuzz", (const char *)data, size, &model, order, &outcome, &error);
  if (status == WARPBOUND_OK) {
    check_outcome(&model, &outcome);
    wb_linear_outcome_free(&outcome);
  } else if (error.message[0] == '\0') {
    abort();
  }
  char *command = wb_copy_text((const char *)data, size);
  error.message[0] = '\0';
  if (command != NULL && wb_linear_command_check(command, "", &error) != WARPBOUND_OK &&
      error.message[0] == '\0')
    abort();
  free(command);
  free(order);
  wb_linear_model_free(&model);
  return 0;
}
