#include "evt/fit/symmetric_matrix.h"

#include <float.h>
#include <math.h>

bool wb_cholesky(unsigned count, double matrix[WB_MATRIX_ROWS][WB_MATRIX_ROWS],
                 double factor[WB_MATRIX_ROWS][WB_MATRIX_ROWS])
{
  for (unsigned row = 0; row < count; row++) {
    for (unsigned column = 0; column <= row; column++) {
      double sum = matrix[row][column];
      for (unsigned k = 0; k < column; k++)
        sum -= factor[row][k] * factor[column][k];
      if (column < row) {
        factor[row][column] = sum / factor[column][column];
        continue;
      }
      /* What cancellation leaves of the diagonal is noise below some units of its last place. */
      if (!(sum > 16 * DBL_EPSILON * matrix[row][row]) || !isfinite(sum))
        return false;
      factor[row][row] = sqrt(sum);
    }
  }
  return true;
}

void wb_cholesky_solve(unsigned count, double factor[WB_MATRIX_ROWS][WB_MATRIX_ROWS],
                       const double *right, double *solution)
{
  for (unsigned row = 0; row < count; row++) {
    double sum = right[row];
    for (unsigned k = 0; k < row; k++)
      sum -= factor[row][k] * solution[k];
    solution[row] = sum / factor[row][row];
  }
  for (unsigned row = count; row-- > 0;) {
    double sum = solution[row];
    for (unsigned k = row + 1; k < count; k++)
      sum -= factor[k][row] * solution[k];
    solution[row] = sum / factor[row][row];
  }
}

void wb_cholesky_invert(unsigned count, double factor[WB_MATRIX_ROWS][WB_MATRIX_ROWS],
                        double inverse[WB_MATRIX_ROWS][WB_MATRIX_ROWS])
{
  for (unsigned column = 0; column < count; column++) {
    double unit[WB_MATRIX_ROWS] = {0}, solution[WB_MATRIX_ROWS];
    unit[column] = 1.0;
    wb_cholesky_solve(count, factor, unit, solution);
    for (unsigned row = 0; row < count; row++)
      inverse[row][column] = solution[row];
  }
}
