/* Writers of linear programs: files that any solver reads. */
#ifndef WB_LINEAR_MODEL_WRITER_H
#define WB_LINEAR_MODEL_WRITER_H

#include "base/text.h"
#include "linear/linear_model.h"

/* LP: CPLEX LP, in the part of the language that HiGHS, CBC, GLPK, SCIP and Gurobi share: no
 * ranges within a row (such a row is written as two, the second one's name ending in _upper),
 * lines of at most 200 characters. MPS: free MPS. The format's direction is to minimise, and not
 * every reader knows the section that changes it: what is to be maximised is written as the minimum
 * of the negative, and a comment says so. */
enum wb_linear_format { WB_LINEAR_LP, WB_LINEAR_MPS };

/* The columns in the order in which the LP file first names them, by which some readers
 * number them; NULL where memory is out. The caller frees. */
uint32_t *wb_lp_column_order(const struct wb_linear_model *model);

/* A failure is the text's. */
void wb_linear_write(const struct wb_linear_model *model, enum wb_linear_format format,
                     struct wb_text *text);

#endif
