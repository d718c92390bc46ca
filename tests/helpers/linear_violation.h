/* An assignment of values to a linear model's columns, checked against the model. */
#ifndef LINEAR_VIOLATION_H
#define LINEAR_VIOLATION_H

#include "linear/linear_model.h"

#include <math.h>

/* By how much a value lies outside its bounds. */
static inline double outside(double value, double lower, double upper)
{
  return fmax(0, fmax(lower - value, value - upper));
}

/* The most by which the assignment breaks a row, a column's bound or integrality. */
static inline double linear_violation(const struct wb_linear_model *model, const double *values)
{
  double worst = 0;
  for (size_t j = 0; j < model->column_count; j++) {
    const struct wb_linear_column *column = &model->columns[j];
    worst = fmax(worst, outside(values[j], column->lower, column->upper));
    if (column->integer)
      worst = fmax(worst, fabs(values[j] - round(values[j])));
  }
  for (size_t r = 0; r < model->row_count; r++) {
    double sum = 0;
    for (size_t e = model->rows[r].first; e < wb_linear_row_end(model, r); e++)
      sum += model->entries[e].value * values[model->entries[e].column];
    worst = fmax(worst, outside(sum, model->rows[r].lower, model->rows[r].upper));
  }
  return worst;
}

#endif
