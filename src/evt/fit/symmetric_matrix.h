/* Symmetric positive definite matrices of up to four rows, by Cholesky's factors. */
#ifndef WB_EVT_FIT_SYMMETRIC_MATRIX_H
#define WB_EVT_FIT_SYMMETRIC_MATRIX_H

#include <stdbool.h>

#define WB_MATRIX_ROWS 4

/* The lower triangular L with L L' = matrix; false where the matrix is not positive definite to the
 * digits of a double, or not finite. count: rows used. */
bool wb_cholesky(unsigned count, double matrix[WB_MATRIX_ROWS][WB_MATRIX_ROWS],
                 double factor[WB_MATRIX_ROWS][WB_MATRIX_ROWS]);
/* solution = inverse of L L' times right. */
void wb_cholesky_solve(unsigned count, double factor[WB_MATRIX_ROWS][WB_MATRIX_ROWS],
                       const double *right, double *solution);
/* inverse = inverse of L L'. */
void wb_cholesky_invert(unsigned count, double factor[WB_MATRIX_ROWS][WB_MATRIX_ROWS],
                        double inverse[WB_MATRIX_ROWS][WB_MATRIX_ROWS]);

#endif
