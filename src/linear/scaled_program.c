#include "linear/scaled_program.h"

#include <math.h>

/* From values of this size on programs are scaled. */
#define LARGE 0x1p16
/* Losses, in parts of the largest gain, beyond which a column is not taken in any way. */
#define LOSS 0x1p10

bool wb_scaled_program_is_needed(const struct wb_linear_model *model)
{
  double largest = 0;
  for (size_t j = 0; j < model->column_count; j++)
    largest = fmax(largest, model->columns[j].scale);
  return largest >= LARGE && model->maximise;
}

double wb_nearest_power_of_two(double number)
{
  return number > 0 ? exp2(round(log2(number))) : 1;
}

bool wb_scaled_program_make(struct wb_arena *arena, const struct wb_linear_model *model,
                            struct wb_scaled_program *program)
{
  const size_t columns = model->column_count;
  const size_t rows = model->row_count;
  *program = (struct wb_scaled_program){
      .model = model, .row = wb_arena_array(arena, double, rows), .money = 1};
  struct wb_linear_arrays *arrays = &program->arrays;
  if (!wb_linear_arrays_make(arena, model, arrays) || arena->failed)
    return false;
  for (size_t j = 0; j < columns; j++) {
    const double scale = wb_linear_scale(&model->columns[j]);
    arrays->column_lower[j] /= scale;
    arrays->column_upper[j] /= scale;
    for (int i = arrays->start[j]; i < arrays->start[j + 1]; i++) {
      double *largest = &program->row[arrays->row[i]];
      arrays->value[i] *= scale;
      *largest = fmax(*largest, fabs(arrays->value[i]));
    }
  }
  for (size_t r = 0; r < rows; r++) {
    program->row[r] = 1 / wb_nearest_power_of_two(program->row[r]);
    arrays->row_lower[r] *= program->row[r];
    arrays->row_upper[r] *= program->row[r];
  }
  for (int i = 0; i < arrays->start[columns]; i++)
    arrays->value[i] *= program->row[arrays->row[i]];
  return true;
}

void wb_scaled_program_price(struct wb_scaled_program *program, double largest)
{
  const struct wb_linear_model *model = program->model;
  double gain = 0;
  for (size_t j = 0; j < model->column_count; j++)
    gain = fmax(gain, model->columns[j].objective * wb_linear_scale(&model->columns[j]));
  program->money = gain > largest ? largest / wb_nearest_power_of_two(gain) : 1;
  for (size_t j = 0; j < model->column_count; j++) {
    const struct wb_linear_column *column = &model->columns[j];
    program->arrays.objective[j] =
        fmax(column->objective * wb_linear_scale(column) * program->money, -largest * LOSS);
  }
}

void wb_scaled_program_read(const struct wb_scaled_program *program, double *prices)
{
  for (size_t r = 0; r < program->model->row_count; r++)
    prices[r] *= program->row[r] / program->money;
}
